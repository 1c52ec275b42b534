/** A feed of reference prices: ten a second for a symbol at most, the newest of them. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { SymbolId } from '../../../src/base/units.ts'
import { ReferenceFeed } from '../../../src/control/reference-feed.ts'
import { FakedTime } from '../../fixtures/faked-time.ts'
import { ActionBench } from './plain-control-plane.ts'

const PRICE_MS = 100
const LATE_MS = 30

let bench: ActionBench
let feed: ReferenceFeed
/** By symbol and time: what was sent. */
let sent: (readonly [symbolId: SymbolId, priceUnits: unknown, atMs: number])[]
let answer: object
beforeEach(async () => {
  vi.useFakeTimers()
  bench = await ActionBench.make()
  await bench.ask('symbol-reference BTCUSDT --reference external')
  sent = []
  answer = { value: true }
  const beganMs = Date.now()
  const ask = async (_: number, query: { symbolId?: SymbolId; priceUnits?: unknown }) => {
    sent.push([query.symbolId!, query.priceUnits, Date.now() - beganMs])
    await new Promise((resolve) => setTimeout(resolve, LATE_MS))
    return answer
  }
  feed = new ReferenceFeed(() => ({ ask }) as never, bench.registry, new FakedTime())
})
afterEach(() => vi.useRealTimers())

const units = (price: number) => price * 10 ** 8

test('prices that come faster are passed by newer ones', async () => {
  const taken: unknown[] = []
  for (let price = 1; price <= 25; price++) {
    void feed.take({ BTCUSDT: String(price) }).then((it) => taken.push([price, it.BTCUSDT]))
    await vi.advanceTimersByTimeAsync(10)
  }
  await vi.advanceTimersByTimeAsync(PRICE_MS)
  expect(sent).toEqual([
    [0, units(1), 0],
    [0, units(10), PRICE_MS],
    [0, units(20), 2 * PRICE_MS],
    [0, units(25), 3 * PRICE_MS],
  ])
  const set = taken.filter((it) => (it as unknown[])[1] === 'set')
  expect(set).toEqual([1, 10, 20, 25].map((price) => [price, 'set']))
  expect(taken.filter((it) => (it as unknown[])[1] === 'superseded')).toHaveLength(21)
})

test('a price after a pause is sent at once, and null is one', async () => {
  void feed.take({ BTCUSDT: '1' })
  await vi.advanceTimersByTimeAsync(10 * PRICE_MS)
  void feed.take({ BTCUSDT: null })
  await vi.advanceTimersByTimeAsync(0)
  expect(sent).toEqual([
    [0, units(1), 0],
    [0, -1, 10 * PRICE_MS],
  ])
  await vi.advanceTimersByTimeAsync(PRICE_MS)
  expect(vi.getTimerCount()).toBe(0)
})

describe('what is refused', () => {
  test.each([
    [{ BTCUSDT: '0' }, 'BTCUSDT must be a decimal'],
    [{ BTCUSDT: 7 }, 'BTCUSDT must be a decimal'],
    [{ BTCUSDT: '7', NONE: '1' }, 'NONE'],
  ])('%j sets nothing', async (prices, sentence) => {
    await expect(feed.take(prices)).rejects.toThrow(sentence)
    expect(sent).toEqual([])
  })

  test('a symbol whose price comes from elsewhere has none', async () => {
    await bench.ask('symbol-reference BTCUSDT --reference none')
    await expect(feed.take({ BTCUSDT: '1' })).rejects.toThrow('comes from no feed')
    expect(sent).toEqual([])
  })

  test('a refusal of the matcher is told, and the next price goes on', async () => {
    answer = { refused: 'It has none.' }
    const first = feed.take({ BTCUSDT: '1' })
    await vi.advanceTimersByTimeAsync(PRICE_MS)
    expect(await first).toEqual({ BTCUSDT: { refused: 'It has none.' } })
    answer = { value: true }
    const second = feed.take({ BTCUSDT: '2' })
    await vi.advanceTimersByTimeAsync(PRICE_MS)
    expect(await second).toEqual({ BTCUSDT: 'set' })
  })
})

test('a feed is taken of admins alone, and not by a member that follows', async () => {
  const { executor } = bench
  const operator = { name: 'w', role: 'watch', tokenHash: '', earlier: [] } as never
  await expect(executor.feed({ BTCUSDT: '1' }, operator)).rejects.toThrow('needs the role admin')
  bench.controlPlane.leader = 'another'
  const owner = { name: 'owner', role: 'admin' } as never
  await expect(executor.feed({ BTCUSDT: '1' }, owner)).rejects.toThrow('another')
})
