/** Where a journal begins whose first blocks were removed: the first one that is left must follow them. */
import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { Ms } from '../../../src/base/units.ts'
import { BlockReader, BlockWriter, JournalDamage } from '../../../src/journal/block.ts'
import type { JournalPoint } from '../../../src/journal/chain.ts'
import { journalFolder, LmdbStore } from '../../../src/journal/lmdb-store.ts'
import { proveJournals } from '../../../src/journal/recovery.ts'
import { beginningOf, noteBeginning, sealedFolder } from '../../../src/journal/sealed-segments.ts'
import { OrderRested } from '../../../src/layout/accessors.gen.ts'
import { RecordBuffer, writeHead } from '../../../src/layout/record-buffer.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const BLOCKS = 6

const data = folderPerTest()
let journal = ''
let places: JournalPoint[]

beforeEach(() => {
  journal = journalFolder(data(), 0)
  const events = RecordBuffer.allocate(OrderRested.bytes)
  writeHead(events, 0, OrderRested.type, OrderRested.bytes)
  const writer = new BlockWriter({ matcher: 0, epoch: 1, previous: 0 })
  const block = new BlockReader()
  places = []
  const store = new LmdbStore(journal)
  store.append(() => {
    if (places.length === BLOCKS) return undefined
    const position = places.length + 1
    const bytes = writer.seal(events, OrderRested.bytes, position, Ms(0))
    block.open(bytes, 'A block')
    places.push({ position, checksum: block.checksum })
    return bytes
  })
  store.close()
})

const proof = () => proveJournals(data())

test('it begins behind the block that is noted, or with block 1', () => {
  proof()
  for (const place of places.slice(0, -1)) {
    noteBeginning(journal, place)
    expect(beginningOf(journal)).toEqual(place)
    proof()
  }
})

test('a note of another block is damage, and so is one behind which nothing is left', () => {
  const [first, second] = places
  for (const { position, checksum } of [
    { ...first!, checksum: second!.checksum },
    { ...first!, position: second!.position },
    places.at(-1)!,
    { ...places.at(-1)!, checksum: 0 },
  ]) {
    noteBeginning(journal, { position, checksum })
    expect(proof).toThrow(`Block ${position + 1} of journal-0 does not follow the one that`)
  }
})

test('a note that names no block is damage', () => {
  noteBeginning(journal, places[0]!)
  fs.writeFileSync(path.join(sealedFolder(journal), 'removed'), '1')
  expect(proof).toThrow(JournalDamage)
  expect(proof).toThrow('does not name a block.')
})
