import { expect, test } from 'vitest'
import type { InquiryTurn } from '../../../../src/api/context.ts'
import type { ErrorId } from '../../../../src/api/errors.ts'
import {
  INQUIRIES_MAX,
  INQUIRIES_WAITING_MAX,
  Inquiries,
} from '../../../../src/gateway/engine-link/inquiries.ts'
import { countersBytes, readCounters, ThreadCounters } from '../../../../src/shared/counters.ts'

const ROWS_MAX = 100

function inquiries() {
  const memory = new SharedArrayBuffer(countersBytes(1, 1))
  const line = new Inquiries(ThreadCounters.ofGateway(memory, 0), ROWS_MAX)
  const turns: InquiryTurn[] = []
  const failures: ErrorId[] = []
  const add = () =>
    line.add({ begin: (turn) => turns.push(turn), failed: (id) => failures.push(id) })
  const refused = () =>
    readCounters(memory, 1, 1).find(({ name }) => name === 'inquiriesFull')!.value
  return { line, turns, failures, add, refused }
}

test('so many are under way, so many wait in turn, and a further one is answered busy', () => {
  const { line, turns, failures, add, refused } = inquiries()
  for (let i = 0; i < INQUIRIES_MAX + INQUIRIES_WAITING_MAX; i++) add()
  expect([turns.length, line.count, failures]).toEqual([
    INQUIRIES_MAX,
    INQUIRIES_MAX + INQUIRIES_WAITING_MAX,
    [],
  ])
  add()
  expect([failures, refused()]).toEqual([['SERVER_BUSY'], 1])
  turns[0]!.end()
  expect(turns).toHaveLength(INQUIRIES_MAX + 1)
  for (let ended = 1; ended < turns.length; ended++) turns[ended]!.end()
  expect([line.count, turns.length]).toEqual([0, INQUIRIES_MAX + INQUIRIES_WAITING_MAX])
})

test('those under way hold so many rows together, until they end', () => {
  const { turns, add, refused } = inquiries()
  add()
  add()
  expect([turns[0]!.hold(60), turns[0]!.hold(40), turns[0]!.hold(1)]).toEqual([true, true, false])
  expect(refused()).toBe(1)
  turns[0]!.end()
  expect([turns[1]!.hold(100), turns[1]!.hold(1)]).toEqual([true, false])
})

test('a thousand that end while they begin do so one after another', () => {
  const { line, turns, add } = inquiries()
  for (let i = 0; i < INQUIRIES_MAX; i++) add()
  let begun = 0
  const begin = (turn: InquiryTurn) => {
    begun++
    turn.end()
  }
  for (let i = 0; i < 1000; i++) line.add({ begin, failed: () => {} })
  expect(begun).toBe(0)
  turns[0]!.end()
  expect([begun, line.count]).toEqual([1000, INQUIRIES_MAX - 1])
})

test('when the exchange can answer none any more, those that wait fail', () => {
  const { line, turns, failures, add } = inquiries()
  for (let i = 0; i < INQUIRIES_MAX + 3; i++) add()
  line.failWaiting('TIMEOUT')
  expect([turns.length, failures]).toEqual([INQUIRIES_MAX, ['TIMEOUT', 'TIMEOUT', 'TIMEOUT']])
})
