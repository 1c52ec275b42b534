/**
 * Two books of the simulated exchange that orders are routed over, beside those that the plain twin predicts whole. The
 * plain twin of routing predicts their routed orders; what their engine holds, pays and releases meanwhile goes into
 * the twin's ledger, and must be what their events say, since a start has nothing else.
 */
import { deepStrictEqual } from 'node:assert/strict'
import {
  isDetailed,
  isRouted,
  OrderPhase,
  OrderType,
  ROUTED,
  Side,
  sessionOf,
  sideOf,
  typeOf,
} from '../../src/base/codes.ts'
import type { Prng } from '../../src/base/prng.ts'
import { Ms, Ticks } from '../../src/base/units.ts'
import { applyEffects } from '../../src/core/ledger/effects.ts'
import type { Holds } from '../../src/core/ledger/holds.ts'
import { Counter } from '../../src/core/matching/counters.ts'
import type { Engine } from '../../src/core/matching/engine.ts'
import type { EngineOutput } from '../../src/core/matching/output.ts'
import { Placement, PlaceOrder, RecordHeader } from '../../src/layout/accessors.gen.ts'
import { RecordBuffer, recordLength, recordType } from '../../src/layout/record-buffer.ts'
import type { PlainLedger } from '../model/plain-ledger.ts'
import { emptyState, type PlainOrder, type PlainState } from '../model/plain-order.ts'
import type { PlainRoute } from '../model/plain-routing.ts'
import type { Command } from './commands.ts'
import type { NamedRecord } from './records.ts'
import { checkConserved, compareRouted, predictRouted, type RoutedGroup } from './routed-twin.ts'
import { accounts, allSymbols, group, isGrouped, tightBounds } from './world.ts'

/** Of the group alone; others are not sent there. */
const commands = new Set([
  ...['PlaceOrder', 'CancelOrder', 'AmendOrder', 'ReplaceOrder', 'CancelOpenOrders'],
  ...['CancelOrdersWhere', 'QueryOrder', 'QueryOpenOrders', 'QueryBook'],
])

/** The command as it is sent to a book of the group: many orders that may be routed are. Undefined for none. */
export function routed(command: Command, prng: Prng): Command | undefined {
  if (!commands.has(command.name)) return undefined
  if (command.name !== 'PlaceOrder') return command
  const { record } = command
  const type = typeOf(record.terms)
  const isOfType =
    type === OrderType.LIMIT || (type === OrderType.MARKET && record.quoteAtoms === 0)
  if (!isOfType || record.pegPriceType !== 0 || !prng.chance(0.6)) return command
  return { name: 'PlaceOrder', record: { ...record, terms: record.terms | ROUTED } }
}

/** What an open order is counted by, and named by in further commands. */
function orderAt({ state }: Engine, slot: number): PlainOrder {
  const { book, details } = state
  const terms = book.terms[slot]!
  const iceberg = isDetailed(terms) ? details.icebergLots.of(slot) : 0
  const lots = BigInt(book.openLots[slot]!)
  return {
    orderId: book.orderId[slot]!,
    account: book.account[slot]!,
    side: sideOf(terms),
    type: typeOf(terms),
    session: sessionOf(terms),
    price: BigInt(book.priceTicksOf(slot)),
    icebergLots: BigInt(iceberg),
    phase: state.isWaiting(slot) ? OrderPhase.UNTRIGGERED : OrderPhase.WORKING,
    purse: { atoms: 0n },
    clientOrderId: '',
    lots,
    open: lots,
    shown: lots,
  } as Partial<PlainOrder> as PlainOrder
}

/** What of a book of the group the other books' twins and the workload look at. */
export function seenOf(engine: Engine): PlainState {
  const { state } = engine
  const { book, details, counters } = state
  const slots: number[] = []
  for (const side of [Side.BUY, Side.SELL]) {
    for (let slot = book.bestOrder(side); slot !== 0; slot = book.nextOrder(slot)) slots.push(slot)
  }
  const waiting = details.sorted().filter((slot) => state.isWaiting(slot))
  return {
    ...emptyState(),
    orders: [...slots, ...waiting].map((slot) => orderAt(engine, slot)),
    orderId: counters[Counter.orderId]!,
    tradeId: counters[Counter.tradeId]!,
    sequence: counters[Counter.sequence]!,
    lastPriceTicks: Ticks(counters[Counter.lastPriceTicks]!),
  }
}

/** By `account/asset`. */
export type Moves = Map<string, { free: bigint; locked: bigint }>

function move(moves: Moves, account: number, asset: number, free: bigint, locked: bigint): void {
  const key = `${account}/${asset}`
  const before = moves.get(key) ?? { free: 0n, locked: 0n }
  moves.set(key, { free: before.free + free, locked: before.locked + locked })
}

export interface GroupSurroundings {
  ledger(): PlainLedger
  count(what: string): void
}

/** Watches the engines of the group in one start of the exchange. */
export class PipelineGroup {
  /** Whether an engine of the group is at work. */
  private isAtWork = false
  /** What it has moved in one execution. */
  private readonly moves: Moves = new Map()
  /** What its open orders hold, at `account/asset`. */
  readonly locked: Map<string, bigint>
  private route: PlainRoute | undefined = undefined
  private nowMs = Ms(0)
  private engines: Engine[] = []
  private holds!: Holds
  private output!: EngineOutput
  private readonly matcher: number
  private readonly around: GroupSurroundings

  constructor(matcher: number, locked: ReadonlyMap<string, bigint>, around: GroupSurroundings) {
    this.matcher = matcher
    this.locked = new Map(locked)
    this.around = around
  }

  /** Called with each engine before anything else watches it. */
  enclose(engine: Engine): void {
    if (!isGrouped(engine.spec.id)) return
    this.engines.push(engine)
    const execute = engine.execute.bind(engine)
    engine.execute = (buffer, at, timeMs, clockMs) => {
      this.nowMs = timeMs
      this.route = this.predict(buffer, at)
      this.atWork(() => execute(buffer, at, timeMs, clockMs))
    }
    const goOn = engine.goOn.bind(engine)
    engine.goOn = (timeMs) => this.atWork(() => goOn(timeMs))
  }

  private atWork(act: () => void): void {
    this.moves.clear()
    this.isAtWork = true
    const { eventsEnd } = this.output
    act()
    this.isAtWork = false
    this.checkEvents(eventsEnd)
  }

  /** From now on what the group's engines do with money is done in the twin's ledger. */
  mirror(holds: Holds, output: EngineOutput): void {
    this.holds = holds
    this.output = output
    const hold = holds.hold.bind(holds)
    holds.hold = (account, asset, atoms) => {
      const isHeld = hold(account, asset, atoms)
      if (this.isAtWork && isHeld) this.lock(account, asset, BigInt(atoms))
      return isHeld
    }
    const release = holds.release.bind(holds)
    holds.release = (account, asset, atoms) => {
      release(account, asset, atoms)
      if (this.isAtWork) this.free(account, asset, BigInt(atoms), BigInt(atoms))
    }
    const spend = holds.spend.bind(holds)
    holds.spend = (account, asset, atoms) => {
      spend(account, asset, atoms)
      if (this.isAtWork) this.free(account, asset, BigInt(atoms), 0n)
    }
    const credit = holds.credit.bind(holds)
    holds.credit = (account, asset, atoms) => {
      credit(account, asset, atoms)
      if (this.isAtWork) this.free(account, asset, 0n, BigInt(atoms))
    }
  }

  private lock(account: number, asset: number, atoms: bigint): void {
    this.around.ledger().lock(this.matcher, account, asset, atoms)
    this.moved(account, asset, -atoms, atoms)
  }

  /** Takes from what is locked, and adds to what is free. */
  private free(account: number, asset: number, locked: bigint, free: bigint): void {
    const ledger = this.around.ledger()
    ledger.pay(this.matcher, account, asset, locked)
    ledger.earn(this.matcher, account, asset, free)
    this.moved(account, asset, free, -locked)
  }

  private moved(account: number, asset: number, free: bigint, locked: bigint): void {
    move(this.moves, account, asset, free, locked)
    const key = `${account}/${asset}`
    this.locked.set(key, (this.locked.get(key) ?? 0n) + locked)
  }

  /** Each event conserves its symbol's assets, and all of them are what was moved. */
  private checkEvents(from: number): void {
    const { events, eventsEnd } = this.output
    const effects: Moves = new Map()
    for (let at = from; at < eventsEnd; at += recordLength(events, at)) {
      const spec = allSymbols[RecordHeader.symbolId(events, at)]!
      checkConserved(events, at, spec, [0])
      applyEffects(events, at, spec, {
        addRecovered: (account, asset, free, locked) =>
          move(effects, account, asset, BigInt(free), BigInt(locked)),
      })
    }
    deepStrictEqual(sorted(effects), sorted(this.moves), 'events say what was moved')
  }

  private predict(buffer: RecordBuffer, at: number): PlainRoute | undefined {
    if (recordType(buffer, at) !== PlaceOrder.type) return undefined
    if (!isRouted(Placement.terms(buffer, at))) return undefined
    const bytes = recordLength(buffer, at)
    const command = RecordBuffer.allocate(bytes)
    command.bytes.set(buffer.bytes.subarray(at, at + bytes))
    return predictRouted(command, this.group)
  }

  /** An engine of the group executed a command, with these answers. */
  executed(records: readonly NamedRecord[]): void {
    const route = this.route
    if (route === undefined) return
    // A longer one may be more than an execution has room for.
    const met = route.fills.length + route.prevented.length
    if (2 * met >= tightBounds.executionMatchesMax) return
    compareRouted(route, records, this.group)
    if (records.some(({ name }) => name === 'OrderAccepted')) this.around.count('routed')
    if (route.fills.some(({ symbolId }) => symbolId !== records[0]!.symbolId)) {
      this.around.count('routed to another book')
    }
  }

  get areUnfinished(): boolean {
    return this.engines.some(({ isUnfinished }) => isUnfinished)
  }

  private get group(): RoutedGroup {
    return {
      engines: this.engines,
      account: group.account,
      nowMs: this.nowMs,
      isOwn: (a, b) => {
        const { tradeGroupId } = accounts[a]!
        return a === b || (tradeGroupId !== -1 && tradeGroupId === accounts[b]!.tradeGroupId)
      },
      budgetOf: (asset) => BigInt(this.holds.available(group.account, asset)),
    }
  }
}

const sorted = (moves: Moves) =>
  [...moves]
    .filter(([, { free, locked }]) => free !== 0n || locked !== 0n)
    .sort(([a], [b]) => (a < b ? -1 : 1))
