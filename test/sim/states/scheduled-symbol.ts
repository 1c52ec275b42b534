/**
 * A symbol that a schedule opens and closes ten times a virtual day, by auctions whose ends are random or not.
 * Its twin is two counts: pairs of orders that wait for the auction of their call, and trades.
 */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import type { EmbeddedExchange } from '../../../src/assembly/options.ts'
import { Prng } from '../../../src/base/prng.ts'

const SYMBOL = 'ETHUSDT'
const MINUTE_MS = 60_000
const CYCLE_MINUTES = 144
const DAY_MINUTES = 24 * 60
/** In each cycle, by its first minute. */
const PHASES = [
  ...[
    [0, 'PRE_TRADING'],
    [11, 'AUCTION_MATCH'],
    [23, 'TRADING'],
    [58, 'AUCTION_MATCH'],
  ],
  ...[
    [71, 'POST_TRADING'],
    [97, 'BREAK'],
  ],
] as const
const CALLS = ['PRE_TRADING', 'AUCTION_MATCH']

export interface Pairs {
  /** Until when the changes of the schedule were looked at. */
  readonly untilMs: number
  readonly open: number
  readonly traded: number
}
export const noPairs: Pairs = { untilMs: 0, open: 0, traded: 0 }

export class ScheduledSymbol {
  /** Neither of them is reset. */
  static readonly accounts = { caller: { USDT: '100000' }, called: { ETH: '1000' } }

  private readonly randomEndSeconds: number

  constructor(seed: number) {
    this.randomEndSeconds = new Prng(seed).pick([0, 40])
  }

  /** Sets the schedule. */
  async begin(exchange: EmbeddedExchange): Promise<void> {
    const cycles = Array.from({ length: DAY_MINUTES / CYCLE_MINUTES }, (_, cycle) =>
      PHASES.map(([minute, phase]) => `${timeOf(cycle * CYCLE_MINUTES + minute)}=${phase}`),
    )
    const end = String(this.randomEndSeconds)
    await act(exchange, 'symbol-phases', { symbol: SYMBOL, 'random-end': end })
    await act(exchange, 'schedule-set', {
      schedule: 'cycle',
      symbols: SYMBOL,
      zone: 'UTC',
      days: 'MON-SUN',
      phases: cycles.flat().join(),
    })
  }

  /** A pair at one price, if its phase is certain and takes orders. */
  async placePair(exchange: EmbeddedExchange, pairs: Pairs): Promise<Pairs> {
    const nowMs = exchange.clock.now()
    const phase = this.phaseAt(nowMs)
    if (phase !== 'TRADING' && !CALLS.includes(phase)) return pairs
    for (const [account, side] of [
      ['caller', 'BUY'],
      ['called', 'SELL'],
    ] as const) {
      const order = { symbol: SYMBOL, side, type: 'LIMIT', timeInForce: 'GTC' }
      const client = new SignedClient(exchange.url, { account, ...exchange.accounts[account]! })
      const sized = { ...order, quantity: '0.01', price: '2000.00' }
      const { status, body } = await client.send('POST', '/api/v3/order', sized)
      strictEqual(status, 200, JSON.stringify(body))
    }
    if (phase === 'TRADING') return { ...pairs, traded: pairs.traded + 1 }
    // The first pair waits for no call that has ended before.
    const untilMs = pairs.open === 0 ? nowMs : pairs.untilMs
    return { ...pairs, untilMs, open: pairs.open + 1 }
  }

  /** What there is at that moment: the first end of a call behind the last look had an auction. */
  at(nowMs: number, pairs: Pairs): Pairs {
    const { untilMs, open, traded } = pairs
    // A state that is loaded may be of later than it was saved.
    for (let ms = minuteOf(untilMs) + MINUTE_MS; ms <= nowMs; ms += MINUTE_MS) {
      const hasEnded = CALLS.includes(plainPhaseAt(ms - 1)) && !CALLS.includes(plainPhaseAt(ms))
      if (open > 0 && hasEnded && nowMs - ms > this.randomEndSeconds * 1_000) {
        return { untilMs: nowMs, open: 0, traded: traded + open }
      }
      if (hasEnded && nowMs - ms <= this.randomEndSeconds * 1_000)
        return { ...pairs, untilMs: ms - 1 }
    }
    return { ...pairs, untilMs: nowMs }
  }

  async compare({ clock, fetch }: EmbeddedExchange, { open, traded }: Pairs): Promise<void> {
    const phase = this.phaseAt(clock.now())
    if (phase === 'ENDING') return
    const read = async (address: string) => (await fetch(`/api/v3/${address}`)).json()
    const { symbols } = (await read(`exchangeInfo?symbol=${SYMBOL}`)) as {
      symbols: { status: string }[]
    }
    strictEqual(symbols[0]!.status, phase, 'the phase is that of the schedule')
    const trades = (await read(`trades?symbol=${SYMBOL}&limit=1000`)) as unknown[]
    strictEqual(trades.length, traded, 'each call ends with the trades of its pairs')
    const { bids, asks } = (await read(`depth?symbol=${SYMBOL}`)) as Record<string, unknown[]>
    const levels = open === 0 ? [] : [['2000.00000000', (open / 100).toFixed(8)]]
    deepStrictEqual([bids, asks], [levels, levels], 'pairs of a call stand in the book')
  }

  /** ENDING while a call may end at any moment. */
  private phaseAt(nowMs: number): string {
    const before = plainPhaseAt(nowMs - this.randomEndSeconds * 1_000)
    const phase = plainPhaseAt(nowMs)
    return CALLS.includes(before) && !CALLS.includes(phase) ? 'ENDING' : phase
  }
}

/** By the schedule's times alone. */
function plainPhaseAt(ms: number): string {
  const minute = Math.floor(ms / MINUTE_MS) % CYCLE_MINUTES
  return PHASES.findLast(([first]) => first <= minute)![1]
}

const minuteOf = (ms: number): number => Math.floor(ms / MINUTE_MS) * MINUTE_MS
const timeOf = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((it) => String(it).padStart(2, '0')).join(':')

async function act({ adminUrl, folder }: EmbeddedExchange, name: string, given: object) {
  const token = readFileSync(path.join(folder, 'operator-token'), 'utf8').trim()
  const response = await fetch(`${adminUrl}/actions/${name}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: JSON.stringify(given),
  })
  strictEqual(response.status, 200, await response.text())
}
