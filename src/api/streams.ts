/**
 * Every market stream as one row: the name after the symbol, its speed and what it is made from. The
 * gateway resolves names and decides what to send by these rows alone (supplement 2d). Payloads are
 * render/market-stream.ts.
 */

/** What makes a frame: each Trade event, a change of the best prices, or a turn of the clock. */
export type StreamSource = 'TRADE' | 'BEST_PRICES' | 'DEPTH_CHANGES'

export interface StreamRow {
  /** What follows `<symbol>@` in the name. */
  readonly suffix: string
  readonly source: StreamSource
  /** Between frames; 0 sends each at once. */
  readonly speedMs: number
  readonly meaning: string
}

const row = (
  suffix: string,
  source: StreamSource,
  speedMs: number,
  meaning: string,
): StreamRow => ({ suffix, source, speedMs, meaning })

export const streams: readonly StreamRow[] = [
  row('trade', 'TRADE', 0, 'each trade'),
  row('bookTicker', 'BEST_PRICES', 0, 'best prices and quantities, when they change'),
  row('depth', 'DEPTH_CHANGES', 1_000, 'levels that changed, absolute'),
  row('depth@100ms', 'DEPTH_CHANGES', 100, 'levels that changed, absolute'),
]

const rowBySuffix = new Map(streams.map((stream) => [stream.suffix, stream]))

export interface StreamName {
  readonly row: StreamRow
  /** Upper case, as symbols are listed. */
  readonly symbol: string
}

/**
 * `btcusdt@depth@100ms` → its row and BTCUSDT. Undefined for any other text: such names are accepted
 * by the protocol and stay silent. Symbols are lower case in names. Some letters outside ASCII have an
 * ASCII upper case (ſ → S): a second name for a stream would take its frames from the first.
 */
export function parseStreamName(name: string): StreamName | undefined {
  const at = name.indexOf('@')
  const stream = rowBySuffix.get(name.slice(at + 1))
  const lower = name.slice(0, Math.max(at, 0))
  const symbol = lower.toUpperCase()
  if (stream === undefined || lower === '' || symbol.toLowerCase() !== lower) return undefined
  return { row: stream, symbol }
}
