/** The build over a small project: what it bundles, what it builds again, what it refuses. */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../../..')
let folder: string
const inFolder = (name: string) => path.join(folder, name)
const changedMs = (name: string) => fs.statSync(inFolder(name)).mtimeMs

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(inFolder(name)), { recursive: true })
    fs.writeFileSync(inFolder(name), text)
  }
}

function build(...folders: string[]): { code: number | null; output: string } {
  const script = inFolder('scripts/build.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...folders])
  return { code: status, output: `${stdout}${stderr}` }
}

const run = () => String(spawnSync(process.execPath, [inFolder('dist/src/main.js')]).stdout)

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ringbook-build-'))
  fs.symlinkSync(path.join(root, 'node_modules'), inFolder('node_modules'))
  write({ 'package.json': '{ "type": "module" }', 'package-lock.json': '{}' })
  const own = ['console', 'declarations', 'docs'].map((name) => `build-${name}`)
  const parts = ['build', ...own].map((name) => `scripts/${name}.mjs`)
  for (const name of ['tsconfig.json', ...parts]) {
    write({ [name]: fs.readFileSync(path.join(root, name), 'utf8') })
  }
  write({
    'src/main.ts': `
      import { place } from './threads/place.ts'
      process.stdout.write(place)
    `,
    'src/threads/place.ts': `
      const { name } = await import('../late/name.ts')
      export const place: string = 'threads ' + name
    `,
    'src/late/name.ts': `export const name: string = 'late'`,
    'bench/main.ts': 'export const bench: number = 1',
  })
})
afterEach(() => fs.rmSync(folder, { recursive: true }))

test('bundles without TypeScript, whose place a later build takes', () => {
  const packages = path.join(root, 'node_modules')
  fs.unlinkSync(inFolder('node_modules'))
  fs.mkdirSync(inFolder('node_modules'))
  for (const name of fs.readdirSync(packages)) {
    if (name === 'typescript') continue
    fs.symlinkSync(path.join(packages, name), inFolder(`node_modules/${name}`))
  }
  write({ 'src/wrong.thread.ts': `export const wrong: number = 'text'` })
  expect(build('src')).toEqual({ code: 0, output: '' })
  expect(run()).toBe('threads late')
  fs.symlinkSync(path.join(packages, 'typescript'), inFolder('node_modules/typescript'))
  expect(build('src').code).toBe(1)
})

test('bundles a program, and those that it imports at run time, each into one file', () => {
  expect(build('src')).toEqual({ code: 0, output: '' })
  expect(run()).toBe('threads late')
  expect(fs.existsSync(inFolder('dist/src/threads'))).toBe(false)
  expect(fs.existsSync(inFolder('dist/src/late/name.js'))).toBe(true)
  expect(fs.existsSync(inFolder('dist/bench'))).toBe(false)
  build()
  expect(fs.existsSync(inFolder('dist/bench/main.js'))).toBe(true)
  expect(fs.existsSync(inFolder('dist/src/main.js'))).toBe(true)
})

test('builds again what has changed, and nothing else', () => {
  build()
  const outputs = ['dist/src/main.js', 'dist/src/late/name.js', 'dist/bench/main.js']
  const first = outputs.map(changedMs)
  const stateMs = changedMs('dist/.build.json')
  build()
  expect([...outputs.map(changedMs), changedMs('dist/.build.json')]).toEqual([...first, stateMs])

  write({ 'src/late/name.ts': `export const name: string = 'later'` })
  build()
  const second = outputs.map(changedMs)
  expect(second.map((ms, index) => ms !== first[index])).toEqual([false, true, false])
  expect(run()).toBe('threads later')

  // A new time alone is no change.
  fs.utimesSync(inFolder('src/main.ts'), 1, 1)
  build()
  expect(outputs.map(changedMs)).toEqual(second)

  fs.rmSync(inFolder('dist/bench/main.js'))
  build()
  expect(fs.existsSync(inFolder('dist/bench/main.js'))).toBe(true)
})

test('writes generated sources first, again when their table or they themselves change, and no others', () => {
  write({
    'scripts/generate-sources.ts': `
      import { table } from './table.ts'
      export const generatedSources = () =>
        table.map((name: string) => ['src/made/' + name + '.gen.ts', "export const made = '" + name + "'"])
    `,
    'scripts/table.ts': `export const table = ['first']`,
    'src/main.ts': `
      import { made } from './made/first.gen.ts'
      process.stdout.write(made)
    `,
  })
  const made = inFolder('src/made/first.gen.ts')
  expect(build('--sources')).toEqual({ code: 0, output: '' })
  expect(fs.existsSync(inFolder('dist/src/main.js'))).toBe(false)
  build('src')
  expect(run()).toBe('first')

  const text = fs.readFileSync(made, 'utf8')
  const madeMs = changedMs('src/made/first.gen.ts')
  fs.appendFileSync(inFolder('scripts/table.ts'), ' // new')
  build('--sources')
  expect(changedMs('src/made/first.gen.ts')).toBe(madeMs)

  for (const change of [() => fs.rmSync(made), () => fs.writeFileSync(made, 'edited')]) {
    change()
    build('src')
    expect(fs.readFileSync(made, 'utf8')).toBe(text)
  }

  write({
    'scripts/table.ts': `export const table = ['second']`,
    'src/main.ts': `
      import { made } from './made/second.gen.ts'
      process.stdout.write(made)
    `,
  })
  build('src')
  expect(run()).toBe('second')
  expect(fs.existsSync(made)).toBe(false)
})

test('removes a program whose source is gone', () => {
  build()
  write({ 'src/main.ts': 'process.exitCode = 0' })
  fs.rmSync(inFolder('src/late'), { recursive: true })
  build()
  expect(fs.existsSync(inFolder('dist/src/late/name.js'))).toBe(false)
})

test('fails over a wrong type until it is right', () => {
  write({ 'bench/main.ts': 'export const bench: number = false' })
  for (let time = 0; time < 2; time++) {
    const { code, output } = build()
    expect(code).toBe(1)
    expect(output).toContain('bench/main.ts(1,14)')
  }
  write({ 'bench/main.ts': 'export const bench: number = 2' })
  expect(build()).toEqual({ code: 0, output: '' })
})

test('fails over a file that is not there', () => {
  write({ 'bench/main.ts': `import './gone.ts'` })
  const { code, output } = build()
  expect(code).toBe(1)
  expect(output).toContain('gone.ts')
})
