/**
 * A week of one-minute klines of one symbol, in which the market maker trades once a minute on average: equal to
 * what a plain sum over all trades gives.
 */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startHere } from '../../../src/assembly/in-this-process.ts'
import type { VenueFetch } from '../../../src/assembly/options.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'

const MINUTE_MS = 60_000
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS
const PAGE = 1_000
/** Acts a second: every other one takes. */
const HOUSE = '[BTCUSDT]\nintensity = 0.034\ntaker-share = 0.5\nvolatility-bps = 2\nlevels = 4\n'

interface Trade {
  readonly id: number
  readonly price: string
  readonly qty: string
  readonly quoteQty: string
  readonly time: number
  readonly isBuyerMaker: boolean
}
type Kline = readonly [openMs: number, ...rest: readonly unknown[]]

const atoms = (decimal: string): bigint => {
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(8, '0'))
}
const decimal = (sum: bigint): string => {
  const digits = String(sum).padStart(9, '0')
  return `${digits.slice(0, -8)}.${digits.slice(-8)}`
}

async function readAll<Row>(
  fetch: VenueFetch,
  address: string,
  from: string,
  after: (row: Row) => number,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (let next = 0; ; next = after(rows.at(-1)!)) {
    const response = await fetch(`${address}&limit=${PAGE}&${from}=${next}`)
    const page = (await response.json()) as readonly Row[]
    rows.push(...page)
    if (page.length < PAGE) return rows
  }
}

/** The kline of one minute, of the trades in it; without any it stands at the last price. */
function plainKline(openMs: number, trades: readonly Trade[], last: string): Kline {
  const prices = trades.map(({ price }) => price)
  const byPrice = prices.toSorted((a, b) => Number(a) - Number(b))
  const sum = (some: readonly Trade[], of: 'qty' | 'quoteQty') =>
    decimal(some.reduce((total, trade) => total + atoms(trade[of]), 0n))
  const bought = trades.filter(({ isBuyerMaker }) => !isBuyerMaker)
  return [
    openMs,
    ...[prices[0] ?? last, byPrice.at(-1) ?? last, byPrice[0] ?? last, prices.at(-1) ?? last],
    ...[sum(trades, 'qty'), openMs + MINUTE_MS - 1, sum(trades, 'quoteQty'), trades.length],
    ...[sum(bought, 'qty'), sum(bought, 'quoteQty'), '0'],
  ]
}

function plainKlines(trades: readonly Trade[], untilMs: number): readonly Kline[] {
  const byMinute = new Map<number, Trade[]>()
  for (const trade of trades) {
    const openMs = trade.time - (trade.time % MINUTE_MS)
    byMinute.set(openMs, [...(byMinute.get(openMs) ?? []), trade])
  }
  const klines: Kline[] = []
  let last = ''
  const firstMs = trades[0]!.time - (trades[0]!.time % MINUTE_MS)
  for (let openMs = firstMs; openMs <= untilMs; openMs += MINUTE_MS) {
    const inMinute = byMinute.get(openMs) ?? []
    klines.push(plainKline(openMs, inMinute, last))
    last = inMinute.at(-1)?.price ?? last
  }
  return klines
}

test('a week of klines is what its trades add up to', { timeout: 600_000 }, async () => {
  const folder = temporaryFolder()
  const file = path.join(folder, 'house.toml')
  writeFileSync(file, HOUSE)
  const settings = { liquidity: true, 'liquidity-file': file, 'keep-public-trade-days': 0 }
  const exchange = await startHere({ clock: 'virtual', settings })
  try {
    const beganMs = exchange.clock.now()
    const endMs = await exchange.clock.advance('1w')
    expect(endMs).toBe(beganMs + WEEK_MS)
    const { fetch } = exchange
    const trades = await readAll<Trade>(
      fetch,
      '/api/v3/historicalTrades?symbol=BTCUSDT',
      'fromId',
      ({ id }) => id + 1,
    )
    const klines = await readAll<Kline>(
      fetch,
      '/api/v3/klines?symbol=BTCUSDT&interval=1m',
      'startTime',
      ([openMs]) => openMs + MINUTE_MS,
    )
    expect(trades.length).toBeGreaterThan(WEEK_MS / MINUTE_MS)
    expect(klines).toEqual(plainKlines(trades, endMs))
  } finally {
    await exchange.close()
  }
})
