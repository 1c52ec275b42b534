/** A leader's lease counts from the sending of a beat, however late the quorum's answer comes. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PostgresServers } from '../../scripts/postgres/postgres-servers.ts'
import { RealTime } from '../../src/base/real-time.ts'
import { SILENCE_MS } from '../../src/replica/join.ts'
import { Cause, LeadWatch } from '../../src/replica/lead-watch.ts'
import { PostgresQuorum } from '../../src/replica/postgres-quorum.ts'
import { ROLE_BYTES, RoleCells } from '../../src/shared/role.ts'

/** Shorter than the silence after which a follower may lead. */
const ROUND_TRIP_MS = 2_000

/** Timers are the machine's; the test moves the clock. */
class MovedTime extends RealTime {
  ms = 1_000

  override elapsedNs(): number {
    return this.ms * 1e6
  }
}

let servers: PostgresServers
beforeAll(async () => {
  servers = await PostgresServers.start(1)
})
afterAll(() => servers.remove())

test('a leader whose beat is answered late leads no more when a follower may', async () => {
  const time = new MovedTime()
  const options = { url: servers.url('postgres'), answerMs: 10_000, time }
  const cells = new RoleCells(new SharedArrayBuffer(ROLE_BYTES), time)
  const confirmed = (sinceMs: number) => cells.confirm(sinceMs + SILENCE_MS)
  const leader = new PostgresQuorum({ ...options, confirmed })
  const follower = new PostgresQuorum(options)
  const watch = new LeadWatch({ member: 'b', afterMs: SILENCE_MS, passedMs: time.ms })
  await leader.open()
  await follower.open()
  await leader.prepare()
  await leader.takeLead(undefined, { epoch: 1, member: 'a', address: '' })

  const beat = leader.beat(1)
  const sentMs = time.ms
  time.ms += ROUND_TRIP_MS
  await beat
  watch.saw(await follower.lead(), sentMs)
  time.ms = sentMs + SILENCE_MS - 1
  expect([cells.isLeading, watch.cause(time.ms)]).toEqual([true, undefined])
  time.ms++
  expect([cells.isLeading, watch.cause(time.ms)]).toEqual([false, Cause.SILENCE])
  await leader.close()
  await follower.close()
})
