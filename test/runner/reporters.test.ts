/** What a run prints at its end: files without an end, and files that failed. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const vitest = path.resolve('node_modules/vitest/vitest.mjs')

/** Rejects, with what it printed, when the run fails. */
const run = (folder: string, files: readonly string[] = [], env: NodeJS.ProcessEnv = {}) =>
  promisify(execFile)(
    process.execPath,
    [vitest, 'run', '--config', path.resolve(`test/runner/${folder}/vitest.config.ts`), ...files],
    { env: { ...process.env, ...env, NO_COLOR: '1' } },
  )

test('a file whose process ends is named with the last test that ended, and the run fails', async () => {
  const failed = await run('unfinished').catch((error: { code: number; stdout: string }) => error)
  expect(failed).toMatchObject({ code: 1 })
  const [, after = ''] = failed.stdout.split('UNFINISHED: ')
  expect(after).toContain('  ends.ts, after "holds"\n')
})

test('files that failed are written, one a line, and none once they pass', async () => {
  const folder = temporaryFolder()
  const env = { FAILED_FILES: path.join(folder, 'failed'), TRIED: path.join(folder, 'tried') }
  const written = () => readFileSync(env.FAILED_FILES, 'utf8').split('\n').filter(Boolean).sort()
  await expect(run('failing', [], env)).rejects.toMatchObject({ code: 1 })
  expect(written()).toEqual(['fails.ts', 'rejects.ts'].map((name) => `test/runner/failing/${name}`))
  await run('failing', ['test/runner/failing/fails.ts'], env)
  expect(written()).toEqual([])
})
