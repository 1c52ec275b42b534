/**
 * A thread of limits.test.ts: one gateway's view of the shared limits. All threads go through the
 * same minutes together, and each answers what it was granted in each.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { Prng } from '../../src/base/prng.ts'
import { AccountId, Ms } from '../../src/base/units.ts'
import { type LimitSettings, RateLimits } from '../../src/gateway/limits/rate-limits.ts'
import { ThreadCounters } from '../../src/shared/counters.ts'

export interface LimitsTask {
  readonly role: 'chargers' | 'strangers' | 'offenders' | 'traders'
  readonly memory: SharedArrayBuffer
  readonly counters: SharedArrayBuffer
  /** Word 0: how many threads have arrived at the end of a minute, ever. */
  readonly barrier: SharedArrayBuffer
  readonly index: number
  readonly threads: number
  readonly accountsMax: number
  readonly settings: LimitSettings
  readonly startMs: number
  readonly minutes: number
  /** Requests or orders that each thread makes in a minute. */
  readonly steps: number
  /** Clients or accounts that all threads share. */
  readonly parties: number
}

/** By minute, then by party. */
export type Granted = number[][]

const task = workerData as LimitsTask
const { memory, counters, settings, accountsMax, index, parties } = task
const limits = new RateLimits(
  memory,
  accountsMax,
  settings,
  ThreadCounters.ofGateway(counters, index),
)
const prng = new Prng(index + 1)
const roles = { chargers, strangers, offenders, traders }
const granted: Granted = []
for (let minute = 0; minute < task.minutes; minute++) {
  granted.push(roles[task.role](Ms(task.startMs + minute * 60_000)))
  awaitOthers((minute + 1) * task.threads)
}
parentPort!.postMessage(granted)

function awaitOthers(arrivals: number): void {
  const cells = new Int32Array(task.barrier)
  Atomics.add(cells, 0, 1)
  Atomics.notify(cells, 0)
  for (;;) {
    const arrived = Atomics.load(cells, 0)
    if (arrived >= arrivals) return
    Atomics.wait(cells, 0, arrived)
  }
}

function addressOf(party: number, nowMs: Ms): number {
  const bytes = Uint8Array.of(10, party >> 16, (party >> 8) & 255, party & 255)
  return limits.addressOf(bytes.buffer, nowMs)
}

function noneGranted(): number[] {
  return new Array<number>(parties).fill(0)
}

/** Charges and gives back; answers the weight that stayed charged. */
function chargers(nowMs: Ms): number[] {
  const weights = noneGranted()
  for (let step = 0; step < task.steps; step++) {
    const party = prng.below(parties)
    const address = addressOf(party, nowMs)
    const weight = prng.between(1, 3)
    if (limits.chargeRequest(address, weight, nowMs, 'CONNECTIONS') !== undefined) continue
    if (limits.weightUsed < weight || limits.weightUsed > settings.weightLimit) {
      throw new Error(`a weight of ${limits.weightUsed} was shown`)
    }
    const kept = prng.chance(0.5) ? weight : 0
    limits.settleWeight(address, weight, kept, nowMs)
    weights[party] = weights[party]! + kept
  }
  return weights
}

/** More clients than the table holds, each doing little; returns how often one was refused. */
function strangers(nowMs: Ms): number[] {
  let refused = 0
  for (let step = 0; step < task.steps; step++) {
    const address = addressOf(prng.below(parties), nowMs)
    if (limits.chargeRequest(address, 1, nowMs) !== undefined) refused++
  }
  return [refused]
}

/** Clients that do not stop; returns the end of each one's ban by its answers. */
function offenders(nowMs: Ms): number[] {
  const ends = noneGranted()
  for (let step = 0; step < task.steps; step++) {
    const party = prng.below(parties)
    const address = addressOf(party, nowMs)
    const refusal = limits.chargeRequest(address, settings.weightLimit + 1, nowMs)
    if (refusal?.fault.id !== 'ADDRESS_BANNED') continue
    if (ends[party] !== 0 && ends[party] !== refusal.untilMs) throw new Error('a ban changed')
    ends[party] = refusal.untilMs
  }
  return ends
}

/** Orders, some of them trading at once; returns how many of each account stay counted. */
function traders(nowMs: Ms): number[] {
  const orders = noneGranted()
  for (let step = 0; step < task.steps; step++) {
    const account = prng.below(parties)
    const count = prng.between(1, 3)
    if (limits.chargeOrders({ id: AccountId(account) }, count, nowMs) !== undefined) continue
    const fills = prng.between(0, count)
    for (let fill = 0; fill < fills; fill++) limits.creditFill(AccountId(account), false, nowMs)
    orders[account] = orders[account]! + count - fills
  }
  return orders
}
