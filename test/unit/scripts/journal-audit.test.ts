/** The audit finds what is wrong with a journal, and where; and nothing where nothing is. */

import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { DataFolder } from '../../../scripts/audit/data-folder.ts'
import { auditJournals } from '../../../scripts/audit/journal-audit.ts'
import { makeSnapshot } from '../../../src/agents/snapshots.ts'
import { plus } from '../../../src/base/int64.ts'
import { AccountId, AssetId, Atoms, Lots, Ms } from '../../../src/base/units.ts'
import { EffectSums } from '../../../src/core/ledger/effect-sums.ts'
import { BlockWriter } from '../../../src/journal/block.ts'
import { openJournal } from '../../../src/journal/journal.ts'
import { snapshotFile } from '../../../src/journal/snapshot.ts'
import { EventHeader, OrderAccepted, Trade } from '../../../src/layout/accessors.gen.ts'
import { RecordBuffer, recordLength, recordType } from '../../../src/layout/record-buffer.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'
import { appendBlocks, dataFolder, recordsOf, tradedBlocks } from '../../replay/audit-folder.ts'
import { RecoveredExchange, snapshotOptions } from '../../replay/recovered-exchange.ts'
import { ACCOUNTS } from '../../sim/world.ts'

const BATCHES = 120

const folder = folderPerTest()
let blocks: Uint8Array[] = []
beforeEach(() => {
  blocks = tradedBlocks(folder(), 5, BATCHES)
})

const audit = (change: Partial<DataFolder> = {}) =>
  auditJournals({
    data: { ...dataFolder(folder()), ...change },
    accountsMax: ACCOUNTS,
    ordersMax: 80,
    advanced: () => {},
  })

/** All blocks sealed again, with the records of the chosen one as `change` makes them. */
function forged(index: number, change: (records: RecordBuffer, end: number) => void) {
  const writer = new BlockWriter({ matcher: 0, epoch: 1, previous: 0 })
  return blocks.map((block, i) => {
    const { records, start, end, timeMs } = recordsOf(block)
    const events = RecordBuffer.allocate(end - start)
    events.bytes.set(records.bytes.subarray(start, end))
    if (i === index) change(events, end - start)
    return writer.seal(events, end - start, i + 1, timeMs).slice()
  })
}

/** Changes the first record of the type in any block. */
function forgedRecord(type: number, change: (records: RecordBuffer, at: number) => void) {
  const index = blocks.findIndex((block) => {
    const { records, start, end } = recordsOf(block)
    return firstOf(records, start, end, type) >= 0
  })
  return forged(index, (records, end) => change(records, firstOf(records, 0, end, type)))
}

function firstOf(records: RecordBuffer, start: number, end: number, type: number): number {
  for (let at = start; at < end; at += recordLength(records, at)) {
    if (recordType(records, at) === type) return at
  }
  return -1
}

test('a whole journal comes to what recovery comes to', () => {
  appendBlocks(folder(), blocks)
  const report = audit()
  expect(report.findings).toEqual([])
  expect(report.journals).toMatchObject([{ matcher: 0, blocks: blocks.length, damage: undefined }])
  expect(report.events).toBe(report.journals[0]!.records)
  expect(report.hash).toBe(new RecoveredExchange(folder(), false).hash)
})

test('what is only in the write-ahead log is read from there, and stays there', () => {
  const journal = openJournal(folder(), 0, 'flushed')
  for (const block of blocks) journal.append(block)
  const left = folder('left')
  fs.mkdirSync(left)
  fs.cpSync(folder('journal-0'), path.join(left, 'journal-0'), { recursive: true })
  journal.close()
  for (let i = 0; i < 2; i++) {
    const report = audit({ folder: left })
    expect(report.findings).toEqual([])
    expect(report.journals).toMatchObject([{ blocks: blocks.length, checkpointed: 0 }])
  }
})

test('a journal that is gone is missed', () => {
  appendBlocks(folder(), blocks)
  expect(audit({ journals: 2 }).findings).toEqual(['journal-1 is no longer there.'])
})

describe('the first damaged block is named', () => {
  const flip = (bytes: Uint8Array, at: number) => {
    const damaged = Uint8Array.from(bytes)
    damaged[at]! ^= 1
    return damaged
  }
  const damages: [string, number, () => Uint8Array[]][] = [
    ['a bit', 41, () => blocks.with(40, flip(blocks[40]!, 99))],
    ['two blocks', 8, () => blocks.with(40, flip(blocks[40]!, 9)).with(7, flip(blocks[7]!, 200))],
    ['a block cut short', 12, () => blocks.with(11, blocks[11]!.slice(0, -8))],
    ['an empty block', 12, () => blocks.with(11, new Uint8Array(0))],
    ['a block left out', 30, () => blocks.toSpliced(29, 1)],
    ['a block twice', 31, () => blocks.toSpliced(30, 0, blocks[29]!)],
    ['two in the wrong order', 20, () => blocks.with(19, blocks[20]!).with(20, blocks[19]!)],
  ]
  test.each(damages)('%s', (_, position, damage) => {
    appendBlocks(folder(), damage())
    const { findings, journals } = audit()
    expect(findings).toEqual([expect.stringMatching(`^Block ${position} of journal-0 `)])
    expect(journals[0]!.blocks).toBe(position - 1)
  })

  test('any bit of a block', () => {
    const block = blocks[1]!
    for (let at = 0; at < block.length; at += 13) {
      const data = folder(`bit-${at}`)
      fs.mkdirSync(data)
      appendBlocks(data, [blocks[0]!, flip(block, at)])
      expect(audit({ folder: data }).findings, `byte ${at}`).toHaveLength(1)
    }
  })

  test('a block of a start that never was', () => {
    appendBlocks(folder(), blocks)
    expect(audit({ epoch: 0 }).findings).toEqual([
      'Block 1 of journal-0 is of a start that never was.',
    ])
  })
})

describe('what is sealed well but cannot be', () => {
  test('an event of another sequence', () => {
    const set = (records: RecordBuffer, at: number) => {
      EventHeader.setSequence(records, at, EventHeader.sequence(records, at) + 1)
    }
    appendBlocks(folder(), forgedRecord(Trade.type, set))
    expect(audit().findings[0]).toMatch(/^Record \d+ of block \d+ of journal-0 cannot be: .*gap/)
  })

  test('a hold that no account could pay', () => {
    const set = (records: RecordBuffer, at: number) => {
      // More than any account owns of any asset.
      OrderAccepted.setHeldAtoms(records, at, Atoms(2 ** 61))
      OrderAccepted.setAccount(records, at, AccountId(7))
    }
    appendBlocks(folder(), forgedRecord(OrderAccepted.type, set))
    expect(audit().findings.join()).toMatch(/below zero|cannot be/)
  })

  test('a trade of more than there was', () => {
    const set = (records: RecordBuffer, at: number) => {
      Trade.setTradeLots(records, at, Lots(3 * Trade.tradeLots(records, at)))
    }
    appendBlocks(folder(), forgedRecord(Trade.type, set))
    expect(audit().findings).not.toEqual([])
  })

  test('deposits that are others', () => {
    appendBlocks(folder(), blocks)
    const { deposits } = dataFolder(folder())
    expect(audit({ deposits: deposits.slice(0, 4) }).findings.join()).toContain('below zero')
  })
})

describe('snapshots', () => {
  test('those that agree are named', () => {
    for (let i = 0; i < 3; i++) {
      appendBlocks(folder(), blocks.slice(i * 40, i * 40 + 40))
      makeSnapshot(snapshotOptions(folder()))
    }
    expect(audit()).toMatchObject({ findings: [], snapshots: [1, 2, 3] })
  })

  test('one of an earlier version, with later times of changes, agrees', () => {
    appendBlocks(folder(), blocks)
    const write = EffectSums.prototype.write
    const written = vi.spyOn(EffectSums.prototype, 'write')
    written.mockImplementationOnce(function (this: EffectSums, image) {
      for (const atoms of [1, -1]) {
        this.beginBlock(Ms(2 ** 42))
        this.addRecovered(AccountId(1), AssetId(0), Atoms(atoms), Atoms(0))
        this.endBlock()
      }
      write.call(this, image)
    })
    makeSnapshot(snapshotOptions(folder()))
    written.mockRestore()
    expect(audit()).toMatchObject({ findings: [], snapshots: [1] })
  })

  test('one that lacks a change is said', () => {
    appendBlocks(folder(), blocks)
    const ended = vi.spyOn(EffectSums.prototype, 'endBlock').mockImplementation(() => {})
    makeSnapshot(snapshotOptions(folder()))
    ended.mockRestore()
    expect(audit().findings).toEqual(['Snapshot 1 has other balances than the journals come to.'])
  })

  test('a damaged one is said', () => {
    appendBlocks(folder(), blocks)
    makeSnapshot(snapshotOptions(folder()))
    const file = snapshotFile(folder(), 1)
    fs.truncateSync(file, fs.statSync(file).size - 1)
    expect(audit().findings).toEqual([expect.stringContaining('cut short')])
  })

  test('one of another journal differs', () => {
    appendBlocks(
      folder(),
      forgedRecord(Trade.type, (records, at) => {
        Trade.setTakerCommissionAtoms(
          records,
          at,
          plus(Trade.takerCommissionAtoms(records, at), Atoms(1)),
        )
      }),
    )
    makeSnapshot(snapshotOptions(folder()))
    fs.rmSync(folder('journal-0'), { recursive: true })
    appendBlocks(folder(), blocks)
    const { findings, snapshots } = audit()
    expect(snapshots).toEqual([])
    expect(findings.join()).toContain('other balances')
    expect(findings.join()).toContain('another block')
  })
})
