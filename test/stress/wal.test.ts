/** Writer, checkpointer and readers of one journal on real threads: nothing is lost, torn or repeated. */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openJournal } from '../../src/journal/journal.ts'
import { readJournals, recoverWals } from '../../src/journal/recovery.ts'
import { WAL_CELLS_BYTES } from '../../src/journal/wal-cells.ts'
import { runThreads } from './threads.ts'
import type { WalFinding, WalTask } from './wal-worker.ts'

const BLOCKS = 6_000

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-wal-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a write-ahead log is written, checkpointed and read at once', async () => {
  openJournal(folder, 0, 'committed').close()
  const cells = new SharedArrayBuffer(WAL_CELLS_BYTES)
  const full = new SharedArrayBuffer(4)
  const roles = ['write', 'checkpoint', 'read', 'read'] as const
  const tasks = roles.map((role, index) => {
    const task: WalTask = { role, seed: index + 1, folder, cells, full, count: BLOCKS }
    return { name: `${role} ${index + 1}`, workerData: task }
  })
  const findings = await runThreads<WalFinding>('wal-worker.js', tasks)
  const [written, checkpointed, ...readers] = findings as [WalFinding, WalFinding, ...WalFinding[]]
  expect(written.times).toBeGreaterThan(0)
  expect(checkpointed.times).toBeGreaterThan(10)
  for (const { times } of readers) expect(times).toBeGreaterThan(1)
  expect(recoverWals(folder)).toBe(0)
  let last = 0
  for (const block of readJournals(folder)) last = block.position
  expect(last).toBe(BLOCKS)
})
