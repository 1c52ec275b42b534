/** Real threads on what matchers share beside the ledger, and on balances whose locked part alone moves. */
import { expect, test } from 'vitest'
import { int64ToBigint } from '../../src/base/int64.ts'
import { AccountId, AssetId, Atoms, OrderListId } from '../../src/base/units.ts'
import { BALANCE_WORDS, Balances } from '../../src/core/ledger/balances.ts'
import { Open, OpenCounts } from '../../src/core/matching/open-counts.ts'
import { OrderListIds } from '../../src/core/matching/order-list-ids.ts'
import type { CellsTask } from './cells-worker.ts'
import { runThreads } from './threads.ts'

const WRITERS = 3
const ACCOUNTS = 4

function start<Answer>(
  memory: SharedArrayBuffer,
  steps: number,
  writer: CellsTask['role'],
  readers: readonly CellsTask['role'][],
  patienceMs?: number,
): Promise<Answer[]> {
  const gate = new SharedArrayBuffer(8)
  const roles = [...Array.from({ length: WRITERS }, () => writer), ...readers]
  const tasks = roles.map((role, index) => {
    const shared = { memory, gate, threads: roles.length, writers: WRITERS, steps }
    const workerData: CellsTask = { ...shared, role, index }
    return { name: `${role} ${index}`, workerData }
  })
  return runThreads('cells-worker.js', tasks, patienceMs)
}

test('no two lists get one id, from any thread, while others recover ids', async () => {
  const memory = new SharedArrayBuffer(OrderListIds.bytes)
  // Ids pass 2^32 on the way.
  new OrderListIds(memory).recovered(OrderListId(2 ** 32 - 100_000))
  const drawn = await start<Float64Array>(memory, 150_000, 'draw', [])
  const all = new Set(drawn.flatMap((ids) => [...ids]))
  expect(all.size).toBe(WRITERS * 150_000)
  expect(Math.max(...drawn.map((ids) => ids.at(-1)!))).toBeLessThanOrEqual(
    new OrderListIds(memory).last,
  )
})

test('open counts of neighbours lose nothing, and readers see only counts that were', async () => {
  const memory = new SharedArrayBuffer(OpenCounts.bytesFor(ACCOUNTS))
  const answers = await start<number>(memory, 2_000_000, 'count', ['watchCounts'])
  const counts = new OpenCounts(memory)
  const open = [1, 2, 3].map((account) => counts.of(AccountId(account), Open.ORDERS))
  expect(open).toEqual(answers.slice(0, WRITERS))
  expect(answers[WRITERS]).toBeGreaterThan(1)
})

test('a balance whose locked part alone moves has a version for each change, past 2^32', async () => {
  const memory = new SharedArrayBuffer(Balances.bytesFor(ACCOUNTS, 1))
  const balances = new Balances(memory, ACCOUNTS, 1)
  balances.credit(AccountId(0), AssetId(0), Atoms(7))
  // Versions wrap on the way: a word of them is at the cell's begin.
  const steps = 400_000
  const first = -(WRITERS * steps)
  new Int32Array(memory)[0] = first
  const answers = await start<number>(memory, steps, 'lock', ['watchLocked', 'watchLocked'])
  const words = new Int32Array(BALANCE_WORDS)
  balances.read(AccountId(0), AssetId(0), words)
  expect(words[0]).toBe((first + 2 * WRITERS * steps) | 0)
  expect(int64ToBigint(words, 3)).toBe(0n)
  expect(Math.min(...answers.slice(WRITERS))).toBeGreaterThan(1)
})

test('threads that never end are named', async () => {
  const memory = new SharedArrayBuffer(8)
  const hanging = start(memory, 1, 'draw', ['hang'], 3000)
  await expect(hanging).rejects.toThrow(/^after 3 s .*hang 3 still waits; /)
})
