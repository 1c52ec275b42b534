/**
 * Clocks of members beside those of the quorum's servers: the majority decides about a step, and a correction
 * reaches a member that follows.
 */
import fs from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ExchangeClock } from '../../scripts/exchange/exchange-clock.ts'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { PostgresServers } from '../../scripts/postgres/postgres-servers.ts'
import { DAY_MS } from '../../src/market/intervals.ts'
import { act } from '../e2e/admin-server.ts'
import { eventually } from '../fixtures/eventually.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'

const DATABASE = 'clocks'
/** By how much the members begin behind the servers: more than any step that is believed by itself. */
const BEHIND_MS = 3 * DAY_MS
const WRONG_MS = 400 * DAY_MS

let servers: PostgresServers
let leader: ExchangeProcess
let follower: ExchangeProcess
/** The clock of both machines. */
let clock: ExchangeClock

beforeAll(async () => {
  servers = await PostgresServers.start(2)
  await servers.primary.query(`CREATE DATABASE ${DATABASE}`)
  clock = new ExchangeClock('runs', true)
  await clock.advance(-BEHIND_MS)
  const url = servers.url(DATABASE)
  const replicated = ['--durability', 'replicated', '--replica', url, ...FEW_THREADS]
  leader = await ExchangeProcess.prepare(replicated, clock)
  follower = await ExchangeProcess.prepare(['--follow', url, ...FEW_THREADS], clock)
  await leader.run()
  fs.copyFileSync(path.join(leader.data, 'secret.key'), path.join(follower.data, 'secret.key'))
  await follower.run()
})
afterAll(async () => {
  await follower?.remove()
  await leader?.remove()
  await servers?.remove()
})

async function get<T>(of: ExchangeProcess, target: string): Promise<T> {
  return (await (await fetch(`${of.url}/api/v3/${target}`)).json()) as T
}
const timeOf = async (of: ExchangeProcess) =>
  (await get<{ serverTime: number }>(of, 'time')).serverTime

const isDoubted = async (of: ExchangeProcess): Promise<boolean> => {
  const answer = await fetch(`http://127.0.0.1:${of.adminPort}/readyz`)
  return JSON.stringify(await answer.json()).includes('days ahead')
}
const doubt = (of: ExchangeProcess, is: boolean) =>
  eventually(`a doubt: ${is}`, async () => (await isDoubted(of)) === is || undefined)

async function trade(): Promise<number> {
  const stampMs = await timeOf(leader)
  const limit = { type: 'LIMIT', timeInForce: 'GTC', price: 3_000, quantity: 1 }
  const order = { ...limit, symbol: 'BTCUSDT', recvWindow: 60_000 }
  const place = async (name: string, side: string) => {
    const client = new SignedClient(leader.url, leader.keys()[name]!, () => stampMs)
    return (await client.send('POST', '/api/v3/order', { ...order, side })).body
  }
  await place('maker', 'SELL')
  const filled = await place('taker', 'BUY')
  expect(filled).toMatchObject({ status: 'FILLED' })
  return filled.transactTime as number
}

test('the status shows the difference', async () => {
  for (const member of [leader, follower]) {
    const aheadMs = await eventually('the difference', async () => {
      const { rows } = await act(member, 'status', {})
      const found = (rows as { what: string; value: number }[]).find(({ what }) =>
        what.startsWith('clock ahead of the quorum'),
      )
      return found?.value
    })
    expect(Math.abs(aheadMs - (clock.nowMs() - Date.now()))).toBeLessThan(60_000)
  }
})

test('a step that the servers do not share is doubted, and one to their time is believed', async () => {
  await clock.advance(WRONG_MS)
  await doubt(leader, true)
  await doubt(follower, true)
  expect(Math.abs((await trade()) + WRONG_MS - clock.nowMs())).toBeLessThan(DAY_MS)
  await clock.advance(Date.now() - clock.nowMs())
  await doubt(leader, false)
  await doubt(follower, false)
  for (const member of [leader, follower]) {
    expect(Math.abs((await timeOf(member)) - clock.nowMs())).toBeLessThan(DAY_MS)
  }
})

test('a correction of the leader is one of the member that follows', async () => {
  await clock.advance(WRONG_MS)
  await doubt(leader, true)
  await act(leader, 'clock-accept', {})
  expect(await trade()).toBeGreaterThan(Date.now() + WRONG_MS - DAY_MS)
  await clock.advance(-WRONG_MS)
  await eventually('a time that goes back', async () =>
    (await timeOf(leader)) < Date.now() + DAY_MS ? true : undefined,
  )
  await act(leader, 'clock-correct', {})
  expect(await trade()).toBeLessThan(Date.now() + DAY_MS)
  await eventually('the same trades', async () => {
    const [own, followed] = await Promise.all(
      [leader, follower].map((member) =>
        get<{ time: number }[]>(member, 'historicalTrades?symbol=BTCUSDT&fromId=0').catch(() => []),
      ),
    )
    if (!Array.isArray(own) || own.length < 3 || !isDeepStrictEqual(own, followed)) return undefined
    return own.every(({ time }) => time < Date.now() + DAY_MS) || undefined
  })
})
