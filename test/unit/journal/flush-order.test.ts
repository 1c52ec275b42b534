/** What is renamed into its place was flushed before, and the folder that names it afterwards. */
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Ms } from '../../../src/base/units.ts'
import { makeBackup } from '../../../src/journal/backup.ts'
import { BlockReader, BlockWriter } from '../../../src/journal/block.ts'
import { ControlStore } from '../../../src/journal/control-store.ts'
import { journalFolder } from '../../../src/journal/lmdb-store.ts'
import { restoreBackup } from '../../../src/journal/restore.ts'
import { writeSegment } from '../../../src/journal/sealed-segments.ts'
import { SectionKind, snapshotFile, writeSnapshot } from '../../../src/journal/snapshot.ts'
import { OrderRested } from '../../../src/layout/accessors.gen.ts'
import { ImageWriter } from '../../../src/layout/image.ts'
import { RecordBuffer, writeHead } from '../../../src/layout/record-buffer.ts'
import { restoreFs, spyOnFs } from '../../fixtures/spied-fs.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const data = folderPerTest()
/** "write F", "flush F", "rename F to G": files below `data`, in the order of the calls. */
let calls: string[] = []
const names = new Map<number, string>()
const nameOf = (file: fs.PathLike) => path.relative(data(), String(file))

beforeEach(() => {
  calls = []
})
afterEach(() => restoreFs())

/** From here on. flushFolder calls fsync by another name; it opens folders, which are not written. */
function watch(): void {
  const { openSync, writeSync, fsyncSync, renameSync } = fs
  spyOnFs('openSync').mockImplementation((file, ...more) => {
    const opened = openSync(file, ...more)
    names.set(opened, nameOf(file))
    return opened
  })
  spyOnFs('writeSync').mockImplementation(((file: number, ...more: [Uint8Array]) => {
    calls.push(`write ${names.get(file)}`)
    return writeSync(file, ...more)
  }) as typeof fs.writeSync)
  spyOnFs('fsyncSync').mockImplementation((file) => {
    calls.push(`flush ${names.get(file)}`)
    fsyncSync(file)
  })
  spyOnFs('renameSync').mockImplementation((from, to) => {
    calls.push(`rename ${nameOf(from)} to ${nameOf(to)}`)
    renameSync(from, to)
  })
}

/** The file was flushed after its last write and before it got its name. */
function expectFlushed(file: string, name: string): void {
  const renamed = calls.indexOf(`rename ${file} to ${name}`)
  expect(renamed, calls.join('\n')).toBeGreaterThan(-1)
  const before = calls.slice(0, renamed)
  expect(before.lastIndexOf(`flush ${file}`)).toBeGreaterThan(before.lastIndexOf(`write ${file}`))
}

test('a sealed segment', () => {
  const blocks = new BlockWriter({ matcher: 0, epoch: 1, previous: 0 })
  const events = RecordBuffer.allocate(64)
  writeHead(events, 0, OrderRested.type, 64)
  const block = new BlockReader()
  let position = 0
  const next = () => {
    if (position === 3) return undefined
    block.open(blocks.seal(events, 64, ++position, Ms(0)), 'A block')
    return block
  }
  watch()
  writeSegment(journalFolder(data(), 0), 1, next)
  const old = 'old-journals/journal-0'
  expectFlushed(`${old}/partial`, `${old}/000000000001-000000000003`)
})

test('a snapshot', () => {
  watch()
  const image = new ImageWriter()
  writeSnapshot(data(), 1, [{ kind: SectionKind.LEDGER, id: 0, image }])
  expectFlushed('snapshots/partial', nameOf(snapshotFile(data(), 1)))
})

/** A data folder with three facts and two snapshots. */
function sourceOf(): string {
  const source = data('source')
  fs.mkdirSync(source)
  fs.writeFileSync(path.join(source, 'secret.key'), 'k'.repeat(32))
  const control = ControlStore.open(source)
  for (const fact of ['one', 'two', 'three']) control.append({ fact })
  control.close()
  for (const number of [1, 2]) writeSnapshot(source, number, [])
  return source
}

const cut = { timeMs: Ms(1), control: 2, positions: [], snapshot: 1 }
const events = { goesOn: () => true, copied: () => {} }

test('a backup, after all its files', () => {
  const source = sourceOf()
  watch()
  makeBackup(source, data('backup'), cut, [], events)
  const renamed = calls.indexOf('rename backup.partial to backup')
  const flushed = calls.slice(0, renamed)
  const inIt = ['snapshots/snapshot-000000000001', 'control/data.mdb', 'secret.key', 'backup.json']
  for (const name of inIt) expect(flushed).toContain(`flush backup.partial/${name}`)
})

test('a backup has no fact behind its moment, and no later snapshot', () => {
  makeBackup(sourceOf(), data('backup'), cut, [], events)
  const control = ControlStore.open(data('backup'))
  expect([...control.entries()]).toEqual([{ fact: 'one' }, { fact: 'two' }])
  control.close()
  expect(fs.readdirSync(data('backup', 'snapshots'))).toEqual(['snapshot-000000000001'])
})

test('a control journal that is restored, after all other files', () => {
  makeBackup(sourceOf(), data('backup'), cut, [], events)
  watch()
  restoreBackup(data('backup'), data('restored'))
  const renamed = calls.indexOf('rename restored/restore.partial/control to restored/control')
  const flushed = calls.slice(0, renamed)
  for (const name of ['control/data.mdb', 'secret.key', 'snapshots/snapshot-000000000001']) {
    expect(flushed).toContain(`flush restored/restore.partial/${name}`)
  }
})
