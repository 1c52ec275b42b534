import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import {
  DELIVERY_BYTES,
  Fanout,
  TICK_BYTES,
  WAITING_CHARS_MAX,
} from '../../../../src/gateway/streams/fanout.ts'
import { countersBytes, readCounters, ThreadCounters } from '../../../../src/shared/counters.ts'

let sent: string[]
let woken: number
let unpaced: () => number
let fanout: Fanout

beforeEach(() => {
  const cells = new SharedArrayBuffer(countersBytes(1, 1))
  const isUnpaced = ({ name }: { name: string }) => name === 'framesUnpaced'
  unpaced = () => readCounters(cells, 1, 1).find(isUnpaced)!.value
  sent = []
  woken = 0
  fanout = new Fanout({
    counters: ThreadCounters.ofGateway(cells, 0),
    publish: (topic, frame) => sent.push(`${topic}:${frame.slice(0, 8)}`),
    waits: () => woken++,
  })
})

/** Readers to whom an empty frame takes a whole tick. */
const CROWD = TICK_BYTES / DELIVERY_BYTES

test('a tick sends frames at once until its bytes are used up', () => {
  fanout.publish('a', '1', CROWD)
  fanout.publish('a', '2', 1)
  fanout.publish('b', '3', 1)
  expect([sent, woken, fanout.isWaiting]).toEqual([['a:1'], 1, true])
  expect(fanout.tick()).toBe(2)
  expect([sent, woken, fanout.isWaiting]).toEqual([['a:1', 'a:2', 'b:3'], 1, false])
})

test('thousands of trades with hundreds of readers take many ticks', () => {
  const frames = 3_000
  for (let n = 0; n < frames; n++) fanout.publish('trade', String(n), 200)
  const ofFirst = sent.length
  expect(ofFirst).toBeLessThan(20)
  let ticks = 0
  for (; fanout.isWaiting; ticks++) fanout.tick()
  expect(ticks).toBeGreaterThan(frames / 20)
  expect(sent).toEqual(Array.from({ length: frames }, (_, n) => `trade:${n}`))
  expect([woken, unpaced(), fanout.waitingChars]).toEqual([1, 0, 0])
})

test('frames that find no room are sent at once, behind all that wait', () => {
  const frame = 'x'.repeat(WAITING_CHARS_MAX / 4)
  for (let n = 0; n < 5; n++) fanout.publish(String(n), frame, 1)
  expect([sent.length, unpaced()]).toEqual([1, 0])
  fanout.publish('5', frame, 1)
  expect(sent.map((text) => text[0]).join('')).toBe('012345')
  expect([unpaced(), fanout.waitingChars]).toEqual([5, 0])
})

test('frames leave in the order in which they were published', () => {
  const publish = fc.record({ readers: fc.integer({ min: 1, max: CROWD }), chars: fc.nat(5_000) })
  const tick = fc.constant('tick' as const)
  fc.assert(
    fc.property(fc.array(fc.oneof(publish, tick), { maxLength: 200 }), (acts) => {
      const left: number[] = []
      const counters = ThreadCounters.ofGateway(new SharedArrayBuffer(countersBytes(1, 1)), 0)
      const each = new Fanout({
        counters,
        publish: (topic) => left.push(Number(topic)),
        waits: () => {},
      })
      let published = 0
      for (const act of acts) {
        if (act === 'tick') each.tick()
        else each.publish(String(published++), 'x'.repeat(act.chars), act.readers)
      }
      while (each.isWaiting) each.tick()
      expect(left).toEqual(Array.from({ length: published }, (_, n) => n))
    }),
  )
})
