/** What a run says at its end: tests that passed only at their second try, and files without an end. */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { again, isRandom, rooms, wire } from './groups.ts'

const vitest = path.resolve('node_modules/vitest/vitest.mjs')

/** Rejects, with what it printed, when the run fails. */
const run = (folder: string) =>
  promisify(execFile)(
    process.execPath,
    [vitest, 'run', '--config', path.resolve(`test/runner/${folder}/vitest.config.ts`)],
    { env: { ...process.env, NO_COLOR: '1' } },
  )

test('a second try is the last that a run says, with the first error, and the run passes', async () => {
  const { stdout } = await run('second-try')
  const [before = '', after = ''] = stdout.split('SECOND TRIES: ')
  expect(before).toMatch(/Tests\s+2 passed/)
  expect(after.split('\n\n')[0]).toBe('1 passed only when run again. Each is a defect.')
  expect(after).toContain('  tries.ts > holds at the second try\n')
  expect(after).toContain('expected 1 to be 2')
})

test('a file whose process ends is named with the last test that ended, and the run fails', async () => {
  const failed = await run('unfinished').catch((error: { code: number; stdout: string }) => error)
  expect(failed).toMatchObject({ code: 1 })
  const [, after = ''] = failed.stdout.split('UNFINISHED: ')
  expect(after).toContain('  ends.ts, after "holds"\n')
})

test('tests over sockets and of processes have a second try, those with random inputs have none', () => {
  expect(again).toEqual(expect.arrayContaining([...wire, 'test/e2e/crash.test.ts']))
  expect(again.filter(isRandom)).toEqual([])
  expect(rooms).toContain('test/unit/gateway/streams/listen-keys.test.ts')
  expect(rooms.filter((name) => again.includes(name))).toEqual([])
})
