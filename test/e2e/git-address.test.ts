/**
 * An installation from a git address: npm clones it, builds what git does not keep (`prepare` of package.json), and installs
 * what it packs. The address is a repository of the files as they are here. npm downloads what its cache lacks.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const PING = `
import { startExchange } from 'ringbook'
const exchange = await startExchange()
const { status } = await fetch(exchange.url + '/api/v3/ping')
await exchange.close()
console.log(status)
`
const folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-git-address-'))
const [repository, home] = ['repository', 'home'].map((name) => path.join(folder, name)) as [
  string,
  string,
]
const run = (cwd: string, program: string, ...words: readonly string[]) =>
  execFileSync(program, words, { cwd, encoding: 'utf8' })

beforeAll(() => {
  mkdirSync(home)
  writeFileSync(path.join(home, 'package.json'), '{"private":true,"type":"module"}')
  const files = run('.', 'git', 'ls-files', '-co', '--exclude-standard', '--deduplicate')
  for (const file of files.trim().split('\n')) {
    cpSync(file, path.join(repository, file), { force: true })
  }
  const author = ['-c', 'user.name=test', '-c', 'user.email=test@localhost']
  run(repository, 'git', 'init', '--quiet')
  run(repository, 'git', 'add', '--all')
  run(repository, 'git', ...author, 'commit', '--quiet', '--message', 'As it is')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('it serves an exchange', () => {
  const flags = ['--prefer-offline', '--no-audit', '--no-fund']
  run(home, 'npm', 'install', ...flags, `git+file://${repository}`)
  writeFileSync(path.join(home, 'ping.js'), PING)
  expect(run(home, process.execPath, 'ping.js')).toBe('200\n')
})
