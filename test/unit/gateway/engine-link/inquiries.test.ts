import { expect, test } from 'vitest'
import type { InquiryPermit } from '../../../../src/api/context.ts'
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
  const permits: InquiryPermit[] = []
  const failures: ErrorId[] = []
  const add = (isReading = () => true) =>
    line.add({
      begin: (permit) => permits.push(permit),
      failed: (id) => failures.push(id),
      isReading,
    })
  const refused = () =>
    readCounters(memory, 1, 1).find(({ name }) => name === 'inquiriesFull')!.value
  return { line, permits, failures, add, refused }
}

test('so many are under way, so many wait in turn, and a further one is answered busy', () => {
  const { line, permits, failures, add, refused } = inquiries()
  for (let i = 0; i < INQUIRIES_MAX + INQUIRIES_WAITING_MAX; i++) add()
  expect([permits.length, line.count, failures]).toEqual([
    INQUIRIES_MAX,
    INQUIRIES_MAX + INQUIRIES_WAITING_MAX,
    [],
  ])
  add()
  expect([failures, refused()]).toEqual([['SERVER_BUSY'], 1])
  permits[0]!.end()
  expect(permits).toHaveLength(INQUIRIES_MAX + 1)
  for (let ended = 1; ended < permits.length; ended++) permits[ended]!.end()
  expect([line.count, permits.length]).toEqual([0, INQUIRIES_MAX + INQUIRIES_WAITING_MAX])
})

test('those under way hold so many rows together, until they end', () => {
  const { permits, add, refused } = inquiries()
  add()
  add()
  expect([permits[0]!.hold(60), permits[0]!.hold(40), permits[0]!.hold(1)]).toEqual([
    true,
    true,
    false,
  ])
  expect(refused()).toBe(1)
  permits[0]!.end()
  expect([permits[1]!.hold(100), permits[1]!.hold(1)]).toEqual([true, false])
})

test('a thousand that end while they begin do so one after another', () => {
  const { line, permits, add } = inquiries()
  for (let i = 0; i < INQUIRIES_MAX; i++) add()
  let begun = 0
  const begin = (permit: InquiryPermit) => {
    begun++
    permit.end()
  }
  for (let i = 0; i < 1000; i++) line.add({ begin, failed: () => {}, isReading: () => true })
  expect(begun).toBe(0)
  permits[0]!.end()
  expect([begun, line.count]).toEqual([1000, INQUIRIES_MAX - 1])
})

test('when the exchange can answer none any more, those that wait fail', () => {
  const { line, permits, failures, add } = inquiries()
  for (let i = 0; i < INQUIRIES_MAX + 3; i++) add()
  line.failWaiting('TIMEOUT')
  expect([permits.length, failures]).toEqual([INQUIRIES_MAX, ['TIMEOUT', 'TIMEOUT', 'TIMEOUT']])
})

test('an inquiry waits until its client has read, and others pass it', () => {
  const { line, permits, add } = inquiries()
  let isReading = false
  add(() => isReading)
  expect([permits.length, line.count]).toEqual([0, 1])
  add()
  expect(permits).toHaveLength(1)
  permits[0]!.end()
  line.clientRead()
  expect([permits.length, line.count]).toEqual([1, 1])
  isReading = true
  line.clientRead()
  expect(permits).toHaveLength(2)
})

test('when the exchange stops no inquiry waits for its client', () => {
  const { line, permits, add } = inquiries()
  add(() => false)
  line.stop()
  expect(permits).toHaveLength(1)
  add(() => false)
  permits[0]!.end()
  permits[1]!.end()
  expect([permits.length, line.count]).toEqual([2, 0])
})
