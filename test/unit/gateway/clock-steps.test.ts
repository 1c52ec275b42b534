/** A wall clock that steps while clients are connected and orders are on their way. */
import { describe, expect, type TestContext, test } from 'vitest'
import { eventually } from '../../fixtures/eventually.ts'
import { OneThreadExchange } from '../../fixtures/one-thread-exchange.ts'
import type { TestSocket } from '../../fixtures/test-socket.ts'

const MINUTE_MS = 60_000
const steps = [2, -2, 60, -60].map((minutes) => minutes * MINUTE_MS)

async function startFor({ onTestFinished }: TestContext): Promise<OneThreadExchange> {
  const exchange = await OneThreadExchange.start()
  onTestFinished(() => exchange.close())
  return exchange
}

async function listenKeyOf(exchange: OneThreadExchange, account: number): Promise<string> {
  const { body } = await exchange.send('POST', '/api/v3/userDataStream', account)
  return body.listenKey as string
}

/** Resolves once the gateway has looked after its connections again. */
async function tended(exchange: OneThreadExchange, sockets: readonly TestSocket[]): Promise<void> {
  const before = sockets.map(({ pings }) => pings)
  exchange.pass(20_001)
  await eventually('a ping', async () =>
    sockets.every(({ pings }, i) => pings > before[i]!) ? true : undefined,
  )
}

// A gateway looks once a second: all of them wait at the same time.
describe.concurrent.each(steps)('a step of %i ms', (stepMs) => {
  test('closes no connection, and pings continue', async (context) => {
    const exchange = await startFor(context)
    const key = await listenKeyOf(exchange, 1)
    const sockets: TestSocket[] = []
    for (const path of ['/ws/btcusdt@depth', `/ws/${key}`, '/ws-api/v3']) {
      sockets.push(await exchange.socket(path))
    }
    await tended(exchange, sockets)
    exchange.timeShiftMs += stepMs
    for (let i = 0; i < 4; i++) await tended(exchange, sockets)
    expect(await listenKeyOf(exchange, 1)).toBe(key)
    await exchange.limitOrder(1, 'BUY', '1.00', '10.00000')
    expect(await sockets[1]!.next()).toMatchObject({ e: 'executionReport' })
    const answer = await sockets[2]!.ask({ id: 1, method: 'ping' })
    expect(answer).toMatchObject({ status: 200 })
    for (const socket of sockets) socket.close()
  })

  test('changes no time limit of an answer', async (context) => {
    const exchange = await startFor(context)
    exchange.pause()
    const waiting = exchange.limitOrder(1, 'BUY', '1.00', '10.00000')
    await eventually('a command', async () => (exchange.waiting() > 0 ? true : undefined))
    exchange.timeShiftMs += stepMs
    exchange.pass(5_000)
    await eventually('a look', async () =>
      exchange.counter('pendingRequests') === 1 ? true : undefined,
    )
    exchange.resume()
    // Put forwards, it has expired in truth; put back, it has not.
    const { status, body } = await waiting
    expect([status, body.code]).toEqual(stepMs > 0 ? [400, -1021] : [200, undefined])
    exchange.pause()
    const late = exchange.limitOrder(1, 'BUY', '1.00', '10.00000')
    await eventually('a command', async () => (exchange.waiting() > 0 ? true : undefined))
    exchange.timeShiftMs -= stepMs
    exchange.pass(10_001)
    expect((await late).body.code).toBe(-1007)
  })
})
