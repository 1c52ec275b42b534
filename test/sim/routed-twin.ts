/**
 * What the plain twin of routing (model/plain-routing.ts) says of an engine's routed orders: the books as the engines
 * have them go in, fills and prevented matches are compared with the events that came out.
 */
import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import {
  ExpiryReason,
  isDetailed,
  OrderType,
  preventionOf,
  Side,
  sideOf,
  typeOf,
} from '../../src/base/codes.ts'
import type { Int64 } from '../../src/base/int64.ts'
import type { AccountId, AssetId, Ms } from '../../src/base/units.ts'
import { applyEffects } from '../../src/core/ledger/effects.ts'
import type { Engine } from '../../src/core/matching/engine.ts'
import { NO_PRICE } from '../../src/core/views/reference-price.ts'
import { Placement, RecordHeader } from '../../src/layout/accessors.gen.ts'
import type { RecordBuffer } from '../../src/layout/record-buffer.ts'
import type { SymbolSpec } from '../../src/market/listing.ts'
import { type PlainBook, type PlainMaker, type PlainRoute, route } from '../model/plain-routing.ts'
import type { NamedRecord } from './records.ts'

/** The engines of a group in its order, and the account that stands between them. */
export interface RoutedGroup {
  readonly engines: readonly Engine[]
  readonly account: AccountId
  readonly nowMs: Ms
  isOwn(a: number, b: number): boolean
  /** What the account may pay. */
  budgetOf(asset: AssetId): bigint
}

/** The side of the book that an order of the other side meets. A band bounds worse prices alone, a range better ones too. */
function bookOf({ spec, state }: Engine, side: number, nowMs: Ms): Omit<PlainBook, 'budget'> {
  const { book, details } = state
  const atoms = (lots: number) => BigInt(lots) * BigInt(spec.atomsPerLot)
  const makers: PlainMaker[] = []
  for (let slot = book.bestOrder(side ^ 1); slot !== 0; slot = book.nextOrder(slot)) {
    const isPlain = !isDetailed(book.terms[slot]!)
    makers.push({
      orderId: book.orderId[slot]!,
      account: book.account[slot]!,
      price: BigInt(book.priceTicksOf(slot)) * BigInt(spec.tickUnits),
      shown: atoms(book.openLots[slot]!),
      open: atoms(book.openLots[slot]! + (isPlain ? 0 : details.hiddenLots.of(slot))),
      slice: atoms(isPlain ? 0 : details.icebergLots.of(slot)),
    })
  }
  const anchor = BigInt(state.anchorTicks) * BigInt(spec.tickUnits)
  const points = BigInt(spec.phases.interruptionBasisPoints)
  const isBanded = state.isBanded && anchor > 0n
  const isBuy = side === Side.BUY
  const [least, most] = rangeOf(spec, state.reference.unitsAt(nowMs), side)
  return {
    symbolId: spec.id,
    isTrading: state.isTrading,
    step: atoms(1),
    makers,
    low: max(least, isBanded && !isBuy ? (anchor * (10_000n - points) + 9_999n) / 10_000n : 0n),
    high: min(most, isBanded && isBuy ? (anchor * (10_000n + points)) / 10_000n : UNBOUNDED),
  }
}

const UNBOUNDED = 2n ** 80n
const max = (a: bigint, b: bigint) => (a > b ? a : b)
const min = (a: bigint, b: bigint) => (a < b ? a : b)

/** The least and the most that an order of the side trades at (faqs/price_range_execution_rules.md). */
function rangeOf({ priceRange }: SymbolSpec, units: Int64, side: number): [bigint, bigint] {
  const { bidUp, bidDown, askUp, askDown } = priceRange
  if (units === NO_PRICE) return [0n, UNBOUNDED]
  const [up, down] = side === Side.BUY ? [bidUp, bidDown] : [askUp, askDown]
  const times = (points: number) => BigInt(units) * BigInt(points)
  return [(times(down) + 9_999n) / 10_000n, up === 0 ? UNBOUNDED : times(up) / 10_000n]
}

/** What the plain twin makes of a routed order that comes now. */
export function predictRouted(command: RecordBuffer, group: RoutedGroup): PlainRoute {
  const symbolId = RecordHeader.symbolId(command, 0)
  const own = group.engines.find(({ spec }) => spec.id === symbolId)!
  const terms = Placement.terms(command, 0)
  const side = sideOf(terms)
  const isMarket = typeOf(terms) === OrderType.MARKET
  const limit = BigInt(Placement.priceTicks(command, 0)) * BigInt(own.spec.tickUnits)
  const order = {
    account: Placement.account(command, 0),
    side,
    mode: preventionOf(terms),
    limit: isMarket ? undefined : limit,
    quantity: BigInt(Placement.lots(command, 0)) * BigInt(own.spec.atomsPerLot),
  }
  const others = group.engines.filter((engine) => engine !== own)
  const books = [own, ...others].map((engine) => {
    const quote = side === Side.BUY ? engine.spec.quote.id : own.spec.quote.id
    return { ...bookOf(engine, side, group.nowMs), budget: group.budgetOf(quote) }
  })
  return route(order, books, {
    account: group.account,
    isOwn: (a, b) => group.isOwn(a, b),
  })
}

/** Compares the events of a routed order, unless it was refused. */
export function compareRouted(
  { fills, prevented, left }: PlainRoute,
  records: readonly NamedRecord[],
  { engines }: RoutedGroup,
): void {
  const events = records.filter(({ sequence }) => sequence !== undefined)
  const closed = events.find(({ name, gateway }) => name === 'OrderClosed' && gateway !== -1)
  const isUnfillable = closed?.reason === ExpiryReason.UNFILLED_FOK_ORDER_EXPIRED
  const answers = events.filter(({ gateway }) => gateway !== -1)
  if (answers.length === 0) return
  const made = answers.filter(({ name }) => name === 'Allocation')
  const expected = isUnfillable ? [] : fills
  const shown = made.map((it) => {
    const { atomsPerLot } = engines.find(({ spec }) => spec.id === it.symbolId)!.spec
    const source = events.find(
      ({ name, symbolId, tradeId }) =>
        name === 'Trade' && symbolId === it.sourceSymbolId && tradeId === it.sourceTradeId,
    )!
    return {
      symbolId: Number(it.sourceSymbolId),
      makerId: Number(source.makerOrderId),
      price: BigInt(it.priceUnits as Int64),
      quantity: BigInt(it.allocatedLots as number) * BigInt(atomsPerLot),
    }
  })
  deepStrictEqual(shown, expected)
  if (isUnfillable) return
  const met = answers
    .filter(({ name }) => name === 'MatchPrevented')
    .map((it) => ({
      symbolId: Number(it['across.otherSymbolId'] ?? it.symbolId),
      makerId: Number(it.makerOrderId),
    }))
  // Beyond the band it may meet its owner's orders yet (plain-admission.ts).
  if (!engines.some(({ state }) => state.isBanded)) deepStrictEqual(met, prevented)
  const rested = answers.find(({ name }) => name === 'OrderRested')
  if (rested !== undefined) ok(left > 0n, 'what rests was left')
}

/** The event at byte `at` moves money among accounts, of its symbol's assets alone. */
export function checkConserved(
  events: RecordBuffer,
  at: number,
  spec: SymbolSpec,
  others: readonly number[] = [],
): void {
  const sums = new Map<number, bigint>()
  applyEffects(events, at, spec, {
    addRecovered: (_, asset, free, locked) =>
      sums.set(asset, (sums.get(asset) ?? 0n) + BigInt(free) + BigInt(locked)),
  })
  for (const [asset, sum] of sums) {
    ok([...others, spec.base.id, spec.quote.id].includes(asset), `it moves asset ${asset}`)
    strictEqual(sum, 0n, `an event makes ${sum} of asset ${asset}`)
  }
}
