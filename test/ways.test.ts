/** The pages of docs/ways list exactly the files of src that mention their example. Files they name exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.gen.ts'))
  .map((file) => path.posix.join('src', file))
const pages = readdirSync(path.join(root, 'docs/ways')).filter((page) => page !== 'README.md')

test.each(pages)('%s', (page) => {
  const text = read(`docs/ways/${page}`)
  const [, pattern = ''] = /^Example: `\/(.+)\/`$/m.exec(text) ?? []
  expect(pattern).not.toBe('')
  const rows = [...text.matchAll(/^\| `(src\/[^`]+)` \| (.+) \|$/gm)]
  const listed = rows.map(([, file]) => file!)
  const mentioned = sources.filter((file) => new RegExp(pattern).test(read(file)))
  expect(mentioned.length).toBeGreaterThan(0)
  const differences = {
    'rows to add': mentioned.filter((file) => !listed.includes(file)),
    'rows to remove': listed.filter((file) => !mentioned.includes(file)),
  }
  expect(differences, `docs/ways/${page}`).toEqual({ 'rows to add': [], 'rows to remove': [] })
  expect(new Set(listed).size, 'rows twice').toBe(listed.length)
  for (const [, , reason = ''] of rows) expect(reason).toMatch(/^[A-Z].*\.$/)
})

test.each(pages)('%s names files that exist', (page) => {
  const named = [...read(`docs/ways/${page}`).matchAll(/`((?:src|test|bench|docs)\/[\w./-]+)`/g)]
  const missing = named
    .map(([, file]) => file!)
    .filter((file) => !existsSync(path.join(root, file)))
  expect(missing).toEqual([])
})
