/** The last warnings of the log, kept for operators. */
import { expect, test } from 'vitest'
import { openLog } from '../../../src/assembly/main/log-output.ts'
import { parseConfig } from '../../../src/config/config.ts'
import { WARNINGS_KEPT, WarningLog } from '../../../src/telemetry/warning-log.ts'
import { ActionBench } from '../control/plain-control-plane.ts'

const line = (level: number, msg: string, fields: object = {}) =>
  `${JSON.stringify({ level, time: 5, pid: 1, ...fields, msg })}\n`

test('warnings and worse are kept with their fields, other lines are not', () => {
  const output = { write: () => {} }
  const { log, warnings } = openLog(parseConfig([], {}, () => '').config!, false, output)
  log.info('started')
  log.warn({ thread: 'gateway-0', level2: { a: 1 } }, 'memory is short')
  log.error('a file is gone')
  log.fatal({ reason: 'Error: no' }, 'a thread failed')
  expect(warnings.count).toBe(3)
  expect(warnings.newest(9).map(({ number, level, text }) => [number, level, text])).toEqual([
    [3, 'fatal', 'a thread failed reason=Error: no'],
    [2, 'error', 'a file is gone'],
    [1, 'warning', 'memory is short thread=gateway-0 level2={"a":1}'],
  ])
})

test('lines are bounded in number and in length', () => {
  const warnings = new WarningLog()
  for (let i = 1; i <= WARNINGS_KEPT + 10; i++) warnings.read(line(40, `line ${i}`))
  expect(warnings.count).toBe(WARNINGS_KEPT + 10)
  const kept = warnings.newest(10_000)
  expect(kept).toHaveLength(WARNINGS_KEPT)
  expect(kept[0]!.text).toBe(`line ${WARNINGS_KEPT + 10}`)
  expect(kept.at(-1)!.text).toBe('line 11')
  const shown = (chars: number) => {
    warnings.read(line(50, 'x'.repeat(chars)))
    return warnings.newest(1)[0]!.text
  }
  expect(shown(2_000)).toBe('x'.repeat(2_000))
  for (const chars of [2_001, 1e6]) expect(shown(chars)).toBe(`${'x'.repeat(2_000)}…`)
})

test('an action shows them, the newest first', async () => {
  const bench = await ActionBench.make()
  expect(await bench.ask('warnings')).toEqual({ said: '0 warnings, the newest first.', rows: [] })
  for (const text of ['one', 'two']) bench.controlPlane.warnings.read(line(40, text))
  const { said, rows } = await bench.ask('warnings --limit 1')
  expect(said).toBe('1 warning, the newest first.')
  expect(rows).toEqual([
    { number: 2, time: '1970-01-01T00:00:00.005Z', level: 'warning', text: 'two' },
  ])
})
