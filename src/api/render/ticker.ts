/**
 * Klines, aggregate trades and the three kinds of ticker (spec, Kline and Ticker objects). Sums are
 * exact; an average and a percentage are rounded half away from zero to the decimals shown.
 */
import { formatBigDecimal, formatDecimal, powerOfTen } from '../../base/fixed.ts'
import { WIRE_DECIMALS } from '../../base/limits.ts'
import type { DepthFold } from '../../core/folds/depth.ts'
import type {
  AggregateTradeRow,
  BarRow,
  KlineRow,
  PublicTradeRow,
} from '../../history/market-history.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { TickerType } from '../parameters.ts'
import { priceText, quantityText, timeOf, unitsText } from './decimals.ts'
import { bestMembers } from './market.ts'

/** What a ticker of trades in a span is made from. */
export interface TickerSpan {
  readonly bar: BarRow
  readonly openMs: number
  readonly closeMs: number
}

const PERCENT_DECIMALS = 3

/** Base volume. */
export const volumeText = (spec: SymbolSpec, lots: bigint): string =>
  formatBigDecimal(lots * BigInt(spec.lotUnits), WIRE_DECIMALS)

/** Quote volume. */
export const quoteVolumeText = (quoteAtoms: bigint): string =>
  formatBigDecimal(quoteAtoms, WIRE_DECIMALS)

/** The last moment of a kline: its last microsecond, not the first of its last millisecond. */
export const closeTimeOf = (closeMs: number, microseconds: boolean): number =>
  microseconds ? (closeMs + 1) * 1000 - 1 : closeMs

export function klineText(spec: SymbolSpec, kline: KlineRow, microseconds: boolean): string {
  const closeTime = closeTimeOf(kline.closeMs, microseconds)
  const price = (ticks: number) => priceText(spec, ticks)
  return `[${timeOf(kline.openMs, microseconds)},"${price(kline.openTicks)}","${price(kline.highTicks)}","${price(kline.lowTicks)}","${price(kline.closeTicks)}","${volumeText(spec, kline.lots)}",${closeTime},"${quoteVolumeText(kline.quoteAtoms)}",${kline.count},"${volumeText(spec, kline.takerBuyLots)}","${quoteVolumeText(kline.takerBuyQuoteAtoms)}","0"]`
}

export const aggregateTradeText = (
  spec: SymbolSpec,
  trade: AggregateTradeRow,
  microseconds: boolean,
): string =>
  `{"a":${trade.aggregateId},"p":"${priceText(spec, trade.priceTicks)}","q":"${quantityText(spec, trade.lots)}","f":${trade.firstTradeId},"l":${trade.lastTradeId},"T":${timeOf(trade.timeMs, microseconds)},"m":${trade.isBuyerMaker},"M":true}`

export const publicTradeText = (
  spec: SymbolSpec,
  trade: PublicTradeRow,
  microseconds: boolean,
): string =>
  `{"id":${trade.tradeId},"price":"${priceText(spec, trade.priceTicks)}","qty":"${quantityText(spec, trade.lots)}","quoteQty":"${unitsText(trade.quoteAtoms)}","time":${timeOf(trade.timeMs, microseconds)},"isBuyerMaker":${trade.isBuyerMaker},"isBestMatch":true}`

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

/** The 24 hour ticker has the book's best prices besides, and the close before the window. */
export function dayTicker(
  spec: SymbolSpec,
  span: TickerSpan,
  before: { readonly closeTicks: number; readonly lastLots: number },
  depth: DepthFold,
  type: number,
  microseconds: boolean,
): string {
  const rest = spanMembers(spec, span, microseconds)
  const previous = `"prevClosePrice":"${priceText(spec, before.closeTicks)}"`
  if (type === TickerType.MINI) {
    return `{"symbol":"${spec.name}",${priceChangeMember(spec, span.bar)},${previous},${rest}}`
  }
  const best = bestMembers(spec, depth, ['bidPrice', 'bidQty', 'askPrice', 'askQty'])
  const last = `"lastQty":"${quantityText(spec, before.lastLots)}"`
  return `{"symbol":"${spec.name}",${changeMembers(spec, span.bar)},${previous},${last},${best},${rest}}`
}

function spanMembers(spec: SymbolSpec, span: TickerSpan, microseconds: boolean): string {
  const { bar, openMs, closeMs } = span
  const price = (ticks: number) => priceText(spec, ticks)
  const isQuiet = bar.count === 0
  const ids = isQuiet ? [-1, -1] : [bar.firstTradeId, bar.lastTradeId]
  return `"openPrice":"${price(bar.openTicks)}","highPrice":"${price(bar.highTicks)}","lowPrice":"${price(bar.lowTicks)}","lastPrice":"${price(bar.closeTicks)}","volume":"${volumeText(spec, bar.lots)}","quoteVolume":"${quoteVolumeText(bar.quoteAtoms)}","openTime":${timeOf(openMs, microseconds)},"closeTime":${timeOf(closeMs, microseconds)},"firstId":${ids[0]},"lastId":${ids[1]},"count":${bar.count}`
}

const priceChangeMember = (spec: SymbolSpec, bar: BarRow): string =>
  `"priceChange":"${changeText(spec, bar)}"`

const changeMembers = (spec: SymbolSpec, bar: BarRow): string =>
  `${priceChangeMember(spec, bar)},"priceChangePercent":"${percentText(bar)}","weightedAvgPrice":"${averageText(spec, bar)}"`

/** From the first price to the last. */
export const changeText = (spec: SymbolSpec, bar: BarRow): string =>
  formatDecimal((bar.closeTicks - bar.openTicks) * spec.tickUnits, WIRE_DECIMALS)

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
