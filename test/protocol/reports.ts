/** The reports that user streams make of a command's events, and the example that tests vary. */

import { btcusdt, FakeContext, NOW_MS } from '../../bench/workloads/fake-context.ts'
import { Rows } from '../../src/api/answers/answer.ts'
import { textOf } from '../../src/api/answers/json.ts'
import { plainRows } from '../../src/api/answers/plain.ts'
import { executionReport } from '../../src/api/answers/user-events.ts'
import { ExecutionReporter } from '../../src/api/rows/execution-reports.ts'
import { AccountId, Ms } from '../../src/base/units.ts'
import { addFlag, RecordBuffer } from '../../src/layout/record-buffer.ts'
import { FLAG_LAST } from '../../src/layout/records.gen.ts'
import type { Write } from './records.ts'

export interface Report {
  readonly account: AccountId
  readonly event: Record<string, unknown>
}

/** In the order that streams send them. */
export function reportsOf(writes: readonly Write[], microseconds = false): Report[] {
  const { assets, symbols } = new FakeContext()
  const reporter = new ExecutionReporter(assets, symbols)
  const reports: Report[] = []
  const form = { spec: btcusdt, microseconds }
  const add = (owner: number, buffer: RecordBuffer, ofMaker: boolean) => {
    if (owner < 0) return
    const row = reporter.report(btcusdt, buffer, 0, ofMaker, Ms(NOW_MS + 2))
    const shown = new Rows(executionReport, row, form)
    const json = textOf(shown)
    const twin = JSON.stringify(plainRows(shown))
    if (twin !== json) throw new Error(`the twin of ${json} is ${twin}`)
    reports.push({ account: AccountId(owner), event: JSON.parse(json) })
  }
  for (const write of writes) {
    const buffer = RecordBuffer.allocate(1024)
    write(buffer)
    reporter.read(buffer, 0)
    add(reporter.owner, buffer, false)
    add(reporter.makerOwner, buffer, true)
  }
  return reports
}

/** The event as the one that completes its command, or its turn. */
export const flaggedLast =
  (write: Write): Write =>
  (buffer) => {
    write(buffer)
    addFlag(buffer, 0, FLAG_LAST)
  }

/** Order 41 as it is accepted: BUY 0.01 at 50000.00. */
export const report = {
  e: 'executionReport',
  E: NOW_MS + 2,
  s: 'BTCUSDT',
  c: 'mine',
  S: 'BUY',
  o: 'LIMIT',
  f: 'GTC',
  q: '0.01000000',
  p: '50000.00000000',
  P: '0.00000000',
  F: '0.00000000',
  g: -1,
  C: '',
  x: 'NEW',
  X: 'NEW',
  r: 'NONE',
  i: 41,
  l: '0.00000000',
  z: '0.00000000',
  L: '0.00000000',
  n: '0',
  N: null,
  T: NOW_MS,
  t: -1,
  I: 20,
  w: true,
  m: false,
  M: false,
  O: NOW_MS,
  Z: '0.00000000',
  Y: '0.00000000',
  Q: '0.00000000',
  W: NOW_MS,
  V: 'EXPIRE_MAKER',
}
