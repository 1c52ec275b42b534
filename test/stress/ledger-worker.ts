/**
 * A thread of ledger.test.ts. A matcher pays random amounts between accounts and locks and unlocks
 * the money of account 0; a reader watches account 0, whose free and locked together never change.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { int64ToBigint } from '../../src/base/int64.ts'
import { Prng } from '../../src/base/prng.ts'
import { AccountId, AssetId, Atoms } from '../../src/base/units.ts'
import { BALANCE_WORDS, Balances } from '../../src/core/ledger/balances.ts'
import { Holds } from '../../src/core/ledger/holds.ts'

export interface StressStart {
  readonly role: 'matcher' | 'reader'
  readonly memory: SharedArrayBuffer
  /** Word 0: 1 when all matchers are done; word 1: how many readers watch. */
  readonly done: SharedArrayBuffer
  readonly readers: number
  readonly accounts: number
  readonly seed: number
  readonly steps: number
  readonly watchedAtoms: bigint
}

const start = workerData as StressStart
const balances = new Balances(start.memory, start.accounts, 1)
parentPort!.postMessage(start.role === 'matcher' ? work() : watch())

/** Returns how many payments were refused for lack of funds. */
function work(): number {
  awaitReaders()
  const prng = new Prng(start.seed)
  const holds = new Holds(balances, start.accounts, 1)
  let refused = 0
  /** What this thread has locked of account 0; together it may outgrow a number. */
  const locked: number[] = []
  for (let step = 0; step < start.steps; step++) {
    const atoms = prng.chance(0.1) ? prng.below(2 ** 32) * 2 ** 20 : prng.below(1000)
    const from = prng.between(1, start.accounts - 1)
    if (holds.hold(AccountId(from), AssetId(0), Atoms(atoms))) {
      holds.spend(AccountId(from), AssetId(0), Atoms(atoms))
      holds.credit(AccountId(prng.between(1, start.accounts - 1)), AssetId(0), Atoms(atoms))
    } else refused++
    if (prng.chance(0.5) && holds.hold(AccountId(0), AssetId(0), Atoms(atoms))) locked.push(atoms)
    else holds.release(AccountId(0), AssetId(0), Atoms(locked.pop() ?? 0))
    if (prng.chance(0.5)) holds.settle(true)
  }
  for (const atoms of locked) holds.release(AccountId(0), AssetId(0), Atoms(atoms))
  holds.settle(true)
  return refused
}

/** So that there is always something to be seen. */
function awaitReaders(): void {
  const cells = new Int32Array(start.done)
  for (;;) {
    const watching = Atomics.load(cells, 1)
    if (watching === start.readers) return
    Atomics.wait(cells, 1, watching)
  }
}

/** Returns how many different versions of account 0 it saw; throws when one was torn. */
function watch(): number {
  const done = new Int32Array(start.done)
  Atomics.add(done, 1, 1)
  Atomics.notify(done, 1)
  const words = new Int32Array(BALANCE_WORDS)
  let seen = 0
  let version = 0
  while (Atomics.load(done, 0) === 0) {
    balances.read(AccountId(0), AssetId(0), words)
    if (words[0]! & 1 || ((words[0]! - version) | 0) < 0) {
      throw new Error(`version ${words[0]} after ${version}: it fell or is odd`)
    }
    if (words[0] !== version) seen++
    version = words[0]!
    const sum = int64ToBigint(words, 1) + int64ToBigint(words, 3)
    if (sum !== start.watchedAtoms) throw new Error(`torn: ${sum} of ${start.watchedAtoms} atoms`)
  }
  return seen
}
