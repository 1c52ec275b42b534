/**
 * The books and balances that events come to, applied one by one by the code of recovery, with what
 * recovery takes for granted asked of each.
 */
import { randomInt } from 'node:crypto'
import type { Snapshot } from '../../src/agents/snapshots.ts'
import { assert } from '../../src/base/assert.ts'
import { plus } from '../../src/base/int64.ts'
import { AccountId, AssetId, Atoms, Ms, SymbolId } from '../../src/base/units.ts'
import { Book } from '../../src/core/book/book.ts'
import { checkBook } from '../../src/core/book/invariants.ts'
import { Balances } from '../../src/core/ledger/balances.ts'
import { EffectSums } from '../../src/core/ledger/effect-sums.ts'
import { applyEffects, applyWalletEffects, type EffectSink } from '../../src/core/ledger/effects.ts'
import { Counter } from '../../src/core/matching/counters.ts'
import { EventApplier } from '../../src/core/matching/event-applier.ts'
import { OpenCounts } from '../../src/core/matching/open-counts.ts'
import { OrderListIds } from '../../src/core/matching/order-list-ids.ts'
import { SymbolState } from '../../src/core/matching/symbol-state.ts'
import { stateHash } from '../../src/core/state-hash.ts'
import { WalletState } from '../../src/core/wallet/wallet-state.ts'
import { EventHeader, RecordHeader } from '../../src/layout/accessors.gen.ts'
import type { RecordBuffer } from '../../src/layout/record-buffer.ts'
import { type SymbolSpec, WALLET } from '../../src/market/listing.ts'
import type { DataFolder } from './data-folder.ts'

export interface AuditReplayOptions {
  readonly data: Pick<DataFolder, 'symbols' | 'assets' | 'deposits' | 'externalLocks'>
  readonly accountsMax: number
  readonly assetsMax: number
  readonly ordersMax: number
}

const share = (bytes: number) => new SharedArrayBuffer(bytes)

export class AuditReplay {
  readonly sums: EffectSums
  readonly options: AuditReplayOptions
  /** By symbol id. */
  readonly states: readonly SymbolState[]
  readonly wallet = new WalletState()
  private readonly views: readonly EventApplier[]
  /** By symbol id: sequence and time of its last event. */
  private readonly sequences: number[]
  private readonly timesMs: Ms[]
  private readonly conserving: ConservingSink
  private readonly orderListIds = new OrderListIds(share(OrderListIds.bytes))
  private readonly idSalt = randomInt(2 ** 32)
  private blockMs = Ms(0)
  private _events = 0

  constructor(options: AuditReplayOptions) {
    this.options = options
    const { data, accountsMax, assetsMax } = options
    this.sums = new EffectSums(accountsMax, assetsMax)
    this.conserving = new ConservingSink(this.sums, assetsMax)
    this.states = data.symbols.map((spec) => this.emptyState(spec))
    this.views = this.states.map((state) => new EventApplier(state, this.orderListIds))
    this.sequences = data.symbols.map(() => Ms(0))
    this.timesMs = data.symbols.map(() => Ms(0))
  }

  get events(): number {
    return this._events
  }

  get lastOrderListId(): number {
    return this.orderListIds.last
  }

  /** A symbol that has met nothing. */
  emptyState(spec: SymbolSpec): SymbolState {
    const { accountsMax, ordersMax } = this.options
    const shape = { priceTicksMax: spec.priceTicksMax, ordersMax, accountsMax }
    const counts = new OpenCounts(share(OpenCounts.bytesFor(accountsMax)))
    const book = new Book(share(Book.bytesFor(shape)), shape, this.idSalt)
    return new SymbolState(spec, book, counts)
  }

  /** Begins with what the snapshot has, in place of the events before it. */
  begin(snapshot: Snapshot): void {
    const { events, orderListId } = snapshot.covered
    this._events = events
    this.orderListIds.recovered(orderListId)
    snapshot.readLedger(this.sums)
    snapshot.readWallet(this.wallet)
    for (const [id, state] of this.states.entries()) {
      snapshot.readSymbol(SymbolId(id), state)
      this.sequences[id] = state.counters[Counter.sequence]!
    }
  }

  /** Events of a block of this time follow. */
  beginBlock(timeMs: Ms): void {
    this.blockMs = timeMs
    this.sums.beginBlock(timeMs)
  }

  endBlock(): void {
    this.sums.endBlock()
  }

  /** Applies the event at byte `at`. Throws when it does not follow from what was applied before. */
  apply(records: RecordBuffer, at: number): void {
    const symbolId = RecordHeader.symbolId(records, at)
    if (symbolId === WALLET) {
      this.applyWallet(records, at)
      return
    }
    const spec = this.options.data.symbols[symbolId]
    assert(spec !== undefined, 'its symbol was never listed')
    const sequence = EventHeader.sequence(records, at)
    assert(sequence === ++this.sequences[symbolId]!, "its symbol's sequence has a gap before it")
    const timeMs = EventHeader.timeMs(records, at)
    assert(timeMs >= this.timesMs[symbolId]!, "it is earlier than its symbol's event before")
    assert(timeMs <= this.blockMs, 'it is later than its block')
    this.timesMs[symbolId] = timeMs
    this.views[symbolId]!.apply(records, at)
    applyEffects(records, at, spec, this.conserving)
    this.conserving.check()
    this._events++
  }

  private applyWallet(records: RecordBuffer, at: number): void {
    const sequence = EventHeader.sequence(records, at)
    assert(sequence === this.wallet.sequence + 1, "the wallet's sequence has a gap before it")
    assert(EventHeader.timeMs(records, at) <= this.blockMs, 'it is later than its block')
    this.wallet.apply(records, at)
    applyWalletEffects(records, at, this.sums)
    this._events++
  }

  /** Whether books are sound, no balance is below zero, and the proof of funds holds. */
  auditMoney(): string[] {
    const findings: string[] = []
    for (const [id, { book }] of this.states.entries()) {
      const { name } = this.options.data.symbols[id]!
      try {
        checkBook(book as Book)
      } catch (error) {
        findings.push(`The book of ${name} is not sound: ${(error as Error).message}.`)
      }
    }
    const balances = this.balances()
    const negative = balances.firstNegative()
    if (negative !== undefined) {
      findings.push(`A balance is below zero: ${JSON.stringify(negative)}.`)
    }
    const held = this.wallet.heldAtoms(this.options.data.assets.length)
    for (const { id, name } of this.options.data.assets) {
      let deposited = held[id]!
      for (const { asset, atoms } of this.options.data.deposits) {
        if (asset === id) deposited += atoms
      }
      const total = balances.total(id)
      if (total === deposited) continue
      findings.push(`All balances of ${name} are ${total} atoms, but ${deposited} were paid in.`)
    }
    return findings
  }

  hash(): number {
    return stateHash(
      this.states.map((state) => ({ state })),
      this.balances(),
    )
  }

  private balances(): Balances {
    const { data, accountsMax, assetsMax } = this.options
    const balances = new Balances(
      share(Balances.bytesFor(accountsMax, assetsMax)),
      accountsMax,
      assetsMax,
    )
    for (const { account, asset, atoms } of data.deposits)
      balances.credit(AccountId(account), AssetId(asset), atoms)
    for (const { account, asset, atoms } of data.externalLocks) {
      balances.move(AccountId(account), AssetId(asset), -atoms, atoms, 0n)
    }
    this.sums.settle(balances)
    return balances
  }
}

/** Passes effects on, and knows whether those of one event together made or lost anything. */
class ConservingSink implements EffectSink {
  private readonly sink: EffectSink
  /** By asset: what the event at hand has made so far. */
  private readonly made: Atoms[]

  constructor(sink: EffectSink, assetsMax: number) {
    this.sink = sink
    this.made = Array.from({ length: assetsMax }, () => Atoms(0))
  }

  addRecovered(account: number, asset: number, freeAtoms: Atoms, lockedAtoms: Atoms): void {
    this.made[asset] = plus(this.made[asset]!, plus(freeAtoms, lockedAtoms))
    this.sink.addRecovered(AccountId(account), AssetId(asset), freeAtoms, lockedAtoms)
  }

  check(): void {
    for (const atoms of this.made) assert(atoms === 0, 'it makes or loses money')
  }
}
