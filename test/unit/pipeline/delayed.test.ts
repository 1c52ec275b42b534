/** How much the sandbox delays at a time: what comes beyond is not delayed, so nothing piles up. */
import { expect, test } from 'vitest'
import { Answer, Encoded, Rows } from '../../../src/api/answers/answer.ts'
import { id, integer } from '../../../src/api/answers/element.ts'
import { operations } from '../../../src/api/operations/index.ts'
import { ManualClock, ManualTime } from '../../../src/base/manual-time.ts'
import { Ms } from '../../../src/base/units.ts'
import { readFaultRule } from '../../../src/market/fault-rule.ts'
import { FAULT_CELLS_BYTES } from '../../../src/market/fault-trigger.ts'
import type { SandboxAnswer } from '../../../src/market/sandbox.ts'
import { DELAYED_BYTES_MAX, DELAYED_MAX, Faults } from '../../../src/pipeline/faults.ts'
import type { CheckedRequest } from '../../../src/pipeline/request.ts'
import { countersBytes, readCounters, ThreadCounters } from '../../../src/shared/counters.ts'

const ping = operations.find(({ id }) => id === 'ping')!

/** Faults with a delay of 10 ms, and what counts of requests that are answered with so many bytes. */
function delaying(way: 'in' | 'out') {
  const time = new ManualTime(new ManualClock(Ms(0)))
  const memory = new SharedArrayBuffer(countersBytes(1, 1))
  const faults = new Faults({
    time,
    ask: async () => ({ refused: '' }),
    counters: ThreadCounters.ofGateway(memory, 0),
  })
  const rule = readFaultRule({ name: 'slow', do: 'delay', way, ms: 10 }, () => undefined)
  const cells = new SharedArrayBuffer(FAULT_CELLS_BYTES)
  faults.set([{ rule, untilMs: Number.POSITIVE_INFINITY, cells }])
  let answered = 0
  const request = {
    operation: ping,
    encoding: 'JSON',
    transport: { mark: () => undefined },
    setLate: () => undefined,
    reply: () => answered++,
  } as unknown as CheckedRequest
  return {
    time,
    faults,
    answered: () => answered,
    skipped: () =>
      readCounters(memory, 1, 1).find(({ name }) => name === 'faultDelaysSkipped')!.value,
    serve: (bytes: number) =>
      faults.handle(request, ping, (to) => to.reply(new Encoded('JSON', Buffer.alloc(bytes)))),
  }
}

test.each(['in', 'out'] as const)('so many requests, on the way %s', (way) => {
  const { time, answered, skipped, serve } = delaying(way)
  for (let i = 0; i < DELAYED_MAX; i++) serve(1)
  expect([answered(), skipped()]).toEqual([0, 0])
  serve(1)
  expect([answered(), skipped()]).toEqual([1, 1])
  time.advance(10)
  expect(answered()).toBe(DELAYED_MAX + 1)
  serve(1)
  expect([answered(), skipped()]).toEqual([DELAYED_MAX + 1, 1])
})

test('so many bytes of answers', () => {
  const { time, answered, skipped, serve } = delaying('out')
  serve(DELAYED_BYTES_MAX)
  expect([answered(), skipped()]).toEqual([0, 0])
  serve(1)
  expect([answered(), skipped()]).toEqual([1, 1])
  time.advance(10)
  serve(DELAYED_BYTES_MAX)
  expect([answered(), skipped()]).toEqual([2, 1])
})

test('so many steps of fills, those that the house has not answered among them; a stop forgets them', async () => {
  const time = new ManualTime(new ManualClock(Ms(0)))
  const memory = new SharedArrayBuffer(countersBytes(1, 1))
  const asked: ((answer: SandboxAnswer) => void)[] = []
  const faults = new Faults({
    time,
    ask: () => new Promise((resolve) => asked.push(resolve)),
    counters: ThreadCounters.ofGateway(memory, 0),
  })
  const given = { name: 'fill', do: 'fill', quantity: '1', moments: '10,20' }
  const rule = readFaultRule(given, () => undefined)
  const cells = new SharedArrayBuffer(FAULT_CELLS_BYTES)
  faults.set([{ rule, untilMs: Number.POSITIVE_INFINITY, cells }])
  const placing = operations.find(({ id }) => id === 'placeOrder')!
  const request = {
    operation: placing,
    account: { id: 1 },
    transport: { mark: () => undefined },
    reply: () => undefined,
  } as unknown as CheckedRequest
  const placed = new Answer({ symbol: id('symbol'), orderId: integer('orderId') })
  const serve = () =>
    faults.handle(request, placing, (to) =>
      to.reply(new Rows(placed, { symbol: 'BTCUSDT', orderId: 1 }, { microseconds: false })),
    )
  for (let i = 0; i < DELAYED_MAX / 2; i++) serve()
  const skipped = () =>
    readCounters(memory, 1, 1).find(({ name }) => name === 'faultDelaysSkipped')!.value
  expect(skipped()).toBe(0)
  serve()
  expect(skipped()).toBe(1)
  time.advance(10)
  expect(asked).toHaveLength(DELAYED_MAX / 2)
  serve()
  expect(skipped()).toBe(2)
  asked[0]!({ refused: '' })
  await new Promise(setImmediate)
  serve()
  expect(skipped()).toBe(3)
  time.advance(5)
  faults.stop()
  time.advance(5)
  expect(asked).toHaveLength(DELAYED_MAX / 2)
  expect(time.nextInMs).toBeUndefined()
})

test('a stop lets all of it go at once', () => {
  const { faults, answered, serve } = delaying('in')
  for (let i = 0; i < 3; i++) serve(1)
  expect(answered()).toBe(0)
  faults.stop()
  expect(answered()).toBe(3)
})
