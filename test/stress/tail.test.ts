/** Writer, carrier and readers of one journal on real threads: nothing is lost, torn or repeated. */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openJournal } from '#journal/journal.ts'
import { readJournals, recoverTails } from '#journal/recovery.ts'
import { TAIL_CELLS_BYTES } from '#journal/tail-cells.ts'
import type { TailFinding, TailTask } from './tail-worker.ts'

const compiled = new URL('../../dist/test/stress/tail-worker.js', import.meta.url)
const BLOCKS = 6_000

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-tail-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function onThread(task: TailTask): Promise<TailFinding> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(compiled, { workerData: task, execArgv: [] })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

test('a tail is written, carried and read at once', async () => {
  openJournal(folder, 0, 'committed').close()
  const cells = new SharedArrayBuffer(TAIL_CELLS_BYTES)
  const full = new SharedArrayBuffer(4)
  const start = (role: TailTask['role'], seed: number) =>
    onThread({ role, seed, folder, cells, full, count: BLOCKS })
  const [written, carried, ...readers] = await Promise.all([
    start('write', 1),
    start('carry', 2),
    start('read', 3),
    start('read', 4),
  ])
  expect(written.times).toBeGreaterThan(0)
  expect(carried.times).toBeGreaterThan(10)
  for (const { times } of readers) expect(times).toBeGreaterThan(1)
  expect(recoverTails(folder)).toBe(0)
  let last = 0
  for (const block of readJournals(folder)) last = block.position
  expect(last).toBe(BLOCKS)
})
