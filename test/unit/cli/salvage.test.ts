/** A salvage changes nothing until an operator says so, and helps neither members nor a folder in use. */
import fs from 'node:fs'
import { expect, test } from 'vitest'
import { plain } from '../../../src/cli/paint.ts'
import { salvage } from '../../../src/cli/salvage.ts'
import { ActionError, Arguments } from '../../../src/control/action.ts'
import { ControlStore } from '../../../src/journal/control-store.ts'
import { PAGE_BYTES } from '../../../src/journal/environment.ts'
import { lockFolder } from '../../../src/journal/folder-lock.ts'
import { openJournal } from '../../../src/journal/journal.ts'
import { journalFolder } from '../../../src/journal/lmdb-store.ts'
import type { Durability } from '../../../src/journal/store.ts'
import { WalCells } from '../../../src/journal/wal-cells.ts'
import { segmentFile } from '../../../src/journal/wal-writer.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const data = folderPerTest()

/** Leaves a journal whose log lacks a segment. */
function loseSegment(durability: Durability): void {
  const parts = { cells: new WalCells(), segmentBegun: () => {}, makeRoom: () => {} }
  openJournal(data(), 0, durability, { ...parts, segmentBytes: PAGE_BYTES }).close()
  fs.rmSync(segmentFile(journalFolder(data(), 0), 0))
}

const run = (given: Record<string, string> = {}) =>
  salvage.run(new Arguments(salvage, given), { data: data(), paint: plain, terminal: undefined })

function facts(): readonly unknown[] {
  const control = ControlStore.open(data())
  try {
    return [...control.entries()]
  } finally {
    control.close()
  }
}

test('a look changes nothing, and what is given up is noted', () => {
  loseSegment('flushed')
  for (let i = 0; i < 2; i++)
    expect(run()).toMatch(/^wal-0 of journal-0 [\s\S]*Nothing was changed/)
  expect(facts()).toEqual([])
  expect(run({ yes: 'true' })).toContain('The folder starts again.')
  const given = { 'journal-0': 'ends with block 0, 0 blocks lost' }
  expect(facts()).toMatchObject([{ fact: 'act', name: 'salvage', given }])
  expect(run({ yes: 'true' })).toBe('No journal has lost blocks: nothing to salvage.\n')
  expect(facts()).toHaveLength(1)
})

test('a member asks its quorum instead', () => {
  loseSegment('replicated')
  for (const given of [{}, { yes: 'true' }]) {
    expect(() => run(given)).toThrow(ActionError)
    expect(() => run(given)).toThrow('the quorum gives it what it lost')
  }
})

test.runIf(process.platform === 'linux')('a folder in use is left alone', () => {
  loseSegment('flushed')
  const lock = lockFolder(data())
  expect(() => run({ yes: 'true' })).toThrow('is in use by a running Ringbook')
  lock.close()
  expect(run()).toContain('Nothing was changed')
})
