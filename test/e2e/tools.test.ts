/** Every tool of `npm run` prints its flags; each, and a bench, refuses others in one sentence, no stack. */
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}
const tools = Object.entries(scripts).flatMap(([name, command]) => {
  const file = /^node (dist\/(?!src\/|bench\/main)\S+)$/.exec(command)?.[1]
  return file === undefined ? [] : [{ name, file }]
})
/** Tools whose exit code 1 means that something was found to be wrong. */
const refusals: Readonly<Record<string, number>> = { load: 2, 'verify-journal': 2 }

interface Answer {
  readonly code: unknown
  readonly stdout: string
  readonly stderr: string
}

const run = (file: string, ...args: string[]): Promise<Answer> =>
  new Promise((resolve) => {
    execFile(process.execPath, [file, ...args], { cwd: root }, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, stdout, stderr })
    })
  })

test('tools are found in every folder', () => {
  const names = tools.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['export', 'tune', 'sim', 'fuzz', 'power']))
})

test.each(tools)('$name', async ({ name, file }) => {
  const answers = await Promise.all([run(file, '--help'), run(file, '--no-such-flag', '1')])
  const line = expect.stringMatching(/^[^\n]*--no-such-flag[^\n]*\n$/)
  expect(answers).toEqual([
    { code: 0, stdout: expect.stringContaining(`\nUsage: npm run ${name} -- `), stderr: '' },
    { code: refusals[name] ?? 1, stdout: '', stderr: line },
  ])
})

test('the bench of the console says that there is no Chromium, and starts nothing', async () => {
  const env = { ...process.env, CHROMIUM: '/nowhere/chromium' }
  const bench = spawnSync(process.execPath, ['dist/bench/main.js', 'console'], { cwd: root, env })
  expect([bench.status, String(bench.stderr)]).toEqual([
    1,
    'There is no Chromium at /nowhere/chromium. Install it (apt-get install chromium), or name one in CHROMIUM.\n',
  ])
})

test.each([
  ['--no-such-flag', '1'],
  ['--rounds', 'many'],
])('a bench with %s %s', async (...args) => {
  const line = expect.stringMatching(new RegExp(`^[^\\n]*${args[0]}[^\\n]*\\n$`))
  expect(await run('dist/bench/main.js', 'ring', ...args)).toEqual({
    code: 1,
    stdout: '',
    stderr: line,
  })
})
