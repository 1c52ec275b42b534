/** A test that passed only when it was run again is named at the end, and the run passes. */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { again, isRandom, rooms, wire } from './groups.ts'

const vitest = path.resolve('node_modules/vitest/vitest.mjs')
const config = path.resolve('test/runner/second-try/vitest.config.ts')

test('it is the last that a run says, with the error of the first try', async () => {
  const args = [vitest, 'run', '--config', config]
  const env = { ...process.env, NO_COLOR: '1' }
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  const [before = '', after = ''] = stdout.split('SECOND TRIES: ')
  expect(before).toMatch(/Tests\s+2 passed/)
  expect(after.split('\n\n')[0]).toBe('1 passed only when run again. Each is a defect.')
  expect(after).toContain('  tries.ts > holds at the second try\n')
  expect(after).toContain('expected 1 to be 2')
})

test('tests over sockets and of processes have a second try, those with random inputs have none', () => {
  expect(again).toEqual(expect.arrayContaining([...wire, 'test/e2e/crash.test.ts']))
  expect(again.filter(isRandom)).toEqual([])
  expect(rooms).toContain('test/unit/gateway/streams/listen-keys.test.ts')
  expect(rooms.filter((name) => again.includes(name))).toEqual([])
})
