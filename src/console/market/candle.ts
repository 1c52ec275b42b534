/** Candles as REST and streams give them, and as charts take them. */

import type { Wire } from '../../api/answers/element.ts'
import type { kline } from '../../api/answers/market.ts'
import type { klineFrame } from '../../api/answers/market-streams.ts'

type Kline = Wire<typeof kline>

/** A row of `klines`. */
export type CandleRow = readonly [
  openTimeMs: Kline['openTime'],
  open: Kline['open'],
  high: Kline['high'],
  low: Kline['low'],
  close: Kline['close'],
  volume: Kline['volume'],
  ...rest: unknown[],
]

/** The member `k` of a kline event. */
export type StreamCandle = Pick<
  Wire<typeof klineFrame>['k'],
  't' | 'i' | 's' | 'o' | 'h' | 'l' | 'c' | 'v'
>

export interface Candle {
  readonly timeMs: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

export const candleOfRow = (row: CandleRow): Candle => ({
  timeMs: row[0],
  open: Number(row[1]),
  high: Number(row[2]),
  low: Number(row[3]),
  close: Number(row[4]),
  volume: Number(row[5]),
})

export const candleOfStream = ({ t, o, h, l, c, v }: StreamCandle): Candle => ({
  timeMs: t,
  open: Number(o),
  high: Number(h),
  low: Number(l),
  close: Number(c),
  volume: Number(v),
})

/** Intervals of klines, shortest first. */
export const INTERVALS = [
  ...['1s', '1m', '3m', '5m', '15m', '30m', '1h', '2h', '4h', '6h', '8h', '12h', '1d', '3d'],
  ...['1w', '1M'],
]
/** Intervals that are one click away. */
export const COMMON_INTERVALS = ['1s', '1m', '5m', '15m', '1h', '4h', '1d']
