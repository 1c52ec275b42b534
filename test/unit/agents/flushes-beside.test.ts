/** A matcher whose journal flushes beside it, held to one whose journal flushes before append returns. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Side } from '../../../src/base/codes.ts'
import { AccountId } from '../../../src/base/units.ts'
import { OneMatcher } from './one-matcher.ts'

const ACCOUNT = AccountId(1)

function scene(durability: 'flushed' | 'committed') {
  const it = new OneMatcher(durability)
  it.journal.flushBeside()
  return it
}

/** Everything that clients see. */
const seen = (it: OneMatcher) => ({
  events: it.read(),
  replies: [0, 1].map((gateway) => it.readReplies(gateway)),
  published: it.published[0],
  free: [0, 1].map((asset) => it.free(ACCOUNT, asset)),
})

test('nothing of a batch is seen before its flush is over, and no batch begins meanwhile', () => {
  const it = scene('flushed')
  const before = seen(it)
  it.place(0)
  it.matcher.doWork()
  it.place(1)
  it.query(0)
  expect([it.matcher.doWork(), it.matcher.hasWork()]).toEqual([0, false])
  expect(seen(it)).toEqual(before)
  it.journal.endFlush()
  expect(it.matcher.hasWork()).toBe(true)
  it.matcher.doWork()
  expect(it.read().map(({ name }) => name)).toEqual(['OrderAccepted', 'OrderRested'])
  expect(it.published[0]).toBe(1n)
  // What came meanwhile is one batch.
  expect([it.matcher.doWork(), it.journal.lastPosition]).toEqual([2, 2])
})

test('committed blocks are flushed once there is nothing else to do, and earnings are spendable then', () => {
  const it = scene('committed')
  it.place(0)
  it.matcher.doWork()
  expect([it.read().length, it.journal.flushedPosition]).toEqual([2, 0])
  it.matcher.doWork()
  expect([it.matcher.doWork(), it.matcher.hasWork(), it.journal.flushedPosition]).toEqual([
    ...[0, false, 0],
  ])
  it.journal.endFlush()
  it.matcher.doWork()
  expect([it.matcher.doWork(), it.journal.flushedPosition]).toEqual([0, 1])
})

test('an operator who comes during a flush waits for it', () => {
  const it = scene('flushed')
  it.place(0)
  it.matcher.doWork()
  expect(it.matcher.cancelOrders(ACCOUNT, 'operator')).toBe(true)
  const names = it.read().map(({ name }) => name)
  expect(names).toEqual(['OrderAccepted', 'OrderRested', 'OrderClosed'])
  expect([it.published[0], it.journal.flushedPosition]).toEqual([2n, 2])
})

test.each(['flush', 'close'] as const)('%s ends a flush that is under way', (end) => {
  const it = scene('flushed')
  it.place(0)
  it.matcher.doWork()
  it.matcher[end]()
  expect([it.published[0], it.journal.flushedPosition]).toEqual([1n, 1])
})

test('a refused flush reaches the driver', () => {
  const it = scene('flushed')
  it.place(0)
  it.matcher.doWork()
  it.journal.isFlushing = () => {
    throw new Error('The disk is full.')
  }
  expect(() => it.matcher.hasWork()).toThrow('The disk is full.')
  expect(() => it.matcher.doWork()).toThrow('The disk is full.')
  expect(it.read()).toEqual([])
})

test('clients see the same in the same order, whenever flushes end', () => {
  const step = fc.constantFrom('buy', 'sell', 'query', 'work', 'work', 'end', 'cancel' as const)
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.boolean(), (steps, isFlushed) => {
      const durability = isFlushed ? 'flushed' : 'committed'
      const beside = scene(durability)
      const plain = new OneMatcher(durability)
      const both = [beside, plain]
      for (const action of steps) {
        if (action === 'end') beside.journal.endFlush()
        else if (action === 'work') beside.matcher.doWork()
        else if (action === 'cancel') {
          // The plain one has done all that the other has begun.
          finish(beside)
          finish(plain)
          for (const { matcher } of both) while (matcher.cancelOrders(ACCOUNT, 'operator'));
        } else {
          for (const it of both) {
            // From one gateway: which of several comes first, batches decide.
            if (action === 'query') it.query(0)
            else it.place(0, action === 'buy' ? Side.BUY : Side.SELL, action === 'buy' ? 1 : 2)
          }
        }
      }
      for (const it of both) finish(it)
      const [first, second] = both.map((it) => ({ ...seen(it), published: undefined }))
      expect(named(first!)).toEqual(named(second!))
      expect(beside.journal.flushedPosition).toBe(beside.journal.lastPosition)
    }),
    { numRuns: 200 },
  )
})

/** Records without positions, which batches decide. */
const named = ({ events, replies, free }: Omit<ReturnType<typeof seen>, 'published'>) => ({
  events,
  replies: replies.map((each) => each.map(({ record }) => record)),
  free,
})

function finish(it: OneMatcher): void {
  for (let idle = 0; idle < 2; ) {
    it.journal.endFlush()
    idle = it.matcher.doWork() === 0 ? idle + 1 : 0
  }
}
