/** How much the sandbox delays at a time: what comes beyond is not delayed, so nothing piles up. */
import { expect, test } from 'vitest'
import { Answer, Encoded, Rows } from '../../../src/api/answers/answer.ts'
import { id, integer } from '../../../src/api/answers/element.ts'
import { jsonEncoder } from '../../../src/api/answers/encoders.ts'
import { operations } from '../../../src/api/operations/index.ts'
import { ManualClock, ManualTime } from '../../../src/base/manual-time.ts'
import { AccountId, Ms } from '../../../src/base/units.ts'
import { DELAYED_BYTES_MAX, DELAYED_MAX, Faults } from '../../../src/pipeline/faults.ts'
import type { CheckedRequest } from '../../../src/pipeline/request.ts'
import { readFaultRule } from '../../../src/sandbox/fault-rule.ts'
import { FAULT_CELLS_BYTES } from '../../../src/sandbox/fault-trigger.ts'
import type { SandboxAnswer } from '../../../src/sandbox/requests.ts'
import { countersBytes, readCounters, ThreadCounters } from '../../../src/shared/counters.ts'

const ping = operations.find(({ id }) => id === 'ping')!

/** What one account or address may have of a bound by an operator's rule, and what accounts have by their own. */
const SHARE = 7 / 8
const NEWEST = 3 / 4
const OWN = 5 / 8

/**
 * Faults with a delay of 10 ms, of operators or of the accounts 1 to 9 each, and what counts of requests that are
 * answered with so many bytes.
 */
function delaying(way: 'in' | 'out', isOwn = false) {
  const time = new ManualTime(new ManualClock(Ms(0)))
  const memory = new SharedArrayBuffer(countersBytes(1, 1))
  const faults = new Faults({
    time,
    ask: async () => ({ refused: '' }),
    counters: ThreadCounters.ofGateway(memory, 0),
  })
  const rule = readFaultRule({ name: 'slow', do: 'delay', way, ms: 10 }, () => undefined)
  const post = (more: object) => ({
    rule: { ...rule, ...more },
    untilMs: Number.POSITIVE_INFINITY,
    cells: new SharedArrayBuffer(FAULT_CELLS_BYTES),
  })
  const owners = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(AccountId)
  faults.set(isOwn ? owners.map((owner) => post({ account: owner, owner })) : [post({})])
  let answered = 0
  let cut = 0
  const requestOf = (account: number) =>
    ({
      operation: ping,
      account: account > 0 && { id: account },
      transport: { kind: { encoder: jsonEncoder }, peer: '10.0.0.1' },
      setLate: () => undefined,
      reply: () => answered++,
      cut: () => cut++,
    }) as unknown as CheckedRequest
  return {
    time,
    faults,
    answered: () => answered,
    cut: () => cut,
    setSilence: () => faults.set([post({ do: 'silence' })]),
    skipped: () =>
      readCounters(memory, 1, 1).find(({ name }) => name === 'faultDelaysSkipped')!.value,
    /** Serves a request of an account, or of an address for 0. */
    serve: (bytes: number, account = 0) =>
      faults.handle(requestOf(account), ping, (to) =>
        to.reply(new Encoded('JSON', Buffer.alloc(bytes))),
      ),
  }
}

test.each(['in', 'out'] as const)('so many requests, on the way %s', (way) => {
  const { time, answered, skipped, serve } = delaying(way)
  const most = DELAYED_MAX * SHARE
  for (let i = 0; i < most; i++) serve(0)
  expect([answered(), skipped()]).toEqual([0, 0])
  serve(0)
  expect([answered(), skipped()]).toEqual([1, 1])
  // Those for whom nothing waits have the rest, one each.
  for (let account = 1; account <= DELAYED_MAX - most; account++) serve(0, account)
  expect([answered(), skipped()]).toEqual([1, 1])
  serve(0, 5_000)
  serve(0, 1)
  expect([answered(), skipped()]).toEqual([3, 3])
  time.advance(10)
  expect(answered()).toBe(DELAYED_MAX + 3)
  for (let i = 0; i < most; i++) serve(0)
  expect([answered(), skipped()]).toEqual([DELAYED_MAX + 3, 3])
})

test('so many requests by rules of accounts, which leave a quarter to operators', () => {
  const { faults, answered, skipped, serve } = delaying('in', true)
  for (let i = 0; i < DELAYED_MAX * OWN; i++) serve(0, 1)
  expect(skipped()).toBe(0)
  serve(0, 1)
  expect([answered(), skipped()]).toEqual([1, 1])
  serve(0, 2)
  serve(0, 2)
  expect([answered(), skipped()]).toEqual([2, 2])
  // A public request meets no rule of an account.
  serve(0)
  expect([answered(), skipped()]).toEqual([3, 2])
  faults.stop()
})

test('so many bytes of answers', () => {
  const { time, answered, skipped, serve } = delaying('out')
  serve(DELAYED_BYTES_MAX)
  expect([answered(), skipped()]).toEqual([0, 0])
  serve(1, 1)
  expect([answered(), skipped()]).toEqual([1, 1])
  time.advance(10)
  expect(answered()).toBe(2)
  serve(1)
  serve(DELAYED_BYTES_MAX * SHARE - 1)
  expect([answered(), skipped()]).toEqual([2, 1])
  serve(1)
  expect([answered(), skipped()]).toEqual([3, 2])
  serve(DELAYED_BYTES_MAX * (1 - SHARE), 1)
  expect([answered(), skipped()]).toEqual([3, 2])
  time.advance(10)
})

test('so many bytes of answers by rules of accounts; without bytes a way in has room', () => {
  const { answered, skipped, serve } = delaying('out', true)
  serve(1, 1)
  serve(DELAYED_BYTES_MAX * OWN - 1, 1)
  expect([answered(), skipped()]).toEqual([0, 0])
  serve(1, 1)
  expect([answered(), skipped()]).toEqual([1, 1])
  serve(DELAYED_BYTES_MAX * (NEWEST - OWN), 2)
  expect([answered(), skipped()]).toEqual([1, 1])
  serve(1, 3)
  expect([answered(), skipped()]).toEqual([2, 2])
  serve(0, 1)
  expect([answered(), skipped()]).toEqual([2, 2])
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
    transport: { kind: { encoder: jsonEncoder } },
    reply: () => undefined,
  } as unknown as CheckedRequest
  const placed = new Answer({ symbol: id('symbol'), orderId: integer('orderId') })
  const serve = () =>
    faults.handle(request, placing, (to) =>
      to.reply(new Rows(placed, { symbol: 'BTCUSDT', orderId: 1 }, { microseconds: false })),
    )
  for (let i = 0; i < (DELAYED_MAX * SHARE) / 2; i++) serve()
  const skipped = () =>
    readCounters(memory, 1, 1).find(({ name }) => name === 'faultDelaysSkipped')!.value
  expect(skipped()).toBe(0)
  serve()
  expect(skipped()).toBe(1)
  time.advance(10)
  expect(asked).toHaveLength((DELAYED_MAX * SHARE) / 2)
  serve()
  expect(skipped()).toBe(2)
  asked[0]!({ refused: '' })
  await new Promise(setImmediate)
  serve()
  expect(skipped()).toBe(3)
  time.advance(5)
  faults.stop()
  time.advance(5)
  expect(asked).toHaveLength((DELAYED_MAX * SHARE) / 2)
  expect(time.nextInMs).toBeUndefined()
})

test('silence takes a place, too; beyond, the connection ends at once', () => {
  const { time, cut, serve, setSilence, skipped } = delaying('in')
  setSilence()
  for (let i = 0; i < DELAYED_MAX * SHARE; i++) serve(0)
  expect([cut(), skipped()]).toEqual([0, 0])
  serve(0)
  expect([cut(), skipped()]).toEqual([1, 1])
  time.advance(10)
  expect(cut()).toBe(DELAYED_MAX * SHARE + 1)
})

test('a stop lets all of it go at once', () => {
  const { faults, answered, serve } = delaying('in')
  for (let i = 0; i < 3; i++) serve(1)
  expect(answered()).toBe(0)
  faults.stop()
  expect(answered()).toBe(3)
})
