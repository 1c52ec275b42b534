/** Text that a program writes on standard error becomes lines of its log. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'

const relay = path.resolve(import.meta.dirname, '../../../scripts/deploy/log-lines.mjs')

test('each line is a warning of its own, among the lines of the log', () => {
  const program =
    `console.log('{"level":30,"msg":"started"}'); console.error('reserved_space "larger"\\n');` +
    `process.stderr.write('no end')`
  const command = `"$0" -e "$1" 2> >("$0" "$2"); wait $!`
  const words = ['-c', command, process.execPath, program, relay]
  const { stdout, stderr } = spawnSync('bash', words, { encoding: 'utf8' })
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(stderr).toBe('')
  const texts = lines.map(({ level, msg }) => [level, msg])
  expect(texts).toHaveLength(3)
  expect(texts).toEqual(
    expect.arrayContaining([
      [30, 'started'],
      [40, 'reserved_space "larger"'],
      [40, 'no end'],
    ]),
  )
  expect(lines.find(({ level }) => level === 40).time).toBeTypeOf('number')
})
