/**
 * Who reads a symbol's depth from one gateway as the protocol documents it: a snapshot by REST, kept up
 * to date by the diffs of its stream, which must follow each other without a gap.
 */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { assert } from '../../../src/base/assert.ts'
import { Side, SymbolStatus } from '../../../src/base/codes.ts'
import { Lots, Ticks } from '../../../src/base/units.ts'
import type { PlainSymbol } from '../../model/plain-exchange.ts'
import type { FalseSocket, FalseSockets } from './false-sockets.ts'
import { priceOf, quantityOf } from './requests.ts'

type Row = readonly [price: string, quantity: string]
interface Diff {
  readonly U: number
  readonly u: number
  readonly b: readonly Row[]
  readonly a: readonly Row[]
}

export class MarketReader {
  private readonly symbol: string
  private readonly sockets: FalseSockets
  private socket: FalseSocket | undefined = undefined
  private diffs: Diff[] = []
  private updateId = -1
  private sides = [new Map<string, string>(), new Map<string, string>()] as const

  constructor(symbol: string, sockets: FalseSockets) {
    this.symbol = symbol
    this.sockets = sockets
  }

  get isConnected(): boolean {
    return this.socket?.isOpen === true
  }

  connect(): void {
    this.socket = this.sockets.connect(`/ws/${this.symbol.toLowerCase()}@depth@100ms`)
    this.diffs = []
    this.updateId = -1
  }

  lose(): void {
    this.socket?.lose()
  }

  /** Takes in what came; answers how many diffs were applied. */
  read(): number {
    const socket = this.socket
    if (socket === undefined) return 0
    for (const frame of socket.frames.splice(0)) {
      const diff = JSON.parse(frame)
      if (diff.e === 'depthUpdate') this.diffs.push(diff)
    }
    if (!socket.isOpen) return 0
    if (this.updateId < 0 && this.diffs.length > 0) this.begin()
    let applied = 0
    for (const diff of this.updateId < 0 ? [] : this.diffs.splice(0)) {
      if (diff.u <= this.updateId) continue
      if (applied > 0) strictEqual(diff.U, this.updateId + 1, 'diffs have no gap')
      else assert(diff.U <= this.updateId + 1, 'no diff is missing after the snapshot')
      this.apply(Side.BUY, diff.b)
      this.apply(Side.SELL, diff.a)
      this.updateId = diff.u
      applied++
    }
    return applied
  }

  /** At rest, the local book is the book, but in BREAK: streams are silent then. */
  check({ spec, market, state }: PlainSymbol): void {
    if (!this.isConnected || this.updateId < 0 || spec.status === SymbolStatus.BREAK) return
    strictEqual(this.updateId, state.updateId, 'the last diff was delivered')
    for (const side of [Side.BUY, Side.SELL]) {
      const levels = new Map<bigint, bigint>()
      for (const { price, shown } of market.queue(side)) {
        levels.set(price, (levels.get(price) ?? 0n) + shown)
      }
      const rows = [...levels].map(
        ([price, lots]) =>
          [priceOf(spec, Ticks(Number(price))), quantityOf(spec, Lots(Number(lots)))] as const,
      )
      deepStrictEqual(sorted(this.sides[side]), sorted(rows), 'snapshot and diffs are the book')
    }
  }

  private begin(): void {
    const path = '/api/v3/depth'
    const { answer } = this.sockets.request('GET', path, `symbol=${this.symbol}&limit=5000`, '')
    assert(answer?.status === 200, 'memory answers at once')
    const { lastUpdateId, bids, asks } = JSON.parse(answer.body)
    this.updateId = lastUpdateId
    this.sides = [new Map(bids), new Map(asks)]
  }

  private apply(side: Side, rows: readonly Row[]): void {
    for (const [price, quantity] of rows) {
      if (Number(quantity) === 0) this.sides[side].delete(price)
      else this.sides[side].set(price, quantity)
    }
  }
}

const sorted = (rows: Iterable<Row>): Row[] => [...rows].sort(([a], [b]) => Number(a) - Number(b))
