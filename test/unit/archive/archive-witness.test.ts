/** How far the journals went by an archive that nothing has open, and which archives prove nothing. */
import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { archiveFolder } from '../../../src/archive/archive-folder.ts'
import { archivedBlocks } from '../../../src/archive/archive-witness.ts'
import { ArchiveWriter } from '../../../src/archive/archive-writer.ts'
import { Ms } from '../../../src/base/units.ts'
import { archiveBaseFile } from '../../../src/journal/sealed-segments.ts'
import { RecordBuffer } from '../../../src/layout/record-buffer.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const data = folderPerTest()
let folder = ''
let file = ''
beforeEach(() => {
  folder = archiveFolder(data())
  file = path.join(folder, 'data.mdb')
})

/** Applies an empty block of each position, by matcher, and closes the archive. */
function apply(positions: readonly (readonly [number, number])[]): void {
  const writer = ArchiveWriter.open(folder)
  const records = RecordBuffer.allocate(8)
  for (const [matcher, position] of positions) {
    const head = { matcher, epoch: 1, position, timeMs: Ms(0), checksum: 7, recordCount: 0 }
    writer.apply({ ...head, records, start: 0, end: 0 }, () => undefined)
  }
  writer.close()
}

test('it names the last block of each journal, and those of the summary where that has more', () => {
  expect(archivedBlocks(data())).toEqual(new Map())
  apply([
    [0, 5],
    [1, 3],
    [0, 6],
  ])
  expect(archivedBlocks(data())).toEqual(
    new Map([
      [0, 6],
      [1, 3],
    ]),
  )
  fs.renameSync(folder, path.dirname(archiveBaseFile(data())))
  apply([
    [0, 4],
    [1, 9],
  ])
  expect(archivedBlocks(data())).toEqual(
    new Map([
      [0, 6],
      [1, 9],
    ]),
  )
})

test('it says nothing once power was lost while it was open, or when its file is damaged', () => {
  apply([[0, 5]])
  fs.writeFileSync(path.join(folder, 'open'), 'another 0')
  expect(archivedBlocks(data())).toEqual(new Map())
  fs.rmSync(path.join(folder, 'open'))
  expect(archivedBlocks(data())).toEqual(new Map([[0, 5]]))
  const bytes = fs.readFileSync(file)
  for (let at = 0; at < bytes.length; at += 509) {
    const struck = Buffer.from(bytes)
    struck[at]! ^= 0x55
    fs.writeFileSync(file, struck)
    // In bytes that the table does not use, a change means nothing; in others it is found.
    expect([0, 5]).toContain(archivedBlocks(data()).get(0) ?? 0)
  }
  for (const length of [0, 4_096, 5_000]) {
    fs.writeFileSync(file, bytes.subarray(0, length))
    expect(archivedBlocks(data())).toEqual(new Map())
  }
})
