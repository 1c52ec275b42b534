import { expect, test } from 'vitest'
import type { BulkQueryPermit } from '../../../../src/api/context.ts'
import type { ErrorId } from '../../../../src/api/errors.ts'
import {
  ACCOUNT_ROWS_PER_SECOND,
  ACCOUNT_WAITING_MAX,
  BulkQueries,
  INQUIRIES_MAX,
  INQUIRIES_WAITING_MAX,
} from '../../../../src/gateway/engine-link/bulk-queries.ts'
import { countersBytes, readCounters, ThreadCounters } from '../../../../src/shared/counters.ts'

const ROWS_MAX = 100

function bulkQueries() {
  const memory = new SharedArrayBuffer(countersBytes(1, 1))
  const clock = { ms: 0 }
  const line = new BulkQueries(ThreadCounters.ofGateway(memory, 0), () => clock.ms, ROWS_MAX)
  const permits: BulkQueryPermit[] = []
  const failures: ErrorId[] = []
  let others = 0
  /** Adds a query, of another account unless one is given. */
  const add = (isReading = () => true, account = ++others) =>
    line.add({
      account,
      begin: (permit) => permits.push(permit),
      failed: (id) => failures.push(id),
      isReading,
    })
  const refused = () =>
    readCounters(memory, 1, 1).find(({ name }) => name === 'inquiriesFull')!.value
  return { line, permits, failures, add, refused, clock }
}

test('so many are under way, so many wait in turn, and a further one is answered busy', () => {
  const { line, permits, failures, add, refused } = bulkQueries()
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
  const { permits, add, refused } = bulkQueries()
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
  const { line, permits, add } = bulkQueries()
  for (let i = 0; i < INQUIRIES_MAX; i++) add()
  let begun = 0
  const begin = (permit: BulkQueryPermit) => {
    begun++
    permit.end()
  }
  for (let account = 0; account < 1000; account++) {
    line.add({ account, begin, failed: () => {}, isReading: () => true })
  }
  expect(begun).toBe(0)
  permits[0]!.end()
  expect([begun, line.count]).toEqual([1000, INQUIRIES_MAX - 1])
})

test('when the exchange can answer none any more, those that wait fail', () => {
  const { line, permits, failures, add } = bulkQueries()
  for (let i = 0; i < INQUIRIES_MAX + 3; i++) add()
  line.failWaiting('TIMEOUT')
  expect([permits.length, failures]).toEqual([INQUIRIES_MAX, ['TIMEOUT', 'TIMEOUT', 'TIMEOUT']])
})

test('an bulkQuery waits until its client has read, and others pass it', () => {
  const { line, permits, add } = bulkQueries()
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

test('when the exchange stops no bulkQuery waits for its client', () => {
  const { line, permits, add } = bulkQueries()
  add(() => false)
  line.stop()
  expect(permits).toHaveLength(1)
  add(() => false)
  permits[0]!.end()
  permits[1]!.end()
  expect([permits.length, line.count]).toEqual([2, 0])
})

test("an account's bulkQueries take so many rows a second, and those of others pass them", () => {
  const { line, permits, add, clock } = bulkQueries()
  const own = () => add(undefined, -1)
  const seconds = 5
  /** The account takes as many as it may. */
  const take = () => {
    let rows = 0
    for (own(); permits.length > 0; own()) {
      expect(permits[0]!.hold(ROWS_MAX)).toBe(true)
      permits.shift()!.end()
      rows += ROWS_MAX
    }
    return rows
  }
  let rows = take()
  // What it may take at once is a second's, and waits then.
  expect(rows).toBeGreaterThan(ACCOUNT_ROWS_PER_SECOND / 2)
  add()
  expect(permits).toHaveLength(1)
  permits.shift()!.end()
  for (let second = 0; second < seconds; second++) {
    clock.ms += 1_000
    line.tick()
    expect(permits).toHaveLength(1)
    permits.shift()!.end()
    rows += take()
  }
  expect(rows).toBeLessThan(ACCOUNT_ROWS_PER_SECOND * (seconds + 1) + ROWS_MAX)
})

test('an account has a share of the places in the queue', () => {
  const { permits, failures, add, refused } = bulkQueries()
  add()
  for (let i = 0; i < ACCOUNT_WAITING_MAX; i++) add(undefined, -1)
  expect(failures).toEqual([])
  add(undefined, -1)
  expect([failures, refused()]).toEqual([['SERVER_BUSY'], 1])
  add()
  expect([failures.length, permits.length]).toEqual([1, 1])
})
