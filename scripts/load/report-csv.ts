/** A report's intervals as CSV (RFC 4180): one row each, latencies in microseconds. */
import { csvLine } from '../../src/base/csv.ts'
import type { LoadReport } from './report.ts'

const COUNTS = ['due', 'withheld', 'answered', 'refused', 'limited', 'failed'] as const
const TIMES = ['mean', 'p50', 'p90', 'p99', 'p999', 'p9999', 'max'] as const

export function csvOf({ intervals }: LoadReport): string {
  const head = ['atSeconds', 'seconds', ...COUNTS, ...TIMES.map((name) => `${name}Us`)]
  const rows = intervals.map((it) => [
    it.atSeconds,
    it.seconds,
    ...COUNTS.map((name) => it[name]),
    ...TIMES.map((name) => it.latency[name]),
  ])
  return [head, ...rows].map(csvLine).join('')
}
