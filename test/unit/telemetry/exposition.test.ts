import { expect, test } from 'vitest'
import { expositionText, type Family, type Sample } from '../../../src/telemetry/exposition.ts'
import { histogramSamples } from '../../../src/telemetry/metrics-histogram.ts'
import { parseExposition } from '../../fixtures/exposition.ts'

const family = (type: Family['type'], name: string, ...samples: Sample[]): Family => ({
  name,
  type,
  help: `About ${name}.`,
  read: () => samples,
})

test('families stand apart, each under its help and its type', () => {
  const row = { scope: 'gateway', name: 'parse', unit: 'ns', meaning: '' } as const
  const counted = [{ ...row, bounds: [250, 1e9], counts: [2, 1, 4], sum: 5e9 }]
  const text = expositionText([
    family('gauge', 'ready', { labels: {}, value: 1 }),
    family(
      'counter',
      'commands_total',
      { labels: { gateway: 0, matcher: 1 }, value: 7 },
      { labels: { gateway: 1, matcher: 1 }, value: 2 ** 60 },
    ),
    family('gauge', 'of_symbols'),
    { ...family('histogram', 'stage_seconds'), read: () => histogramSamples('stage', counted) },
  ])
  expect(text).toBe(
    [
      '# HELP ready About ready.\n# TYPE ready gauge\nready 1\n',
      '# HELP commands_total About commands_total.\n# TYPE commands_total counter',
      'commands_total{gateway="0",matcher="1"} 7',
      'commands_total{gateway="1",matcher="1"} 1152921504606847000\n',
      '# HELP of_symbols About of_symbols.\n# TYPE of_symbols gauge\n',
      '# HELP stage_seconds About stage_seconds.\n# TYPE stage_seconds histogram',
      'stage_seconds_bucket{stage="parse",le="2.5e-7"} 2',
      'stage_seconds_bucket{stage="parse",le="1"} 3',
      'stage_seconds_bucket{stage="parse",le="+Inf"} 7',
      'stage_seconds_sum{stage="parse"} 5',
      'stage_seconds_count{stage="parse"} 7\n',
    ].join('\n'),
  )
  expect([...parseExposition(text).keys()]).toContain('stage_seconds')
})

test('what the format gives a meaning is escaped; numbers that are none have names', () => {
  const strange: Family = {
    ...family('gauge', 'strange', { labels: { name: 'a"b\\c\nd' }, value: Number.NaN }),
    help: 'Two\nlines, one \\.',
  }
  const infinite = family(
    'gauge',
    'infinite',
    { labels: {}, value: Number.POSITIVE_INFINITY },
    { labels: { way: 'down' }, value: Number.NEGATIVE_INFINITY },
  )
  expect(expositionText([strange, infinite]).split('\n')).toEqual([
    '# HELP strange Two\\nlines, one \\\\.',
    '# TYPE strange gauge',
    'strange{name="a\\"b\\\\c\\nd"} NaN',
    '',
    '# HELP infinite About infinite.',
    '# TYPE infinite gauge',
    'infinite +Inf',
    'infinite{way="down"} -Inf',
    '',
  ])
})
