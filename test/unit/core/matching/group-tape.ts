/**
 * As tape.ts, of a group of symbols with one base: 0 is REDBLUE, 1 REDGREEN, 2 REDGRAY. A line begins with the number
 * of its symbol, `1: 2 SELL 5 @ 100`; one with `sor` is routed. Account 7 stands between the symbols.
 */
import { ok } from 'node:assert/strict'
import { isRouted, ROUTED, SymbolStatus } from '../../../../src/base/codes.ts'
import { AccountId, AssetId, Atoms, Ms, SymbolId } from '../../../../src/base/units.ts'
import { Book } from '../../../../src/core/book/book.ts'
import { checkBook } from '../../../../src/core/book/invariants.ts'
import { AccountTable } from '../../../../src/core/ledger/accounts.ts'
import { Balances } from '../../../../src/core/ledger/balances.ts'
import { applyEffects } from '../../../../src/core/ledger/effects.ts'
import { TradeFees } from '../../../../src/core/ledger/fees.ts'
import { Holds } from '../../../../src/core/ledger/holds.ts'
import type { EngineBounds } from '../../../../src/core/matching/admission.ts'
import { Engine } from '../../../../src/core/matching/engine.ts'
import { EngineOutput } from '../../../../src/core/matching/output.ts'
import { stateHash } from '../../../../src/core/state-hash.ts'
import { Placement, RecordHeader } from '../../../../src/layout/accessors.gen.ts'
import { type RecordBuffer, recordLength } from '../../../../src/layout/record-buffer.ts'
import {
  plainExchange,
  type SymbolListing,
  type SymbolSpec,
  specifySymbol,
  usualAccount,
} from '../../../../src/market/listing.ts'
import { type NamedRecord, readRecords } from '../../../sim/records.ts'
import {
  checkConserved,
  compareRouted,
  predictRouted,
  type RoutedGroup,
} from '../../../sim/routed-twin.ts'
import { encodeLine } from './tape-commands.ts'

const ACCOUNTS = 8
export const SOR_ACCOUNT = AccountId(7)
const base = { id: AssetId(0), name: 'RED' }
export const quotes = ['BLUE', 'GREEN', 'GRAY'].map((name, i) => ({ id: AssetId(i + 1), name }))
const ASSETS = 1 + quotes.length

export const groupListings = quotes.map(
  (quote, i): SymbolListing => ({
    id: SymbolId(i),
    name: `RED${quote.name}`,
    base,
    quote,
    status: SymbolStatus.TRADING,
    filters: [
      { filterType: 'PRICE_FILTER', minPrice: '1', maxPrice: '100000', tickSize: '1' },
      { filterType: 'LOT_SIZE', minQty: '0.00000001', maxQty: '1', stepSize: '0.00000001' },
    ],
    preventionModes: [1, 2, 3, 4, 5],
    preventionDefault: 2,
  }),
)

export interface GroupLimits {
  readonly bounds?: EngineBounds
  readonly specs?: readonly SymbolSpec[]
  /** What accounts have of the base and of each quote. */
  readonly funds?: number
  readonly sorFunds?: number
  readonly rate?: number
  /** A batch ends once it has so many bytes of events. */
  readonly batchBytes?: number
}

class Market {
  readonly balances: Balances
  readonly holds: Holds
  readonly accounts = new AccountTable(ACCOUNTS)
  readonly output: EngineOutput
  readonly engines: readonly Engine[]

  constructor(limits: GroupLimits) {
    const { specs, funds = 100_000, sorFunds = funds, rate = 0, bounds, batchBytes } = limits
    this.output = new EngineOutput(1 << 16, batchBytes)
    this.balances = new Balances(
      new SharedArrayBuffer(Balances.bytesFor(ACCOUNTS, ASSETS)),
      ACCOUNTS,
      ASSETS,
    )
    for (let id = 0; id < ACCOUNTS; id++) {
      const rates = id === 6 ? { makerRate: rate, takerRate: 2 * rate } : {}
      const tradeGroupId = id === 3 || id === 4 ? 7 : -1
      this.accounts.set({
        ...usualAccount,
        id: AccountId(id),
        name: `${id}`,
        tradeGroupId,
        ...rates,
      })
      for (let asset = 0; asset < ASSETS && id > 0; asset++) {
        const atoms = id !== SOR_ACCOUNT ? funds : asset === 0 ? 0 : sorFunds
        this.balances.credit(AccountId(id), AssetId(asset), Atoms(atoms))
      }
    }
    this.holds = new Holds(this.balances, ACCOUNTS, ASSETS)
    const { holds, accounts, output } = this
    this.engines = (specs ?? groupListings.map((it) => specifySymbol(it))).map((spec) => {
      const shape = { priceTicksMax: spec.priceTicksMax, ordersMax: 64, accountsMax: ACCOUNTS }
      const book = new Book(new SharedArrayBuffer(Book.bytesFor(shape)), shape)
      const fees = new TradeFees({ spec, accounts, holds, exchange: plainExchange })
      const shared = { holds, accounts, output, ...(bounds && { bounds }) }
      return new Engine({ ...shared, spec, fees, book })
    })
    for (const engine of this.engines) engine.join(this.engines, SOR_ACCOUNT)
  }
}

export class GroupTape {
  readonly market: Market
  /** Applies what the other writes. */
  private readonly follower: Market
  nowMs = Ms(1000)
  private place = 0

  constructor(limits: GroupLimits = {}) {
    this.market = new Market(limits)
    this.follower = new Market(limits)
  }

  /** Executes lines; returns the records of the last. Every line is recovered, and every event conserves. */
  run(...lines: readonly string[]): NamedRecord[] {
    let records: NamedRecord[] = []
    for (const line of lines) records = this.execute(line)
    return records
  }

  /** The operator changes a symbol. */
  respecify(symbol: number, spec: Partial<SymbolSpec>): void {
    const engine = this.market.engines[symbol]!
    engine.respecify({ ...engine.spec, ...spec })
    this.finish()
  }

  free(account: number, asset: number): number {
    return Number(this.market.balances.available(AccountId(account), AssetId(asset)))
  }

  private execute(line: string): NamedRecord[] {
    const { engines, output, holds } = this.market
    const [symbol, rest] = line.split(': ') as [string, string]
    const words = rest.split(' ')
    const command = encodeLine(words.filter((word) => word !== 'sor').join(' '), ++this.place)
    RecordHeader.setSymbolId(command, 0, SymbolId(Number(symbol)))
    if (words.includes('sor')) {
      Placement.setTerms(command, 0, Placement.terms(command, 0) | ROUTED)
      if (!isRouted(Placement.terms(command, 0))) throw new Error('not routed')
    }
    output.reset()
    const isSor = words.includes('sor')
    const predicted = isSor ? predictRouted(command, this.group) : undefined
    engines[Number(symbol)]!.execute(command, 0, this.nowMs)
    holds.settle(true)
    if (predicted !== undefined) {
      compareRouted(predicted, readRecords(output.events, 0, output.eventsEnd), this.group)
    }
    const isLeft = engines.some((engine) => engine.isUnfinished)
    ok(output.isFull || !isLeft, 'only a full batch leaves something of a command')
    return [...this.settled(), ...this.finish()]
  }

  /** What a full batch left continues, of one symbol after the other; no command comes between. */
  private finish(): NamedRecord[] {
    const { engines, output, holds } = this.market
    const records: NamedRecord[] = []
    for (const engine of engines) {
      while (engine.isUnfinished) {
        output.reset()
        engine.goOn(this.nowMs)
        holds.settle(true)
        records.push(...this.settled())
      }
    }
    return records
  }

  private settled(): NamedRecord[] {
    const { output } = this.market
    this.recover(output.events, output.eventsEnd)
    return [
      ...readRecords(output.events, 0, output.eventsEnd),
      ...readRecords(output.replies, 0, output.repliesEnd),
    ]
  }

  private get group(): RoutedGroup {
    const { engines, holds, accounts } = this.market
    return {
      engines,
      account: SOR_ACCOUNT,
      nowMs: this.nowMs,
      isOwn: (a, b) => accounts.sameOwner(a, b),
      budgetOf: (asset) => BigInt(holds.available(SOR_ACCOUNT, asset)),
    }
  }

  private recover(events: RecordBuffer, end: number): void {
    const { engines, balances } = this.follower
    for (let at = 0; at < end; at += recordLength(events, at)) {
      const engine = engines[RecordHeader.symbolId(events, at)]!
      engine.recover(events, at)
      checkConserved(events, at, engine.spec)
    }
    for (let at = 0; at < end; at += recordLength(events, at)) {
      const { spec } = engines[RecordHeader.symbolId(events, at)]!
      applyEffects(events, at, spec, balances)
    }
    for (const engine of [...engines, ...this.market.engines]) checkBook(engine.book as Book)
    const hashes = [this.follower, this.market].map((it) => stateHash(it.engines, it.balances))
    if (hashes[0] !== hashes[1]) throw new Error('recovery comes to another state')
  }
}
