/** Writer, carrier and readers of one journal on real threads: nothing is lost, torn or repeated. */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openJournal } from '../../src/journal/journal.ts'
import { readJournals, recoverTails } from '../../src/journal/recovery.ts'
import { TAIL_CELLS_BYTES } from '../../src/journal/tail-cells.ts'
import type { TailFinding, TailTask } from './tail-worker.ts'
import { runThreads } from './threads.ts'

const BLOCKS = 6_000

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-tail-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a tail is written, carried and read at once', async () => {
  openJournal(folder, 0, 'committed').close()
  const cells = new SharedArrayBuffer(TAIL_CELLS_BYTES)
  const full = new SharedArrayBuffer(4)
  const roles = ['write', 'carry', 'read', 'read'] as const
  const tasks = roles.map((role, index) => {
    const task: TailTask = { role, seed: index + 1, folder, cells, full, count: BLOCKS }
    return { name: `${role} ${index + 1}`, workerData: task }
  })
  const findings = await runThreads<TailFinding>('tail-worker.js', tasks)
  const [written, carried, ...readers] = findings as [TailFinding, TailFinding, ...TailFinding[]]
  expect(written.times).toBeGreaterThan(0)
  expect(carried.times).toBeGreaterThan(10)
  for (const { times } of readers) expect(times).toBeGreaterThan(1)
  expect(recoverTails(folder)).toBe(0)
  let last = 0
  for (const block of readJournals(folder)) last = block.position
  expect(last).toBe(BLOCKS)
})
