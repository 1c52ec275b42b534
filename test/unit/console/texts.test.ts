/** Texts of the operator's screen. */
import { expect, test } from 'vitest'
import type { Figures } from '../../../src/console/operator/figures.ts'
import { stateText } from '../../../src/console/operator/texts.ts'

const disk: Figures['disk'] = {
  ...{ isRefusing: false, level: 0, hasJournalAlarm: false, freeBytes: 9, totalBytes: 10 },
  ...{ reserveBytes: 1, journalBytes: 1, bytesAnHour: -1, journalBytesAnHour: -1 },
}
const leader = 'http://one:8080'

test('the wait for a quorum', () => {
  const role = { role: 'leader', leader, lagPositions: 0, epoch: 1, lagMs: 0 } as const
  const quorum = { blocks: 7, bytes: 900, losses: 1, lostMs: 3_400, waitMs: 3_400 }
  expect(stateText({ isReady: true, role, disk, quorum })).toBe('Waits for the quorum, 00:00:03')
  const back = { ...quorum, waitMs: 0 }
  expect(stateText({ isReady: true, role, disk, quorum: back })).toBe('Accepts orders')
})

test.each([
  ['Accepts orders', true, { role: 'leader', leader, lagPositions: 0 }],
  ['Accepts no orders', false, { role: 'leader', leader, lagPositions: 0 }],
  ['Follows http://one:8080, 12 behind', true, { role: 'follower', leader, lagPositions: 12 }],
  ['Follows another member, 0 behind', true, { role: 'follower', leader: '', lagPositions: 0 }],
  ['Takes over', true, { role: 'takingOver', leader, lagPositions: 3 }],
  ['Does not know whether it leads', true, { role: 'cutOff', leader: '', lagPositions: 0 }],
  ['Hands over', true, { role: 'handingOver', leader, lagPositions: 0 }],
] as const)('%s', (text, isReady, role) => {
  expect(stateText({ isReady, disk, role: { ...role, epoch: 1, lagMs: 0 } })).toBe(text)
})

test('only the reserve of the disk is left', () => {
  const role = { role: 'leader', leader, lagPositions: 0, epoch: 1, lagMs: 0 } as const
  const full = { ...disk, isRefusing: true }
  expect(stateText({ isReady: true, role, disk: full })).toBe('No new orders: disk reserve')
  expect(stateText({ isReady: false, role, disk: full })).toBe('Accepts no orders')
})
