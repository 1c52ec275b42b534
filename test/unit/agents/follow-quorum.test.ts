/** A follower reports that it is level only as long as it sees a leader that is alive. */
import { expect, test } from 'vitest'
import { LiveFollower } from '../../../src/agents/follow-quorum.ts'
import { replicaMemory } from '../../../src/agents/replica-link.ts'
import { ManualClock } from '../../../src/base/manual-time.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import { Ms } from '../../../src/base/units.ts'
import { LeadWatch } from '../../../src/replica/lead-watch.ts'
import type { Lead, QuorumReader } from '../../../src/replica/quorum.ts'
import { ROLE_BYTES, Role, RoleCells } from '../../../src/shared/role.ts'
import { PlainQuorum } from '../../model/plain-quorum.ts'

/** Each look for blocks takes this long, by a clock that only looks move. */
const LOOK_MS = 100
const BEATEN_UNTIL_MS = 5_000
const SILENT_UNTIL_MS = 20_000
const END_MS = 25_000

test('without beats a member that lacks nothing is behind by the time since the last one', async () => {
  const clock = new ManualClock(Ms(0))
  // Pauses between looks pass by the machine's time.
  const time = Object.assign(new RealTime(), {
    nowMs: () => clock.nowMs(),
    elapsedNs: () => clock.elapsedNs(),
  })
  const role = new SharedArrayBuffer(ROLE_BYTES)
  const cells = new RoleCells(role, time)
  cells.become(Role.FOLLOWER)
  const lags = new Map<number, number>()
  const rowAt = (ms: number): Lead => {
    const isSilent = ms >= BEATEN_UNTIL_MS && ms < SILENT_UNTIL_MS
    const beat = isSilent ? BEATEN_UNTIL_MS : ms
    return { epoch: 1, member: 'one', beat, address: 'http://one', successor: '' }
  }
  const plain = new PlainQuorum().connectReader()
  const reader: QuorumReader = Object.assign(Object.create(plain) as QuorumReader, {
    lead: async () => rowAt(clock.passedMs),
    follow: async () => {
      lags.set(clock.passedMs, cells.read().lagMs)
      clock.advance(LOOK_MS)
      return { blocks: [], watermark: 0 }
    },
  })
  const watch = new LeadWatch({ member: 'me', afterMs: undefined, passedMs: 0 })
  const isStopping = () => clock.passedMs >= END_MS
  const options = { time, dataFolder: '', reader, watch, isStopping, report: () => {} }
  const caught = { cursor: 0, ends: new Map(), loaded: 0 }
  const delivery = { memory: replicaMemory(1), bells: new SharedArrayBuffer(1024), role }
  await new LiveFollower(options, caught, delivery).run()
  const between = (from: number, to: number) =>
    [...lags].filter(([ms]) => ms >= from && ms < to).map(([, lag]) => lag)
  expect(Math.max(...between(1_000, BEATEN_UNTIL_MS))).toBe(0)
  // A few beats may be late.
  const last = between(SILENT_UNTIL_MS - 2 * LOOK_MS, SILENT_UNTIL_MS)
  const silentMs = SILENT_UNTIL_MS - BEATEN_UNTIL_MS
  expect(Math.min(...last)).toBeGreaterThan(silentMs - 2_500)
  expect(Math.max(...last)).toBeLessThanOrEqual(silentMs)
  expect(Math.max(...between(SILENT_UNTIL_MS + 1_000, END_MS))).toBe(0)
})
