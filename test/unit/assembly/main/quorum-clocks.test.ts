/** The clock of a machine beside those of the quorum's servers. */
import { expect, test } from 'vitest'
import { QuorumClocks } from '../../../../src/assembly/main/quorum-clocks.ts'
import { ManualClock, ManualTime } from '../../../../src/base/manual-time.ts'
import { Ms } from '../../../../src/base/units.ts'

/** By server: how far its clock is ahead of the true time; undefined when it does not answer. */
function clocksOf(servers: readonly (number | undefined)[], machineMs = 0) {
  const time = new ManualTime(new ManualClock(Ms(1_000_000)))
  let reads = 0
  const clocks = new QuorumClocks({
    time,
    urls: servers.map(String),
    read: async (url) => {
      reads++
      if (url === 'undefined') throw new Error('no answer')
      return 1_000_000 + Number(url)
    },
    machineMs: () => 1_000_000 + machineMs,
    agreesMs: 60_000,
  })
  return { clocks, time, reads: () => reads }
}

test.each([
  { servers: [0, 0, 0], machineMs: 60_000, agrees: true, aheadMs: 60_000 },
  { servers: [0, 0, 0], machineMs: 60_001, agrees: false, aheadMs: 60_001 },
  { servers: [0, 9e9, 9e9], machineMs: 9e9, agrees: true, aheadMs: 0 },
  { servers: [0, 0, 9e9], machineMs: 9e9, agrees: false, aheadMs: 9e9 },
  { servers: [9e9, undefined, undefined], machineMs: 9e9, agrees: false, aheadMs: 0 },
  { servers: [9e9, 9e9, undefined], machineMs: 9e9, agrees: true, aheadMs: 0 },
  { servers: [undefined, undefined], machineMs: 0, agrees: false, aheadMs: undefined },
  { servers: [0, 9e9], machineMs: 9e9, agrees: false, aheadMs: 9e9 },
])('most servers agree: %o', async ({ servers, machineMs, agrees, aheadMs }) => {
  const { clocks } = clocksOf(servers, machineMs)
  expect(await clocks.agrees()).toBe(agrees)
  expect(clocks.aheadMs).toBe(aheadMs)
  clocks.stop()
})

test('they are compared each minute, until it stops', async () => {
  const { clocks, time, reads } = clocksOf([0])
  time.advance(60_000)
  expect(reads()).toBe(2)
  clocks.stop()
  time.advance(600_000)
  expect(reads()).toBe(2)
})
