/**
 * The exchange from a seed, on one thread, with false time: two matchers on one ledger, each with its
 * own journal, executing random commands that the plain twin predicts record by record. Between any
 * two steps another matcher may act, or power may be lost: then the unwritten is gone, the state is
 * recovered from the journals, and both continue from what survived.
 */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { engineMemory } from '../../src/agents/book-memory.ts'
import { MatcherSymbols } from '../../src/agents/matcher-symbols.ts'
import {
  CorridorEnd,
  ExpiryReason,
  PhaseCause,
  ProtectionStatus,
  ReferenceCalculation,
  Side,
  SymbolStatus,
  sideOf,
} from '../../src/base/codes.ts'
import { int64ToBigint } from '../../src/base/int64.ts'
import { assetsMaxOf } from '../../src/base/limits.ts'
import { Prng } from '../../src/base/prng.ts'
import {
  AccountId,
  AssetId,
  Ms,
  OrderId,
  OrderListId,
  SymbolId,
  Ticks,
} from '../../src/base/units.ts'
import type { Book } from '../../src/core/book/book.ts'
import { checkBook } from '../../src/core/book/invariants.ts'
import { BALANCE_WORDS, Balances } from '../../src/core/ledger/balances.ts'
import { applyEffects } from '../../src/core/ledger/effects.ts'
import { type EngineBounds, usualBounds } from '../../src/core/matching/admission.ts'
import { Counter } from '../../src/core/matching/counters.ts'
import type { Engine } from '../../src/core/matching/engine.ts'
import { EngineOutput } from '../../src/core/matching/output.ts'
import { stateHash } from '../../src/core/state-hash.ts'
import type { Durability } from '../../src/journal/store.ts'
import { RecordHeader } from '../../src/layout/accessors.gen.ts'
import { recordLength } from '../../src/layout/record-buffer.ts'
import { HOUR_MS } from '../../src/market/intervals.ts'
import {
  bandOf,
  isRanged,
  noRange,
  type PhaseSettings,
  type SymbolSpec,
} from '../../src/market/listing.ts'
import { PlainSymbol } from '../model/plain-exchange.ts'
import { type PlainChanges, PlainLedger } from '../model/plain-ledger.ts'
import type { PlainWorld } from '../model/plain-market.ts'
import type { PlainState } from '../model/plain-order.ts'
import type { QuoteCommand } from '../model/plain-quote.ts'
import { encode, predict } from './commands.ts'
import { FaultyStore } from './faulty-store.ts'
import { checkHeld } from './held.ts'
import { eventCountOf, type NamedRecord } from './records.ts'
import { eventsOf, SimulatedMatcher } from './simulated-matcher.ts'
import { Workload } from './workload.ts'
import {
  ACCOUNTS,
  ASSETS,
  accounts,
  BATCH_BYTES,
  deposits,
  exchange,
  MATCHERS,
  matcherOf,
  ORDERS_MAX,
  symbols,
  tightBounds,
} from './world.ts'

/** The twin at the end of a block, and the fast engines' hashes at that moment. */
export interface Landmark {
  readonly changes: PlainChanges
  readonly states: readonly (PlainState | undefined)[]
  readonly hashes: readonly (number | undefined)[]
}

const sizes = { ordersPerSymbol: ORDERS_MAX, accounts: ACCOUNTS }
const owners = symbols.map(({ id }) => matcherOf(id))
const START_MS = Ms(1_700_000_000_000)

/** Steps of a restless exchange that change an account, and often its trade group. */
const REGROUPED = 0.012

export class Simulation {
  /** How often each thing happened, so that a test can see that everything did. */
  readonly counts = new Map<string, number>()
  /** Called with each block that was appended, and with those that survived a loss of power. */
  appended: (block: Uint8Array) => void = () => {}
  recovered: (blocks: readonly Uint8Array[]) => void = () => {}
  private readonly prng: Prng
  private readonly workload: Workload
  private readonly stores: FaultyStore[]
  /** By matcher: landmarks[n] is the end of block n. */
  private readonly landmarks: Landmark[][] = []
  private readonly deposited: bigint[] = Array.from({ length: ASSETS }, () => 0n)
  private balances!: Balances
  private matchers!: SimulatedMatcher[]
  private world!: PlainWorld
  private twins!: PlainSymbol[]
  private nowMs = START_MS
  /** By how much the clock is behind the journal's time. */
  private behindMs = 0
  /** Each start has another. */
  private idSalt: number

  /** How often an operator changes a symbol, beside what is usual. */
  private readonly unrest: number
  private readonly standsInAuctions: boolean

  /** `standsInAuctions`: no time passes while one trades, so that several batches of it have one time. */
  constructor(seed: number, unrest = 0, standsInAuctions = false) {
    this.unrest = unrest
    this.standsInAuctions = standsInAuctions
    this.idSalt = seed
    this.prng = new Prng(seed)
    this.workload = new Workload(this.prng)
    const durability: Durability = this.prng.chance(0.5) ? 'flushed' : 'committed'
    this.stores = Array.from({ length: MATCHERS }, () => new FaultyStore(durability))
    for (const [, asset, atoms] of deposits) this.deposited[asset]! += atoms
    this.recover(Array.from({ length: MATCHERS }, () => undefined))
    for (let matcher = 0; matcher < MATCHERS; matcher++) {
      this.landmarks[matcher] = [this.landmark(matcher)]
    }
  }

  /** One random step of one matcher, with everything checked after it. */
  step(): void {
    const prng = this.prng
    const index = prng.below(MATCHERS)
    const dice = prng.unit()
    if (this.unrest > 0 && prng.chance(this.unrest)) this.respecify()
    else if (this.unrest > 0 && prng.chance(REGROUPED)) this.readmit()
    else if (this.isInAuction && prng.chance(this.unrest * 2)) this.crash()
    else if (dice < 0.85) this.execute()
    else if (dice < 0.96) this.append(index)
    else if (dice < 0.987) this.flush(index)
    else if (dice < 0.993) this.respecify()
    else if (dice < 0.997) this.readmit()
    else this.crash()
    this.checkMoney()
  }

  private get isInAuction(): boolean {
    return this.twins.some(({ state }) => state.auctionTicks !== 0)
  }

  private execute(): void {
    const prng = this.prng
    this.tick()
    const symbolId = prng.below(symbols.length)
    const twin = this.twins[symbolId]!
    const matcher = this.matchers[matcherOf(symbolId)]!
    const { endsMs } = twin.state
    if (endsMs !== 0 && this.nowMs >= endsMs) {
      matcher.engines[symbolId]!.endPhase()
      twin.endPhase()
    }
    const clockMs = Ms(this.nowMs - this.behindMs)
    matcher.engines[symbolId]!.expireCountdowns(clockMs)
    twin.expireCountdowns(clockMs)
    if (twin.isUnfinished) {
      this.goOn(SymbolId(symbolId))
      return
    }
    const command = this.workload.next(twin.spec, clockMs, twin.state)
    const actual = matcher.execute(encode(command), this.nowMs, clockMs)
    twin.room = eventCountOf(actual)
    deepStrictEqual(actual, predict(twin, command, this.nowMs, clockMs))
    if (this.behindMs > 0) this.count('clock behind')
    this.countBarred(actual)
    this.countFunded(actual, twin.spec.atomsPerLot)
    this.countTripped(actual)
    this.countCombinations(matcher.engines[symbolId]!, actual)
    this.countRanged(twin.spec, actual)
    if (command.name === 'CancelSessionOrders') this.count(`session ended: ${actual[0]!.name}`)
    if (command.name === 'QuoteOrders') this.countQuote(command.record, actual)
    if (twin.isUnfinished) this.count(`unfinished: ${command.name}`)
    this.check(SymbolId(symbolId), actual)
  }

  /** A full batch has left something to do: that comes before any other command of the symbol. */
  private goOn(symbolId: SymbolId): void {
    const index = matcherOf(symbolId)
    const matcher = this.matchers[index]!
    const twin = this.twins[symbolId]!
    if (matcher.isBatchFull) this.append(index)
    const actual = matcher.goOn(symbolId, this.nowMs)
    twin.room = eventCountOf(actual)
    const isAuction = twin.state.auctionTicks !== 0
    deepStrictEqual(actual, twin.goOn(this.nowMs))
    this.count('gone on')
    if (isAuction) this.count('auction gone on')
    this.countFired(actual)
    this.countTripped(actual)
    this.countAuction(actual)
    this.check(symbolId, actual)
  }

  private countAuction(records: readonly NamedRecord[]): void {
    const at = records.findIndex(({ name }) => name === 'AuctionUncrossed')
    if (at < 0) return
    const names = records.slice(at).map(({ name }) => name)
    for (const name of ['MatchPrevented', 'OrderDecremented', 'OrderReplenished']) {
      if (names.includes(name)) this.count(`${name} in an auction`)
    }
    const end = names.indexOf('PhaseChanged')
    for (const name of ['OrderTriggered', 'OrderReleased']) {
      if (end >= 0 && names.slice(end).includes(name)) this.count(`${name} after an auction`)
    }
  }

  private countFired(records: readonly NamedRecord[]): void {
    const at = records.findIndex(({ name }) => name === 'CountdownChanged')
    if (at < 0) return
    this.count(records[at - 1]?.name === 'OrderClosed' ? 'countdown cancels' : 'countdown fires')
    if (records.filter(({ name }) => name === 'CountdownChanged').length > 1) {
      this.count('several countdowns fire')
    }
  }

  private countTripped(records: readonly NamedRecord[]): void {
    for (const [index, { name, status }] of records.entries()) {
      if (name !== 'ProtectionChanged' || status !== ProtectionStatus.TRIPPED) continue
      this.count(
        records[index - 1]?.name === 'OrderClosed' ? 'protection cancels' : 'protection trips',
      )
    }
  }

  private check(symbolId: SymbolId, records: readonly NamedRecord[]): void {
    const twin = this.twins[symbolId]!
    for (const record of records) for (const what of namesOf(record)) this.count(what)
    checkHeld(this.world)
    const engine = this.matchers[matcherOf(symbolId)]!.engines[symbolId]!
    strictEqual(engine.isUnfinished, twin.isUnfinished)
    checkBook(engine.book as Book)
    strictEqual(engine.book.restingCount, twin.market.resting().length)
  }

  /** Time continues. The clock was once ahead by hours, and may be put right at any moment. */
  private tick(): void {
    const prng = this.prng
    const passedMs = this.standsInAuctions && this.isInAuction ? 0 : prng.below(3)
    this.nowMs = Ms(this.nowMs + passedMs)
    if (prng.chance(0.01)) this.behindMs = prng.pick([0, 0, 40, 3 * HOUR_MS])
    else this.behindMs = Math.max(0, this.behindMs - prng.below(3))
  }

  /** Counts orders that would have entered by themselves, had their account been free to. */
  private countBarred(records: readonly NamedRecord[]): void {
    for (const [index, record] of records.entries()) {
      if (record.name !== 'OrderClosed' || record.reason !== ExpiryReason.REJECTED) continue
      const { canTrade, frozen } = this.world.accounts[Number(record.account)]!
      if (canTrade && !frozen) continue
      const isStop = records[index - 1]!.name === 'OrderTriggered'
      this.count(isStop ? 'a stop of a frozen account' : 'a leg of a frozen account')
    }
  }

  private countQuote({ isWhole }: QuoteCommand, records: readonly NamedRecord[]): void {
    for (const record of records) {
      const { name, reason, levels } = record
      for (let i = 0; name === 'QuoteResult' && i < Number(levels); i++) {
        this.count(`quoted ${record[`level${i}.outcome`]}`)
      }
      if (name === 'Rejected') this.count(`${isWhole === 1 ? 'whole ' : ''}quote refused ${reason}`)
      if (name === 'Trade') this.count('a quote trades')
    }
  }

  /** Counts orders that a price range ended, at once or after they traded. */
  private countRanged({ priceRange, phases }: SymbolSpec, records: readonly NamedRecord[]): void {
    const { EXECUTION_RULE_PRICE_RANGE_EXCEEDED } = ExpiryReason
    if (!isRanged(priceRange) || bandOf(phases) !== 0) return
    for (const { name, reason, filledLots } of records) {
      if (name !== 'OrderClosed' || reason !== EXECUTION_RULE_PRICE_RANGE_EXCEEDED) continue
      this.count(filledLots === 0 ? 'price range' : 'price range after trades')
    }
  }

  /** By what pending orders are funded, and where its commission came from. */
  private countFunded(records: readonly NamedRecord[], atomsPerLot: number): void {
    for (const [index, it] of records.entries()) {
      if (it.name === 'OrderReleased' && Number(it.heldAtoms) < 0) this.count('a release frees')
      if (it.name !== 'OrderFunded') continue
      const by = records[index - 1]!
      const isAuction = by['auction.makerPriceTicks'] !== undefined
      this.count(`funded by ${isAuction ? 'an auction' : by.name}`)
      const isTaker = sideOf(Number(by.takerTerms)) === Side.BUY
      const isCharged = by[isTaker ? 'takerCommissionAtoms' : 'makerCommissionAtoms'] !== 0
      const inOther = by[isTaker ? 'takerCommissionAssetId' : 'makerCommissionAssetId'] !== -1
      if (by.name !== 'Trade' || !isCharged || inOther) continue
      const isWhole = BigInt(it.heldAtoms!) === BigInt(by.tradeLots!) * BigInt(atomsPerLot)
      this.count(`a commission of ${isWhole ? 'what was free' : 'what was received'}`)
    }
  }

  /** What only several things together can bring about. */
  private countCombinations({ state }: Engine, records: readonly NamedRecord[]): void {
    for (const it of records) {
      if (it.name !== 'OrderAmended') continue
      const slot = state.book.findOrder(OrderId(Number(it.orderId)))
      const sibling = slot === 0 ? 0 : state.siblingOf(slot)
      if (sibling === 0) continue
      this.count('leg amended')
      if (state.details.preventedLots.of(sibling) > 0)
        this.count('leg amended after its sibling lost lots')
      if (state.details.preventedLots.of(slot) > 0) this.count('leg amended after it lost lots')
    }
  }

  /** The operator changes a symbol's phase, fees or limits. A restart forgets it. */
  private respecify(): void {
    const prng = this.prng
    const symbolId = prng.below(symbols.length)
    const { TRADING, AUCTION_MATCH } = SymbolStatus
    const unusual = [AUCTION_MATCH, AUCTION_MATCH, ...Object.values(SymbolStatus)]
    const status = prng.chance(0.5) ? TRADING : prng.pick(unusual)
    const { fees } = prng.chance(0.7) ? symbols[symbolId]! : prng.pick(symbols)
    const { bounds } = prng.chance(0.7) ? symbols[symbolId]! : prng.pick(symbols)
    const phases = this.phases()
    // A schedule's changes may come late; by a number that is drawn already.
    const statusMs = Ms(phases.seed % 3 === 0 ? this.nowMs - (phases.seed % 40) : 0)
    const { reference, priceRange } = executionRules(phases.seed)
    const rules = { phases, reference, priceRange }
    const spec = { ...symbols[symbolId]!, status, statusMs, fees, bounds, ...rules }
    for (const { symbols: own } of this.matchers) own.apply({ kind: 'symbol', symbol: spec })
    this.twins[symbolId]!.spec = spec
  }

  private phases(): PhaseSettings {
    const prng = this.prng
    return {
      randomEndMs: prng.pick([0, 0, 20]),
      seed: prng.below(2 ** 31),
      auctionRate: prng.pick([-1, 0, 123_456]),
      interruptionBasisPoints: prng.pick([0, 50, 2_000]),
      interruptionWindowMs: prng.pick([0, 5, 100]),
      interruptionCallMs: prng.pick([0, 30]),
      hourlyInterruptions: prng.pick([0, 1, 3]),
      corridorBasisPoints: prng.pick([0, 50, 100, 1_000]),
      staticCorridorBasisPoints: prng.pick([0, 0, 300]),
      extensionMs: prng.pick([0, 20]),
      extensionsMax: prng.pick([0, 0, 1, 2]),
      corridorEnd: prng.chance(0.8) ? CorridorEnd.BOUND : CorridorEnd.OPERATOR,
      resumptions: prng.below(3),
    }
  }

  /** The operator gives an account the rates and rights of another. A restart forgets it. */
  private readmit(): void {
    const id = AccountId(this.prng.between(1, accounts.length - 1))
    const { name } = accounts[id]!
    const isSameGroup = this.prng.chance(this.unrest > 0 ? 0.3 : 0.7)
    const { tradeGroupId } = isSameGroup ? accounts[id]! : this.prng.pick(accounts)
    const frozen = this.prng.chance(this.unrest > 0 ? 0.1 : 0.4)
    const account = { ...this.prng.pick(accounts), id, name, tradeGroupId, frozen }
    for (const { symbols: own } of this.matchers) own.apply({ kind: 'account', account })
    this.world.accounts[id] = account
  }

  private append(index: number): void {
    const matcher = this.matchers[index]!
    const before = matcher.store.lastPosition
    const isSettled = matcher.append()
    this.publishPrices(index)
    if (matcher.store.lastPosition > before) {
      this.landmarks[index]!.push(this.landmark(index))
      for (const { block } of matcher.store.blocks(before + 1)) this.appended(block)
    }
    if (isSettled) this.world.ledger.settle(index)
    else if (!matcher.hasOpenBatch) this.world.ledger.commit(index)
    this.count('append')
  }

  /** All matchers learn at what prices this one has traded. */
  private publishPrices(index: number): void {
    for (const { id } of symbols) {
      if (matcherOf(id) !== index) continue
      const { engines, symbols: own } = this.matchers[index]!
      const { counters } = engines[id]!
      own.lastPrices.publish(id, Ticks(counters[Counter.lastPriceTicks]!))
      this.world.publishedTicks[id] = this.twins[id]!.state.lastPriceTicks
    }
  }

  private flush(index: number): void {
    if (this.matchers[index]!.flush()) this.world.ledger.settle(index)
    this.count('flush')
  }

  /** Power is lost. What was neither appended nor survives is forgotten by the twin too. */
  private crash(): void {
    const isQuiet = this.matchers.every(
      ({ store, hasOpenBatch }) => !hasOpenBatch && store.flushedPosition === store.lastPosition,
    )
    if (isQuiet) for (const index of this.matchers.keys()) this.append(index)
    const before = this.hash()
    if (this.twins.some(({ isUnfinished }) => isUnfinished)) this.count('crash in a cascade')
    if (this.isInAuction) this.count('crash in an auction')
    const survivors = this.stores.map((store, index) => {
      const unflushed = store.lastPosition - store.flushedPosition
      const kept = this.prng.between(0, unflushed)
      if (kept < unflushed) this.count('torn tail')
      store.tear(kept)
      this.landmarks[index]!.length = store.lastPosition + 1
      return this.landmarks[index]!.at(-1)
    })
    this.recover(survivors)
    this.recovered(this.stores.flatMap((store) => [...store.blocks(1)].map(({ block }) => block)))
    this.count('crash')
    if (isQuiet) {
      strictEqual(this.hash(), before, 'a recovered state hashes as the one that never stopped')
      this.count('crash with nothing lost')
    }
  }

  /** Builds everything again from the journals, and the twin from what it was at their ends. */
  private recover(survivors: readonly (Landmark | undefined)[]): void {
    const regions = engineMemory(symbols, sizes)
    this.balances = new Balances(regions.balances, ACCOUNTS, assetsMaxOf(ACCOUNTS))
    this.world = newWorld(tightBounds)
    for (const [account, asset, atoms] of deposits) {
      this.balances.credit(AccountId(account), AssetId(asset), atoms)
      this.world.ledger.deposit(account, asset, atoms)
    }
    const idSalt = ++this.idSalt
    const start = {
      config: sizes,
      idSalt,
      accounts,
      exchange,
      chains: [],
      networks: [],
      symbols,
      regions,
    }
    this.matchers = this.stores.map((store, index) => {
      // Small, so that it must grow.
      const output = new EngineOutput(1024, BATCH_BYTES)
      const own = new MatcherSymbols(
        { ...start, index, matcherOf: owners, groups: [] },
        { output, bounds: tightBounds },
      )
      this.replay(store, own.engines)
      return new SimulatedMatcher(own, store)
    })
    strictEqual(this.balances.firstNegative(), undefined)
    this.twins = symbols.map((spec) => {
      const index = matcherOf(spec.id)
      const twin = new PlainSymbol(spec, index, this.world)
      const state = survivors[index]?.states[spec.id]
      if (state !== undefined) twin.state = structuredClone(state)
      const hash = survivors[index]?.hashes[spec.id]
      if (hash !== undefined) strictEqual(this.symbolHash(spec.id), hash)
      return twin
    })
    this.world.orderListId = Math.max(...this.twins.map(({ state }) => state.orderListId))
    for (const [index, survivor] of survivors.entries()) {
      if (survivor !== undefined) this.world.ledger.restore(index, survivor.changes)
      this.publishPrices(index)
    }
  }

  private replay(store: FaultyStore, engines: readonly (Engine | undefined)[]): void {
    for (const { block } of store.blocks(1)) {
      const events = eventsOf(block)
      for (let at = 0; at < block.length; at += recordLength(events, at)) {
        const symbolId = RecordHeader.symbolId(events, at)
        engines[symbolId]!.recover(events, at)
        applyEffects(events, at, symbols[symbolId]!, this.balances)
      }
    }
  }

  private landmark(matcher: number): Landmark {
    const own = <T>(value: (symbolId: SymbolId) => T) =>
      symbols.map(({ id }) => (matcherOf(id) === matcher ? value(id) : undefined))
    return {
      changes: this.world.ledger.changes(matcher),
      states: own((id) => structuredClone(this.twins[id]!.state)),
      hashes: own((id) => this.symbolHash(id)),
    }
  }

  /** Every balance is shown as the twin shows it, and no asset was made or lost. */
  private checkMoney(): void {
    const words = new Int32Array(BALANCE_WORDS)
    for (let asset = 0; asset < ASSETS; asset++) {
      for (let account = 0; account < ACCOUNTS; account++) {
        this.balances.read(AccountId(account), AssetId(asset), words)
        const { free, locked } = this.world.ledger.shown(account, asset)
        strictEqual(words[0]! & 1, 0)
        strictEqual(int64ToBigint(words, 1), free, `free of account ${account}, asset ${asset}`)
        strictEqual(int64ToBigint(words, 3), locked, `locked of account ${account}, asset ${asset}`)
      }
      strictEqual(
        this.balances.total(AssetId(asset)),
        this.deposited[asset],
        `sum of asset ${asset}`,
      )
    }
  }

  private symbolHash(symbolId: SymbolId): number {
    const nothing = new Balances(share(Balances.bytesFor(1, 1)), 1, 1)
    return stateHash([this.matchers[matcherOf(symbolId)]!.engines[symbolId]!], nothing)
  }

  private hash(): number {
    const engines = symbols.map(({ id }) => this.matchers[matcherOf(id)]!.engines[id]!)
    return stateHash(engines, this.balances)
  }

  private count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1)
  }
}

export function newWorld(bounds: EngineBounds = usualBounds): PlainWorld {
  return {
    ledger: new PlainLedger(MATCHERS),
    accounts: [...accounts],
    exchange,
    ordersMax: ORDERS_MAX,
    executionMatchesMax: bounds.executionMatchesMax,
    levelLotsMax: BigInt(bounds.levelLotsMax),
    markets: [],
    publishedTicks: symbols.map(() => 0),
    orderListId: OrderListId(0),
  }
}

/** A reference price and a price range, by a number that is drawn for something else. */
export function executionRules(seed: number): Pick<SymbolSpec, 'reference' | 'priceRange'> {
  const pick = <T>(shift: number, of: readonly T[]): T => of[Math.floor(seed / shift) % of.length]!
  const { NONE, ARITHMETIC_MEAN, EXTERNAL } = ReferenceCalculation
  const mean = {
    calculation: ARITHMETIC_MEAN,
    bucketCount: pick(11, [1, 2, 3, 7]),
    bucketWidthMs: pick(53, [1, 5, 20, 333]),
    externalId: 0,
  }
  const none = { calculation: NONE, bucketCount: 0, bucketWidthMs: 0, externalId: 0 }
  const external = { ...none, calculation: EXTERNAL, externalId: pick(61, [0, 2]) }
  const up = pick(71, [0, 10_100, 10_300, 25_000])
  const down = pick(83, [0, 9_900, 9_700, 4_000])
  const askUp = pick(97, [up, up, 11_000])
  const range = { bidUp: up, bidDown: down, askUp, askDown: down }
  return {
    reference: pick(7, [none, mean, mean, mean, external]),
    priceRange: pick(101, [noRange, range, range]),
  }
}

/** What a record shows to have happened. */
export function namesOf(record: Readonly<Record<string, unknown>>): readonly string[] {
  const { takerCommissionAssetId: taker = -1, makerCommissionAssetId: maker = -1 } = record
  const names = [nameOf(record)]
  if (record['details.phase'] !== undefined) names.push(`${record.name} with details`)
  if (Number(record['details.pegLimitTicks']) >= 0) names.push(`pegged ${record.name}`)
  if (Number(taker) >= 0 || Number(maker) >= 0) names.push('commission in another asset')
  if (record['auction.makerPriceTicks'] !== undefined) names.push('trade of an auction')
  if (record.cause === PhaseCause.VOLATILITY) names.push('interruption')
  for (const [field, value] of Object.entries(record)) {
    if (typeof value === 'bigint') names.push(`wide ${nameOf(record).split(' ')[0]}.${field}`)
  }
  return names
}

/** `Rejected 4`, `OrderClosed 6/7`, `Trade`. */
function nameOf(record: Readonly<Record<string, unknown>>): string {
  if (record.name === 'Rejected' || record.name === 'OrderListRejected') {
    return `Rejected ${record.reason}`
  }
  if (record.name === 'WalletRejected') return `wallet refused ${record.reason}`
  if (record.name === 'DepositChanged') return `deposit ${record.status}`
  if (record.name === 'WithdrawalChanged') return `withdrawal ${record.status}`
  if (record.name === 'ChainChanged') return `chain changed ${record.change}`
  if (record.name === 'OrderClosed') return `OrderClosed ${record.status}/${record.reason}`
  if (record.name === 'OrderListChanged') {
    return `OrderListChanged ${record.kind} ${record.statusType}/${record.orderStatus}`
  }
  if (record.name === 'ReplaceResult') {
    return `ReplaceResult ${Math.sign(Number(record.cancelReason))}/${Math.sign(Number(record.orderReason))}`
  }
  if (record.name === 'MatchPrevented' && record.transferredLots !== 0) return 'transfer'
  return String(record.name)
}

function share(bytes: number): SharedArrayBuffer {
  return new SharedArrayBuffer(bytes)
}
