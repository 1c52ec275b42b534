/**
 * Faults of REST as ccxt and the official connector meet them, each of them exactly that failure; what became
 * of their order they find by a query.
 */
import { SpotRestAPI } from '@binance/spot'
import ccxt, { type binanceus } from 'ccxt'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ExchangeProcess } from '../../../scripts/exchange/exchange-process.ts'
import type { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { REFUSALS } from '../../../src/sandbox/fault-fields.ts'
import { FEW_THREADS } from '../../fixtures/few-threads.ts'
import { restClient } from '../ccxt-clients.ts'
import { operate, refusal } from '../command-line.ts'
import { spotClient } from '../spot-clients.ts'
import { fateOf, fault, noFaults, signedClient, startFaulty } from './faulty-exchange.ts'

let exchange: ExchangeProcess
let client: binanceus
let other: binanceus
let plain: SignedClient
beforeAll(async () => {
  exchange = await startFaulty()
  client = restClient(exchange, 'trader1')
  other = restClient(exchange, 'taker')
  plain = signedClient(exchange, 'trader1')
  await client.loadMarkets()
  await other.loadMarkets()
})
afterAll(() => exchange?.remove())
beforeEach(() => noFaults(exchange))

const place = (clientOrderId: string, by = client) =>
  by.createOrder('BTC/USDT', 'limit', 'buy', 0.001, 20_000, { clientOrderId })

describe('ccxt', () => {
  test.each([
    [['limit'], ccxt.DDoSProtection],
    [['ban'], ccxt.DDoSProtection],
    [['forbid'], ccxt.ExchangeNotAvailable],
    [['proxy', '--status', '502'], ccxt.ExchangeNotAvailable],
    [['proxy', '--status', '503'], ccxt.ExchangeNotAvailable],
    [['proxy', '--status', '504'], ccxt.RequestTimeout],
    [['answer', '--status', '500', '--code', '-1001', '--message', 'Down.'], ccxt.OperationFailed],
    [['refuse', '--reason', 'INSUFFICIENT_BALANCE'], ccxt.InsufficientFunds],
    [['refuse', '--reason', 'FILTER_FAILURE', '--filter', 'LOT_SIZE'], ccxt.InvalidOrder],
  ])('meets %j, and its order does not exist', async (words, kind) => {
    await fault(exchange, 'one', ...words, '--operation', 'placeOrder', '--account', 'trader1')
    const id = `never-${words
      .join('')
      .replaceAll(/[^a-z0-9]/gi, '')
      .slice(0, 20)}`
    await expect(place(id)).rejects.toBeInstanceOf(kind)
    expect(await fateOf(plain, id)).toBe(-2013)
    expect((await place(`${id}-o`, other)).status).toBe('open')
  })

  test('does not know what became of an order, and finds it by a query', async () => {
    await fault(exchange, 'lost', 'unknown', '--parameter', 'newClientOrderId=lost-*')
    await expect(place('lost-1')).rejects.toBeInstanceOf(ccxt.RequestTimeout)
    const params = { clientOrderId: 'lost-1' }
    expect((await client.fetchOrder('', 'BTC/USDT', params)).status).toBe('open')
    expect((await place('kept-1')).status).toBe('open')
  })

  test.each([
    ['cut', ccxt.NetworkError],
    // ccxt passes on what its HTTP client throws in the middle of a body.
    ['half', Error],
  ])('gets an answer that is %s, and finds its order', async (how, kind) => {
    await fault(exchange, 'broken', how, '--operation', 'placeOrder', '--times', '1')
    await expect(place(`broken-${how}`)).rejects.toBeInstanceOf(kind)
    expect(await fateOf(plain, `broken-${how}`)).toBe('NEW')
    expect((await place(`whole-${how}`)).status).toBe('open')
  })

  test.each(REFUSALS)('meets a refusal for %s, and its order does not exist', async (reason) => {
    await fault(exchange, 'no', 'refuse', '--reason', reason, '--operation', 'placeOrder')
    const id = `refused-${reason.toLowerCase().slice(0, 20)}`
    await expect(place(id)).rejects.toBeInstanceOf(ccxt.ExchangeError)
    expect(await fateOf(plain, id)).toBe(-2013)
  })

  test('meets a cancel that is refused, and its order is open', async () => {
    const { id } = await place('kept-2')
    const words = ['--reason', 'UNKNOWN_ORDER', '--operation', 'cancelOrder']
    await fault(exchange, 'no', 'refuse', ...words)
    await expect(client.cancelOrder(String(id), 'BTC/USDT')).rejects.toBeInstanceOf(
      ccxt.OrderNotFound,
    )
    expect(await fateOf(plain, 'kept-2')).toBe('NEW')
    await noFaults(exchange)
    expect((await client.cancelOrder(String(id), 'BTC/USDT')).status).toBe('canceled')
  })
})

describe('the official connector', () => {
  const { BUY } = SpotRestAPI.NewOrderSideEnum
  const { LIMIT } = SpotRestAPI.NewOrderTypeEnum
  const { GTC } = SpotRestAPI.NewOrderTimeInForceEnum
  const order = (newClientOrderId: string) => ({
    symbol: 'BTCUSDT',
    side: BUY,
    type: LIMIT,
    timeInForce: GTC,
    quantity: 0.001,
    price: 20_000,
    newClientOrderId,
  })

  test.each([
    [['limit', '--retry', '3'], 'TooManyRequestsError'],
    [['ban'], 'RateLimitBanError'],
    [['forbid'], 'ForbiddenError'],
    [['proxy'], 'ServerError'],
    [['unknown'], 'ServerError'],
    [['refuse', '--reason', 'INSUFFICIENT_BALANCE'], 'BadRequestError'],
    [['answer', '--status', '500', '--code', '-1001', '--message', 'Down.'], 'ServerError'],
  ])('meets %j', async (words, name) => {
    await fault(exchange, 'one', ...words, '--operation', 'placeOrder')
    const spot = spotClient(exchange, 'trader1')
    const id = `spot-${words[0]}`
    await expect(spot.restAPI.newOrder(order(id))).rejects.toMatchObject({ name })
    expect(await fateOf(plain, id)).toBe(words[0] === 'unknown' ? 'NEW' : -2013)
  })

  test.each(['cut', 'half'])('gets an answer that is %s, and its order rests', async (how) => {
    await fault(exchange, 'broken', how, '--operation', 'placeOrder')
    const spot = spotClient(exchange, 'trader1')
    await expect(spot.restAPI.newOrder(order(`spot-${how}`))).rejects.toThrow()
    expect(await fateOf(plain, `spot-${how}`)).toBe('NEW')
  })
})

test('operators see what rules touched, and metrics count it', async () => {
  await fault(exchange, 'third', 'answer', '--status', '500', '--operation', 'ping', '--every', '3')
  const statuses = []
  for (let i = 0; i < 6; i++) {
    const { status, headers } = await fetch(`${exchange.url}/api/v3/ping`)
    statuses.push(status)
    expect(headers.get('x-ringbook-fault')).toBe(status === 500 ? 'third' : null)
  }
  expect(statuses).toEqual([200, 200, 500, 200, 200, 500])
  expect(await operate(exchange, 'faults')).toEqual([
    {
      name: 'third',
      do: 'answer',
      rule: 'operation=ping every=3 status=500',
      matches: 6,
      touched: 2,
      state: 'on',
    },
  ])
  const metrics = await (await fetch(`http://127.0.0.1:${exchange.adminPort}/metrics`)).text()
  expect(metrics).toContain('ringbook_fault_matches_total{rule="third",account=""} 6')
  expect(metrics).toContain('ringbook_fault_touched_total{rule="third",account=""} 2')
  expect(await operate(exchange, 'fault-remove', 'third')).toEqual([])
  expect(await refusal(exchange, 'fault-remove', 'third')).toContain('There is no rule third.')
})

test('an operator applies a file of rules', async () => {
  await operate(exchange, 'faults-apply', 'examples/faults/clock-drift.toml')
  expect(await operate(exchange, 'faults')).toMatchObject([{ name: 'ahead' }, { name: 'behind' }])
  await noFaults(exchange)
  await operate(exchange, 'faults-apply', '--rules', '@examples/faults/maintenance.toml')
  expect(await operate(exchange, 'faults')).toHaveLength(4)
})

test('without --sandbox on there are no rules', async () => {
  const usual = await ExchangeProcess.start(FEW_THREADS)
  expect(await refusal(usual, 'fault-add', 'lost', 'cut')).toContain('The sandbox is off')
  const { status } = await fetch(`${usual.url}/sandbox/v1/faults`)
  expect(status).toBe(404)
  await usual.remove()
})
