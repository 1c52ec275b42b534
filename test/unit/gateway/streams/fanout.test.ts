import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { streams } from '../../../../src/api/streams.ts'
import {
  BEHIND_SENDS,
  Fanout,
  GROUP_SOCKETS,
  type ReaderGroup,
  SLICE_SENDS,
  WAITING_CHARS_MAX,
} from '../../../../src/gateway/streams/fanout.ts'
import { type Framing, framingOf } from '../../../../src/gateway/streams/framing.ts'
import { Topic } from '../../../../src/gateway/streams/topics.ts'
import { countersBytes, readCounters, ThreadCounters } from '../../../../src/shared/counters.ts'

/** What uWebSockets.js sends a socket by one system call. */
const CALL_FRAMES = 32
const CALL_BYTES = 16 * 1024

const timed = streams.find(({ name }) => name === '<symbol>@trade')!
const untimed = streams.find(({ name }) => name === '<symbol>@bookTicker')!

const framings = [
  framingOf(false, false),
  framingOf(true, false),
  framingOf(false, true),
  framingOf(true, true),
] as const

/** A socket with topics of uWebSockets.js, and an obviously right twin: it reads what is published now. */
class Reader {
  private readonly venue: Venue
  readonly group: ReaderGroup
  private readonly subscribed = new Set<string>()
  readonly reads = new Map<Topic, Framing>()
  readonly received: string[] = []
  readonly expected: string[] = []
  /** Received in this tick. */
  frames: number[] = []
  isOpen = true

  constructor(venue: Venue) {
    this.venue = venue
    this.group = venue.fanout.join()
  }

  subscribe(topic: Topic, framing: Framing): void {
    if (this.reads.has(topic)) return
    this.reads.set(topic, framing)
    topic.enter(framing, this.group)
    const own = topic.in(framing, this.group)
    this.inTurn(() => this.subscribed.add(own))
    this.answer(`subscribed to ${topic.name}`)
  }

  unsubscribe(topic: Topic): void {
    const framing = this.reads.get(topic)
    if (framing === undefined) return
    this.reads.delete(topic)
    const own = topic.in(framing, this.group)
    this.inTurn(() => this.subscribed.delete(own))
    topic.leave(framing, this.group)
    this.answer(`left ${topic.name}`)
  }

  answer(text: string): void {
    this.expected.push(text)
    this.inTurn(() => this.received.push(text), text.length)
  }

  close(): void {
    this.isOpen = false
    for (const [topic, framing] of this.reads) topic.leave(framing, this.group)
    this.reads.clear()
    this.venue.fanout.leave(this.group)
  }

  /** What uWebSockets.js does. */
  published(topic: string, frame: string): void {
    if (!this.isOpen || !this.subscribed.has(topic)) return
    this.received.push(frame)
    this.frames.push(frame.length)
  }

  /** System calls of this tick, as far as frames are shorter than a call. */
  takeCalls(): number {
    const bytes = this.frames.reduce((sum, length) => sum + length, 0)
    const calls = Math.max(
      Math.ceil(this.frames.length / CALL_FRAMES),
      Math.ceil(bytes / CALL_BYTES),
    )
    this.frames = []
    return calls
  }

  private inTurn(change: () => void, chars = 0): void {
    this.venue.fanout.inTurn(this.group, () => this.isOpen && change(), chars)
  }
}

class Venue {
  readonly readers: Reader[] = []
  readonly topics = ['a', 'b', 'c'].map(
    (name, index) => new Topic(name, index === 2 ? untimed : timed, undefined),
  )
  readonly fanout: Fanout
  private readonly cells = new SharedArrayBuffer(countersBytes(1, 1))
  /** By their bytes. */
  private readonly texts = new WeakMap<Uint8Array, string>()
  woken = 0
  published = 0

  constructor() {
    this.fanout = new Fanout({
      counters: ThreadCounters.ofGateway(this.cells, 0),
      publish: (topic, frame) => {
        const text = this.texts.get(frame)!
        for (const reader of this.readers) reader.published(topic, text)
      },
      waits: () => this.woken++,
    })
  }

  get unpaced(): number {
    return readCounters(this.cells, 1, 1).find(({ name }) => name === 'framesUnpaced')!.value
  }

  join(count: number, ...topics: readonly Topic[]): void {
    for (let n = 0; n < count; n++) {
      const reader = new Reader(this)
      this.readers.push(reader)
      for (const topic of topics) reader.subscribe(topic, framings[0])
    }
  }

  publish(topic: Topic, chars = 130): void {
    const number = this.published++
    for (const [framing, audiences] of topic.audiences) {
      const frame = `${topic.name}${framing.label}:${number} `.padEnd(chars, 'x')
      const payload = Buffer.from(frame)
      this.texts.set(payload, frame)
      this.fanout.publish(audiences.values(), payload)
      for (const { reads, expected } of this.readers) {
        const own = reads.get(topic)
        const isSame = own !== undefined && topic.in(own, group0) === topic.in(framing, group0)
        if (isSame) expected.push(frame)
      }
    }
  }

  /** Returns the most system calls of a tick. */
  drain(): number {
    let most = 0
    while (this.fanout.isWaiting) most = Math.max(most, this.tick())
    return most
  }

  tick(): number {
    this.fanout.tick()
    return this.readers.reduce((sum, reader) => sum + reader.takeCalls(), 0)
  }
}

const group0 = { number: 0 } as ReaderGroup
let venue: Venue
let trade: Topic

beforeEach(() => {
  venue = new Venue()
  trade = venue.topics[0]!
})

const agree = () => {
  for (const { isOpen, received, expected } of venue.readers) {
    expect(received).toEqual(isOpen ? expected : expected.slice(0, received.length))
  }
}

test('sockets fill one group after the other, and the places of those that left', () => {
  venue.join(2 * GROUP_SOCKETS)
  const inFirst = venue.readers[5]!
  expect(new Set(venue.readers.map(({ group }) => group.number))).toEqual(new Set([0, 1]))
  inFirst.close()
  venue.join(2)
  expect(venue.readers.slice(-2).map(({ group }) => group.number)).toEqual([0, 2])
})

test('a few frames leave in the tick that published them', () => {
  venue.join(3, trade)
  venue.publish(trade)
  venue.publish(trade)
  expect(venue.woken).toBe(1)
  venue.fanout.tick()
  expect([venue.fanout.isWaiting, venue.fanout.waitingChars]).toEqual([false, 0])
  agree()
})

test('a tick makes as many system calls as a slice has, and each sends 32 frames', () => {
  const sockets = 10 * GROUP_SOCKETS
  const frames = 320
  venue.join(sockets, trade)
  for (let n = 0; n < frames; n++) venue.publish(trade)
  let ticks = 0
  let calls = 0
  for (; venue.fanout.isWaiting; ticks++) {
    const ofTick = venue.tick()
    expect(ofTick).toBeLessThanOrEqual(SLICE_SENDS)
    calls += ofTick
  }
  expect(calls).toBe((sockets * frames) / CALL_FRAMES)
  expect(ticks).toBeLessThan((1.5 * calls) / SLICE_SENDS)
  agree()
  expect([venue.woken, venue.unpaced, venue.fanout.waitingChars]).toEqual([1, 0, 0])
})

test('while many frames wait, each group is served in its turn', () => {
  venue.join(4 * GROUP_SOCKETS, trade)
  for (let n = 0; n < 200; n++) venue.publish(trade)
  while (venue.fanout.isWaiting) {
    venue.tick()
    const counts = venue.readers.map(({ received }) => received.length)
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(CALL_FRAMES)
  }
})

test.each([
  ['of 1 KiB', 1_024, 16],
  ['of 15 KiB', 15 * 1024, 1],
])('frames %s are sent as a call has room for', (_, chars, perCall) => {
  venue.join(GROUP_SOCKETS, trade)
  for (let n = 0; n < 60; n++) venue.publish(trade, chars)
  const before = venue.readers[0]!.received.length
  venue.fanout.tick()
  const calls = Math.floor(SLICE_SENDS / GROUP_SOCKETS)
  const sent = venue.readers[0]!.received.length - before
  expect([calls * perCall, calls * (perCall - 1)]).toContain(sent)
})

test('a frame longer than several calls leaves alone', () => {
  venue.join(GROUP_SOCKETS, trade)
  for (let n = 0; n < 3; n++) venue.publish(trade, 100_000)
  for (let ticks = 1; ticks <= 3; ticks++) {
    venue.fanout.tick()
    expect(venue.readers[0]!.received.length).toBe(1 + ticks)
  }
  agree()
})

test('how far it is behind follows what waits', () => {
  venue.join(8 * GROUP_SOCKETS, trade)
  const perFrame = (8 * GROUP_SOCKETS) / CALL_FRAMES
  for (let n = 0; n < (2.5 * BEHIND_SENDS) / perFrame; n++) venue.publish(trade)
  expect(venue.fanout.timesBehind).toBe(2)
  while (venue.fanout.timesBehind > 0) venue.tick()
  expect(venue.fanout.isWaiting).toBe(true)
  venue.drain()
  expect([venue.fanout.timesBehind, venue.unpaced]).toEqual([0, 0])
})

test('what finds no room in memory is sent at once, behind what waits', () => {
  venue.join(2 * GROUP_SOCKETS, trade)
  const chars = WAITING_CHARS_MAX / 4
  for (let n = 0; n < 3; n++) venue.publish(trade, chars)
  expect(venue.unpaced).toBe(0)
  for (let n = 0; n < 3; n++) venue.publish(trade, chars)
  expect(venue.unpaced).toBeGreaterThan(0)
  expect(venue.fanout.waitingChars).toBeLessThanOrEqual(WAITING_CHARS_MAX)
  venue.drain()
  agree()
  expect(venue.fanout.waitingChars).toBe(0)
})

test('changes without end find no room in memory either', () => {
  venue.join(1, trade)
  venue.publish(trade)
  const [reader] = venue.readers as [Reader]
  for (let n = 0; n < 20; n++) reader.answer('x'.repeat(1024 * 1024))
  expect(venue.fanout.waitingChars).toBeLessThanOrEqual(WAITING_CHARS_MAX)
  venue.drain()
  agree()
})

test('what waits for sockets that are gone takes no memory', () => {
  venue.join(2 * GROUP_SOCKETS, trade)
  for (let n = 0; n < 100; n++) venue.publish(trade)
  venue.tick()
  for (const reader of venue.readers) reader.close()
  expect([venue.fanout.isWaiting, venue.fanout.waitingChars]).toEqual([false, 0])
  expect(venue.fanout.timesBehind).toBe(0)
})

test('readers in both units of time share frames without times', () => {
  venue.join(1)
  const untimedTopic = venue.topics[2]!
  const [reader] = venue.readers as [Reader]
  reader.subscribe(untimedTopic, framings[2])
  reader.answer('x')
  venue.join(1, untimedTopic)
  expect([...untimedTopic.audiences.values()].map(({ size }) => size)).toEqual([1])
  venue.publish(untimedTopic)
  venue.drain()
  agree()
})

describe('of a culled stream', () => {
  const sent: string[] = []
  let fanout: Fanout
  let group: ReaderGroup
  const publish = (topic: string, text: string, readers = 1) =>
    fanout.publish([{ group, topic, readers }], Buffer.from(text), { isCulled: true })
  const send = () => {
    while (fanout.isWaiting) fanout.tick()
    return sent.splice(0)
  }
  const cells = new SharedArrayBuffer(countersBytes(1, 1))
  const culled = () => readCounters(cells, 1, 1).find(({ name }) => name === 'framesCulled')!.value

  beforeEach(() => {
    fanout = new Fanout({
      counters: ThreadCounters.ofGateway(cells, 0),
      publish: (topic, frame) => sent.push(`${topic}${frame}`),
      waits: () => {},
    })
    group = fanout.join()
  })

  test('the newest frame alone waits, in the place of the oldest', () => {
    const before = culled()
    publish('a', '1')
    publish('b', '1')
    for (let n = 2; n <= 50; n++) publish('a', `${n}`)
    expect(fanout.waitingChars).toBeLessThan(200)
    expect(send()).toEqual(['a50', 'b1'])
    expect(culled() - before).toBe(49)
    expect([fanout.waitingChars, fanout.timesBehind]).toEqual([0, 0])
    publish('a', '51')
    expect(send()).toEqual(['a51'])
  })

  test('no frame passes a change that came before it', () => {
    publish('a', '1')
    fanout.inTurn(group, () => sent.push('change'))
    publish('a', '2')
    publish('a', '3')
    expect(send()).toEqual(['a1', 'change', 'a3'])
  })

  test('a group that left has none', () => {
    publish('a', '1')
    fanout.leave(group)
    expect([fanout.isWaiting, fanout.waitingChars]).toEqual([false, 0])
    group = fanout.join()
    publish('a', '2', 3)
    publish('a', '3', 2)
    expect(send()).toEqual(['a3'])
    expect(fanout.waitingChars).toBe(0)
  })

  test('frames of other streams all wait', () => {
    for (const text of ['1', '2'])
      fanout.publish([{ group, topic: 'a', readers: 1 }], Buffer.from(text))
    expect(send()).toEqual(['a1', 'a2'])
  })
})

describe('each reader gets the frames of its topics, in order', () => {
  const reader = fc.nat(300)
  const topic = fc.nat(2)
  const framing = fc.nat(3)
  const act = fc.oneof(
    { weight: 6, arbitrary: fc.record({ publish: topic, chars: fc.nat(3_000) }) },
    { weight: 2, arbitrary: fc.record({ subscribe: topic, reader, framing }) },
    { weight: 2, arbitrary: fc.record({ unsubscribe: topic, reader }) },
    { weight: 1, arbitrary: fc.record({ close: reader }) },
    { weight: 1, arbitrary: fc.record({ join: topic, count: fc.integer({ min: 1, max: 40 }) }) },
    { weight: 2, arbitrary: fc.constant({ tick: 1 }) },
  )

  test('whatever they read and leave meanwhile', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 150 }), (acts) => {
        venue = new Venue()
        const { topics } = venue
        venue.join(GROUP_SOCKETS + 20, topics[0]!)
        for (const each of acts) {
          const open = venue.readers.filter(({ isOpen }) => isOpen)
          const chosen = (index: number) => open[index % open.length]
          if ('publish' in each) venue.publish(topics[each.publish]!, each.chars)
          else if ('subscribe' in each)
            chosen(each.reader)?.subscribe(topics[each.subscribe]!, framings[each.framing]!)
          else if ('unsubscribe' in each)
            chosen(each.reader)?.unsubscribe(topics[each.unsubscribe]!)
          else if ('close' in each) chosen(each.close)?.close()
          else if ('join' in each) venue.join(each.count, topics[each.join]!)
          else venue.tick()
        }
        venue.drain()
        agree()
        expect([venue.fanout.waitingChars, venue.fanout.timesBehind]).toEqual([0, 0])
      }),
      { numRuns: 60 },
    )
  })
})
