/** The pages carry the licenses of all packages whose code is in them. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { importsOf } from '../../rooms.ts'

const SOURCE = 'src/console'
const BUILT = 'dist/src/console'
/** Words that the text of a license cannot do without. */
const TERMS = /Permission is hereby granted|Apache License/

/** Packages that the page's sources import, and those that these depend on. */
function packagesOf(files: readonly string[]): string[] {
  const found = new Set<string>()
  const add = (name: string) => {
    if (found.has(name)) return
    found.add(name)
    const about = readFileSync(path.join('node_modules', name, 'package.json'), 'utf8')
    const { dependencies = {} } = JSON.parse(about) as { dependencies?: Record<string, string> }
    for (const other of Object.keys(dependencies)) add(other)
  }
  for (const file of files) {
    for (const target of importsOf(readFileSync(file, 'utf8'))) {
      if (target.startsWith('.')) continue
      add(target.split('/', target.startsWith('@') ? 2 : 1).join('/'))
    }
  }
  return [...found].sort()
}

/** Files that the page's script is made of. */
function reachedFrom(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return []
  seen.add(file)
  for (const target of importsOf(readFileSync(file, 'utf8'))) {
    if (target.startsWith('.')) reachedFrom(path.join(path.dirname(file), target), seen)
  }
  return [...seen]
}

test.each([
  [
    '',
    [
      '@preact/signals',
      '@preact/signals-core',
      'fancy-canvas',
      'lightweight-charts',
      'preact',
      'qrcode-generator',
    ],
  ],
  ['operator', ['@preact/signals', '@preact/signals-core', 'preact', 'uplot']],
])('the licenses of page "%s" are those of %j', (folder, expected) => {
  const built = path.join(BUILT, folder)
  const [name = '', ...more] = readdirSync(built).filter((it) => /^licenses-.*\.txt$/.test(it))
  expect(more).toEqual([])
  expect(packagesOf(reachedFrom(path.join(SOURCE, folder, 'main.tsx')))).toEqual(expected)
  const parts = readFileSync(path.join(built, name), 'utf8')
    .split(/^-{72}\n/m)
    .slice(1)
  const licenses = new Map<string, string>()
  for (let at = 0; at < parts.length; at += 2) {
    licenses.set(parts[at]!.replace(/ \S+\n$/, ''), parts[at + 1]!)
  }
  expect([...licenses.keys()]).toEqual(expected)
  for (const [of, text] of licenses) {
    expect(text, of).toMatch(TERMS)
    expect(text, of).toMatch(/Copyright/)
  }
  expect(readFileSync(path.join(built, 'index.html'), 'utf8')).toContain(`/console/${name}`)
})

test('the license of the package in the script of the documents stands beside them', () => {
  const packages = packagesOf(reachedFrom(path.join(SOURCE, 'docs/main.ts')))
  const text = readFileSync('dist/src/docs/licenses.txt', 'utf8')
  expect(packages).toEqual(['minisearch'])
  expect(text).toMatch(/^minisearch \S+$/m)
  expect(text).toMatch(TERMS)
})
