import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { JournalBytes } from '../../../src/journal/journal-bytes.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const folder = folderPerTest()

function write(file: string, bytes: number): void {
  const name = folder(file)
  mkdirSync(path.dirname(name), { recursive: true })
  writeFileSync(name, Buffer.alloc(bytes))
}

test('LMDB files of journals and sealed segments count, and nothing else', () => {
  const bytes = new JournalBytes(folder())
  expect(bytes.read()).toBe(0)
  write('journal-0/data.mdb', 1_000)
  write('journal-0/wal-0', 200)
  write('journal-12/data.mdb', 30)
  write('archive/data.mdb', 5_000)
  write('control/data.mdb', 5_000)
  expect(bytes.read()).toBe(1_030)
  write('old-journals/journal-0/000000000001-000000000004', 7)
  write('old-journals/journal-0/partial', 4_000)
  expect(bytes.read()).toBe(1_037)
  write('old-journals/journal-0/000000000005-000000000009', 80)
  write('journal-0/data.mdb', 900)
  expect(bytes.read()).toBe(1_017)
  // An operator took some away.
  rmSync(folder('old-journals/journal-0/000000000001-000000000004'))
  expect(bytes.read()).toBe(1_010)
})

test('sealed segments on another disk do not count', () => {
  write('journal-0/data.mdb', 1_000)
  mkdirSync(folder('old-journals'))
  symlinkSync('/proc/self', folder('old-journals/journal-0'))
  expect(new JournalBytes(folder()).read()).toBe(1_000)
})
