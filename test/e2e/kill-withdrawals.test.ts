/**
 * Kill -9 of a process while clients withdraw, to addresses outside and to one of another account: each withdrawal is
 * paid once, whatever became of its answer, and the funds are proven. crash-withdrawals.test.ts kills between single steps.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { Prng } from '../../src/base/prng.ts'
import { eventually } from '../fixtures/eventually.ts'
import { isNight } from '../runner/night.ts'
import { operate } from './command-line.ts'

const KILLS = isNight ? 200 : 6
const SEED = 20_261
/** With the fee of 1. */
const AMOUNT = 3
const OUTSIDE = `0x${'b'.repeat(40)}`
const APPLY = '/sapi/v1/capital/withdraw/apply'
const TOO_MANY = -4005
const BUSY = -1008
const PAGE = 1000

let exchange: ExchangeProcess
afterEach(() => exchange?.remove())

const client = (account: string) => new SignedClient(exchange.url, exchange.keys()[account]!)
const paramsOf = (id: string, address: string) => ({
  ...{ coin: 'USDT', network: 'QUICK', address, amount: AMOUNT, withdrawOrderId: id },
})

async function freeOf(account: string): Promise<number> {
  const { body } = await client(account).send('GET', '/api/v3/account')
  const balances = body.balances as { asset: string; free: string }[]
  return Number(balances.find(({ asset }) => asset === 'USDT')!.free)
}

async function withdrawals(): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = []
  for (let page = PAGE; page === PAGE; ) {
    const query = { limit: PAGE, offset: rows.length }
    const { body } = await client('taker').send('GET', '/sapi/v1/capital/withdraw/history', query)
    const found = body as unknown as Record<string, unknown>[]
    rows.push(...found)
    page = found.length
  }
  return rows
}

test(`${KILLS} kills pay each withdrawal once`, async () => {
  exchange = await ExchangeProcess.start(['--liquidity', 'off', '--snapshot-minutes', '1'])
  await operate(exchange, 'chain-list', 'QUICK', '--form', 'ethereum', '--block-seconds', '0.1')
  const terms = ['--fee', '1', '--confirmations', '2', '--unlock-confirmations', '3']
  await operate(exchange, 'coin-network-list', 'USDT', 'QUICK', ...terms)
  const { body } = await client('trader1').send('GET', '/sapi/v1/capital/deposit/address', {
    ...{ coin: 'USDT', network: 'QUICK' },
  })
  const inside = String(body.address)
  const before = { taker: await freeOf('taker'), trader1: await freeOf('trader1') }

  /** By client id: where it was sent to, and what the exchange calls it, once it said so. */
  const sent = new Map<string, { readonly address: string; id?: unknown }>()
  async function withdrawUntil(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const address = sent.size % 3 === 0 ? inside : OUTSIDE
      const requestId = `w${sent.size}`
      sent.set(requestId, { address })
      const answer = await client('taker')
        .send('POST', APPLY, paramsOf(requestId, address))
        .catch(() => undefined)
      if (answer?.status === 200) sent.get(requestId)!.id = answer.body.id
      await pause(20)
    }
  }

  const prng = new Prng(SEED)
  for (let kill = 0; kill < KILLS; kill++) {
    const stop = new AbortController()
    const clients = [withdrawUntil(stop.signal), withdrawUntil(stop.signal)]
    await pause(prng.between(300, 1_500))
    const killed = exchange.stop('SIGKILL')
    stop.abort()
    await killed
    await Promise.all(clients)
    await exchange.run()
  }

  for (const [requestId, known] of sent) {
    const answer = await eventually(`the answer to ${requestId}`, async () => {
      const again = await client('taker').send('POST', APPLY, paramsOf(requestId, known.address))
      return again.body.code === TOO_MANY || again.body.code === BUSY ? undefined : again
    })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    if (known.id !== undefined) expect(answer.body.id).toBe(known.id)
  }
  const rows = await eventually('each withdrawal to be paid', async () => {
    const found = await withdrawals()
    return found.every(({ status }) => status === 6) ? found : undefined
  })
  expect(rows.map(({ withdrawOrderId }) => withdrawOrderId).sort()).toEqual([...sent.keys()].sort())
  expect(new Set(rows.map(({ txId }) => txId)).size).toBe(sent.size)
  expect(before.taker - (await freeOf('taker'))).toBeCloseTo(AMOUNT * sent.size, 6)
  const received = (AMOUNT - 1) * rows.filter(({ address }) => address === inside).length
  expect(await freeOf('trader1')).toBeCloseTo(before.trader1 + received, 6)
  await operate(exchange, 'funds-proof')
})
