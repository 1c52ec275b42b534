/** Refusals that an exchange under load gives, or one that stops: its engines are held still. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Role } from '../../../src/shared/role.ts'
import { keyOf, OneThreadExchange, sign } from '../../fixtures/one-thread-exchange.ts'
import type { Frame } from '../frame-log.ts'
import { expectRefusal } from './raise.ts'

const COMMAND_SLOTS = 4

export function loadTests(): void {
  let exchange: OneThreadExchange
  beforeAll(async () => {
    const options = { commandSlots: COMMAND_SLOTS }
    exchange = await OneThreadExchange.start(options)
  })
  afterAll(() => exchange.close())

  const place = () => exchange.limitOrder(1, 'BUY', '1.00', '10')

  test('SERVER_BUSY, and TIMEOUT of those that were taken', async () => {
    exchange.pause()
    const answers = Array.from({ length: COMMAND_SLOTS + 1 }, place)
    const busy = await Promise.race(answers)
    const overloaded =
      'Server is currently overloaded with other requests. Please try again in a few minutes.'
    expectRefusal('SERVER_BUSY', busy, -1008, overloaded)
    exchange.pass(60_000)
    const late = (await Promise.all(answers)).filter(({ status }) => status !== 503)
    const unknown =
      'Timeout waiting for response from backend server. Send status unknown; execution status unknown.'
    expect(late).toHaveLength(COMMAND_SLOTS)
    for (const answer of late) expectRefusal('TIMEOUT', answer, -1007, unknown)
    exchange.resume()
    // They were still taken, but by then their time was over.
    await expect.poll(() => exchange.waiting()).toBe(0)
    const open = await exchange.signed(1, 'GET', '/api/v3/openOrders')
    expect(open.body).toEqual([])
  })

  test('NOT_LEADING', async () => {
    exchange.role.become(Role.FOLLOWER)
    const refused = await place()
    exchange.role.become(Role.LEADER)
    const elsewhere =
      'This server takes no orders, because another one leads. Please try again at the leader.'
    expectRefusal('NOT_LEADING', refused, -1001, elsewhere)
  })

  test('CUT_OFF', async () => {
    exchange.role.confirm(1)
    const refused = await exchange.send('GET', '/api/v3/depth?symbol=BTCUSDT')
    exchange.role.confirm(Number.MAX_SAFE_INTEGER)
    const past =
      'The quorum does not confirm that this server leads, so what it knows may be of the past. ' +
      'Please try again at another one.'
    expectRefusal('CUT_OFF', refused, -1001, past)
  })

  test('DISK_RESERVE', async () => {
    exchange.disk.write({ ...exchange.disk.read(), isRefusing: true })
    const refused = await place()
    exchange.disk.write({ ...exchange.disk.read(), isRefusing: false })
    const full =
      'This server takes no new orders, because its disk is almost full. Cancels continue.'
    expectRefusal('DISK_RESERVE', refused, -1008, full)
  })

  test('SHUTTING_DOWN', async () => {
    const [gateway] = exchange.gateways
    const kept = await exchange.socket('/ws-api/v3')
    gateway!.stopAccepting()
    await kept.next()
    const { apiKey } = keyOf(1)
    const timestamp = exchange.nowMs()
    const payload = `apiKey=${apiKey}&symbol=BTCUSDT&timestamp=${timestamp}`
    const params = { symbol: 'BTCUSDT', apiKey, timestamp, signature: sign(1, payload) }
    const answer = await kept.ask({ id: 1, method: 'openOrders.cancelAll', params })
    const refused = { status: Number(answer.status), body: answer.error as Frame }
    expectRefusal('SHUTTING_DOWN', refused, -1016, 'This service is no longer available.')
    await gateway!.drained()
  })
}
