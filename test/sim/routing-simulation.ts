/**
 * A group of symbols from a seed, with false time: routed orders beside all else that the workload knows, in a
 * matcher whose batches are small, and another matcher that spends the same money. The plain twin of routing
 * predicts each routed order; every event conserves each asset; a loss of power between any two steps recovers the
 * states of the last blocks that survived; at the end all orders are canceled, and nothing stays locked.
 */
import { ok, strictEqual } from 'node:assert/strict'
import { engineMemory } from '../../src/agents/book-memory.ts'
import { MatcherSymbols } from '../../src/agents/matcher-symbols.ts'
import {
  CorridorEnd,
  ExpiryReason,
  isRouted,
  OrderType,
  ROUTED,
  SelfTradePrevention,
  SymbolStatus,
  sessionOf,
  sideOf,
  TimeInForce,
  timeInForceOf,
  typeOf,
} from '../../src/base/codes.ts'
import { int64ToBigint } from '../../src/base/int64.ts'
import { assetsMaxOf } from '../../src/base/limits.ts'
import { Prng } from '../../src/base/prng.ts'
import { AccountId, AssetId, Ms, OrderId, SymbolId, Ticks } from '../../src/base/units.ts'
import type { Book } from '../../src/core/book/book.ts'
import { checkBook } from '../../src/core/book/invariants.ts'
import { BALANCE_WORDS, Balances } from '../../src/core/ledger/balances.ts'
import { applyEffects } from '../../src/core/ledger/effects.ts'
import { Counter } from '../../src/core/matching/counters.ts'
import type { Engine } from '../../src/core/matching/engine.ts'
import { EngineOutput } from '../../src/core/matching/output.ts'
import { stateHash } from '../../src/core/state-hash.ts'
import type { Durability } from '../../src/journal/store.ts'
import { RecordHeader } from '../../src/layout/accessors.gen.ts'
import { type RecordBuffer, recordLength } from '../../src/layout/record-buffer.ts'
import {
  type AccountSpec,
  noFees,
  noPhases,
  noRates,
  type SymbolFees,
  type SymbolGroup,
  type SymbolSpec,
  specifySymbol,
} from '../../src/market/listing.ts'
import { emptyState, type PlainOrder, type PlainState } from '../model/plain-order.ts'
import { type Command, encode } from './commands.ts'
import { FaultyStore } from './faulty-store.ts'
import type { NamedRecord } from './records.ts'
import { checkConserved, compareRouted, predictRouted, type RoutedGroup } from './routed-twin.ts'
import { eventsOf, SimulatedMatcher } from './simulated-matcher.ts'
import { executionRules, namesOf } from './simulation.ts'
import { Workload } from './workload.ts'
import { ACCOUNTS, ASSETS, accounts, BATCH_BYTES, exchange, MATCHERS } from './world.ts'

const RED = { id: AssetId(0), name: 'RED' }
const BLUE = { id: AssetId(1), name: 'BLUE' }
const COIN = { id: AssetId(2), name: 'COIN' }
const VAST = { id: AssetId(3), name: 'VAST' }

const { EXPIRE_TAKER, EXPIRE_MAKER, EXPIRE_BOTH, DECREMENT, TRANSFER } = SelfTradePrevention

/** High enough that what amounts of few atoms owe in the discount asset is seldom rounded to nothing. */
const fees: SymbolFees = {
  ...noFees,
  special: { ...noRates, taker: 30_000_000 },
  discountEnabled: true,
}

function symbol(
  id: number,
  base: typeof RED,
  quote: typeof RED,
  [tickSize, maxPrice]: readonly [string, string],
  stepSize: string,
): SymbolSpec {
  return specifySymbol({
    id: SymbolId(id),
    name: base.name + quote.name,
    base,
    quote,
    status: SymbolStatus.TRADING,
    filters: [
      { filterType: 'PRICE_FILTER', minPrice: tickSize, maxPrice, tickSize },
      { filterType: 'LOT_SIZE', minQty: stepSize, maxQty: '9.00000000', stepSize },
    ],
    preventionModes: [
      SelfTradePrevention.NONE,
      EXPIRE_TAKER,
      EXPIRE_MAKER,
      EXPIRE_BOTH,
      DECREMENT,
      TRANSFER,
    ],
    preventionDefault: EXPIRE_MAKER,
    fees,
  })
}

/**
 * Of other ticks and steps, about one price, where a lot's tick is tenths of an atom: amounts are rounded. The last is
 * another matcher's, and shares a quote asset.
 */
const symbols: readonly SymbolSpec[] = [
  symbol(0, BLUE, COIN, ['0.00100000', '1.00000000'], '0.00000100'),
  symbol(1, BLUE, RED, ['0.00200000', '1.00000000'], '0.00000200'),
  symbol(2, BLUE, VAST, ['0.00100000', '1.00000000'], '0.00000100'),
  symbol(3, RED, COIN, ['0.00100000', '1.00000000'], '0.00000100'),
]
const matcherOf = [0, 0, 0, 1]
const GROUP_MATCHER = 0
const SOR_ACCOUNT = AccountId(7)
const group: SymbolGroup = {
  base: BLUE,
  symbols: [SymbolId(0), SymbolId(1), SymbolId(2)],
  account: SOR_ACCOUNT,
}
const isGrouped = (symbolId: number): boolean => group.symbols.includes(SymbolId(symbolId))

const sizes = { ordersPerSymbol: 24, accounts: ACCOUNTS }
const bounds = { executionMatchesMax: 60, levelLotsMax: 4 * 10 ** 9 }
const START_MS = Ms(1_700_000_000_000)
const FUNDS = 10n ** 9n

export class RoutingSimulation {
  readonly counts = new Map<string, number>()
  private readonly prng: Prng
  private readonly workload: Workload
  private readonly stores: FaultyStore[]
  /** By matcher and block: hashes of its engines at the block's end. */
  private readonly landmarks: number[][][] = []
  /** What the group's account has of each quote asset. */
  private readonly sorFunds: bigint
  /** Whether books may have a band, and a price range. */
  private readonly areBounded: boolean
  private balances!: Balances
  private matchers!: SimulatedMatcher[]
  private owners!: AccountSpec[]
  private nowMs = START_MS
  private idSalt: number

  constructor(seed: number) {
    this.idSalt = seed
    this.prng = new Prng(seed)
    this.workload = new Workload(this.prng, symbols)
    this.sorFunds = this.prng.pick([0n, 3_000n, 20_000n, FUNDS])
    this.areBounded = this.prng.chance(0.3)
    const durability: Durability = this.prng.chance(0.5) ? 'flushed' : 'committed'
    this.stores = Array.from({ length: MATCHERS }, () => new FaultyStore(durability))
    this.recover()
    for (let index = 0; index < MATCHERS; index++) this.landmarks[index] = [this.hashesOf(index)]
  }

  /** One random step, with everything checked after it. */
  step(): void {
    const { prng } = this
    const index = prng.below(MATCHERS)
    const dice = prng.unit()
    if (dice < 0.87) this.execute()
    else if (dice < 0.96) this.append(index)
    else if (dice < 0.982) this.flush(index)
    else if (dice < 0.99) this.respecify()
    else if (dice < 0.994) this.readmit()
    else this.crash()
    this.checkMoney()
  }

  /** Every order is canceled: what is locked then was forgotten by one that ended. */
  finish(): void {
    for (const spec of symbols) {
      for (const { symbols: own } of this.matchers) own.apply({ kind: 'symbol', symbol: spec })
      this.finishLeft(spec.id)
      for (const { id } of accounts) {
        const symbolId = SymbolId(spec.id)
        const asked = { symbolId, gateway: 0, correlation: 0, account: id, spare: 0 }
        const record = { ...asked, expiresMs: Ms(0), clientOrderId: 'end' }
        this.matcherFor(spec.id).execute(encode({ name: 'CancelOpenOrders', record }), this.nowMs)
        this.finishLeft(spec.id)
      }
    }
    for (let index = 0; index < MATCHERS; index++) {
      this.append(index)
      this.flush(index)
    }
    const words = new Int32Array(BALANCE_WORDS)
    for (let asset = 0; asset < ASSETS; asset++) {
      for (let account = 0; account < ACCOUNTS; account++) {
        this.balances.read(AccountId(account), AssetId(asset), words)
        strictEqual(int64ToBigint(words, 3), 0n, `locked of account ${account}, asset ${asset}`)
      }
    }
  }

  private finishLeft(symbolId: number): void {
    for (
      let left = this.unfinished(symbolId);
      left !== undefined;
      left = this.unfinished(symbolId)
    ) {
      this.nowMs = Ms(this.nowMs + 50)
      this.endWhatIsDue(symbolId)
      this.goOn(left)
    }
  }

  private execute(): void {
    const { prng } = this
    this.nowMs = Ms(this.nowMs + prng.below(3))
    const symbolId = prng.below(symbols.length)
    this.endWhatIsDue(symbolId)
    const left = this.unfinished(symbolId)
    if (left !== undefined) {
      this.goOn(left)
      return
    }
    const engine = this.engineOf(symbolId)
    const command = this.routed(this.workload.next(engine.spec, this.nowMs, this.seen(engine)))
    const bytes = encode(command)
    const isSor = command.name === 'PlaceOrder' && isRouted(command.record.terms)
    const predicted = isSor ? this.predictions(bytes) : undefined
    const matcher = this.matcherFor(symbolId)
    const records = matcher.execute(bytes, this.nowMs)
    if (isSor) this.countRouted(command.record.terms, symbolId, records)
    if (predicted !== undefined && engine.state.isTrading) {
      const [fills, rich] = predicted
      compareRouted(fills, records, this.group)
      this.count('predicted')
      const isPoor = rich.fills.length !== fills.fills.length
      if (isPoor && records.some(({ name }) => name === 'OrderAccepted')) {
        this.count('the account cannot pay')
      }
    }
    const isLeft = this.unfinished(symbolId) !== undefined
    if (isLeft && isSor) {
      ok(matcher.isBatchFull || this.areBounded, 'only a full batch leaves something of a command')
      this.count('unfinished: routed')
    }
    this.check(records)
  }

  /** What the plain twin makes of the order, and what it would be if the account had no end of money. */
  private predictions(bytes: RecordBuffer) {
    const own = this.group
    return [
      predictRouted(bytes, own),
      predictRouted(bytes, { ...own, budgetOf: () => 2n ** 62n }),
    ] as const
  }

  private get group(): RoutedGroup {
    const { engines, symbols: own } = this.matchers[GROUP_MATCHER]!
    return {
      engines: group.symbols.map((id) => engines[id]!),
      account: SOR_ACCOUNT,
      nowMs: this.nowMs,
      isOwn: (a, b) => {
        const { tradeGroupId } = this.owners[a]!
        return a === b || (tradeGroupId !== -1 && tradeGroupId === this.owners[b]!.tradeGroupId)
      },
      budgetOf: (asset) => BigInt(own.holds.available(SOR_ACCOUNT, asset)),
    }
  }

  /** Many orders that may be routed are. */
  private routed(command: Command): Command {
    if (command.name !== 'PlaceOrder' || !isGrouped(command.record.symbolId)) return command
    const { record } = command
    const { LIMIT, MARKET } = OrderType
    const type = typeOf(record.terms)
    const isOfType = type === LIMIT || (type === MARKET && record.quoteAtoms === 0)
    if (!isOfType || record.pegPriceType !== 0 || !this.prng.chance(0.5)) return command
    return { name: 'PlaceOrder', record: { ...record, terms: record.terms | ROUTED } }
  }

  /** What the workload looks at: the symbol's open orders. */
  private seen(engine: Engine): PlainState {
    const { state, spec } = engine
    const asked = { symbolId: SymbolId(spec.id), gateway: 0, correlation: 0 }
    const page = { limit: 1000, afterOrderId: OrderId(0), untilOrderId: OrderId(0) }
    const orders = accounts.flatMap(({ id }) => {
      const record = { ...asked, account: id, ...page }
      return this.matcherFor(spec.id)
        .execute(encode({ name: 'QueryOpenOrders', record }), this.nowMs)
        .filter(({ name }) => name === 'OrderState')
        .map(orderOf)
    })
    const { orderId, lastPriceTicks } = Counter
    return {
      ...emptyState(),
      orders: orders.sort((a, b) => a.orderId - b.orderId),
      orderId: state.counters[orderId]!,
      lastPriceTicks: Ticks(state.counters[lastPriceTicks]!),
    }
  }

  /** Phases and countdowns that are over, of all symbols that a command of this one may touch. */
  private endWhatIsDue(symbolId: number): void {
    for (const engine of this.engineOf(symbolId).group) {
      const { phaseEndsMs } = engine
      if (phaseEndsMs !== 0 && this.nowMs >= phaseEndsMs) engine.endPhase()
      engine.expireCountdowns(this.nowMs)
    }
  }

  /** While one symbol of a group is unfinished, commands of all wait. */
  private unfinished(symbolId: number): Engine | undefined {
    const left = this.engineOf(symbolId).group.filter(({ isUnfinished }) => isUnfinished)
    return left.length === 0 ? undefined : this.prng.pick(left)
  }

  /** In a batch of its own if the last one is full. */
  private goOn({ spec }: Engine): void {
    const matcher = this.matcherFor(spec.id)
    if (matcher.isBatchFull) this.append(matcherOf[spec.id]!)
    const records = matcher.goOn(spec.id, this.nowMs)
    this.count('gone on')
    this.check(records)
  }

  private check(records: readonly NamedRecord[]): void {
    for (const record of records) for (const what of namesOf(record)) this.count(what)
    for (const engine of this.engines) checkBook(engine.book as Book)
  }

  private countRouted(terms: number, symbolId: number, records: readonly NamedRecord[]): void {
    const answers = records.filter(
      ({ gateway, sequence }) => gateway !== -1 && sequence !== undefined,
    )
    const isIn = (named: string) => answers.some(({ name }) => name === named)
    if (!isIn('OrderAccepted')) return
    const kind = typeOf(terms) === OrderType.MARKET ? 'MARKET' : TIMES[timeInForceOf(terms)]!
    const end = isIn('OrderRested') ? 'rests' : isIn('OrderClosed') ? 'expires' : 'is filled'
    this.count(`routed ${kind} ${end}`)
    const { EXECUTION_RULE_PRICE_RANGE_EXCEEDED } = ExpiryReason
    if (answers.some(({ reason }) => reason === EXECUTION_RULE_PRICE_RANGE_EXCEEDED)) {
      this.count('routed beyond the range')
    }
    for (const it of records) {
      const isElsewhere = it.symbolId !== symbolId
      if (it.name === 'Allocation') {
        this.count(it.sourceSymbolId === symbolId ? 'allocation' : 'allocation of another book')
      }
      if (it.name === 'MatchPrevented' && it['across.otherSymbolId'] !== undefined) {
        this.count(`prevented across books ${it.takerPreventedLots === 0 ? 'maker' : 'taker'}`)
      }
      const follows = ['OrderTriggered', 'OrderReleased', 'OrderReplenished', 'OrderDecremented']
      if (isElsewhere && follows.includes(it.name)) this.count(`${it.name} in another book`)
      if (isElsewhere && it.name === 'ProtectionChanged') this.count('protection in another book')
    }
  }

  /** The operator changes a symbol's phase. A restart forgets it. */
  private respecify(): void {
    const { prng } = this
    const { TRADING, AUCTION_MATCH, HALT, CANCEL_ONLY } = SymbolStatus
    const spec = symbols[prng.below(symbols.length)]!
    const status = prng.chance(0.6) ? TRADING : prng.pick([AUCTION_MATCH, HALT, CANCEL_ONLY])
    const band = {
      ...noPhases,
      interruptionBasisPoints: prng.pick([50, 300]),
      interruptionWindowMs: 100,
      interruptionCallMs: 30,
      corridorEnd: CorridorEnd.BOUND,
    }
    const phases = this.areBounded && prng.chance(0.7) ? band : noPhases
    const rules = this.areBounded ? executionRules(prng.below(1_000_000)) : {}
    const changed = { ...spec, status, phases, ...rules }
    for (const { symbols: own } of this.matchers) own.apply({ kind: 'symbol', symbol: changed })
  }

  /** The operator gives an account the rates and rights of another. A restart forgets it. */
  private readmit(): void {
    const { prng } = this
    const id = AccountId(prng.between(1, accounts.length - 1))
    const { name } = accounts[id]!
    const account = { ...prng.pick(accounts), id, name, frozen: prng.chance(0.2) }
    for (const { symbols: own } of this.matchers) own.apply({ kind: 'account', account })
    this.owners[id] = account
  }

  private append(index: number): void {
    const { store, symbols: own } = this.matchers[index]!
    const before = store.lastPosition
    this.matchers[index]!.append()
    for (const engine of this.enginesOf(index)) {
      own.lastPrices.publish(engine.spec.id, Ticks(engine.counters[Counter.lastPriceTicks]!))
    }
    if (store.lastPosition > before) this.landmarks[index]!.push(this.hashesOf(index))
    for (const { block } of store.blocks(before + 1)) this.checkBlock(block)
  }

  private checkBlock(block: Uint8Array): void {
    const events = eventsOf(block)
    for (let at = 0; at < block.length; at += recordLength(events, at)) {
      const spec = symbols[RecordHeader.symbolId(events, at)]!
      checkConserved(events, at, spec, [RED.id])
    }
  }

  private flush(index: number): void {
    this.matchers[index]!.flush()
  }

  /** Power is lost, and what was neither appended nor survives. */
  private crash(): void {
    const { prng } = this
    const isQuiet = prng.chance(0.3)
    if (isQuiet) {
      for (let index = 0; index < MATCHERS; index++) {
        this.append(index)
        this.flush(index)
      }
    }
    const before = this.hash()
    if (this.engines.some(({ isUnfinished }) => isUnfinished)) this.count('crash in a cascade')
    for (const [index, store] of this.stores.entries()) {
      const unflushed = store.lastPosition - store.flushedPosition
      const kept = prng.between(0, unflushed)
      if (kept < unflushed) this.count('torn tail')
      store.tear(kept)
      this.landmarks[index]!.length = store.lastPosition + 1
    }
    this.recover()
    for (let index = 0; index < MATCHERS; index++) {
      const hashes = JSON.stringify(this.landmarks[index]!.at(-1))
      strictEqual(JSON.stringify(this.hashesOf(index)), hashes, 'what survived is recovered')
    }
    this.count('crash')
    if (isQuiet) {
      strictEqual(this.hash(), before, 'a recovered state hashes as the one that never stopped')
      this.count('crash with nothing lost')
    }
  }

  private recover(): void {
    const regions = engineMemory(symbols, sizes)
    this.balances = new Balances(regions.balances, ACCOUNTS, assetsMaxOf(ACCOUNTS))
    this.owners = [...accounts]
    for (const { id } of accounts.slice(1)) {
      for (let asset = 0; asset < ASSETS; asset++) {
        this.balances.credit(id, AssetId(asset), this.fundsOf(id, asset))
      }
    }
    const start = {
      ...{ config: sizes, idSalt: ++this.idSalt, accounts, exchange, chains: [], networks: [] },
      ...{ symbols, regions, matcherOf, groups: [group] },
    }
    this.matchers = this.stores.map((store, index) => {
      const output = new EngineOutput(1024, BATCH_BYTES)
      const own = new MatcherSymbols({ ...start, index }, { output, bounds })
      for (const { block } of store.blocks(1)) this.replay(block, own.engines)
      return new SimulatedMatcher(own, store)
    })
    strictEqual(this.balances.firstNegative(), undefined)
  }

  private replay(block: Uint8Array, engines: readonly (Engine | undefined)[]): void {
    const events = eventsOf(block)
    for (let at = 0; at < block.length; at += recordLength(events, at)) {
      const symbolId = RecordHeader.symbolId(events, at)
      engines[symbolId]!.recover(events, at)
      applyEffects(events, at, symbols[symbolId]!, this.balances)
    }
  }

  private fundsOf(account: AccountId, asset: number): bigint {
    if (account !== SOR_ACCOUNT) return FUNDS
    return asset === BLUE.id ? 0n : this.sorFunds
  }

  /** No asset was made or lost, and nobody owes. */
  private checkMoney(): void {
    for (let asset = 0; asset < ASSETS; asset++) {
      const deposited = accounts.slice(1).reduce((sum, { id }) => sum + this.fundsOf(id, asset), 0n)
      strictEqual(this.balances.total(AssetId(asset)), deposited, `sum of asset ${asset}`)
    }
    strictEqual(this.balances.firstNegative(), undefined)
  }

  private matcherFor(symbolId: number): SimulatedMatcher {
    return this.matchers[matcherOf[symbolId]!]!
  }

  private engineOf(symbolId: number): Engine {
    return this.matcherFor(symbolId).engines[symbolId]!
  }

  private get engines(): readonly Engine[] {
    return symbols.map(({ id }) => this.engineOf(id))
  }

  private enginesOf(index: number): readonly Engine[] {
    return this.engines.filter(({ spec }) => matcherOf[spec.id] === index)
  }

  private hashesOf(index: number): number[] {
    const nothing = new Balances(new SharedArrayBuffer(Balances.bytesFor(1, 1)), 1, 1)
    return this.enginesOf(index).map((engine) => stateHash([engine], nothing))
  }

  private hash(): number {
    return stateHash(this.engines, this.balances)
  }

  private count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1)
  }
}

const TIMES: Readonly<Record<number, string>> = {
  [TimeInForce.GTC]: 'GTC',
  [TimeInForce.IOC]: 'IOC',
  [TimeInForce.FOK]: 'FOK',
}

/** An open order as the workload looks at it. */
function orderOf(record: NamedRecord): PlainOrder {
  const { account, terms, orderId, priceTicks, lots, filledLots, clientOrderId } = record
  const open = BigInt(Number(lots) - Number(filledLots))
  ok(typeof clientOrderId === 'string')
  return {
    account: Number(account),
    side: sideOf(Number(terms)),
    session: sessionOf(Number(terms)),
    orderId: Number(orderId),
    price: BigInt(Number(priceTicks)),
    lots: BigInt(Number(lots)),
    open,
    shown: open,
    clientOrderId,
  } as PlainOrder
}
