import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { beforeEach, expect, test } from 'vitest'
import { Shell } from '../../../src/workers/shell.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const folder = folderPerTest()
let file: string

beforeEach(() => {
  file = folder('written')
})

const written = () => readFileSync(file, 'utf8')

test('commands run one after another, and each resolves when it has ended with 0', async () => {
  const shell = new Shell()
  const slow = shell.run(`sleep 0.1; echo slow >> ${file}`)
  const quick = shell.run(`echo quick >> ${file}`)
  await slow
  await quick
  expect(written()).toBe('slow\nquick\n')
})

test('a command that fails, or is no program, rejects alone', async () => {
  const shell = new Shell()
  const failing = shell.run('(exit 3)')
  const unknown = shell.run('ringbook-no-such-program')
  const next = shell.run('true')
  await expect(failing).rejects.toThrow('a command ended with 3')
  await expect(unknown).rejects.toThrow('a command ended with 127')
  await next
})

test('what a command prints or reads is not taken for answers or commands', async () => {
  const shell = new Shell()
  const printing = shell.run('echo 7; echo 8 >&2')
  const reading = shell.run('cat')
  await printing
  await reading
})

test('all commands run in one process, which signals that end the exchange do not end', async () => {
  const shell = new Shell()
  await shell.run(`echo $$ >> ${file}`)
  for (const signal of ['HUP', 'INT', 'TERM']) await shell.run(`kill -${signal} $$`)
  await shell.run(`echo $$ >> ${file}`)
  const [first, second] = written().trim().split('\n')
  expect(second).toBe(first)
})

test('commands of a shell that is killed reject, and the next one starts another', async () => {
  const shell = new Shell()
  const killed = shell.run('kill -KILL $$')
  const later = shell.run('true')
  await expect(killed).rejects.toThrow('sh ended early')
  await expect(later).rejects.toThrow('sh ended early')
  await shell.run('true')
})

test('without the program all commands reject', async () => {
  const shell = new Shell('ringbook-no-such-shell')
  for (let round = 0; round < 2; round++) {
    await expect(shell.run('true')).rejects.toThrow('ringbook-no-such-shell ended early')
  }
})

test('a process that keeps one waits for its answers and then ends, and so does the shell', async () => {
  const source = folder('main.ts')
  const program = folder('main.mjs')
  writeFileSync(
    source,
    `import { Shell } from ${JSON.stringify(path.resolve('src/workers/shell.ts'))}
    new Shell().open()
    await new Shell().run('sleep 0.1; echo $$ > ${file}')
    console.log('answered')`,
  )
  const bundler = await rolldown({ input: source, platform: 'node' })
  await bundler.write({ file: program }).finally(() => bundler.close())
  const { stdout } = await promisify(execFile)(process.execPath, [program])
  expect(stdout).toBe('answered\n')
  await eventually('the end of the shell', () => !isAlive(Number(written())) || undefined)
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
