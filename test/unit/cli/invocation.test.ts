/** How the program is run where its texts are printed. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { ownCommand } from '../../../src/cli/invocation.ts'

const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ringbook-invocation-')))
afterAll(() => rmSync(root, { recursive: true }))

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(root, 'case-'))
})

function file(...parts: readonly string[]): string {
  const made = path.join(folder, ...parts)
  mkdirSync(path.dirname(made), { recursive: true })
  writeFileSync(made, '{"name":"ringbook"}')
  return made
}
function link(target: string, ...parts: readonly string[]): string {
  const made = path.join(folder, ...parts)
  mkdirSync(path.dirname(made), { recursive: true })
  symlinkSync(target, made)
  return made
}

test('in a checkout npm finds it by its name', () => {
  const main = file('dist/src/main.js')
  file('package.json')
  expect(ownCommand({ main, folder, searchPath: '' })).toBe('npx ringbook')
  // From another folder npm would look the name up in its registry.
  const elsewhere = path.join(folder, 'dist')
  expect(ownCommand({ main, folder: elsewhere, searchPath: '' })).toBe('node src/main.js')
})

test('installed in the folder, npm finds it too', () => {
  const main = file('node_modules/ringbook/dist/src/main.js')
  link(main, 'node_modules/.bin/ringbook')
  expect(ownCommand({ main, folder, searchPath: '' })).toBe('npx ringbook')
})

test('of another program of that name in the folder nothing is said', () => {
  const main = file('elsewhere/main.js')
  file('node_modules/.bin/ringbook')
  expect(ownCommand({ main, folder, searchPath: '' })).toBe('node elsewhere/main.js')
})

test('installed for good, its name is enough; what npx alone sees is not', () => {
  const main = file('lib/ringbook/main.js')
  const linked = link(main, 'bin/ringbook')
  const places = (...names: string[]) => names.map((it) => path.join(folder, it)).join(':')
  expect(ownCommand({ main: linked, folder, searchPath: places('none', 'bin') })).toBe('ringbook')
  const cached = file('.npm/_npx/1/node_modules/ringbook/main.js')
  link(cached, '.npm/_npx/1/node_modules/.bin/ringbook')
  const searchPath = places('.npm/_npx/1/node_modules/.bin')
  const home = path.join(root, 'home of one')
  mkdirSync(home, { recursive: true })
  expect(ownCommand({ main: cached, folder: home, searchPath })).toBe(`node ${cached}`)
})

test('a path is quoted for a shell', () => {
  const main = file("it's here/main.js")
  expect(ownCommand({ main, folder, searchPath: '' })).toBe(`node 'it'\\''s here/main.js'`)
})
