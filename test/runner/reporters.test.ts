/** What a run says at its end: files without an end. */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const vitest = path.resolve('node_modules/vitest/vitest.mjs')

/** Rejects, with what it printed, when the run fails. */
const run = (folder: string) =>
  promisify(execFile)(
    process.execPath,
    [vitest, 'run', '--config', path.resolve(`test/runner/${folder}/vitest.config.ts`)],
    { env: { ...process.env, NO_COLOR: '1' } },
  )

test('a file whose process ends is named with the last test that ended, and the run fails', async () => {
  const failed = await run('unfinished').catch((error: { code: number; stdout: string }) => error)
  expect(failed).toMatchObject({ code: 1 })
  const [, after = ''] = failed.stdout.split('UNFINISHED: ')
  expect(after).toContain('  ends.ts, after "holds"\n')
})
