/** The built-in evaluation of alerts, on samples as the metrics have them; each row of the table can begin and end. */
import { expect, test } from 'vitest'
import {
  type AlertChange,
  AlertEvaluator,
  type ReadMetrics,
} from '../../../src/telemetry/alert-evaluator.ts'
import { type AlertRow, alerts, type Condition } from '../../../src/telemetry/alerts.ts'
import type { Sample } from '../../../src/telemetry/exposition.ts'

const LOOK_MS = 5_000

function evaluate(rows: readonly AlertRow[]) {
  const samples = new Map<string, Sample[]>()
  const read: ReadMetrics = (families) =>
    new Map(families.map((name) => [name, samples.get(name) ?? []]))
  const changes: AlertChange[] = []
  const evaluator = new AlertEvaluator(rows, read, (change) => changes.push(change))
  let nowMs = 0
  const set = (family: string, ...values: (readonly [labels: Sample['labels'], value: number])[]) =>
    samples.set(
      family,
      values.map(([labels, value]) => ({ labels, value })),
    )
  const pass = (seconds: number, each = () => {}) => {
    for (const endMs = nowMs + 1_000 * seconds; nowMs < endMs; nowMs += LOOK_MS) {
      each()
      evaluator.look(nowMs)
    }
    return changes.splice(0).map(({ state, name, text }) => `${state} ${name}: ${text}`)
  }
  return { samples, set, pass }
}

const rowOf = (name: string) => alerts.filter((row) => row.name === name)

test('an alert begins once its condition has held for its span, and ends with it, once each', () => {
  const { set, pass } = evaluate(rowOf('RingbookNotReady'))
  set('ready', [{}, 1])
  expect(pass(300)).toEqual([])
  set('ready', [{}, 0])
  expect(pass(60)).toEqual([])
  set('ready', [{}, 1])
  expect(pass(30)).toEqual([])
  set('ready', [{}, 0])
  expect(pass(60)).toEqual([])
  expect(pass(600)).toEqual(['begin RingbookNotReady: Ringbook runs, but accepts no orders.'])
  set('ready', [{}, 1])
  expect(pass(600)).toEqual(['end RingbookNotReady: Over: RingbookNotReady.'])
  set('ready', [{}, 0])
  expect(pass(600)).toHaveLength(1)
})

test.each([
  [
    'WithdrawalWaits',
    'waiting_seconds',
    3_600,
    'A withdrawal has waited for an operator for 3660 s.',
  ],
  ['WithdrawalSlow', 'processing_seconds', 7_200, 'A withdrawal has been PROCESSING for 2 hours.'],
  ['FundsOwed', 'assets_owed', 0, 'Accounts owe deposits that were taken back, in 60 assets.'],
  ['ChainStopped', 'chains_stopped', 0, '60 chains make no blocks.'],
])('Ringbook%s goes by wallet_%s, and begins above %i', (name, metric, bound, text) => {
  const { set, pass } = evaluate(alerts)
  set(`wallet_${metric}`, [{}, bound])
  expect(pass(600)).toEqual([])
  set(`wallet_${metric}`, [{}, bound + 60])
  expect(pass(600)).toEqual([`begin Ringbook${name}: ${text}`])
})

test('a bound is no breach; any of several conditions is one, and an absent series none', () => {
  const { set, pass } = evaluate(rowOf('RingbookDiskLow'))
  set('disk_level', [{}, 0])
  expect(pass(120)).toEqual([])
  set('disk_seconds_left', [{}, 86_400])
  expect(pass(120)).toEqual([])
  set('disk_seconds_left', [{}, 86_399])
  expect(pass(120)).toHaveLength(1)
})

test('the series that breaches most is named', () => {
  const { set, pass } = evaluate(rowOf('RingbookArchiveBehind'))
  set('archive_lag_blocks', [{ matcher: 0 }, 10_001], [{ matcher: 1 }, 234_567])
  expect(pass(310)).toEqual([
    'begin RingbookArchiveBehind: The archive is 235000 blocks behind matcher 1.',
  ])
  const waits = evaluate(rowOf('RingbookCallWaits'))
  waits.set('symbol_waits_for_operator', [{ symbol: 'A' }, 0], [{ symbol: 'B' }, 1])
  expect(waits.pass(5)).toEqual([
    'begin RingbookCallWaits: The call of B lasts until an operator resumes it.',
  ])
})

test('rates and increases are of their span: what is older counts no more', () => {
  const { set, pass } = evaluate(rowOf('RingbookSlowReaders'))
  let closed = 1_000
  const grow = (by: number) => () => {
    closed += by
    set('gateway_slow_clients_closed_total', [{ gateway: 0 }, closed], [{ gateway: 1 }, 7])
  }
  // A counter that is high already has not grown.
  expect(pass(300, grow(0))).toEqual([])
  expect(pass(50, grow(1))).toEqual([])
  expect(pass(10, grow(1))).toEqual([
    'begin RingbookSlowReaders: 11 clients were closed because they read too slowly.',
  ])
  expect(pass(245, grow(0))).toEqual([])
  expect(pass(60, grow(0))).toHaveLength(1)
})

test('sums are of all series of all metrics', () => {
  const { set, pass } = evaluate(rowOf('RingbookOverloaded'))
  let full = 0
  const one = () => {
    full += 10
    set('gateway_command_ring_full_total', [{ gateway: 0 }, full], [{ gateway: 1 }, full])
    set('gateway_pending_full_total', [{ gateway: 0 }, 0])
  }
  expect(pass(70, one)).toEqual([
    'begin RingbookOverloaded: Requests are answered busy (-1008), 4 a second.',
  ])
})

test('a rate of 0 needs two readings, and a thread that counts is not stuck', () => {
  const { samples, pass } = evaluate(rowOf('RingbookGatewayStuck'))
  let count = 5
  const turn = (by: number) => () => {
    count += by
    samples.set('event_loop_delay_seconds', [
      { labels: {}, value: 99, suffix: '_sum' },
      { labels: {}, value: count, suffix: '_count' },
    ])
  }
  expect(pass(300, turn(1))).toEqual([])
  expect(pass(60, turn(0))).toEqual([])
  expect(pass(70, turn(0))).toHaveLength(1)
})

test('a quantile is of the values of its span', () => {
  const { samples, pass } = evaluate(rowOf('RingbookFlushSlow'))
  const counts = { '0.01': 0, '0.1': 0, '+Inf': 0 }
  const flush = (slow: number, fast: number) => () => {
    counts['0.01'] += fast
    counts['0.1'] += fast + slow
    counts['+Inf'] += fast + slow
    samples.set(
      'flush_seconds',
      Object.entries(counts).map(([le, value]) => ({
        labels: { le },
        value,
        suffix: '_bucket',
      })),
    )
  }
  expect(pass(600, flush(1, 99))).toEqual([])
  expect(pass(1_200, flush(2, 98))).toEqual([
    'begin RingbookFlushSlow: One flush of the journal in a hundred takes 0.1 s.',
  ])
  expect(pass(310, flush(0, 0))).toHaveLength(1)
})

test('what only an observer of all members knows is not evaluated by one', () => {
  const { set, pass } = evaluate(alerts)
  set('leading', [{}, 0])
  expect(pass(120)).toEqual([])
  expect(alerts.filter(({ isOutside }) => isOutside).map(({ name }) => name)).toEqual([
    ...['RingbookDown', 'RingbookWithoutLeader', 'RingbookAlertsLost'],
  ])
})

test('every row has a name of its own, and its condition can be met', () => {
  expect(new Set(alerts.map(({ name }) => name)).size).toBe(alerts.length)
  for (const row of alerts.filter(({ isOutside }) => isOutside !== true)) {
    const { samples, pass } = evaluate([row])
    const [condition] = row.when as [Condition]
    let value = condition.is === '>' ? condition.than + 1 : 0
    const met = () => {
      if (condition.as !== 'value' && condition.is === '>') value += condition.than + 100
      if (condition.as === 'value') value = condition.is === '<' ? condition.than - 1 : value
      if (condition.as === 'value' && condition.is === '==') value = condition.than
      for (const metric of condition.of) {
        const counted = metric.endsWith('_count') ? ({ suffix: '_count' } as const) : {}
        const plain: Sample = { labels: {}, value, ...counted }
        const bucket: Sample = { labels: { le: '+Inf' }, value, suffix: '_bucket' }
        samples.set(metric.replace(/_count$/, ''), [condition.as === 'p99' ? bucket : plain])
      }
    }
    const [begun = ''] = pass(row.forSeconds + 600, met)
    expect(begun, row.name).toMatch(`begin ${row.name}: `)
    expect(begun, row.name).not.toContain('{')
  }
})
