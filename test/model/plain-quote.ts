/** Mass quotes in plain words: who keeps his place, who leaves, who is new. */
import { noExtras } from '../../bench/workloads/no-extras.ts'
import type { QuoteOrdersRecord } from '../../scripts/layout/codecs.gen.ts'
import {
  isCall,
  OrderType,
  QuoteOutcomeKind,
  RejectReason,
  Side,
  type SymbolStatus,
} from '../../src/base/codes.ts'
import { type Lots, QuoteAtoms, type Ticks } from '../../src/base/units.ts'
import { judge, refusePhase } from './plain-admission.ts'
import { lower } from './plain-amend.ts'
import type { PlainTurns } from './plain-executions.ts'
import type { PlainLists } from './plain-lists.ts'
import type { PlainMarket } from './plain-market.ts'
import { orderFrom, type PlainOrder } from './plain-order.ts'
import { reaches } from './plain-sizing.ts'

export interface QuotedLevel {
  readonly priceTicks: Ticks
  readonly lots: Lots
  readonly clientOrderId: string
}

/** The command with what stands behind it. */
export interface QuoteCommand extends QuoteOrdersRecord {
  readonly levels: readonly QuotedLevel[]
}

interface Level {
  /** What is wanted, as an order. */
  readonly wanted: PlainOrder
  kept: PlainOrder | undefined
}

/** The reason for which it is refused, or 0. */
export function quote(
  market: PlainMarket,
  lists: PlainLists,
  turns: PlainTurns,
  command: QuoteCommand,
  place: (order: PlainOrder) => number,
): number {
  const { account, prefix, clientOrderId, bids } = command
  const levels = command.levels.map((level, i): Level => {
    const terms = command.terms | (i < bids ? Side.BUY : Side.SELL)
    const wish = { ...noExtras, ...level, terms, quoteAtoms: QuoteAtoms(0) }
    return { wanted: orderFrom(wish, account, market.timeMs), kept: undefined }
  })
  const its = market.ofAccount(account).filter((it) => it.clientOrderId.startsWith(prefix))
  const leaving: PlainOrder[] = []
  for (const order of its) {
    const level = levels.find(
      ({ wanted }) => wanted.side === order.side && wanted.price === order.price,
    )
    if (level?.kept === undefined && level !== undefined && keeps(market, lists, order, level)) {
      level.kept = order
    } else leaving.push(order)
  }
  const fresh = levels.filter(({ kept }) => kept === undefined)
  const lowered = levels.filter(({ kept, wanted }) => kept !== undefined && wanted.open < kept.open)
  const legs = leaving.filter((order) => lists.listOf(order) !== undefined)
  const weight = leaving.length + 2 * legs.length + lowered.length + 5 * fresh.length
  if (levels.length > 0) {
    if (isCall(market.phase as SymbolStatus)) return RejectReason.PHASE_REFUSES_TYPE
    if (!market.mayAdd(account)) return RejectReason.ACCOUNT_DISABLED
    if (market.isTripped(account)) return RejectReason.PROTECTED
    const phase = refusePhase(market, levels[0]!.wanted, true)
    if (phase !== 0) return phase
  }
  if (weight > market.world.executionMatchesMax) return RejectReason.TOO_MANY_MATCHES
  const whole = command.isWhole === 1 ? refuseWhole(market, lists, levels, leaving) : 0
  if (whole !== 0) return whole
  for (const order of leaving) {
    if (market.state.orders.includes(order)) lists.cancel(order, clientOrderId)
  }
  lists.sayChanged()
  const outcomes = levels.map(({ kept }) => ({
    outcome: QuoteOutcomeKind.KEPT as number,
    reason: 0,
    orderId: kept?.orderId ?? 0,
  }))
  for (const [i, { kept, wanted }] of levels.entries()) {
    if (kept === undefined || wanted.open === kept.open) continue
    outcomes[i]!.outcome = QuoteOutcomeKind.LOWERED
    lower(market, kept, kept.lots - kept.open + wanted.open, kept.clientOrderId, lists)
  }
  let left = market.world.executionMatchesMax - weight
  for (const [i, { kept, wanted }] of levels.entries()) {
    if (kept !== undefined) continue
    market.narrowedTo = 4 + left
    const met = judge(market, wanted).tried.weight
    const reason = place(wanted)
    outcomes[i] = {
      outcome: reason === 0 ? QuoteOutcomeKind.PLACED : QuoteOutcomeKind.REFUSED,
      reason,
      orderId: reason === 0 ? wanted.orderId : 0,
    }
    if (reason !== 0) continue
    left -= Math.max(0, met - 4)
    turns.end()
  }
  market.narrowedTo = undefined
  const byLevel = outcomes.flatMap((outcome, i) =>
    Object.entries(outcome).map(([name, value]) => [`level${i}.${name}`, value]),
  )
  const result = { canceled: leaving.length, levels: levels.length }
  market.answer.reply('QuoteResult', { ...result, ...Object.fromEntries(byLevel) })
  return 0
}

function keeps(
  market: PlainMarket,
  lists: PlainLists,
  order: PlainOrder,
  { wanted }: Level,
): boolean {
  const isPlain = lists.listOf(order) === undefined && order.icebergLots === 0n
  const isResting = order.shown > 0n
  if (!isPlain || !isResting || order.session !== wanted.session) return false
  if (wanted.open === order.open) return true
  const { bounds, notionalAtomsMin } = market.spec
  const lots = order.lots - order.open + wanted.open
  return (
    wanted.open < order.open &&
    order.amendments < bounds.amendmentsMax &&
    market.paid(order.price, lots) >= BigInt(notionalAtomsMin)
  )
}

/** What is known before anything changes. */
function refuseWhole(
  market: PlainMarket,
  lists: PlainLists,
  levels: readonly Level[],
  leaving: readonly PlainOrder[],
): number {
  const fresh = levels.filter(({ kept }) => kept === undefined)
  const more = Math.max(0, fresh.length - leaving.length)
  const open = market.state.orders.length
  if (open + more > market.world.ordersMax) return RejectReason.BOOK_FULL
  for (const { wanted } of fresh) {
    const across = market.queue(1 - wanted.side).find((it) => !leaving.includes(it))
    const isMet = across !== undefined && reaches(wanted.side, wanted.price, across.price)
    if (wanted.type === OrderType.LIMIT_MAKER && isMet) return RejectReason.WOULD_MATCH_IMMEDIATELY
  }
  for (const side of [Side.BUY, Side.SELL]) {
    const sum = (orders: readonly PlainOrder[]) =>
      orders.reduce((total, order) => total + market.need(order), 0n)
    const ofSide = levels.filter(({ wanted }) => wanted.side === side)
    if (ofSide.length === 0) continue
    const wanted = sum(ofSide.map((it) => it.wanted))
    const kept = sum(ofSide.flatMap((it) => it.kept ?? []))
    const left = leaving.filter((it) => it.side === side && lists.listOf(it) === undefined)
    const has = market.spendable(ofSide[0]!.wanted) + sum(left) + kept
    if (wanted > has) return RejectReason.INSUFFICIENT_BALANCE
  }
  return 0
}
