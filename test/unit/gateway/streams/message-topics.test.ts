/** Topics of SBE beside those of JSON, from the same views: the same book, and no timer without a reader. */
import { beforeEach, describe, expect, test } from 'vitest'
import { Side, SymbolStatus } from '../../../../src/base/codes.ts'
import { ManualClock, ManualTime } from '../../../../src/base/manual-time.ts'
import { Prng } from '../../../../src/base/prng.ts'
import { Ms } from '../../../../src/base/units.ts'
import { DepthView } from '../../../../src/core/views/depth.ts'
import { Fanout, type ReaderGroup } from '../../../../src/gateway/streams/fanout.ts'
import { type Framing, framingOf, messageFraming } from '../../../../src/gateway/streams/framing.ts'
import { type Topic, Topics, type TopicsParts } from '../../../../src/gateway/streams/topics.ts'
import type { SymbolSpec } from '../../../../src/market/listing.ts'
import { countersBytes, ThreadCounters } from '../../../../src/shared/counters.ts'
import { tradedSymbols } from '../../../fixtures/one-thread-exchange.ts'
import { expectTwin, type Message, readMessage, type Values } from '../../../fixtures/sbe.ts'
import { DepthEvents, plainLevels } from '../../core/views/depth-events.ts'

const json = framingOf(false, true)
const spec = tradedSymbols()[0]!
const counters = ThreadCounters.ofGateway(new SharedArrayBuffer(countersBytes(1, 1)), 0)

class Scene {
  readonly time = new ManualTime(new ManualClock(Ms(0)))
  readonly view: DepthView
  readonly symbols: SymbolSpec[]
  readonly messages: Message[] = []
  readonly texts: Values[] = []
  readonly group: ReaderGroup
  readonly topics: Topics

  constructor(of = spec) {
    this.view = new DepthView(of)
    this.symbols = [of]
    const fanout = new Fanout({ counters, publish: () => {}, waits: () => {} })
    this.group = fanout.join()
    const parts = {
      ...{ symbols: this.symbols, depths: [this.view], clock: this.time, counters },
      publish: (_: unknown, frame: Uint8Array, { isBinary }: { isBinary?: boolean }) => {
        if (isBinary === true) this.messages.push(readMessage(frame))
        else this.texts.push(JSON.parse(String(frame)))
      },
    }
    this.topics = new Topics(parts as unknown as TopicsParts)
  }

  enter(name: string, framing: Framing = messageFraming): Topic {
    return this.topics.enter(name, framing, this.group)!
  }

  leave(topic: Topic, framing: Framing = messageFraming): void {
    this.topics.leave(topic, framing, this.group)
  }

  /** Has so many changes happen at once. */
  change(events: DepthEvents, count: number): void {
    events.rewind()
    for (let i = 0; i < count; i++) events.step()
    this.apply(events)
  }

  apply(events: DepthEvents): void {
    for (const at of events.offsets()) {
      this.view.apply(events.buffer, at)
      this.topics.record(events.buffer, at)
    }
  }

  load(events: DepthEvents): void {
    events.rewind()
    events.book()
    this.apply(events)
  }
}

type Levels = readonly { readonly price: bigint; readonly qty: bigint }[]

/** A local book, as its readers keep one. */
class LocalBook {
  readonly sides = [new Map<bigint, bigint>(), new Map<bigint, bigint>()] as const
  updateId: number

  constructor(updateId: number) {
    this.updateId = updateId
  }

  take(first: number, last: number, sides: readonly Levels[]): void {
    expect(first).toBe(this.updateId + 1)
    this.updateId = last
    for (const side of [Side.BUY, Side.SELL]) {
      for (const { price, qty } of sides[side]!) {
        if (qty === 0n) this.sides[side].delete(price)
        else this.sides[side].set(price, qty)
      }
    }
  }
}

const unitsOf = (text: string) => BigInt(text.replace('.', ''))
const levelsOf = (rows: unknown): Levels =>
  (rows as [string, string][]).map(([price, qty]) => ({ price: unitsOf(price), qty: unitsOf(qty) }))
const plainSide = (events: DepthEvents, side: Side) =>
  plainLevels(events.depth, side).map(([price, lots]) => ({
    price: BigInt(price * spec.tickUnits),
    qty: BigInt(lots * spec.lotUnits),
  }))
const sorted = (side: Iterable<readonly [bigint, bigint]>) =>
  [...side].sort(([a], [b]) => Number(a - b))

let scene: Scene
beforeEach(() => {
  scene = new Scene()
})

describe('random changes', () => {
  test.each([1, 2, 3, 4])('build the same book in SBE and in JSON, of seed %i', (seed) => {
    const prng = new Prng(seed)
    const events = new DepthEvents(prng, 60)
    for (let i = 0; i < 40; i++) events.step()
    scene.load(events)
    const begin = events.updateId
    const books = [new LocalBook(begin), new LocalBook(begin)] as const
    for (const { sides } of books) {
      for (const side of [Side.BUY, Side.SELL]) {
        for (const { price, qty } of plainSide(events, side)) sides[side].set(price, qty)
      }
    }
    scene.enter('btcusdt@depth')
    scene.enter('btcusdt@depth20')
    scene.enter('btcusdt@depth@100ms', json)
    for (let step = 0; step < 100; step++) {
      if (prng.chance(0.8)) scene.change(events, prng.below(30))
      scene.time.advance(20)
      scene.topics.tick()
      const diffs = scene.messages.filter(({ name }) => name === 'DepthDiffStreamEvent')
      expect(diffs).toHaveLength(scene.texts.length)
      diffs.forEach((message, i) => {
        const { values } = message
        const text = scene.texts[i]!
        expectTwin(message, { ...text, E: Number(values.eventTime) })
        const sides = [values.bids, values.asks] as unknown as readonly Levels[]
        books[0].take(Number(values.firstBookUpdateId), Number(values.lastBookUpdateId), sides)
        books[1].take(Number(text.U), Number(text.u), [levelsOf(text.b), levelsOf(text.a)])
      })
      for (const side of [Side.BUY, Side.SELL]) {
        const plain = plainSide(events, side)
        expect(sorted(books[0].sides[side])).toEqual(sorted(books[1].sides[side]))
        expect(sorted(books[0].sides[side])).toEqual(
          sorted(plain.map(({ price, qty }) => [price, qty] as const)),
        )
        for (const { name, values } of scene.messages) {
          if (name !== 'DepthSnapshotStreamEvent') continue
          expect(values[side === Side.BUY ? 'bids' : 'asks']).toEqual(plain.slice(0, 20))
          expect(Number(values.bookUpdateId)).toBe(events.updateId)
        }
      }
      expect(books[0].updateId).toBe(events.updateId)
      scene.messages.length = 0
      scene.texts.length = 0
    }
  })
})

describe('timers', () => {
  test('are there while a stream that needs them has readers', () => {
    const counts: number[] = []
    const note = () => counts.push(scene.time.timerCount)
    note()
    const others = ['btcusdt@trade', 'btcusdt@bestBidAsk'].map((name) => scene.enter(name))
    note()
    const [first, second] = [scene.enter('btcusdt@depth'), scene.enter('btcusdt@depth')]
    note()
    const top = scene.enter('btcusdt@depth20')
    note()
    scene.leave(first)
    note()
    scene.leave(second)
    note()
    scene.leave(top)
    for (const topic of others) scene.leave(topic)
    note()
    expect(counts).toEqual([0, 0, 0, 1, 1, 1, 0])
  })

  test('are there while something has changed, and keep their beat', () => {
    const events = new DepthEvents(new Prng(1), 10)
    scene.load(events)
    const topic = scene.enter('btcusdt@depth')
    const sentAt = () => scene.messages.splice(0).map(({ values }) => Number(values.eventTime))
    for (const ms of [27, 40, 1]) {
      scene.time.advance(ms)
      expect(scene.time.timerCount).toBe(0)
      scene.change(events, 1)
      scene.change(events, 1)
      expect(scene.time.timerCount).toBe(1)
      scene.time.advance(Math.ceil((scene.time.nowMs() + 1) / 20) * 20 - scene.time.nowMs())
    }
    expect(sentAt()).toEqual([40_000, 100_000, 120_000])
    scene.change(events, 1)
    scene.leave(topic)
    expect(scene.time.timerCount).toBe(0)
  })

  test('have 20 and 50 ms', () => {
    const events = new DepthEvents(new Prng(1), 10)
    scene.load(events)
    scene.enter('btcusdt@depth20')
    scene.enter('btcusdt@depth')
    const times: Record<string, number[]> = {}
    for (let ms = 1; ms <= 200; ms++) {
      scene.change(events, 1)
      scene.time.advance(1)
      for (const { name, values } of scene.messages.splice(0)) {
        times[name] = [...(times[name] ?? []), Number(values.eventTime) / 1000]
      }
    }
    expect(times).toEqual({
      DepthDiffStreamEvent: [20, 40, 60, 80, 100, 120, 140, 160, 180, 200],
      DepthSnapshotStreamEvent: [50, 100, 150, 200],
    })
  })

  test('pass what a book that stands still does not change', () => {
    const events = new DepthEvents(new Prng(1), 10)
    scene.load(events)
    scene.enter('btcusdt@depth')
    expect(scene.time.nextEffectMs).toBeUndefined()
    scene.change(events, 1)
    expect(scene.time.nextEffectMs).toBe(20)
  })
})

test('nothing is sent in BREAK, and then what changed meanwhile', () => {
  const events = new DepthEvents(new Prng(3), 10)
  scene.load(events)
  for (const name of ['bestBidAsk', 'depth', 'depth20']) scene.enter(`btcusdt@${name}`)
  scene.symbols[0] = { ...spec, status: SymbolStatus.BREAK }
  scene.change(events, 5)
  scene.time.advance(200)
  expect(scene.messages).toEqual([])
  scene.symbols[0] = spec
  scene.time.advance(50)
  const [diff] = scene.messages.filter(({ name }) => name === 'DepthDiffStreamEvent')
  expect(Number(diff!.values.lastBookUpdateId)).toBe(events.updateId)
})

test.each([
  [2 ** 53 - 1, 0],
  [1, 1],
])('a level of %i lots that no message shows, or one does, is in %i', (lots, count) => {
  scene = new Scene({ ...spec, lotUnits: 100_000_001 })
  const events = new DepthEvents(new Prng(3), 10)
  events.depth[Side.BUY].set(5, lots)
  scene.load(events)
  scene.enter('btcusdt@depth20')
  scene.time.advance(50)
  expect(scene.messages).toHaveLength(count)
})
