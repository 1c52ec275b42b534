/** Drop copies: reports of several accounts in one stream, of what an operator granted to a key, on two gateways. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AccountId } from '../../../src/base/units.ts'
import type { KeySpec } from '../../../src/market/key-spec.ts'
import { type Json, keyOf, OneThreadExchange } from '../../fixtures/one-thread-exchange.ts'
import type { TestSocket } from '../../fixtures/test-socket.ts'
import { signingKey } from './test-keys.ts'

const signer = signingKey('ED25519', { apiKey: 'copy'.padEnd(64, '0'), canTrade: false })
const granted: KeySpec = { ...signer.spec, granted: [AccountId(2)] }

let exchange: OneThreadExchange
let socket: TestSocket
beforeEach(async () => {
  exchange = await OneThreadExchange.start({ gateways: 2, keys: [granted] })
  socket = await exchange.socket('/ws-api/v3?returnRateLimits=false')
})
afterEach(() => exchange.close())

type Values = Readonly<Record<string, string | number>>

function signed(params: Values = {}): Values {
  const all: Values = { ...params, apiKey: granted.apiKey, timestamp: exchange.nowMs() }
  const names = Object.keys(all).sort()
  return { ...all, signature: signer.sign(names.map((name) => `${name}=${all[name]}`).join('&')) }
}

const subscribe = (): Promise<Json> =>
  socket.ask({ id: 1, method: 'dropCopy.subscribe', params: signed() })

/** As control/worker-control-plane.ts tells gateways of a key that an action changed. */
const tell = (key: KeySpec) =>
  Promise.all(exchange.gateways.map((gateway) => gateway.notify([{ kind: 'key', key }])))

const nameOf = (id: number) => exchange.accounts[id]!.name

test('it has the reports of all granted accounts, by name, and no balances', async () => {
  const names = [nameOf(1), nameOf(2)]
  expect(await subscribe()).toMatchObject({ result: { subscriptionId: 0, accounts: names } })
  await exchange.limitOrder(1, 'BUY', '10.00', '1')
  await exchange.limitOrder(2, 'SELL', '10.00', '1')
  const seen: unknown[] = []
  for (let i = 0; i < 4; i++) {
    const { subscriptionId, account, event } = await socket.next()
    const { e, x, X } = event as Json
    seen.push([subscriptionId, account, e, x, X])
  }
  expect(seen).toEqual([
    [0, names[0], 'executionReport', 'NEW', 'NEW'],
    [0, names[1], 'executionReport', 'NEW', 'NEW'],
    [0, names[1], 'executionReport', 'TRADE', 'FILLED'],
    [0, names[0], 'executionReport', 'TRADE', 'FILLED'],
  ])
})

test('there is one for a connection, beside the user stream of an account', async () => {
  await subscribe()
  expect(await subscribe()).toMatchObject({ status: 400, error: { code: -2035 } })
  const own = { id: 2, method: 'userDataStream.subscribe.signature', params: signed() }
  expect(await socket.ask(own)).toMatchObject({ result: { subscriptionId: 1 } })
  const listed = await socket.ask({ id: 3, method: 'session.subscriptions' })
  expect(listed.result).toEqual([{ subscriptionId: 0 }, { subscriptionId: 1 }])
  const end = { id: 4, method: 'userDataStream.unsubscribe', params: { subscriptionId: 0 } }
  expect(await socket.ask(end)).toMatchObject({ status: 200 })
  expect(await socket.next()).toMatchObject({
    subscriptionId: 0,
    event: { e: 'eventStreamTerminated' },
  })
  expect(await subscribe()).toMatchObject({ result: { subscriptionId: 2 } })
})

test('an account that is granted no more is read no more', async () => {
  await subscribe()
  await tell({ ...granted, granted: [] })
  expect(await socket.next()).toMatchObject({
    subscriptionId: 0,
    event: { e: 'eventStreamTerminated' },
  })
  expect(await subscribe()).toMatchObject({ result: { accounts: [nameOf(1)] } })
  await exchange.limitOrder(2, 'BUY', '10.00', '1')
  await exchange.limitOrder(1, 'BUY', '10.00', '1')
  expect(await socket.next()).toMatchObject({ account: nameOf(1) })
})

test('it ends with its key', async () => {
  await subscribe()
  await tell({ ...granted, canRead: false, canTrade: false })
  expect(await socket.next()).toMatchObject({ event: { e: 'eventStreamTerminated' } })
  await exchange.limitOrder(1, 'BUY', '10.00', '1')
  expect(await subscribe()).toMatchObject({ status: 401 })
})

test('a key that may not read has none', async () => {
  await tell({ ...granted, canRead: false, canTrade: true })
  const { error } = await subscribe()
  expect(error).toMatchObject({ code: -2015 })
  expect(keyOf(1).granted).toBeUndefined()
})
