import { expect, test } from 'vitest'
import { FLAG_LAST, writeQueryEnd } from '../../../../scripts/layout/codecs.gen.ts'
import type { Collector } from '../../../../src/api/context.ts'
import { OrderId, SymbolId } from '../../../../src/base/units.ts'
import {
  ANSWER_TIMEOUT_MS,
  PENDING_MAX,
  Pending,
} from '../../../../src/gateway/engine-link/pending.ts'
import { RecordHeader } from '../../../../src/layout/accessors.gen.ts'
import { RecordBuffer } from '../../../../src/layout/record-buffer.ts'

const buffer = RecordBuffer.allocate(64)

/** Makes the reply under this correlation id. */
function write(correlation: number, flags = FLAG_LAST): void {
  writeQueryEnd(
    buffer,
    0,
    {
      symbolId: SymbolId(0),
      gateway: 0,
      correlation,
      isWhole: 1,
      spare: 0,
      untilOrderId: OrderId(0),
    },
    flags,
  )
}

function deliver(pending: Pending, correlation: number, flags = FLAG_LAST): void {
  write(correlation, flags)
  expect(RecordHeader.correlation(buffer, 0)).toBe(correlation)
  pending.deliver(buffer, 0)
}

function collector(log: string[], name = ''): Collector {
  return {
    record: () => log.push(`${name}record`),
    done: () => log.push(`${name}done`),
    failed: (id) => log.push(`${name}${id}`),
  }
}

test('an answer ends with its last record', () => {
  const pending = new Pending()
  const log: string[] = []
  const correlation = pending.open(collector(log), 0, 0)
  deliver(pending, correlation, 0)
  expect(pending.count).toBe(1)
  deliver(pending, correlation)
  deliver(pending, correlation)
  expect(log).toEqual(['record', 'record', 'done'])
  expect(pending.count).toBe(0)
})

test('a place is used again under another id, and late answers find no request', () => {
  const pending = new Pending()
  const log: string[] = []
  const first = pending.open(collector(log, '1 '), 0, 0)
  pending.expire(ANSWER_TIMEOUT_MS)
  const second = pending.open(collector(log, '2 '), 0, 0)
  expect(second).not.toBe(first)
  deliver(pending, first)
  deliver(pending, second)
  expect(log).toEqual(['1 TIMEOUT', '2 record', '2 done'])
})

/** Opens a request and answers it under its id. Returns the id. */
function ask(pending: Pending): number {
  const correlation = pending.open(collector([]), 0, 0)
  write(correlation)
  pending.deliver(buffer, 0)
  return correlation
}

test('a late answer finds no request of another client among the next 2^18', () => {
  const pending = new Pending()
  const log: string[] = []
  const late = pending.open(collector(log, 'first '), 0, 0)
  pending.expire(ANSWER_TIMEOUT_MS)
  let returned = 0
  for (let i = 0; i < 2 ** 18; i++) if (ask(pending) === late) returned++
  expect([returned, pending.count]).toEqual([0, 0])
})

test('where one place is free, ids come back after 2^18 requests, and stay within a word', () => {
  const pending = new Pending()
  for (let i = 1; i < PENDING_MAX; i++) pending.open(collector([]), 0, 0)
  const ids = new Set<number>()
  const wide: number[] = []
  for (let i = 0; i < 2 ** 18 + 10; i++) {
    const correlation = ask(pending)
    ids.add(correlation)
    if ((correlation | 0) !== correlation) wide.push(correlation)
  }
  expect([ids.size, wide, pending.count]).toEqual([2 ** 18, [], PENDING_MAX - 1])
  const log: string[] = []
  deliver(pending, pending.open(collector(log), 0, 0))
  expect(log).toEqual(['record', 'done'])
})

test('only those of the matcher are failed, only those past their time expire', () => {
  const pending = new Pending()
  const log: string[] = []
  pending.open(collector(log, 'a '), 0, 0)
  pending.open(collector(log, 'b '), 1, 0)
  pending.open(collector(log, 'c '), 1, 5)
  pending.failMatcher(0, 'SHUTTING_DOWN')
  pending.expire(ANSWER_TIMEOUT_MS)
  expect(log).toEqual(['a SHUTTING_DOWN', 'b TIMEOUT'])
  expect(pending.count).toBe(1)
  pending.failAll('TIMEOUT')
  expect(log.slice(2)).toEqual(['c TIMEOUT'])
  expect(pending.count).toBe(0)
})

test('there is a bound, and places come back', () => {
  const pending = new Pending()
  const log: string[] = []
  const ids = new Set<number>()
  for (let i = 0; i < PENDING_MAX; i++) ids.add(pending.open(collector(log), 0, 0))
  expect(ids.size).toBe(PENDING_MAX)
  expect(pending.isFull).toBe(true)
  for (const id of ids) deliver(pending, id)
  expect(pending.count).toBe(0)
  expect(log).toHaveLength(2 * PENDING_MAX)
})

test('who is answered may ask again at once', () => {
  const pending = new Pending()
  const log: string[] = []
  let again = -1
  const asking: Collector = {
    ...collector(log, 'first '),
    done: () => {
      again = pending.open(collector(log, 'second '), 0, 0)
    },
  }
  deliver(pending, pending.open(asking, 0, 0))
  deliver(pending, again)
  expect(log).toEqual(['first record', 'second record', 'second done'])
})
