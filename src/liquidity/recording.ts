/**
 * Recorded market data for playback: JSON lines, each the payload of a public stream as it was received,
 * `trade`, `aggTrade` or `depthUpdate`, bare or under `data` of a combined stream; or the response to
 * GET depth, which sets the whole book. Other payloads, and those of other symbols, are skipped.
 */
import type { Side } from './quote-planner.ts'

export interface RecordedLevel {
  readonly side: Side
  readonly price: string
  /** Absolute; '0' and the like remove the level. */
  readonly quantity: string
}
export type RecordedEvent =
  | {
      readonly event: 'depth'
      readonly timeMs: number
      readonly levels: readonly RecordedLevel[]
      /** Whether all other levels are gone. */
      readonly isWhole: boolean
    }
  | {
      readonly event: 'trade'
      readonly timeMs: number
      /** Side of the taker order. */
      readonly side: Side
      readonly price: string
      readonly quantity: string
    }

/** Times in microseconds are this large. */
const MICROSECONDS_FROM = 1e14
const DECIMAL = /^[0-9]{1,20}(\.[0-9]{1,20})?$/

/** Undefined for a skipped line. A snapshot has no time: 0. Throws RangeError. */
export function readRecorded(line: string, symbol: string): RecordedEvent | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new RangeError('it is not JSON')
  }
  const outer = tableOf(value)
  const payload = outer.data === undefined ? outer : tableOf(outer.data)
  const { e, s, E } = payload
  if (payload.lastUpdateId !== undefined && e === undefined) {
    // It names no symbol; the stream that it came on does.
    const { stream } = outer
    if (typeof stream === 'string' && !stream.startsWith(`${symbol.toLowerCase()}@`))
      return undefined
    const levels = levelsOf(payload.bids, payload.asks)
    return { event: 'depth', timeMs: 0, levels, isWhole: true }
  }
  if (s !== symbol || typeof E !== 'number') return undefined
  const timeMs = E >= MICROSECONDS_FROM ? E / 1000 : E
  if (e === 'depthUpdate') {
    return { event: 'depth', timeMs, levels: levelsOf(payload.b, payload.a), isWhole: false }
  }
  if (e !== 'trade' && e !== 'aggTrade') return undefined
  const price = decimal(payload.p)
  const quantity = decimal(payload.q)
  return { event: 'trade', timeMs, side: payload.m === true ? 'SELL' : 'BUY', price, quantity }
}

const tableOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const levelsOf = (bids: unknown, asks: unknown): RecordedLevel[] => [
  ...sideOf('BUY', bids),
  ...sideOf('SELL', asks),
]

function sideOf(side: Side, levels: unknown): RecordedLevel[] {
  if (!Array.isArray(levels)) throw new RangeError('a side of the book is no list')
  return levels.map((level: unknown) => {
    const [price, quantity] = Array.isArray(level) ? level : []
    return { side, price: decimal(price), quantity: decimal(quantity) }
  })
}

function decimal(value: unknown): string {
  if (typeof value === 'string' && DECIMAL.test(value)) return value
  throw new RangeError('a price or quantity is no decimal')
}
