import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Side } from '../../../../src/base/codes.ts'
import { Prng } from '../../../../src/base/prng.ts'
import { Ticks } from '../../../../src/base/units.ts'
import { DepthView } from '../../../../src/core/views/depth.ts'
import { DepthDiff } from '../../../../src/core/views/depth-diff.ts'
import { recordType } from '../../../../src/layout/record-buffer.ts'
import { RecordType } from '../../../../src/layout/records.gen.ts'
import { DepthEvents, plainLevels } from './depth-events.ts'
import { listedSymbol } from './listed-symbol.ts'

const spec = listedSymbol()
const seed = fc.integer({ min: 0, max: 2 ** 31 })

function levelsOf(view: DepthView, side: Side, limit = Number.POSITIVE_INFINITY) {
  const levels: [number, number][] = []
  view.levels(side, limit, (priceTicks, lots) => levels.push([priceTicks, lots]))
  return levels
}

function applyAll(view: DepthView, events: DepthEvents, from = 0): void {
  for (const at of events.offsets(from)) view.apply(events.buffer, at)
}

function expectSame(view: DepthView, events: DepthEvents): void {
  for (const side of [Side.BUY, Side.SELL]) {
    const plain = plainLevels(events.depth, side)
    expect(levelsOf(view, side)).toEqual(plain)
    expect(levelsOf(view, side, 3)).toEqual(plain.slice(0, 3))
    expect(view.levelCount(side)).toBe(plain.length)
    const best =
      side === Side.BUY
        ? [view.bestBidTicks, view.bestBidLots]
        : [view.bestAskTicks, view.bestAskLots]
    expect(best).toEqual(plain[0] ?? [0, 0])
  }
  expect(view.updateId).toBe(events.updateId)
}

/** A view that has seen the whole depth of events. */
function syncedView(events: DepthEvents): DepthView {
  const view = new DepthView(spec)
  const from = events.end
  events.book()
  applyAll(view, events, from)
  expect(view.synced).toBe(true)
  return view
}

test('a view of random events is the plain map of them', () => {
  fc.assert(
    fc.property(seed, fc.constantFrom(3, 40, 1000), (number, pricesCount) => {
      const events = new DepthEvents(new Prng(number), pricesCount, 77)
      const view = syncedView(events)
      expectSame(view, events)
      for (let round = 0; round < 8; round++) {
        events.rewind()
        for (let i = 0; i < 100; i++) events.step()
        applyAll(view, events)
        expectSame(view, events)
      }
    }),
    { numRuns: 40 },
  )
})

test('thousands of levels are kept in order', () => {
  const events = new DepthEvents(new Prng(7), 20_000)
  const view = syncedView(events)
  for (let round = 0; round < 30; round++) {
    events.rewind()
    for (let i = 0; i < 1000; i++) events.step()
    applyAll(view, events)
  }
  expect(view.levelCount(Side.BUY)).toBeGreaterThan(2000)
  expectSame(view, events)
  expect(view.lotsAt(Side.BUY, view.bestBidTicks)).toBe(view.bestBidLots)
  expect(view.lotsAt(Side.BUY, Ticks(20_001))).toBe(0)
})

describe('syncing', () => {
  test('what comes before a whole book is ignored', () => {
    const events = new DepthEvents(new Prng(1), 20)
    for (let i = 0; i < 50; i++) events.step()
    const view = new DepthView(spec)
    applyAll(view, events)
    expect([view.synced, view.bestBidTicks, view.levelCount(Side.SELL)]).toEqual([false, 0, 0])
    events.rewind()
    events.book()
    for (const at of events.offsets()) {
      expect(view.synced).toBe(false)
      view.apply(events.buffer, at)
    }
    expect(view.synced).toBe(true)
    expectSame(view, events)
  })

  test('the end of a book whose beginning was missed is ignored', () => {
    const events = new DepthEvents(new Prng(2), 20)
    for (let i = 0; i < 50; i++) events.step()
    events.rewind()
    events.book()
    const view = new DepthView(spec)
    for (const at of events.offsets().slice(1)) view.apply(events.buffer, at)
    expect([view.synced, view.levelCount(Side.BUY)]).toEqual([false, 0])
  })

  test('a book that is loaded in pieces, with changes between them, is the plain map', () => {
    const limits = fc.constantFrom(1, 2, 3, 7, 20, 1000)
    const prices = fc.constantFrom(3, 40, 400)
    fc.assert(
      fc.property(seed, limits, prices, fc.nat(12), (number, limit, pricesCount, changesMax) => {
        const prng = new Prng(number)
        const events = new DepthEvents(prng, pricesCount, 5)
        for (let i = 0; i < 60; i++) events.step()
        const view = new DepthView(spec)
        const isCutOff = prng.chance(0.3)
        for (let pieces = 0; !view.synced; pieces++) {
          events.rewind()
          for (let i = prng.below(changesMax + 1); i > 0; i--) events.step()
          events.piece(view.nextPiece, limit)
          applyAll(view, events)
          if (isCutOff && pieces === 2) view.invalidate()
          // Books move on while they are loaded, but not faster than that for ever.
          if (pieces === 300) limit = 1000
        }
        expectSame(view, events)
        events.rewind()
        for (let i = 0; i < 20; i++) events.step()
        applyAll(view, events)
        expectSame(view, events)
      }),
      { numRuns: 300 },
    )
  })

  test('a piece that does not continue where the loaded part ends changes nothing', () => {
    const events = new DepthEvents(new Prng(3), 30)
    for (let i = 0; i < 60; i++) events.step()
    const view = new DepthView(spec)
    const load = (after: DepthView['nextPiece'], limit: number) => {
      events.rewind()
      events.piece(after, limit)
      applyAll(view, events)
    }
    const first = view.nextPiece
    load(first, 2)
    const second = view.nextPiece
    load(first, 5)
    expect([view.nextPiece, view.levelCount(Side.BUY), view.synced]).toEqual([second, 2, false])
    load(second, 1000)
    expectSame(view, events)
  })

  test('a piece that is late or early among the events is a programmer error', () => {
    const events = new DepthEvents(new Prng(8), 30)
    for (let i = 0; i < 60; i++) events.step()
    const view = new DepthView(spec)
    events.rewind()
    events.piece(view.nextPiece, 2)
    applyAll(view, events)
    const { updateId } = events
    while (events.updateId === updateId) events.step()
    events.rewind()
    events.piece(view.nextPiece, 2)
    expect(() => applyAll(view, events)).toThrow('stands where it was read')
  })

  test('books that others asked for change nothing', () => {
    const events = new DepthEvents(new Prng(4), 20)
    const view = syncedView(events)
    events.rewind()
    for (let i = 0; i < 40; i++) {
      events.step()
      if (i % 10 === 0) events.book()
    }
    applyAll(view, events)
    expectSame(view, events)
  })

  test('after records were missed it starts again', () => {
    const events = new DepthEvents(new Prng(5), 20)
    const view = syncedView(events)
    view.invalidate()
    expect([view.synced, view.bestBidTicks]).toEqual([false, 0])
    for (let i = 0; i < 40; i++) events.step()
    events.rewind()
    events.step()
    events.book()
    applyAll(view, events)
    expectSame(view, events)
  })

  test('a gap is a programmer error, and so is a change that comes twice', () => {
    const events = new DepthEvents(new Prng(6), 20)
    const view = syncedView(events)
    events.rewind()
    for (let i = 0; i < 10; i++) events.step()
    const { OrderRested, OrderReplenished } = RecordType
    const changes = events
      .offsets()
      .filter((at) =>
        [OrderRested, OrderReplenished].some((it) => it === recordType(events.buffer, at)),
      )
    view.apply(events.buffer, changes[0]!)
    expect(() => view.apply(events.buffer, changes.at(-1)!)).toThrow('follows the last one')
    expect(() => view.apply(events.buffer, changes[0]!)).toThrow('follows the last one')
  })
})

describe('diffs', () => {
  test('a local book kept as the documentation says is the view', () => {
    fc.assert(
      fc.property(seed, fc.integer({ min: 0, max: 60 }), (number, snapshotAfter) => {
        const prng = new Prng(number)
        const events = new DepthEvents(prng, 25, 1000)
        const view = syncedView(events)
        const diff = new DepthDiff(view)
        const frames = []
        let snapshot: { updateId: number; sides: Map<number, number>[] } | undefined
        for (let step = 0; step < 120; step++) {
          if (step === snapshotAfter) {
            const sides = [Side.BUY, Side.SELL].map((side) => new Map(levelsOf(view, side)))
            snapshot = { updateId: view.updateId, sides }
          }
          events.rewind()
          events.step()
          applyAll(view, events)
          if (prng.chance(0.2)) frames.push(diff.takeChanges())
        }
        frames.push(diff.takeChanges())
        const { updateId, sides } = snapshot!
        let lastUpdateId = updateId
        for (const frame of frames) {
          if (frame === undefined || frame.finalUpdateId <= updateId) continue
          const isFirst = lastUpdateId === updateId
          expect(frame.firstUpdateId <= lastUpdateId + 1).toBe(true)
          if (!isFirst) expect(frame.firstUpdateId).toBe(lastUpdateId + 1)
          for (const [side, rows] of [frame.bids, frame.asks].entries()) {
            for (const [priceTicks, lots] of rows) {
              if (lots === 0) sides[side]!.delete(priceTicks)
              else sides[side]!.set(priceTicks, lots)
            }
          }
          lastUpdateId = frame.finalUpdateId
        }
        expect(lastUpdateId).toBe(view.updateId)
        for (const side of [Side.BUY, Side.SELL]) {
          expect([...sides[side]!].sort(([a], [b]) => a - b)).toEqual(
            levelsOf(view, side).sort(([a], [b]) => a - b),
          )
        }
      }),
    )
  })

  test('each diff keeps its own pace, and frames are best first', () => {
    const events = new DepthEvents(new Prng(9), 500)
    const view = syncedView(events)
    const [quick, slow] = [new DepthDiff(view), new DepthDiff(view)]
    expect(quick.takeChanges()).toBeUndefined()
    const finals = []
    for (let round = 0; round < 5; round++) {
      events.rewind()
      for (let i = 0; i < 50; i++) events.step()
      applyAll(view, events)
      const frame = quick.takeChanges()!
      expect(frame.firstUpdateId).toBe((finals.at(-1) ?? 0) + 1)
      finals.push(frame.finalUpdateId)
      const prices = (rows: readonly (readonly [number, number])[]) => rows.map(([price]) => price)
      expect(prices(frame.bids)).toEqual([...prices(frame.bids)].sort((a, b) => b - a))
      expect(prices(frame.asks)).toEqual([...prices(frame.asks)].sort((a, b) => a - b))
    }
    expect(quick.takeChanges()).toBeUndefined()
    expect(slow.takeChanges()).toMatchObject({ firstUpdateId: 1, finalUpdateId: finals.at(-1) })
  })

  test('the diff of a view that missed records begins at the next book', () => {
    const events = new DepthEvents(new Prng(10), 20)
    const view = syncedView(events)
    const diff = new DepthDiff(view)
    events.rewind()
    for (let i = 0; i < 20; i++) events.step()
    applyAll(view, events)
    view.invalidate()
    expect(diff.takeChanges()).toBeUndefined()
    events.rewind()
    events.book()
    applyAll(view, events)
    expect(diff.takeChanges()).toBeUndefined()
    const base = view.updateId
    events.rewind()
    for (let i = 0; i < 20; i++) events.step()
    applyAll(view, events)
    expect(diff.takeChanges()).toMatchObject({ firstUpdateId: base + 1 })
  })
})
