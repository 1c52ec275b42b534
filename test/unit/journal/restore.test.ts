/** Restoring where a data folder is there already: with its key, as a mount point, after an interruption. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Ms } from '../../../src/base/units.ts'
import { callAction } from '../../../src/cli/cli.ts'
import { makeBackup } from '../../../src/journal/backup.ts'
import { ControlStore } from '../../../src/journal/control-store.ts'
import { journalFolder, LmdbStore } from '../../../src/journal/lmdb-store.ts'
import { hasFacts, restoreBackup } from '../../../src/journal/restore.ts'
import { restoreFs, spyOnFs } from '../../fixtures/spied-fs.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const folder = folderPerTest()
let backup: string
let data: string
const KEY = Buffer.alloc(32, 7)

beforeEach(() => {
  backup = folder('backup')
  data = folder('parent', 'data')
  const source = folder('source')
  fs.mkdirSync(source)
  fs.writeFileSync(path.join(source, 'secret.key'), KEY)
  const control = ControlStore.open(source)
  control.append({ fact: 'one' })
  control.close()
  new LmdbStore(journalFolder(source, 0)).close()
  const cut = { timeMs: Ms(1), control: 1, positions: [0], snapshot: 0 }
  makeBackup(source, backup, cut, [], { goesOn: () => true, copied: () => {} })
})
afterEach(() => restoreFs())

const inData = (name: string) => path.join(data, name)
const make = (name: string, content: string | Uint8Array = '') => {
  fs.mkdirSync(path.dirname(inData(name)), { recursive: true })
  fs.writeFileSync(inData(name), content)
}

function expectRestored(more: readonly string[] = []): void {
  const names = ['control', 'journal-0', 'secret.key', ...more].sort()
  expect(fs.readdirSync(data).sort()).toEqual(names)
  expect(fs.readFileSync(inData('secret.key'))).toEqual(KEY)
  expect(hasFacts(data)).toBe(true)
}

test('a missing folder is made, with its parents', () => {
  restoreBackup(backup, data)
  expectRestored()
  expect(fs.statSync(data).mode & 0o777).toBe(0o700)
})

test('a folder that is there stays the one that it is, and nothing is made beside it', () => {
  fs.mkdirSync(inData('lost+found'), { recursive: true })
  make('replica-member', 'name\n')
  make('secret.key', KEY)
  const { ino } = fs.statSync(data)
  const made = spyOnFs('mkdirSync')
  restoreBackup(backup, data)
  expectRestored(['lost+found', 'replica-member'])
  expect(fs.statSync(data).ino).toBe(ino)
  for (const [place] of made.mock.calls) expect(String(place)).toMatch(`${data}/`)
})

test('a folder of the backup that is empty is restored too', () => {
  fs.mkdirSync(path.join(backup, 'snapshots'))
  restoreBackup(backup, data)
  expectRestored(['snapshots'])
})

test.each([
  [
    'another key',
    'secret.key',
    /secret\.key is not the one of the backup, whose API secrets need it\./,
  ],
  ['something else', 'journal-0/data.mdb', /is not empty, it has journal-0; a backup is restored/],
])('a folder with %s is refused, and stays as it is', (_, name, sentence) => {
  make(name, 'own')
  expect(() => restoreBackup(backup, data)).toThrow(sentence)
  expect(fs.readdirSync(data)).toEqual([name.split('/')[0]])
  expect(fs.readFileSync(inData(name), 'utf8')).toBe('own')
})

test('a control journal is replaced as long as it has no fact', () => {
  fs.mkdirSync(data, { recursive: true })
  ControlStore.open(data).close()
  restoreBackup(backup, data)
  expectRestored()
  expect(() => restoreBackup(backup, data)).toThrow(/is not empty, it has control;/)
  expectRestored()
})

test('a restore that was interrupted is begun again', () => {
  make('restore.partial/control/data.mdb', 'half')
  make('journal-0/data.mdb', 'moved')
  make('secret.key', KEY)
  restoreBackup(backup, data)
  expectRestored()
})

test('a file of another exchange is not taken for one of an interrupted restore', () => {
  make('restore.partial/control/data.mdb', 'half')
  make('journal-1/data.mdb', 'own')
  expect(() => restoreBackup(backup, data)).toThrow(/is not empty, it has journal-1;/)
  expect(fs.existsSync(inData('journal-1/data.mdb'))).toBe(true)
})

test('files are copied within the folder, and the control journal gets its place last', () => {
  const moved: string[] = []
  const { renameSync } = fs
  spyOnFs('renameSync').mockImplementation((from, to) => {
    expect(String(from)).toBe(inData(path.join('restore.partial', path.basename(String(to)))))
    expect(hasFacts(data)).toBe(false)
    moved.push(path.basename(String(to)))
    renameSync(from, to)
  })
  restoreBackup(backup, data)
  expect(moved.toSorted()).toEqual(['control', 'journal-0', 'secret.key'])
  expect(moved.at(-1)).toBe('control')
})

test.each([true, false])('a restore that fails leaves nothing; with a folder: %s', (isThere) => {
  if (isThere) make('secret.key', KEY)
  const fail = () => {
    throw Object.assign(new Error('x'), { code: 'ENOSPC' })
  }
  expect(() => restoreBackup(backup, data, fail)).toThrow(
    `${data} cannot be written: the disk is full.`,
  )
  if (isThere) expect(fs.readdirSync(data)).toEqual(['secret.key'])
  else expect(fs.existsSync(data)).toBe(false)
})

test('a folder in use is refused', async () => {
  fs.mkdirSync(data, { recursive: true })
  const holder = spawn('flock', ['-n', data, 'sh', '-c', 'echo held; exec cat'])
  await once(holder.stdout, 'data')
  const restore = () =>
    callAction({ words: ['restore', backup, '--data', data], data, adminPort: 1 })
  expect((await restore()).text).toBe(
    `${data} is in use by a running Ringbook. Stop it or pass --data.\n`,
  )
  expect(fs.readdirSync(data)).toEqual([])
  holder.stdin.end()
  await once(holder, 'close')
  expect((await restore()).code).toBe(0)
  expectRestored()
})
