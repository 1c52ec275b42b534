/**
 * Two members on PostgreSQL: the leader is killed while withdrawals and routed orders are under way. The next one pays
 * each withdrawal once, and has each fill; the one that was killed follows it.
 */
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DemoKey, ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { PostgresServers } from '../../scripts/postgres/postgres-servers.ts'
import { act } from '../e2e/admin-server.ts'
import { eventually } from '../fixtures/eventually.ts'
import { hasRole, prepareMember } from './members.ts'

const DATABASE = 'money'
const PRICE = 45_000
/** On the chain with the shortest blocks. Its fee is in the amount. */
const WITHDRAWAL = { coin: 'USDT', network: 'SOL', amount: 20 }
const FEE = 0.5
const ADDRESS = '7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj'
const COMPLETED = 6
/** Of each kind, before the leader is killed and after. */
const ROUNDS = 6

let servers: PostgresServers
let keys: Record<string, DemoKey>
const members: ExchangeProcess[] = []
/** By withdrawOrderId: the id of the withdrawal. */
const withdrawn = new Map<string, string>()
/** By clientOrderId: the order's id. */
const routed = new Map<string, number>()

beforeAll(async () => {
  servers = await PostgresServers.start(2)
  await servers.primary.query(`CREATE DATABASE ${DATABASE}`)
  for (let i = 0; i < 2; i++) members.push(await prepareMember(servers.url(DATABASE)))
})
afterAll(async () => {
  for (const member of members) await member.remove()
  await servers?.remove()
})

const client = (of: ExchangeProcess, account = 'trader1') =>
  new SignedClient(of.url, keys[account]!)

/** Sends it to whichever member leads until it is done; the same again where the outcome is unknown. */
async function withdraw(id: string): Promise<void> {
  const asked = { ...WITHDRAWAL, address: ADDRESS, withdrawOrderId: id, recvWindow: 60_000 }
  const body = await eventually('an answer', async () => {
    for (const member of members) {
      const answer = await client(member)
        .send('POST', '/sapi/v1/capital/withdraw/apply', asked)
        .catch(() => undefined)
      if (answer?.status === 200) return answer.body
    }
    return undefined
  })
  withdrawn.set(id, String(body.id))
}

/** Not repeated where the outcome is unknown: an order under the same id would be another one. */
async function route(id: string): Promise<void> {
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: 0.01 }
  for (const member of members) {
    const answer = await client(member)
      .send('POST', '/api/v3/sor/order', { ...order, newClientOrderId: id, recvWindow: 60_000 })
      .catch(() => undefined)
    if (answer?.status === 200) routed.set(id, answer.body.orderId as number)
  }
}

/** What the first member has before there is a quorum: a group is in force from the start behind its listing on. */
async function begin(data: string): Promise<void> {
  const alone = await ExchangeProcess.prepare(['--gateways', '1'], undefined, undefined, data)
  await alone.run()
  await act(alone, 'asset-list', { asset: 'USDC' })
  await act(alone, 'symbol-list', { base: 'BTC', quote: 'USDC', like: 'BTCUSDT' })
  await act(alone, 'account-open', { account: 'router' })
  await act(alone, 'deposit', { account: 'router', asset: 'USDC', amount: '1000000' })
  await act(alone, 'sor-group', { base: 'BTC', symbols: 'BTCUSDT,BTCUSDC', account: 'router' })
  await alone.stop()
  await alone.run()
  const asks = { symbol: 'BTCUSDC', side: 'SELL', type: 'LIMIT', timeInForce: 'GTC' }
  const offer = { ...asks, quantity: 5, price: PRICE }
  keys = alone.keys()
  expect((await client(alone, 'trader2').send('POST', '/api/v3/order', offer)).status).toBe(200)
  expect((await alone.stop()).code).toBe(0)
}

test('the next leader pays each withdrawal once, and has each routed fill', async () => {
  const [first, second] = members as [ExchangeProcess, ExchangeProcess]
  await begin(first.data)
  await first.run()
  await hasRole(first, 'leader')
  const copy = (name: string) =>
    fs.copyFileSync(path.join(first.data, name), path.join(second.data, name))
  copy('secret.key')
  await second.run()
  copy('demo-keys.json')
  await hasRole(second, 'follower')

  let isOver = false
  const busy = (one: (id: string) => Promise<void>, prefix: string) =>
    (async () => {
      for (let i = 0; !isOver; i++) await one(`${prefix}-${i}`)
    })()
  const working = [busy(withdraw, 'w'), busy(withdraw, 'v'), busy(route, 'r')]
  const reached = (count: number) =>
    eventually('work', () => (withdrawn.size >= count && routed.size >= count) || undefined)
  await reached(ROUNDS)
  await first.stop('SIGKILL')
  await hasRole(second, 'leader')
  await reached(Math.max(withdrawn.size, routed.size) + ROUNDS)
  isOver = true
  await Promise.all(working)
  await first.run()
  await hasRole(first, 'follower')
  for (const member of [second, first]) await expectAll(member)
  const { rows } = await act(second, 'funds-proof', {})
  const usdt = rows.find(({ asset }) => asset === 'USDT')!
  const paid = withdrawn.size * (WITHDRAWAL.amount - FEE)
  expect(usdt).toMatchObject({ inFlight: '0.00000000', chain: `-${paid.toFixed(8)}` })
})

test('a member that takes over has the groups that it started with', async () => {
  const [first, second] = members as [ExchangeProcess, ExchangeProcess]
  const groupsOf = async ({ url }: ExchangeProcess) => {
    const response = await fetch(`${url}/api/v3/exchangeInfo?symbol=BTCUSDT`)
    return ((await response.json()) as { sors?: readonly unknown[] }).sors ?? []
  }
  await act(second, 'sor-group', { base: 'BTC', symbols: 'none' })
  expect(await groupsOf(second)).toHaveLength(1)
  await first.stop()
  await first.run()
  await hasRole(first, 'follower')
  await second.stop('SIGKILL')
  await hasRole(first, 'leader')
  expect(await groupsOf(first)).toEqual([])
  const symbols = 'BTCUSDT,BTCUSDC'
  await act(first, 'sor-group', { base: 'BTC', symbols, account: 'router' })
  await second.run()
  await hasRole(second, 'follower')
  await first.stop('SIGKILL')
  await hasRole(second, 'leader')
  expect(await groupsOf(second)).toHaveLength(1)
  await eventually('a routed order', async () => {
    await route('late')
    return routed.has('late') || undefined
  })
})

/** Expects every withdrawal that a client was told of, once and completed, and no other; and each order with its fill. */
async function expectAll(member: ExchangeProcess): Promise<void> {
  const rows = await eventually('completed withdrawals', async () => {
    const { body } = await client(member).send('GET', '/sapi/v1/capital/withdraw/history', {})
    const found = body as unknown as {
      id: string
      withdrawOrderId: string
      status: number
      txId: string
    }[]
    const isWhole = found.length === withdrawn.size
    return (isWhole && found.every(({ status }) => status === COMPLETED) && found) || undefined
  })
  expect(new Map(rows.map((it) => [it.withdrawOrderId, it.id]))).toEqual(withdrawn)
  expect(new Set(rows.map(({ txId }) => txId)).size).toBe(rows.length)
  const { body } = await client(member).send('GET', '/api/v3/myAllocations', { symbol: 'BTCUSDT' })
  const filled = (body as unknown as { orderId: number; price: string }[]).map((it) => it.orderId)
  for (const [id, orderId] of routed) {
    const fills = filled.filter((it) => it === orderId)
    expect(fills, id).toHaveLength(1)
    const order = await client(member).send('GET', '/api/v3/order', { symbol: 'BTCUSDT', orderId })
    expect(order.body).toMatchObject({ clientOrderId: id, status: 'FILLED', usedSor: true })
  }
}
