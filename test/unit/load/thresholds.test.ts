import { describe, expect, test } from 'vitest'
import { UsageError } from '../../../scripts/command-line/usage-error.ts'
import { judge, type Reading, readThresholds } from '../../../scripts/load/thresholds.ts'

const reading: Reading = {
  latency: {
    count: 100,
    mean: 900,
    p50: 800,
    p90: 2_000,
    p99: 20_000,
    p999: 30_000,
    p9999: 0,
    max: 40_000,
  },
  requests: {
    due: 180,
    withheld: 20,
    answered: 170,
    refused: 4,
    limited: 2,
    failed: 1,
    perSecond: 45,
  },
  held: 40,
}

const judged = (text: string, of: Reading = reading) =>
  readThresholds(text).map((threshold) => judge(threshold, of))

describe('a condition', () => {
  test.each([
    ['p99>20ms', '20 ms', false],
    ['p99>19.9ms', '20 ms', true],
    ['p99.9>30000us', '30 ms', false],
    ['max>0.03s', '40 ms', true],
    ['mean<1ms', '900 µs', true],
    ['refused>2%', '2 %', false],
    ['refused>1.9%', '2 %', true],
    ['refused>3', '4', true],
    ['errors>7', '7', false],
    ['failed>0', '1', true],
    ['left-out>10%', '10 %', false],
    ['left-out>9%', '10 %', true],
    ['rate<45/s', '45/s', false],
    ['rate<46', '45/s', true],
    ['held<50/s', '40/s', true],
  ])('%s', (condition, found, isCrossed) => {
    expect(judged(condition)).toEqual([{ condition, found, isCrossed }])
  })

  test('on latency is met when nothing was answered', () => {
    const silent = { ...reading, latency: { ...reading.latency, count: 0, p99: 0 } }
    expect(judged('p99>1s', silent)).toEqual([
      { condition: 'p99>1s', found: 'no answer', isCrossed: true },
    ])
  })

  test('may stand beside others', () => {
    expect(judged('p99>1s, failed>0').map(({ isCrossed }) => isCrossed)).toEqual([false, true])
    expect(readThresholds('')).toEqual([])
  })

  test.each([
    ['p99', 'must be conditions such as p99>20ms'],
    ['p98>1ms', 'on one of mean, p50'],
    ['constructor>1ms', 'must be conditions'],
    ['p99>20', 'p99>20 has no unit; p99 takes µs, us, ms, s.'],
    ['p99>20%', 'p99>20% has %; p99 takes'],
    ['refused>1ms', 'refused>1ms has ms; refused takes %.'],
    ['rate<5%', 'rate takes /s.'],
    ['p99>-1ms', 'must be conditions'],
    ['p99>1ms,', 'must be conditions'],
  ])('%s is refused', (text, sentence) => {
    expect(() => readThresholds(text)).toThrow(UsageError)
    expect(() => readThresholds(text)).toThrow(sentence)
  })
})
