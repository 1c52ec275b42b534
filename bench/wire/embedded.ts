/**
 * `npm run bench -- embedded [--rounds N] [--orders N] [--events N]`: what a user's test costs. All in one process
 * that has started an exchange before: the start of one up to its first fill; and of an exchange with so many open
 * orders and events, a revert to its mark, and a fresh start on a folder with the same content, in turns. No next spare
 * is being prepared while anything is measured.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { type EmbeddedExchange, startExchange } from '../../src/index.ts'
import type { Flags, SettingsOf } from '../harness/flags.ts'
import { type BenchResult, median, pairedRatio, printTable } from '../harness/report.ts'

export const flags = { rounds: 7, orders: 1_000, events: 100_000 } as const satisfies Flags

/** Requests in flight while the exchange is filled. */
const IN_FLIGHT = 64
/** Events of an order that is placed and canceled. */
const EVENTS_OF_PAIR = 2
const accounts = { bot: { USDT: '100000000', BTC: '1000' } }

const order = (side: string, price: string, id?: string) => ({
  symbol: 'BTCUSDT',
  side,
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '0.001',
  price,
  ...(id !== undefined && { newClientOrderId: id }),
})

const botOf = (exchange: EmbeddedExchange): Sender => {
  const client = new SignedClient(exchange.url, { account: 'bot', ...exchange.accounts.bot! })
  const headers = { 'X-MBX-APIKEY': exchange.accounts.bot!.apiKey }
  return async (method, target, params) => {
    const response = await exchange.fetch(`${target}?${client.sign(params)}`, { method, headers })
    if (response.status !== 200) throw new Error(`${method} ${target}: ${await response.text()}`)
  }
}
type Sender = (method: string, target: string, params: Record<string, string>) => Promise<void>

async function elapsed(run: () => Promise<unknown>): Promise<number> {
  const began = process.hrtime.bigint()
  await run()
  return Number(process.hrtime.bigint() - began) / 1e6
}

/** Places the orders that stay, and others that are canceled, until there are so many events. */
async function fill(send: Sender, orders: number, events: number): Promise<void> {
  let next = 0
  const pairs = Math.max(0, Math.floor((events - orders) / EVENTS_OF_PAIR))
  const worker = async () => {
    for (let at = next++; at < orders + pairs; at = next++) {
      const price = (10_000 + (at % orders)).toFixed(2)
      await send('POST', '/api/v3/order', order('BUY', price, `o-${at}`))
      if (at < orders) continue
      await send('DELETE', '/api/v3/order', {
        symbol: 'BTCUSDT',
        origClientOrderId: `o-${at}`,
      })
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
}

async function toFirstFill(): Promise<void> {
  const exchange = await startExchange({ accounts })
  const send = botOf(exchange)
  const account = { account: 'bot' } as const
  const events = exchange.events(account)
  await send('POST', '/api/v3/order', order('BUY', '20000.00', 'first'))
  const { value } = await events.next()
  await exchange.fill({ symbol: 'BTCUSDT', orderId: value!.orderId })
  await exchange.close()
}

export async function run(settings: SettingsOf<typeof flags>): Promise<BenchResult> {
  const { rounds, orders, events } = settings
  const scratch = fs.mkdtempSync(
    path.join(fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir(), 'bench-embedded-'),
  )
  const state = path.join(scratch, 'state')
  const exchange = await startExchange({ accounts })
  const reverts: number[] = []
  const starts: number[] = []
  const empty: number[] = []
  const fills: number[] = []
  try {
    await fill(botOf(exchange), orders, events)
    await exchange.save(state)
    let mark = await exchange.mark()
    for (let round = 0; round < rounds; round++) {
      await botOf(exchange)('POST', '/api/v3/order', order('BUY', '9000.00'))
      reverts.push(
        await elapsed(async () => {
          mark = await exchange.revert(mark)
        }),
      )
      // It waits for the spare.
      await botOf(exchange)('POST', '/api/v3/order', order('BUY', '9000.00'))
      mark = await exchange.mark()
      let other: EmbeddedExchange | undefined
      starts.push(
        await elapsed(async () => {
          other = await startExchange({ state })
        }),
      )
      await other!.close()
      empty.push(
        await elapsed(async () => {
          other = await startExchange({ accounts })
        }),
      )
      await other!.close()
      fills.push(await elapsed(toFirstFill))
    }
  } finally {
    await exchange.close()
    fs.rmSync(scratch, { recursive: true, force: true })
  }
  const { ratio, low, high } = pairedRatio(reverts, starts)
  printTable(`${orders} orders, ${events} events`, [
    ['what', 'ms'],
    ['revert', median(reverts)],
    ['start with the same content', median(starts)],
    ['start of an empty exchange', median(empty)],
    ['start, first fill and close of an empty exchange', median(fills)],
  ])
  return {
    ratios: {
      revertOverStart: ratio,
      revertOverEmptyStart: pairedRatio(reverts, empty).ratio,
      firstFillOverEmptyStart: pairedRatio(fills, empty).ratio,
    },
    figures: {
      rounds,
      orders,
      events,
      low,
      high,
      revertMs: median(reverts),
      startMs: median(starts),
      emptyStartMs: median(empty),
      firstFillMs: median(fills),
    },
  }
}
