/**
 * Klines, aggregate trades and the three kinds of ticker (spec, Kline and Ticker objects). Sums are
 * exact; an average and a percentage are rounded half away from zero to the decimals shown.
 */

import { formatBigDecimal, formatDecimal, powerOfTen } from '../../base/fixed.ts'
import { product } from '../../base/int64.ts'
import { WIRE_DECIMALS } from '../../base/limits.ts'
import type { Lots, Ms, Ticks, TradeId } from '../../base/units.ts'
import type { DepthFold } from '../../core/folds/depth.ts'
import type { AggregateTradeRow, BarRow, KlineRow } from '../../history/market-history.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { TickerType } from '../parameters.ts'
import { shapes } from '../shapes/shapes.ts'
import { priceText, quantityText, timeOf } from './decimals.ts'
import { bestMembers } from './market.ts'
import { rendererOf } from './shape-text.ts'

/** What a ticker of trades in a span is made from. */
export interface TickerSpan {
  readonly bar: BarRow
  readonly openMs: Ms
  readonly closeMs: Ms
}

const PERCENT_DECIMALS = 3

/** Base volume. */
export const volumeText = (spec: SymbolSpec, lots: bigint): string =>
  formatBigDecimal(lots * BigInt(spec.lotUnits), WIRE_DECIMALS)

/** Quote volume. */
export const quoteVolumeText = (quoteAtoms: bigint): string =>
  formatBigDecimal(quoteAtoms, WIRE_DECIMALS)

/** The last moment of a kline: its last microsecond, not the first of its last millisecond. */
export const closeTimeOf = (closeMs: Ms, microseconds: boolean): number =>
  microseconds ? (closeMs + 1) * 1000 - 1 : closeMs

export function klineText(spec: SymbolSpec, kline: KlineRow, microseconds: boolean): string {
  const closeTime = closeTimeOf(kline.closeMs, microseconds)
  const price = (ticks: Ticks) => priceText(spec, ticks)
  return (
    `[${timeOf(kline.openMs, microseconds)},"${price(kline.openTicks)}",` +
    `"${price(kline.highTicks)}","${price(kline.lowTicks)}","${price(kline.closeTicks)}",` +
    `"${volumeText(spec, kline.lots)}",${closeTime},"${quoteVolumeText(kline.quoteAtoms)}",` +
    `${kline.count},"${volumeText(spec, kline.takerBuyLots)}",` +
    `"${quoteVolumeText(kline.takerBuyQuoteAtoms)}","0"]`
  )
}

interface AggregateTexts {
  readonly a: number
  readonly p: string
  readonly q: string
  readonly f: number
  readonly l: number
  readonly T: number
  readonly m: boolean
}
const aggregateJson = rendererOf<AggregateTexts>(shapes.AggregateTrade)

export const aggregateTradeText = (
  spec: SymbolSpec,
  trade: AggregateTradeRow,
  microseconds: boolean,
): string =>
  aggregateJson({
    a: trade.aggregateId,
    p: priceText(spec, trade.priceTicks),
    q: quantityText(spec, trade.lots),
    f: trade.firstTradeId,
    l: trade.lastTradeId,
    T: timeOf(trade.timeMs, microseconds),
    m: trade.isBuyerMaker,
  })

/** Rolling window and trading day tickers. */
export function spanTicker(
  spec: SymbolSpec,
  span: TickerSpan,
  type: number,
  microseconds: boolean,
): string {
  const isMini = type === TickerType.MINI
  const change = isMini ? priceChangeMember(spec, span.bar) : changeMembers(spec, span.bar)
  return `{"symbol":"${spec.name}",${change},${spanMembers(spec, span, microseconds)}}`
}

/** Members of a 24 hour ticker on both sides of its times, and what they were made from. */
interface DayMembers {
  readonly type: number
  readonly count: number
  readonly firstTradeId: TradeId
  readonly lastTradeId: TradeId
  /** Of a window without trades it is a price from before. */
  readonly closeTicks: Ticks
  readonly beforeTicks: Ticks
  readonly lastLots: Lots
  readonly bidTicks: Ticks
  readonly bidLots: Lots
  readonly askTicks: Ticks
  readonly askLots: Lots
  readonly head: string
  readonly tail: string
}

/** The last ones of each symbol: of hundreds of symbols few change between two requests for all. */
const lastDayMembers = new WeakMap<DepthFold, DayMembers>()

/**
 * The 24 hour ticker has the book's best prices besides, and the close before the window. Ids of
 * trades tell what the window holds, since trades never change.
 */
export function dayTicker(
  spec: SymbolSpec,
  span: TickerSpan,
  before: { readonly closeTicks: Ticks; readonly lastLots: Lots },
  depth: DepthFold,
  type: number,
  microseconds: boolean,
): string {
  const { bar } = span
  const last = lastDayMembers.get(depth)
  const isSame =
    last !== undefined &&
    last.bidTicks === depth.bestBidTicks &&
    last.bidLots === depth.bestBidLots &&
    last.askTicks === depth.bestAskTicks &&
    last.askLots === depth.bestAskLots &&
    last.count === bar.count &&
    last.firstTradeId === bar.firstTradeId &&
    last.lastTradeId === bar.lastTradeId &&
    last.closeTicks === bar.closeTicks &&
    last.beforeTicks === before.closeTicks &&
    last.lastLots === before.lastLots &&
    last.type === type
  const members = isSame ? last : dayMembers(spec, bar, before, depth, type)
  if (!isSame) lastDayMembers.set(depth, members)
  return `${members.head}${timeMembers(span, microseconds)}${members.tail}`
}

function dayMembers(
  spec: SymbolSpec,
  bar: BarRow,
  before: { readonly closeTicks: Ticks; readonly lastLots: Lots },
  depth: DepthFold,
  type: number,
): DayMembers {
  const { head, tail } = spanParts(spec, bar)
  const previous = `"prevClosePrice":"${priceText(spec, before.closeTicks)}"`
  const isMini = type === TickerType.MINI
  const best = bestMembers(spec, depth, ['bidPrice', 'bidQty', 'askPrice', 'askQty'])
  const last = `"lastQty":"${quantityText(spec, before.lastLots)}"`
  const change = isMini ? priceChangeMember(spec, bar) : changeMembers(spec, bar)
  const around = isMini ? previous : `${previous},${last},${best}`
  return {
    type,
    count: bar.count,
    firstTradeId: bar.firstTradeId,
    lastTradeId: bar.lastTradeId,
    closeTicks: bar.closeTicks,
    beforeTicks: before.closeTicks,
    lastLots: before.lastLots,
    bidTicks: depth.bestBidTicks,
    bidLots: depth.bestBidLots,
    askTicks: depth.bestAskTicks,
    askLots: depth.bestAskLots,
    head: `{"symbol":"${spec.name}",${change},${around},${head}`,
    tail: `${tail}}`,
  }
}

function spanMembers(spec: SymbolSpec, span: TickerSpan, microseconds: boolean): string {
  const { head, tail } = spanParts(spec, span.bar)
  return `${head}${timeMembers(span, microseconds)}${tail}`
}

const timeMembers = ({ openMs, closeMs }: TickerSpan, microseconds: boolean): string =>
  `,"openTime":${timeOf(openMs, microseconds)},"closeTime":${timeOf(closeMs, microseconds)}`

/** A span's members before its times, and those behind them. */
function spanParts(
  spec: SymbolSpec,
  bar: BarRow,
): { readonly head: string; readonly tail: string } {
  const price = (ticks: Ticks) => priceText(spec, ticks)
  const isQuiet = bar.count === 0
  const ids = isQuiet ? [-1, -1] : [bar.firstTradeId, bar.lastTradeId]
  return {
    head:
      `"openPrice":"${price(bar.openTicks)}","highPrice":"${price(bar.highTicks)}",` +
      `"lowPrice":"${price(bar.lowTicks)}","lastPrice":"${price(bar.closeTicks)}",` +
      `"volume":"${volumeText(spec, bar.lots)}",` +
      `"quoteVolume":"${quoteVolumeText(bar.quoteAtoms)}"`,
    tail: `,"firstId":${ids[0]},"lastId":${ids[1]},"count":${bar.count}`,
  }
}

const priceChangeMember = (spec: SymbolSpec, bar: BarRow): string =>
  `"priceChange":"${changeText(spec, bar)}"`

const changeMembers = (spec: SymbolSpec, bar: BarRow): string =>
  `${priceChangeMember(spec, bar)},"priceChangePercent":"${percentText(bar)}",` +
  `"weightedAvgPrice":"${averageText(spec, bar)}"`

/** From the first price to the last. */
export const changeText = (spec: SymbolSpec, bar: BarRow): string =>
  formatDecimal(product(bar.closeTicks - bar.openTicks, spec.tickUnits), WIRE_DECIMALS)

/** The same in per cent of the first price. */
export function percentText(bar: BarRow): string {
  const change = BigInt(bar.closeTicks - bar.openTicks)
  const percent = ratio(change * 100n * 10n ** BigInt(PERCENT_DECIMALS), BigInt(bar.openTicks))
  return formatBigDecimal(percent, PERCENT_DECIMALS)
}

/** Quote volume over base volume. */
export const averageText = (spec: SymbolSpec, bar: BarRow): string =>
  formatBigDecimal(
    ratio(bar.quoteAtoms * BigInt(powerOfTen(WIRE_DECIMALS)), bar.lots * BigInt(spec.lotUnits)),
    WIRE_DECIMALS,
  )

/** Rounded half away from zero; 0 where nothing traded. */
function ratio(numerator: bigint, denominator: bigint): bigint {
  if (denominator === 0n) return 0n
  const magnitude = numerator < 0n ? -numerator : numerator
  const rounded = (magnitude * 2n + denominator) / (denominator * 2n)
  return numerator < 0n ? -rounded : rounded
}
