/**
 * Three members on PostgreSQL with the same flags, which take the lead from each other: at the beginning,
 * after a kill, by a handover, and from a leader that stood still. No acknowledged order is lost or doubled.
 */
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DemoKey, ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { type Answer, SignedClient } from '../../scripts/exchange/signed-client.ts'
import { PostgresServers } from '../../scripts/postgres/postgres-servers.ts'
import { act } from '../e2e/admin-server.ts'
import { expectUncrossed, standStillInUncrossing } from '../e2e/half-uncrossed.ts'
import { DEBUGGABLE } from '../e2e/thread-stall.ts'
import { Trader } from '../e2e/trader.ts'
import { eventually } from '../fixtures/eventually.ts'
import { prepareMember, roleOf } from './members.ts'

const DATABASE = 'promotion'
const SYMBOL = 'BTCUSDT'
const NOT_LEADING = -1001
const UNKNOWN = -1007

let servers: PostgresServers
const members: ExchangeProcess[] = []
let keys: Record<string, DemoKey>
/** All acknowledged orders: client order id → order id. */
const acknowledged = new Map<string, number>()

beforeAll(async () => {
  process.env.NODE_OPTIONS = DEBUGGABLE
  servers = await PostgresServers.start(2)
  await servers.primary.query(`CREATE DATABASE ${DATABASE}`)
  for (let i = 0; i < 3; i++) members.push(await prepareMember(servers.url(DATABASE)))
})
afterAll(async () => {
  for (const member of members) await member.remove()
  await servers?.remove()
  delete process.env.NODE_OPTIONS
})

const client = (of: ExchangeProcess, account = 'trader1') =>
  new SignedClient(of.url, keys[account]!)

/** Waits until one of them leads. */
const leaderOf = (those: readonly ExchangeProcess[]): Promise<ExchangeProcess> =>
  eventually('a leader', async () => {
    for (const member of those) if ((await roleOf(member))?.status === 200) return member
    return undefined
  })

/** Waits until the member follows the leader. */
const follows = (member: ExchangeProcess, leader: ExchangeProcess) =>
  eventually('a follower of the new leader', async () => {
    const role = await roleOf(member)
    return (role?.role === 'follower' && role.leader === leader.url) || undefined
  })

const orderOf = (id: string) => ({
  symbol: SYMBOL,
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  price: '40000',
  quantity: '0.001',
  newClientOrderId: id,
  recvWindow: 60_000,
})

function place(leader: ExchangeProcess, id: string): Promise<Answer> {
  return client(leader).send('POST', '/api/v3/order', orderOf(id))
}

async function placeAll(leader: ExchangeProcess, prefix: string, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const { status, body } = await place(leader, `${prefix}-${i}`)
    expect(status, JSON.stringify(body)).toBe(200)
    acknowledged.set(`${prefix}-${i}`, body.orderId as number)
  }
}

/** Expects every acknowledged order, once, and no other but those of unknown fate. */
async function expectOrders(member: ExchangeProcess, unknown: readonly string[] = []) {
  const { body } = await client(member).send('GET', '/api/v3/openOrders', { symbol: SYMBOL })
  const rows = body as unknown as { clientOrderId: string; orderId: number }[]
  const known = rows.filter(({ clientOrderId }) => !unknown.includes(clientOrderId))
  const wanted = [...acknowledged].sort()
  expect(known.map((it) => [it.clientOrderId, it.orderId]).sort()).toEqual(wanted)
  const ids = rows.map(({ orderId }) => orderId)
  expect(new Set(ids).size, 'no id is given twice').toBe(ids.length)
  for (const { clientOrderId, orderId } of rows) acknowledged.set(clientOrderId, orderId)
}

/** Waits until no thread of a stopped process runs: the signal reaches one after another. */
const standsStill = ({ pid }: ExchangeProcess) =>
  eventually('a process that stands still', async () => {
    const threads = fs.readdirSync(`/proc/${pid}/task`)
    const stateOf = (thread: string) =>
      fs.readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8').split(') ')[1]![0]
    return threads.every((thread) => stateOf(thread) === 'T') || undefined
  })

/** The other two. */
const others = (leader: ExchangeProcess) => members.filter((member) => member !== leader)

test('the first member of an empty quorum leads, and the others follow it', async () => {
  const [first, ...rest] = members
  await first!.run()
  expect((await leaderOf([first!])) === first).toBe(true)
  keys = first!.keys()
  for (const member of rest) {
    const copy = (name: string) =>
      fs.copyFileSync(path.join(first!.data, name), path.join(member.data, name))
    copy('secret.key')
    await member.run()
    copy('demo-keys.json')
    await follows(member, first!)
  }
  await placeAll(first!, 'first', 5)
})

test('a leader is killed: one of two followers leads, with all orders; the other follows', async () => {
  const leader = await leaderOf(members)
  const trader = new Trader(leader, 'trader1')
  const wanted = await trader.askPlain('session.cancelOnDisconnect', { enabled: true })
  expect(wanted).toMatchObject({ status: 200, result: { enabled: true } })
  const bound = await trader.askSocket('order.place', orderOf('bound'))
  expect(bound).toMatchObject({ status: 200 })
  await leader.stop('SIGKILL')
  const next = await leaderOf(others(leader))
  await expectOrders(next)
  const ended = { symbol: SYMBOL, orderId: (bound.result as { orderId: number }).orderId }
  const canceled = await client(next).send('GET', '/api/v3/order', ended)
  expect(canceled.body.status).toBe('CANCELED')
  await placeAll(next, 'second', 5)
  const [other] = others(leader).filter((member) => member !== next)
  await follows(other!, next)
  await eventually('the orders of the new leader', async () => {
    const { body } = await client(other!).send('GET', '/api/v3/openOrders', { symbol: SYMBOL })
    return (body as unknown as unknown[]).length === acknowledged.size || undefined
  })
  await expectOrders(other!)
  const refused = await place(other!, 'not-here')
  expect([refused.status, refused.body.code]).toEqual([503, NOT_LEADING])
  await leader.run()
  await follows(leader, next)
  await expectOrders(leader)
})

test('a leader is killed while an auction trades: the next continues it to its end', async () => {
  const leader = await leaderOf(members)
  const known = await standStillInUncrossing(leader)
  await leader.stop('SIGKILL')
  const next = await leaderOf(others(leader))
  await expectUncrossed(next, known)
  await leader.run()
  await follows(leader, next)
  await expectUncrossed(leader, known)
})

test('a handover loses no order and doubles none, and its leader ends with exit code 0', async () => {
  const leader = await leaderOf(members)
  const [target] = others(leader)
  let isOver = false
  const trading = (async () => {
    let number = 0
    while (!isOver) {
      const id = `during-${number}`
      for (const member of members) {
        const answer = await place(member, id).catch(() => undefined)
        if (answer?.status !== 200) {
          expect([NOT_LEADING, undefined]).toContain(answer?.body.code)
          continue
        }
        acknowledged.set(id, answer.body.orderId as number)
        number++
        break
      }
    }
    return number
  })()
  await eventually('orders before the handover', () => acknowledged.has('during-3') || undefined)
  const [name] = fs.readFileSync(path.join(target!.data, 'replica-member'), 'utf8').split('\n')
  const { said } = await act(leader, 'handover', { member: name })
  expect(said).toContain('Another member leads')
  const ended = await leader.ended()
  expect(ended.code, ended.output).toBe(0)
  const next = await leaderOf(others(leader))
  expect(next === target).toBe(true)
  const before = acknowledged.size
  await eventually('orders behind it', () => acknowledged.size > before + 3 || undefined)
  isOver = true
  expect(await trading).toBeGreaterThan(3)
  await expectOrders(next)
  await leader.run()
  await follows(leader, next)
})

test('a handover back to a member that is not there leaves the lead where it is', async () => {
  const leader = await leaderOf(members)
  await expect(act(leader, 'handover', { member: 'unknown' })).rejects.toThrow('No member took')
  expect((await roleOf(leader))?.status).toBe(200)
  await placeAll(leader, 'kept', 2)
})

test('a leader that stood still finds that it lost the lead, and ends loudly', async () => {
  const leader = await leaderOf(members)
  process.kill(leader.pid, 'SIGSTOP')
  await standsStill(leader)
  const late = place(leader, 'in-flight')
  const next = await leaderOf(others(leader))
  await placeAll(next, 'third', 3)
  process.kill(leader.pid, 'SIGCONT')
  const { status, body } = await late
  // It may have seen the new leader before it read the order, or that it is cut off.
  expect([UNKNOWN, -1016, NOT_LEADING]).toContain(body.code)
  expect(status).toBeGreaterThan(500)
  expect((await roleOf(leader))?.status).not.toBe(200)
  const ended = await leader.ended()
  expect(ended.code, ended.output).toBe(1)
  expect(ended.output).toContain('Another member leads')
  await expectOrders(next, ['in-flight'])
  await leader.run()
  await follows(leader, next)
  await expectOrders(leader)
})

test('an operator has a follower take the lead', async () => {
  const leader = await leaderOf(members)
  const [chosen] = others(leader)
  await expect(act(leader, 'promote', {})).rejects.toThrow('leads already')
  await expect(act(chosen!, 'handover', {})).rejects.toThrow('at the leader')
  await act(chosen!, 'promote', {})
  const next = await leaderOf([chosen!])
  await expectOrders(next)
  await placeAll(next, 'fourth', 2)
  const ended = await leader.ended()
  expect(ended.code, ended.output).toBe(1)
})
