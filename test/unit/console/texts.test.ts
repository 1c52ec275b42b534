/** Texts of the operator's screen. */
import { expect, test } from 'vitest'
import { stateText } from '../../../src/console/operator/texts.ts'

const leader = 'http://one:8080'

test('the wait for a quorum', () => {
  const role = { role: 'leader', leader, lagPositions: 0, epoch: 1, lagMs: 0 } as const
  const quorum = { blocks: 7, bytes: 900, losses: 1, lostMs: 3_400, waitMs: 3_400 }
  expect(stateText({ isReady: true, role, quorum })).toBe('Waits for the quorum, 00:00:03')
  const back = { ...quorum, waitMs: 0 }
  expect(stateText({ isReady: true, role, quorum: back })).toBe('Accepts orders')
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
  expect(stateText({ isReady, role: { ...role, epoch: 1, lagMs: 0 } })).toBe(text)
})
