/**
 * Payloads of the streams of klines and tickers (supplement 2d): what REST shows at the same moment,
 * under shorter names. A ticker is rendered in two steps, because a stream of all symbols sends those
 * whose numbers changed, and the times always do.
 */

import type { Lots, Ms, Ticks } from '../../base/units.ts'
import type { DepthFold } from '../../core/folds/depth.ts'
import type { BarRow, KlineRow } from '../../history/market-history.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { priceText, quantityText, timeOf } from './decimals.ts'
import { bestMembers } from './market.ts'
import {
  averageText,
  changeText,
  closeTimeOf,
  percentText,
  quoteVolumeText,
  volumeText,
} from './ticker.ts'

/** `intervalName` as in the stream's name. */
export function klineFrame(
  spec: SymbolSpec,
  intervalName: string,
  kline: KlineRow,
  isClosed: boolean,
  eventTimeMs: Ms,
  microseconds: boolean,
): string {
  const times = `"t":${timeOf(kline.openMs, microseconds)},"T":${closeTimeOf(kline.closeMs, microseconds)}`
  const prices =
    `"o":"${priceText(spec, kline.openTicks)}","c":"${priceText(spec, kline.closeTicks)}",` +
    `"h":"${priceText(spec, kline.highTicks)}","l":"${priceText(spec, kline.lowTicks)}"`
  const taken =
    `"V":"${volumeText(spec, kline.takerBuyLots)}",` +
    `"Q":"${quoteVolumeText(kline.takerBuyQuoteAtoms)}"`
  return (
    `{"e":"kline","E":${timeOf(eventTimeMs, microseconds)},"s":"${spec.name}","k":{${times},` +
    `"s":"${spec.name}","i":"${intervalName}","f":${kline.firstTradeId},` +
    `"L":${kline.lastTradeId},${prices},"v":"${volumeText(spec, kline.lots)}",` +
    `"n":${kline.count},"x":${isClosed},"q":"${quoteVolumeText(kline.quoteAtoms)}",${taken},` +
    '"B":"0"}}'
  )
}

/** A ticker without its times, which always change. */
export interface TickerText {
  readonly event: string
  readonly symbol: string
  readonly numbers: string
  /** What stands after the times of the window; '' for a ticker that does not show them. */
  readonly ids: string
}

/** What the day's ticker shows beside the day's trades. */
export interface DaySurroundings {
  /** Price of the last trade before the window; 0 for none. */
  readonly beforeTicks: Ticks
  /** Quantity of the last trade. */
  readonly lastLots: Lots
  readonly depth: DepthFold
}

export function miniTickerText(spec: SymbolSpec, bar: BarRow): TickerText {
  const price = (ticks: Ticks) => priceText(spec, ticks)
  const numbers =
    `"c":"${price(bar.closeTicks)}","o":"${price(bar.openTicks)}",` +
    `"h":"${price(bar.highTicks)}","l":"${price(bar.lowTicks)}",${volumes(spec, bar)}`
  return { event: '24hrMiniTicker', symbol: spec.name, numbers, ids: '' }
}

export function dayTickerText(spec: SymbolSpec, bar: BarRow, around: DaySurroundings): TickerText {
  const { beforeTicks, lastLots, depth } = around
  const price = (ticks: Ticks) => priceText(spec, ticks)
  const last =
    `"x":"${price(beforeTicks)}","c":"${price(bar.closeTicks)}",` +
    `"Q":"${quantityText(spec, lastLots)}"`
  const range = `"o":"${price(bar.openTicks)}","h":"${price(bar.highTicks)}","l":"${price(bar.lowTicks)}"`
  const best = bestMembers(spec, depth, ['b', 'B', 'a', 'A'])
  const change = `"p":"${changeText(spec, bar)}","P":"${percentText(bar)}","w":"${averageText(spec, bar)}"`
  const numbers = `${change},${last},${best},${range},${volumes(spec, bar)}`
  return { event: '24hrTicker', symbol: spec.name, numbers, ids: ids(bar) }
}

/** `event` is that of the window's length. */
export function windowTickerText(spec: SymbolSpec, bar: BarRow, event: string): TickerText {
  const price = (ticks: Ticks) => priceText(spec, ticks)
  const range =
    `"o":"${price(bar.openTicks)}","h":"${price(bar.highTicks)}",` +
    `"l":"${price(bar.lowTicks)}","c":"${price(bar.closeTicks)}"`
  const numbers =
    `"p":"${changeText(spec, bar)}","P":"${percentText(bar)}",${range},` +
    `"w":"${averageText(spec, bar)}",${volumes(spec, bar)}`
  return { event, symbol: spec.name, numbers, ids: ids(bar) }
}

/** The window begins at `openMs` and ends with the event. */
export function tickerFrame(
  text: TickerText,
  openMs: Ms,
  eventTimeMs: Ms,
  microseconds: boolean,
): string {
  const eventTime = timeOf(eventTimeMs, microseconds)
  const window =
    text.ids === '' ? '' : `,"O":${timeOf(openMs, microseconds)},"C":${eventTime},${text.ids}`
  return `{"e":"${text.event}","E":${eventTime},"s":"${text.symbol}",${text.numbers}${window}}`
}

const volumes = (spec: SymbolSpec, bar: BarRow): string =>
  `"v":"${volumeText(spec, bar.lots)}","q":"${quoteVolumeText(bar.quoteAtoms)}"`

const ids = (bar: BarRow): string =>
  bar.count === 0
    ? '"F":-1,"L":-1,"n":0'
    : `"F":${bar.firstTradeId},"L":${bar.lastTradeId},"n":${bar.count}`
