/** What is advised by what was measured, and how it is shown. */
import { describe, expect, test } from 'vitest'
import { advise } from '../../../bench/tune/advice.ts'
import type { HostFigures } from '../../../bench/tune/host.ts'
import { pageOf, textOf } from '../../../bench/tune/report.ts'
import { combinationsFor, type Trial } from '../../../bench/tune/trials.ts'

const host: HostFigures = {
  processors: 8,
  model: 'A processor <of some kind>',
  loadAverage: 0.1,
  hopUs: 70,
  flushUs: 250,
  helloRate: 150_000,
  engineRate: 1_400_000,
  twoEnginesRate: 2_600_000,
}
const trial = (gateways: number, matchers: number, rate: number, p99Us = 3_000): Trial => ({
  gateways,
  matchers,
  rate,
  cores: 1.5,
  generatorCores: 0.1,
  pacedRate: 15_000,
  p50Us: 900,
  p99Us,
})

test.each([
  [1, ['1×1', '1×2', '2×1', '2×2']],
  [2, ['1×1', '1×2', '2×1', '2×2']],
  [4, ['1×1', '1×2', '1×4', '2×1', '2×2', '4×1']],
])('on %i processors these are tried', (processors, expected) => {
  const names = combinationsFor(processors).map(
    ({ gateways, matchers }) => `${gateways}×${matchers}`,
  )
  expect(names).toEqual(expected)
})

describe('advice', () => {
  test.each([
    ['the fastest', [trial(1, 1, 30_000), trial(2, 1, 50_000), trial(2, 2, 40_000)], [2, 1]],
    [
      'fewer threads where more bring next to nothing',
      [trial(1, 1, 30_000), trial(2, 2, 31_000)],
      [1, 1],
    ],
    [
      'shorter waits among as many threads',
      [trial(1, 2, 30_000), trial(2, 1, 30_500, 900)],
      [2, 1],
    ],
  ])('is %s', (_, trials, [gateways, matchers]) => {
    expect(advise(host, trials).chosen).toMatchObject({ gateways, matchers })
  })

  test('says why', () => {
    const { reasons } = advise(host, [trial(1, 1, 30_000), trial(2, 1, 50_000)])
    expect(reasons.slice(0, 3)).toEqual([
      '2 gateways and one matcher took the most: 50,000 orders/s.',
      'That is 1.67 times what one of each took.',
      'One matcher executes 1,400,000 commands/s by itself, two together 1.86 times that: it ' +
        'is clients and the disk that orders wait for, not matching.',
    ])
    expect(reasons).toHaveLength(5)
    const busy = { ...host, loadAverage: 5, engineRate: 60_000 }
    const others = advise(busy, [{ ...trial(1, 1, 30_000), generatorCores: 0.9 }]).reasons
    expect(others.join('\n')).toMatch(/near what they can do/)
    expect(others.join('\n')).toMatch(/The load generator took 0.9 of the 8 processors/)
    expect(others[0]).toMatch(/measure again when it is quiet/)
  })
})

describe('the report', () => {
  const trials = [trial(1, 1, 30_000), trial(2, 1, 60_000)]
  const tuning = {
    host,
    trials,
    advice: advise(host, trials),
    durability: 'flushed',
    began: '2026-01-01T00:00:00.000Z',
  }

  test('as text has a bar for each combination, and marks the one to use', () => {
    const text = textOf(tuning)
    expect(text).toContain('Use --gateways 2 --matchers 1\n')
    const bars = text.split('\n').filter((line) => line.includes('█'))
    expect(bars.map((line) => line.replaceAll(/[^█]/g, '').length)).toEqual([20, 40])
    expect(bars.map((line) => line[0])).toEqual([' ', '→'])
    expect(bars[1]).toMatch(/ 2 +1 +60,000 +900 µs +3\.00 ms +1\.5 /)
  })

  test('as a page holds all it needs, and nothing that is not text is read as HTML', () => {
    const page = pageOf(tuning)
    expect(page).toContain('<code>--gateways 2 --matchers 1</code>')
    expect(page).toContain('A processor &lt;of some kind&gt;')
    expect(page).not.toMatch(/<script|https?:|<link|<img/)
    expect(page.match(/<svg/g)).toHaveLength(2)
    expect(page.match(/<tr/g)).toHaveLength(1 + 2 + 6)
  })
})
