/** Other content in the place of a data folder's own: after a kill at any step there is the old or the new. */
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FORMAT, MANIFEST } from '../../../src/journal/backup.ts'
import { JOURNAL_LAYOUT } from '../../../src/journal/block.ts'
import { content } from '../../../src/journal/content.ts'
import { ControlStore } from '../../../src/journal/control-store.ts'
import {
  finishReplacing,
  replaceContent,
  stageFacts,
  stageState,
} from '../../../src/journal/replacing.ts'
import { restoreFs, spyOnFs } from '../../fixtures/spied-fs.ts'
import { makeQuickFolder } from '../../sim/quick-folder.ts'

let data: string
beforeEach(() => {
  data = makeQuickFolder('ringbook-replacing-')
})
afterEach(() => {
  restoreFs()
  fs.rmSync(data, { recursive: true, force: true })
})

const write = (folder: string, name: string, text: string) => {
  fs.mkdirSync(path.join(folder, path.dirname(name)), { recursive: true })
  fs.writeFileSync(path.join(folder, name), text)
}

/** A folder with facts, and files with this text in the places of all others. */
function fill(folder: string, text: string, facts: readonly unknown[]): void {
  const control = ControlStore.open(folder)
  control.appendAll(facts)
  control.close()
  write(folder, 'journal-0/data.mdb', text)
  write(folder, 'secret.key', 'key')
  write(folder, 'demo-keys.json', JSON.stringify([{ apiKey: text }]))
}

const KEPT = ['operator-token', 'states/other/secret.key', 'forks/two/secret.key']
async function prepare(): Promise<void> {
  fill(data, 'old', ['a', 'b', 'c'])
  write(data, 'archive-2/data.mdb', 'old')
  for (const name of KEPT) write(data, name, 'kept')
  const state = path.join(data, 'states', 'one')
  fill(state, 'new', ['a'])
  write(state, MANIFEST, JSON.stringify({ format: FORMAT, layout: JOURNAL_LAYOUT }))
  await stageState(data, state, 'loaded')
}

/** What a start would read. */
function contentOf(folder: string) {
  const read = (name: string) => {
    const file = path.join(folder, name)
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined
  }
  const control = ControlStore.open(folder)
  const facts = [...control.entries()]
  control.close()
  const files = ['journal-0/data.mdb', 'archive-2/data.mdb', 'demo-keys.json', 'secret.key']
  return { facts, files: files.map(read) }
}
const OLD = {
  facts: ['a', 'b', 'c'],
  files: ['old', 'old', '[{"apiKey":"old"}]', 'key'],
}
const NEW = { facts: ['a', 'loaded'], files: ['new', undefined, '[{"apiKey":"new"}]', 'key'] }

/** One of each row. */
const NAMES = [
  ...['control', 'journal-7', 'old-journals', 'archive-base', 'snapshots', 'archive', 'secret.key'],
  ...['clock-corrections', 'embedded-keys.json'],
]

test('nothing of the old content is left, whichever part it is', async () => {
  expect(content.map(({ name }) => NAMES.filter((it) => name.test(it)))).toEqual([
    ...[['control'], ['journal-7'], ['old-journals'], ['archive-base'], ['snapshots'], ['archive']],
    ...[['secret.key'], ['clock-corrections'], ['embedded-keys.json']],
  ])
  await prepare()
  for (const name of NAMES) {
    if (/\.|corrections/.test(name)) write(data, name, '[]')
    else write(data, `${name}/old`, 'old')
  }
  replaceContent(data)
  const left = fs.readdirSync(data, { recursive: true, encoding: 'utf8' })
  expect(left.filter((name) => name.endsWith('/old'))).toEqual([])
  expect(left).not.toContain('embedded-keys.json')
})

class Killed extends Error {}

/** Runs the action, and kills it before its n-th change of the disk. Returns whether it came so far. */
function killedAt(n: number, action: () => void): boolean {
  let changes = 0
  for (const name of ['renameSync', 'rmSync', 'fsyncSync'] as const) {
    const real = fs[name] as (...args: unknown[]) => unknown
    spyOnFs(name).mockImplementation((...args: unknown[]) => {
      if (changes++ === n) throw new Killed()
      return real(...args)
    })
  }
  try {
    action()
    return false
  } catch (error) {
    if (!(error instanceof Killed)) throw error
    return true
  } finally {
    restoreFs()
  }
}

test('the new content is in place, and what is no content stays', async () => {
  await prepare()
  expect(contentOf(data)).toEqual(OLD)
  replaceContent(data)
  expect(contentOf(data)).toEqual(NEW)
  for (const name of KEPT) expect(fs.readFileSync(path.join(data, name), 'utf8')).toBe('kept')
  expect(fs.readdirSync(data).filter((name) => name.startsWith('replacing'))).toEqual([])
})

/** Every file of the folder with its bytes, as text. */
const filesOf = (folder: string) =>
  Object.fromEntries(
    fs
      .readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => path.join(parentPath, name))
      .map((file) => [path.relative(folder, file), fs.readFileSync(file, 'base64')]),
  )

/** Kills a replacing in a copy of the folder, and then the start that finishes it. Returns what is there then. */
function afterKills(at: number, again: number) {
  const copy = path.join(path.dirname(data), `${path.basename(data)}-copy`)
  try {
    fs.cpSync(data, copy, { recursive: true })
    const isKilled = killedAt(at, () => replaceContent(copy))
    const isKilledAgain = isKilled && killedAt(again, () => void finishReplacing(copy))
    if (isKilledAgain) finishReplacing(copy)
    return { isKilled, isKilledAgain, files: filesOf(copy) }
  } finally {
    fs.rmSync(copy, { recursive: true, force: true })
  }
}

test('a kill at any step, and one at any step of the next start, leave the old or the new', async () => {
  await prepare()
  const { files: whole } = afterKills(Number.POSITIVE_INFINITY, 0)
  const staged = filesOf(data)
  const old = Object.fromEntries(
    Object.entries(staged).filter(([file]) => !file.startsWith('replacing')),
  )
  const seen = new Set<string>()
  for (let at = 0, isKilled = true; isKilled; at++) {
    for (let again = 0, isKilledAgain = true; isKilledAgain; again++) {
      const after = afterKills(at, again)
      isKilled = after.isKilled
      isKilledAgain = after.isKilledAgain
      const isOld = 'archive-2/data.mdb' in after.files
      expect(after.files, `killed at ${at}, then at ${again}`).toEqual(isOld ? old : whole)
      seen.add(isOld ? 'old' : 'new')
    }
  }
  expect([...seen].sort()).toEqual(['new', 'old'])
})

test('a copy that was interrupted is no new content', async () => {
  await prepare()
  expect(finishReplacing(data)).toBe(false)
  expect(contentOf(data)).toEqual(OLD)
  expect(fs.readdirSync(data).filter((name) => name.startsWith('replacing'))).toEqual([])
})

test('facts alone take along the keys that are theirs', () => {
  fill(data, 'old', ['a', 'b', 'c'])
  write(data, 'demo-keys.json', JSON.stringify([{ apiKey: 'first' }, { apiKey: 'later' }]))
  write(data, 'liquidity-keys.json', JSON.stringify([{ apiKey: 'later' }]))
  stageFacts(data, ['a', 'reset'], (apiKey) => apiKey === 'first')
  replaceContent(data)
  expect(contentOf(data).facts).toEqual(['a', 'reset'])
  expect(fs.readdirSync(data).sort()).toEqual(['control', 'demo-keys.json', 'secret.key'])
  const keys = JSON.parse(fs.readFileSync(path.join(data, 'demo-keys.json'), 'utf8'))
  expect(keys).toEqual([{ apiKey: 'first' }])
})
