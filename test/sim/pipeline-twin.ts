/**
 * What the plain twin knows: the state of every symbol and balance now, what it was at the end of each
 * journaled block, and what the journal holds. When a journal loses its tail, the twin goes back with it.
 */
import { strictEqual } from 'node:assert/strict'
import { assert } from '../../src/base/assert.ts'
import type { Int64 } from '../../src/base/int64.ts'
import { Lots, Ms, QuoteAtoms, Ticks, TradeId } from '../../src/base/units.ts'
import type { Engine } from '../../src/core/matching/engine.ts'
import type { TapeTrade } from '../../src/core/views/tape.ts'
import { BlockReader } from '../../src/journal/block.ts'
import { WALLET } from '../../src/market/listing.ts'
import type { PlainRecord } from '../model/plain-answer.ts'
import { PlainSymbol } from '../model/plain-exchange.ts'
import { PlainMarket, type PlainWorld } from '../model/plain-market.ts'
import type { PlainWallet, PlainWalletState } from '../model/plain-wallet.ts'
import { type Command, predict } from './commands.ts'
import { type PipelineGroup, seenOf } from './pipeline-group.ts'
import type { PipelineStore } from './pipeline-store.ts'
import { heldOf, newPlainWallet, WALLET_MATCHER } from './pipeline-wallet.ts'
import { type NamedRecord, readRecords } from './records.ts'
import { type Landmark as BooksLandmark, newWorld } from './simulation.ts'
import {
  allSymbols,
  cellOf,
  deposits,
  isGrouped,
  MATCHERS,
  matcherOf,
  ruledSymbols,
  tightBounds,
} from './world.ts'

/** The hash of what a symbol's engine continues with, or the wallet. */
export type HashOf = (symbolId: number) => number

interface Landmark extends BooksLandmark {
  /** The wallet's matcher has it. */
  readonly wallet: WalletLandmark | undefined
  /** What orders of the group hold. */
  readonly locked: ReadonlyMap<string, bigint>
}

interface WalletLandmark {
  readonly state: PlainWalletState
  readonly sequence: number
  readonly hash: number
}

export class PipelineTwin {
  world: PlainWorld = newWorld(tightBounds)
  /** By symbol id. */
  symbols: readonly PlainSymbol[] = []
  wallet: PlainWallet = newPlainWallet(this.world.ledger)
  /** By asset: what the wallet has added to all balances, as far as it is published. */
  heldShown: readonly bigint[] = []
  /** By symbol id: the journaled trades, oldest first. */
  readonly trades: readonly TapeTrade[][] = allSymbols.map(() => [])
  /** By symbol, and of the wallet: the last event journaled. */
  readonly sequences: number[] = [WALLET, ...allSymbols].map(() => 0)
  /** The wallet's last event, journaled or not. */
  private walletSequence = 0
  /** By matcher: landmarks[n] is the end of block n. */
  private readonly landmarks: Landmark[][] = Array.from({ length: MATCHERS }, () => [])
  private readonly block = new BlockReader()

  private readonly engineOf: (symbolId: number) => Engine
  private readonly groupNow: () => PipelineGroup

  /** `hashOf` the engines of an exchange that has just started with empty journals. */
  constructor(
    hashOf: HashOf,
    engineOf: (symbolId: number) => Engine,
    groupNow: () => PipelineGroup,
  ) {
    this.engineOf = engineOf
    this.groupNow = groupNow
    this.rebuild()
    for (const [matcher, landmarks] of this.landmarks.entries()) {
      landmarks.push(this.landmark(matcher, hashOf))
    }
  }

  /** `room`: the events that the engine had room for. */
  predict(command: Command, timeMs: Ms, clockMs: Ms, room: number): PlainRecord[] {
    const symbol = this.symbols[command.record.symbolId]!
    assert(!symbol.isUnfinished, 'no command overtakes the unfinished')
    symbol.room = room
    return predict(symbol, command, timeMs, clockMs)
  }

  goOn(symbolId: number, timeMs: Ms, room: number): PlainRecord[] {
    const symbol = this.symbols[symbolId]!
    symbol.room = room
    return symbol.goOn(timeMs)
  }

  /** The wallet has written so many events. */
  walletWrote(events: number): void {
    this.walletSequence += events
  }

  /** The wallet at the end of the matcher's block, which is `position`. */
  walletAt(position: number): PlainWalletState {
    return this.landmarks[WALLET_MATCHER]![position]!.wallet!.state
  }

  /** What the whole journal has. */
  *recordsOf(store: PipelineStore): Iterable<NamedRecord> {
    for (const { block } of store.blocks(1)) {
      this.block.open(block, 'A block')
      yield* readRecords(this.block.records, this.block.start, this.block.end)
    }
  }

  /** The block follows the last one of the matcher's journal, and holds all that is predicted. */
  appended(matcher: number, bytes: Uint8Array, hashOf: HashOf): void {
    const block = this.block
    block.open(bytes, 'The block just written')
    strictEqual(block.position, this.landmarks[matcher]!.length, 'blocks have no gaps')
    this.landmarks[matcher]!.push(this.landmark(matcher, hashOf))
    for (const record of readRecords(block.records, block.start, block.end)) {
      const symbolId = Number(record.symbolId)
      strictEqual(record.sequence, ++this.sequences[cellOf(symbolId)]!, 'a journal has every event')
      if (record.name !== 'Trade') continue
      this.trades[symbolId]!.push({
        tradeId: TradeId(Number(record.tradeId)),
        priceTicks: Ticks(Number(record.priceTicks)),
        lots: Lots(Number(record.tradeLots)),
        quoteAtoms: QuoteAtoms(record.quoteAtoms as Int64),
        timeMs: Ms(Number(record.timeMs)),
        isBuyerMaker: (Number(record.makerTerms) & 1) === 0,
      })
    }
    for (const { id } of ruledSymbols) {
      if (matcherOf(id) !== matcher) continue
      const sequence = this.sequences[cellOf(id)]
      strictEqual(sequence, this.symbols[id]!.state.sequence, 'a block is a whole batch')
    }
    if (matcher !== WALLET_MATCHER) return
    strictEqual(this.sequences[cellOf(WALLET)], this.walletSequence, 'a block is a whole batch')
  }

  /** Only the first `blocks` of the matcher's journal survive. */
  tear(matcher: number, blocks: number): void {
    this.landmarks[matcher]!.length = blocks + 1
  }

  /** Goes back to what survived, where the recovered engines must be. */
  restart(hashOf: HashOf): void {
    this.rebuild()
    for (const { id } of allSymbols) {
      const { hashes } = this.landmarks[matcherOf(id)]!.at(-1)!
      strictEqual(hashOf(id), hashes[id], 'the state of the last surviving block is recovered')
    }
    const { wallet } = this.landmarks[WALLET_MATCHER]!.at(-1)!
    strictEqual(hashOf(WALLET), wallet!.hash, 'the wallet of the last surviving block is recovered')
  }

  private rebuild(): void {
    this.world = newWorld(tightBounds)
    for (const [account, asset, atoms] of deposits) this.world.ledger.deposit(account, asset, atoms)
    const survivors = this.landmarks.map((landmarks) => landmarks.at(-1))
    for (const [matcher, survivor] of survivors.entries()) {
      if (survivor !== undefined) this.world.ledger.restore(matcher, survivor.changes)
    }
    const wallet = survivors[WALLET_MATCHER]?.wallet
    this.wallet = newPlainWallet(this.world.ledger)
    if (wallet !== undefined) this.wallet.restore(wallet.state)
    this.walletSequence = wallet?.sequence ?? 0
    this.sequences[cellOf(WALLET)] = this.walletSequence
    this.symbols = ruledSymbols.map((spec) => {
      const matcher = matcherOf(spec.id)
      const twin = new PlainSymbol(spec, matcher, this.world)
      const state = survivors[matcher]?.states[spec.id]
      if (state !== undefined) twin.state = structuredClone(state)
      this.trades[spec.id]!.length = twin.state.tradeId
      this.sequences[cellOf(spec.id)] = twin.state.sequence
      return twin
    })
    for (const spec of allSymbols.slice(ruledSymbols.length)) {
      this.world.markets[spec.id] = new PlainMarket(spec, matcherOf(spec.id), this.world)
    }
    this.groupChanged()
    for (const { id } of allSymbols.slice(ruledSymbols.length)) {
      const { tradeId, sequence } = this.world.markets[id]!.state
      this.trades[id]!.length = tradeId
      this.sequences[cellOf(id)] = sequence
    }
    this.world.orderListId = Math.max(...this.symbols.map(({ state }) => state.orderListId))
    for (let matcher = 0; matcher < MATCHERS; matcher++) this.published(matcher)
  }

  /** The books of the group are as their engines have them. */
  groupChanged(): void {
    for (const { id } of allSymbols.slice(ruledSymbols.length)) {
      this.world.markets[id]!.state = seenOf(this.engineOf(id))
    }
  }

  /** Whether commands of the symbol wait. */
  isUnfinished(symbolId: number): boolean {
    return isGrouped(symbolId)
      ? this.groupNow().areUnfinished
      : this.symbols[symbolId]!.isUnfinished
  }

  unfinishedAccount(symbolId: number): number | undefined {
    return isGrouped(symbolId)
      ? this.engineOf(symbolId).unfinishedAccount
      : this.symbols[symbolId]!.unfinishedAccount
  }

  /** What orders of the group held at the end of the last surviving block. */
  get lockedInGroup(): ReadonlyMap<string, bigint> {
    return this.landmarks[WALLET_MATCHER]!.at(-1)?.locked ?? new Map()
  }

  /** What the matcher has done is shown: all matchers know at what prices it has traded. */
  published(matcher: number): void {
    if (matcher === WALLET_MATCHER) this.heldShown = heldOf(this.wallet)
    for (const { spec, state } of this.world.markets) {
      if (matcherOf(spec.id) === matcher) {
        this.world.publishedTicks[spec.id] = state.lastPriceTicks
      }
    }
  }

  private landmark(matcher: number, hashOf: HashOf): Landmark {
    const own = <T>(value: (symbolId: number) => T) =>
      allSymbols.map(({ id }) => (matcherOf(id) === matcher ? value(id) : undefined))
    return {
      changes: this.world.ledger.changes(matcher),
      states: own((id) => structuredClone(this.symbols[id]?.state)),
      locked: new Map(this.groupNow().locked),
      hashes: own(hashOf),
      wallet:
        matcher === WALLET_MATCHER
          ? { state: this.wallet.state, sequence: this.walletSequence, hash: hashOf(WALLET) }
          : undefined,
    }
  }
}
