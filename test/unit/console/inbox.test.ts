import { expect, test } from 'vitest'
import { CHARS_MAX, Inbox, MESSAGES_MAX } from '../../../src/console/net/inbox.ts'

const take = (inbox: Inbox, count: number): string[] => {
  const taken: string[] = []
  inbox.drain(
    (text) => taken.push(text),
    () => taken.length === count,
  )
  return taken
}

test('messages are read in order, so many in a frame', () => {
  const inbox = new Inbox()
  for (const text of ['a', 'b', 'c', 'd']) expect(inbox.put(text)).toBe(true)
  expect(take(inbox, 3)).toEqual(['a', 'b', 'c'])
  inbox.put('e')
  expect(inbox.size).toBe(2)
  expect(take(inbox, 9)).toEqual(['d', 'e'])
  expect(take(inbox, 9)).toEqual([])
})

test('what waits is dropped when it is too much, and counted', () => {
  const inbox = new Inbox()
  for (let i = 0; i < MESSAGES_MAX; i++) expect(inbox.put('x')).toBe(true)
  expect(inbox.put('x')).toBe(false)
  expect([inbox.size, inbox.dropped]).toEqual([0, MESSAGES_MAX + 1])
  const half = 'y'.repeat(CHARS_MAX / 2)
  expect([inbox.put(half), inbox.put(half), inbox.put('y')]).toEqual([true, true, false])
  expect(inbox.put(half)).toBe(true)
})

test('a reader that never catches up keeps no read messages', () => {
  const inbox = new Inbox()
  for (let i = 0; i < 4 * MESSAGES_MAX; i++) {
    inbox.put(String(i))
    if (i > 10) expect(take(inbox, 1)).toEqual([String(i - 11)])
  }
  expect(inbox.dropped).toBe(0)
})
