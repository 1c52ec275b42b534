/** Rules of the sandbox: which texts are one, when they touch, and that chance depends on numbers alone. */
import { describe, expect, test, vi } from 'vitest'
import { operationIds } from '../../../src/api/operation-ids.ts'
import { operations, sandboxOperations } from '../../../src/api/operations/index.ts'
import { faultTargets } from '../../../src/assembly/main/fault-targets.ts'
import { AccountId, Ms } from '../../../src/base/units.ts'
import { FaultBook } from '../../../src/control/fault-book.ts'
import { delayOf } from '../../../src/sandbox/fault-delay.ts'
import { type FaultRule, ruleText } from '../../../src/sandbox/fault-fields.ts'
import { FaultRuleError, readFaultRule } from '../../../src/sandbox/fault-rule.ts'
import {
  drawOf,
  FAULT_CELLS_BYTES,
  FaultTrigger,
  faultRow,
} from '../../../src/sandbox/fault-trigger.ts'
import { matchesPattern } from '../../../src/sandbox/pattern.ts'

const accountOf = (text: string) => (text === 'alice' ? AccountId(3) : undefined)
const read = (given: Record<string, unknown>) => readFaultRule(given, accountOf)

test('texts and JSON values make the same rule', () => {
  const text = { name: 'lost', do: 'unknown', account: 'alice', every: '3', chance: '0.25' }
  const values = { name: 'lost', do: 'unknown', account: 'alice', every: 3, chance: 0.25 }
  expect(read(text)).toEqual(read(values))
  expect(read(text)).toEqual({ ...values, account: 3 })
  expect(ruleText(read(text))).toBe('account=3 every=3 chance=0.25')
})

const recorded = (histogram: string) => ({ spread: 'recorded', histogram })

test.each<[Record<string, unknown>, string]>([
  [{ name: 'a b', do: 'cut' }, 'name must be letters, digits, _ . and -, at most 32, and not all.'],
  [{ name: 'a' }, 'do must be "answer",'],
  [{ name: 'a', do: 'explode' }, 'do must be "answer",'],
  [{ name: 'a', do: 'cut', colour: 'red' }, 'A fault has no field colour.'],
  [{ name: 'a', do: 'cut', toString: '1' }, 'A fault has no field toString.'],
  [{ name: 'a', do: 'close', message: '\u001b[2J' }, 'none of them a control character.'],
  [{ name: 'a', do: 'cut', address: {} }, 'address must be a text of 1 to 200 characters'],
  [{ name: 'a', do: 'cut', account: 'bob' }, 'There is no account bob.'],
  [{ name: 'a', do: 'cut', ms: 5 }, 'cut takes no field ms.'],
  [{ name: 'a', do: 'reset', account: 'alice' }, 'reset takes no field account.'],
  [{ name: 'a', do: 'deaf', symbol: 'X' }, 'deaf takes no field symbol.'],
  [{ name: 'a', do: 'deaf', ms: 60_001 }, 'ms must be a whole number from 0 to 60000.'],
  [{ name: 'a', do: 'drop', over: 'rest' }, 'over must be "streams" or "sessions".'],
  [{ name: 'a', do: 'cut', over: 'fix' }, 'over must be "rest", "streams" or "sessions".'],
  [{ name: 'a', do: 'half', over: 'streams' }, 'Requests over streams are handshakes, SUBSCRIBE'],
  [{ name: 'a', do: 'cut', over: 'streams', symbol: 'X' }, 'Requests over streams are handshakes'],
  [{ name: 'a', do: 'unknown', status: 499 }, 'status must be a whole number from 500 to 599.'],
  [{ name: 'a', do: 'unknown', status: 600 }, 'status must be a whole number from 400 to 599.'],
  [{ name: 'a', do: 'unknown', code: 1 }, 'code must be negative.'],
  [{ name: 'a', do: 'unknown', body: 'xml' }, 'body must be "json" or "html".'],
  [{ name: 'a', do: 'unknown', body: 'html', code: -1006 }, 'A page takes no fields code'],
  [{ name: 'a', do: 'silence', ms: 60_001 }, 'ms must be a whole number from 0 to 60000.'],
  [{ name: 'a', do: 'silence', way: 'up' }, 'way must be "in" or "out".'],
  [{ name: 'a', do: 'answer' }, 'answer needs the field status.'],
  [{ name: 'a', do: 'answer', status: 200 }, 'status must be a whole number from 400 to 599.'],
  [{ name: 'a', do: 'answer', status: 500, code: 7 }, 'code must be negative.'],
  [{ name: 'a', do: 'proxy', status: 500 }, 'status must be 502, 503 or 504.'],
  [{ name: 'a', do: 'delay', ms: -1 }, 'ms must be a whole number from 0 to 60000.'],
  [{ name: 'a', do: 'delay', ms: 9, spread: 'uniform', most: 5 }, 'most must be at least ms.'],
  [{ name: 'a', do: 'close', code: 1005 }, 'code must be a code of a close frame,'],
  [{ name: 'a', do: 'close', operation: 'time' }, 'close takes no field operation.'],
  [{ name: 'a', do: 'cut', stream: 'user' }, 'cut takes no field stream.'],
  [{ name: 'a', do: 'cut', address: 'home' }, 'address must be addresses or ranges, with commas.'],
  [{ name: 'a', do: 'cut', parameter: 'lost-*' }, 'parameter must be a name and a pattern,'],
  [{ name: 'a', do: 'cut', chance: 2 }, 'chance must be a number from 0 to 1.'],
  [{ name: 'a', do: 'delay' }, 'delay needs the field ms.'],
  [{ name: 'a', do: 'lag', ms: 60_001 }, 'ms must be a whole number from 0 to 60000.'],
  [{ name: 'a', do: 'lag', spread: 'recorded' }, 'spread recorded and the field histogram need'],
  [{ name: 'a', do: 'lag', ms: 1, histogram: '1:1' }, 'spread recorded and the field histogram'],
  [{ name: 'a', do: 'delay', ...recorded('1:1'), ms: 1 }, 'A recorded delay takes no field ms.'],
  ...['1', '1:x', '5:1 5:1', '9:1 5:1', '60001:1', '1:0 2:0', '-1:1', '1:1:1'].map(
    (text): [Record<string, unknown>, string] => [
      { name: 'a', do: 'lag', ...recorded(text) },
      'histogram must be ms:count',
    ],
  ),
  [{ name: 'a', do: 'fill', moments: '1' }, 'fill needs the field quantity.'],
  ...['x', '0', '0%', '1.5e3', '1000%', '-1'].map((quantity): [Record<string, unknown>, string] => [
    { name: 'a', do: 'fill', quantity, moments: '1' },
    'quantity must be a decimal, as 0.3, or a share of the order, as 30%.',
  ]),
  ...['x', '5,4', '86400001', '1,', new Array(17).fill('1').join()].map(
    (moments): [Record<string, unknown>, string] => [
      { name: 'a', do: 'fill', quantity: '1', moments },
      'moments must be at most 16 rising times in ms',
    ],
  ),
  [{ name: 'a', do: 'halt' }, 'halt needs the field symbol.'],
  [
    { name: 'a', do: 'halt', symbol: 'X', state: 'TRADING' },
    'state must be "HALT", "BREAK" or "CANCEL_ONLY".',
  ],
  [{ name: 'a', do: 'halt', symbol: 'X', operation: 'time' }, 'halt takes no field operation.'],
  [
    { name: 'a', do: 'cut', from: '2026-02-31T12:00:00Z' },
    'from must be a moment, as 2026-01-31T12:00:00Z',
  ],
  [{ name: 'a', do: 'cut', until: '2026-01-31T12:00:00' }, 'until must be a moment,'],
  [{ name: 'a', do: 'cut', until: '2026-13-31T12:00:00Z' }, 'until must be a moment,'],
])('%o is refused', (given, sentence) => {
  expect(() => read(given)).toThrow(FaultRuleError)
  expect(() => read(given)).toThrow(sentence)
})

test.each([
  ['lost-*', 'lost-1', true],
  ['lost-*', 'found-1', false],
  ['*', '', true],
  ['*@depth*', 'btcusdt@depth@100ms', true],
  ['*Order', 'placeOrderList', false],
  ['a*b*c', 'aXbYbZc', true],
  ['a*b*c', 'aXbYcZ', false],
  ['', 'a', false],
  ['*', 'a'.repeat(256), true],
  ['*', 'a'.repeat(257), false],
])('the pattern %s and the text %s', (pattern, text, isMatch) => {
  expect(matchesPattern(pattern, text)).toBe(isMatch)
})

const posted = (rule: Partial<FaultRule>, untilMs = Number.POSITIVE_INFINITY) => ({
  rule: { name: 'rule', do: 'cut', ...rule } as FaultRule,
  untilMs,
  cells: new SharedArrayBuffer(FAULT_CELLS_BYTES),
})

/** The numbers that a rule touches among so many matches. */
function touchedOf(rule: Partial<FaultRule>, matches: number): number[] {
  const trigger = new FaultTrigger(posted(rule))
  return Array.from({ length: matches }, () => trigger.pull(0)).filter((number) => number > 0)
}

test('a gateway that receives a rule again counts no match twice', () => {
  const rule = { chance: 0.5, times: 1e9 }
  const fault = posted(rule)
  const first = new FaultTrigger(fault)
  for (let i = 0; i < 5_000; i++) first.pull(0)
  const drawn = vi.spyOn(Math, 'imul')
  const number = new FaultTrigger(fault).pull(0)
  expect(drawn.mock.calls.length).toBeLessThan(100)
  drawn.mockRestore()
  expect(number).toBe(touchedOf(rule, 5_001).at(-1) === 5_001 ? 5_001 : 0)
})

test('a gateway that numbered a match before another one is not passed by the progress of that', () => {
  const fault = posted({ times: 1 })
  const [slow, quick] = [new FaultTrigger(fault), new FaultTrigger(fault)]
  const { add } = Atomics
  let passed: number | undefined
  Atomics.add = ((cells: Int32Array, at: number, value: number) => {
    const before = add(cells, at, value)
    if (passed === undefined) {
      passed = 0
      passed = quick.pull(0)
    }
    return before
  }) as typeof Atomics.add
  try {
    expect([slow.pull(0), passed]).toEqual([1, 0])
  } finally {
    Atomics.add = add
  }
})

describe('when a rule touches', () => {
  test('each match, every n-th, those after n, so many', () => {
    expect(touchedOf({}, 3)).toEqual([1, 2, 3])
    expect(touchedOf({ every: 3 }, 9)).toEqual([3, 6, 9])
    expect(touchedOf({ after: 2 }, 4)).toEqual([3, 4])
    expect(touchedOf({ after: 2, every: 2 }, 7)).toEqual([4, 6])
    expect(touchedOf({ every: 2, times: 2 }, 9)).toEqual([2, 4])
  })

  test('until a time', () => {
    const fault = posted({}, 1_000)
    const trigger = new FaultTrigger(fault)
    expect([trigger.pull(999), trigger.pull(1_000)]).toEqual([1, 0])
    expect(faultRow(fault, 999)).toMatchObject({ matches: 1, touched: 1, isOver: false })
    expect(faultRow(fault, 1_000).isOver).toBe(true)
  })

  test('by chance, as often as it says', () => {
    const count = touchedOf({ chance: 0.3, seed: 7 }, 10_000).length
    expect(count).toBeGreaterThan(2_800)
    expect(count).toBeLessThan(3_200)
    expect(touchedOf({ chance: 0.3, seed: 8 }, 50)).not.toEqual(
      touchedOf({ chance: 0.3, seed: 7 }, 50),
    )
  })
})

test.each([
  { chance: 0.4, seed: 11 },
  { chance: 0.4, seed: 11, times: 9 },
  { every: 4, after: 3, times: 5 },
])('the order of matches alone decides, over two gateways: %o', (rule) => {
  const alone = touchedOf(rule, 60)
  for (const first of [1, 2, 3, 5]) {
    const fault = posted(rule)
    const gateways = [new FaultTrigger(fault), new FaultTrigger(fault)]
    const numbers = Array.from({ length: 60 }, (_, at) =>
      gateways[at % first === 0 ? 0 : 1]!.pull(0),
    )
    expect(numbers.filter((number) => number > 0)).toEqual(alone)
    expect(faultRow(fault, 0)).toMatchObject({ matches: 60, touched: alone.length })
  }
})

test('delays are fixed or spread, and the same for the same number', () => {
  const rule = { name: 'slow', do: 'delay', ms: 100, seed: 5 } as const
  const delays = (more: Partial<FaultRule>) =>
    Array.from({ length: 2_000 }, (_, at) => delayOf({ ...rule, ...more }, at + 1))
  expect(new Set(delays({}))).toEqual(new Set([100]))
  const uniform = delays({ spread: 'uniform', most: 200 })
  expect([Math.min(...uniform), Math.max(...uniform)]).toEqual([100, 200])
  const lognormal = delays({ spread: 'lognormal', sigma: 0.5 }).sort((a, b) => a - b)
  expect(lognormal[1_000]).toBeGreaterThan(90)
  expect(lognormal[1_000]).toBeLessThan(110)
  expect(delays({ spread: 'lognormal' })).toEqual(delays({ spread: 'lognormal' }))
  expect(drawOf(1, 'a', 1, 0)).not.toBe(drawOf(1, 'a', 1, 1))
})

test('recorded delays are drawn as often as they were counted, evenly within a bucket', () => {
  const histogram = '5:100 10:0, 20:300 200:100'
  const rule: FaultRule = { name: 'slow', do: 'delay', spread: 'recorded', histogram, seed: 3 }
  const draws = 10_000
  const counts = { upTo5: 0, upTo10: 0, upTo20: 0, upTo200: 0 }
  for (let number = 1; number <= draws; number++) {
    const ms = delayOf(rule, number)
    expect(Number.isInteger(ms)).toBe(true)
    if (ms <= 5) counts.upTo5++
    else if (ms < 10) counts.upTo10++
    else if (ms <= 20) counts.upTo20++
    else counts.upTo200++
  }
  expect(counts.upTo5 / draws).toBeCloseTo(0.2, 1)
  expect(counts.upTo10).toBe(0)
  expect(counts.upTo20 / draws).toBeCloseTo(0.6, 1)
  expect(counts.upTo200 / draws).toBeCloseTo(0.2, 1)
  expect(delayOf({ ...rule, most: 15 }, 1)).toBeLessThanOrEqual(15)
  expect(delayOf({ ...rule, histogram: '0:1' }, 1)).toBe(0)
})

const clock = { nowMs: () => Ms(0), elapsedNs: () => 0 }

test('a rule begins and ends at moments of the clock', async () => {
  let nowMs = Date.parse('2026-01-31T12:00:00Z')
  let elapsedMs = 500
  const clock = { nowMs: () => Ms(nowMs), elapsedNs: () => elapsedMs * 1e6 }
  const book = new FaultBook(clock, () => [], faultTargets)
  const until = new Date('2026-01-31T12:00:03Z')
  await book.add([read({ name: 'lunch', do: 'cut', from: '2026-01-31T13:00:01+01:00', until })])
  const [posted] = book.rules()
  const trigger = new FaultTrigger(posted!)
  const pulls = [0, 999, 1_000, 2_999, 3_000].map((ms) => trigger.pull(500 + ms))
  expect(pulls).toEqual([0, 0, 1, 2, 0])
  expect(book.rows()[0]).toMatchObject({ isOver: false })
  elapsedMs += 3_000
  nowMs += 3_000
  expect(book.rows()[0]).toMatchObject({ isOver: true })
  await book.add([read({ name: 'lunch', do: 'cut', from: String(nowMs + 5), seconds: 1 })])
  const again = new FaultTrigger(book.rules()[0]!)
  expect([4, 5, 999, 1_000].map((ms) => again.pull(elapsedMs + ms))).toEqual([0, 1, 2, 0])
})

test.each([
  [1, 3_000],
  [5, 3_000],
  [3, 3_000],
])('a rule of %i seconds that has a moment to end, too, ends at the first of both', async (seconds, ms) => {
  const nowMs = Date.parse('2026-01-31T12:00:00Z')
  const book = new FaultBook(
    { nowMs: () => Ms(nowMs), elapsedNs: () => 5e8 },
    () => [],
    faultTargets,
  )
  await book.add([read({ name: 'both', do: 'cut', until: new Date(nowMs + ms), seconds })])
  const trigger = new FaultTrigger(book.rules()[0]!)
  const endMs = 500 + Math.min(seconds * 1_000, ms)
  expect([trigger.pull(endMs - 1), trigger.pull(endMs)]).toEqual([1, 0])
})

test.each<[Record<string, unknown>, string]>([
  [{ operation: 'plaeOrder' }, 'There is no operation plaeOrder. Did you mean placeOrder?'],
  [{ operation: '*Ordr' }, 'There is no operation *Ordr.'],
  [{ parameter: 'newOrderId=a' }, 'There is no parameter newOrderId.'],
  [{ symbol: 'ethusdt' }, 'There is no symbol ethusdt. Did you mean ETHUSDT?'],
  [{ stream: 'ethusdt@depht' }, 'There is no stream ethusdt@depht. Did you mean ethusdt@depth?'],
  [{ stream: 'ETHUSDT@depth' }, 'There is no stream ETHUSDT@depth.'],
  [{ stream: 'solusdt@trade' }, 'There is no stream solusdt@trade.'],
  [{ stream: '*@depht' }, 'There is no stream *@depht.'],
  [{ stream: 'users' }, 'There is no stream users.'],
])('a rule that can match nothing is refused: %j', async (where, sentence) => {
  const symbols = [{ name: 'BTCUSDT' }, { name: 'ETHUSDT' }]
  const book = new FaultBook(clock, () => [], faultTargets).ofSymbols({ symbols })
  const effect = 'stream' in where ? 'drop' : 'cut'
  const good = { name: 'good', do: 'cut' }
  await book.add([read(good)])
  const rules = [read({ ...good, do: 'half' }), read({ name: 'bad', do: effect, ...where })]
  const error = await book.add(rules).catch((thrown) => thrown)
  expect(error.message.startsWith(sentence), error.message).toBe(true)
  expect(book.rows()).toMatchObject([good])
})

test.each<Record<string, unknown>>([
  { do: 'cut', operation: '*Order*' },
  { do: 'cut', symbol: 'ETHUSDT' },
  ...['ethusdt@depth', '*@depth@100ms', 'eth*', 'ethusdt@*', '*', '*r', '!ticker@arr', 'user'].map(
    (stream) => ({ do: 'drop', stream }),
  ),
])('a rule that can match is taken: %j', async (rule) => {
  const symbols = [{ name: 'BTCUSDT' }, { name: 'ETHUSDT' }]
  const book = new FaultBook(clock, () => [], faultTargets).ofSymbols({ symbols })
  await book.add([read({ name: 'good', ...rule })])
  expect(book.rows()).toHaveLength(1)
})

test.each([
  [256, false],
  [257, true],
])('of %i symbols a pattern that names none of their streams is taken: %s', async (count, isTaken) => {
  const symbols = Array.from({ length: count }, (_, i) => ({ name: `A${i}USDT` }))
  const book = new FaultBook(clock, () => [], faultTargets).ofSymbols({ symbols })
  const added = book.add([read({ name: 'x', do: 'drop', stream: '*@depht' })]).then(() => true)
  expect(await added.catch(() => false)).toBe(isTaken)
  const named = book.add([read({ name: 'y', do: 'drop', stream: 'a5usdt@depht' })])
  await expect(named).rejects.toThrow('There is no stream a5usdt@depht.')
})

test('a field that no rule has is refused with the nearest', () => {
  expect(() => read({ name: 'x', do: 'cut', operatoin: 'placeOrder' })).toThrow(
    'A fault has no field operatoin. Did you mean operation?',
  )
})

test('the list of ids is that of the operations', () => {
  const ids = [...operations, ...sandboxOperations].map(({ id }) => id)
  expect([...operationIds].sort()).toEqual(ids.sort())
})
