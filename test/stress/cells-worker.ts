/** A thread of cells.test.ts: matchers that draw ids and count, and readers that look on. */
import { parentPort, workerData } from 'node:worker_threads'
import { int64ToBigint } from '../../src/base/int64.ts'
import { Prng } from '../../src/base/prng.ts'
import { AccountId, AssetId, Atoms, OrderListId } from '../../src/base/units.ts'
import { BALANCE_WORDS, Balances } from '../../src/core/ledger/balances.ts'
import { Open, OpenCounts } from '../../src/core/matching/open-counts.ts'
import { OrderListIds } from '../../src/core/matching/order-list-ids.ts'

export interface CellsTask {
  readonly role: 'draw' | 'count' | 'watchCounts' | 'lock' | 'watchLocked' | 'hang'
  readonly memory: SharedArrayBuffer
  /** Word 0: how many threads are ready; word 1: how many writers are done. */
  readonly gate: SharedArrayBuffer
  readonly threads: number
  readonly writers: number
  readonly index: number
  readonly steps: number
}

/** What a balance is worth to `lock`: a low word that carries in every few steps. */
export const LOCK_ATOMS = 2 ** 31 + 12_345
const ACCOUNTS = 4

const task = workerData as CellsTask
const gate = new Int32Array(task.gate)
const roles = { draw, count, watchCounts, lock, watchLocked, hang }
meet()
const answer = roles[task.role]()
Atomics.add(gate, 1, 1)
parentPort!.postMessage(answer)

/** All begin together. */
function meet(): void {
  Atomics.add(gate, 0, 1)
  Atomics.notify(gate, 0)
  for (;;) {
    const ready = Atomics.load(gate, 0)
    if (ready >= task.threads) return
    Atomics.wait(gate, 0, ready)
  }
}

function isOver(): boolean {
  return Atomics.load(gate, 1) >= task.writers
}

/** Draws ids, and now and then recovers one that lies ahead; returns those drawn. */
function draw(): Float64Array {
  const ids = new OrderListIds(task.memory)
  const prng = new Prng(task.index)
  const drawn = new Float64Array(task.steps)
  for (let step = 0; step < task.steps; step++) {
    drawn[step] = ids.next()
    if (step > 0 && drawn[step]! <= drawn[step - 1]!) throw new Error('an id fell')
    if (prng.chance(0.001)) {
      const ahead = ids.last + prng.below(3)
      ids.recovered(OrderListId(ahead))
      if (ids.last < ahead) throw new Error('a recovered id was forgotten')
    }
  }
  return drawn
}

/** The matcher of one symbol: its orders rest and leave, those of other symbols beside it. */
function count(): number {
  const counts = new OpenCounts(task.memory)
  const prng = new Prng(task.index)
  let open = 0
  for (let step = 0; step < task.steps; step++) {
    const change = open > 0 && prng.chance(0.5) ? -1 : 1
    counts.add(AccountId(1 + task.index), Open.ORDERS, change)
    open += change
    if (counts.of(AccountId(1 + task.index), Open.ORDERS) !== open)
      throw new Error('a count was lost')
  }
  return open
}

/** Another matcher, which counts over all symbols: no count it sees was never there. */
function watchCounts(): number {
  const counts = new OpenCounts(task.memory)
  let seen = 0
  const last = [0, 0, 0, 0]
  while (!isOver()) {
    for (let account = 1; account <= task.writers; account++) {
      const open = counts.of(AccountId(account), Open.ORDERS)
      if (open < 0 || open > task.steps) throw new Error(`a count of ${open}`)
      if (open !== last[account]) seen++
      last[account] = open
      if (counts.of(AccountId(account), Open.LISTS) !== 0)
        throw new Error('a count of another kind')
    }
  }
  return seen
}

/** Moves only what is locked of a balance, up and down across 2^32. */
function lock(): number {
  const balances = new Balances(task.memory, ACCOUNTS, 1)
  for (let step = 0; step < task.steps; step++) {
    balances.settle(
      AccountId(0),
      AssetId(0),
      Atoms(0),
      Atoms(step % 2 === 0 ? LOCK_ATOMS : -LOCK_ATOMS),
      Atoms(0),
    )
  }
  return task.steps
}

/** Free stays; locked is what some of the writers have locked, and its version counts each change. */
function watchLocked(): number {
  const balances = new Balances(task.memory, ACCOUNTS, 1)
  const words = new Int32Array(BALANCE_WORDS)
  let seen = 0
  let version = 0
  let locked = -1n
  while (!isOver()) {
    balances.read(AccountId(0), AssetId(0), words)
    const now = int64ToBigint(words, 3)
    if (now % BigInt(LOCK_ATOMS) !== 0n || now / BigInt(LOCK_ATOMS) > BigInt(task.writers)) {
      throw new Error(`torn: ${now} atoms locked`)
    }
    if (int64ToBigint(words, 1) !== 7n) throw new Error('free changed')
    if (locked >= 0n && words[0] === version && now !== locked) {
      throw new Error(`${now} atoms locked after ${locked}, both of version ${version}`)
    }
    if (locked >= 0n && ((words[0]! - version) | 0) < 0) {
      throw new Error(`version ${words[0]} after ${version}`)
    }
    if (words[0] !== version) seen++
    version = words[0]!
    locked = now
  }
  return seen
}

/** Waits for what never comes. */
function hang(): number {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  return 0
}
