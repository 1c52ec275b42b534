/** What names clients can make a gateway keep: few, short, and in all bounded. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Quota } from '../../../../src/gateway/limits/quota.ts'
import { NAMES_MAX, NAMES_PER_ADDRESS_MAX } from '../../../../src/gateway/websocket/ws-streams.ts'
import { eventually } from '../../../fixtures/eventually.ts'
import { OneThreadExchange } from '../../../fixtures/one-thread-exchange.ts'

let exchange: OneThreadExchange

beforeAll(async () => {
  exchange = await OneThreadExchange.start()
})
afterAll(() => exchange.close())

const subscribe = (params: readonly string[]) => ({ method: 'SUBSCRIBE', params, id: 1 })
const list = { method: 'LIST_SUBSCRIPTIONS', id: 2 }

describe('a name', () => {
  test.each<[string, string, boolean]>([
    ['of a stream', 'btcusdt@trade', true],
    ['of a stream in a zone', 'btcusdt@kline_1d@+08:00', true],
    ['of no symbol', 'nothing@trade', true],
    ['of 64 characters', 'a'.repeat(64), true],
    ['of 65 characters', 'a'.repeat(65), false],
    ['of 64 KB', 'a'.repeat(65_000), false],
    ['of 64 KB, not Latin', 'ж'.repeat(30_000), false],
    ['of a symbol that is not Latin', '币安人生usdt@trade', true],
    ['with a letter that is not Latin behind the symbol', 'btcusdt@tradé', false],
    ['with a space', 'btcusdt @trade', false],
    ['with a quote', 'btcusdt"@trade', false],
    ['without characters', '', false],
  ])('%s is accepted, and kept if it could be one', async (_, name, isKept) => {
    const socket = await exchange.socket('/ws')
    expect(await socket.ask(subscribe([name]))).toEqual({ result: null, id: 1 })
    expect(await socket.ask(list)).toEqual({ result: isKept ? [name] : [], id: 2 })
    socket.close()
  })
})

test('long names of many frames leave nothing behind', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const socket = await exchange.socket('/ws')
  const usedAfter = async (frames: number) => {
    for (let i = 0; i < frames; i++) {
      await socket.ask(subscribe([`${i}ж`.padEnd(30_000, 'ж'), `kept${i}`]))
    }
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const before = await usedAfter(100)
  const after = await usedAfter(400)
  // Kept, these frames would be 24 MB.
  expect(after - before).toBeLessThan(4_000_000)
  const { result } = await socket.ask(list)
  expect(result).toHaveLength(400)
  socket.close()
})

test('names are counted until their connection leaves them', async () => {
  // Gauges are written once a second.
  const named = (count: number) =>
    eventually(`${count} names`, () => exchange.counter('streamNames') === count || undefined)
  await named(0)
  const socket = await exchange.socket('/ws/btcusdt@trade/btcusdt@trade/nothing')
  await socket.ask(subscribe(['nothing', 'one', 'two', 'one']))
  await named(4)
  await socket.ask({ method: 'UNSUBSCRIBE', params: ['two', 'two', 'never'], id: 3 })
  await named(3)
  socket.close()
  await named(0)
})

test('an address has so many names at most, then each is refused until some are left', async () => {
  const many = (from: string) => Array.from({ length: 1024 }, (_, i) => `${from}@${i}`)
  const count = NAMES_PER_ADDRESS_MAX / 1024
  const sockets = await Promise.all(Array.from({ length: count }, () => exchange.socket('/ws')))
  for (const [i, socket] of sockets.entries()) {
    expect(await socket.ask(subscribe(many(`s${i}`)))).toEqual({ result: null, id: 1 })
  }
  const late = await exchange.socket('/ws')
  const refused = { code: 2, msg: 'Invalid request: too many parameters', id: 1 }
  expect(await late.ask(subscribe(['btcusdt@trade']))).toEqual(refused)
  expect(await late.ask(list)).toEqual({ result: [], id: 2 })
  expect(exchange.counter('namesRefused')).toBe(1)
  const named = await exchange.socket('/ws/btcusdt@trade')
  expect(await named.closed()).toBe(1008)
  sockets[0]!.close()
  await eventually('room', async () => {
    const { result } = await late.ask(subscribe(['btcusdt@trade']))
    return result === null || undefined
  })
  for (const socket of [...sockets, late]) socket.close()
})

test('a quota counts as a plain sum does, and never beyond its bounds', () => {
  const act = fc.record({
    address: fc.constantFrom('a', 'b', 'c'),
    amount: fc.nat(60),
    gives: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const quota = new Quota(100, 150)
      const taken: { address: string; amount: number }[] = []
      const sumOf = (rows: typeof taken) => rows.reduce((sum, { amount }) => sum + amount, 0)
      for (const { address, amount, gives } of acts) {
        if (gives) {
          const given = taken.shift()
          if (given !== undefined) quota.give(given.address, given.amount)
        } else {
          const own = sumOf(taken.filter((it) => it.address === address))
          const fits = own + amount <= 100 && sumOf(taken) + amount <= 150
          expect(quota.take(address, amount)).toBe(fits)
          if (fits) taken.push({ address, amount })
        }
        expect(quota.total).toBe(sumOf(taken))
      }
    }),
  )
  expect(NAMES_MAX).toBeGreaterThan(NAMES_PER_ADDRESS_MAX)
})
