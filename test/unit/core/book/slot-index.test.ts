import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Head } from '../../../../src/core/book/memory-map.ts'
import { SlotIndex } from '../../../../src/core/book/slot-index.ts'

const HOMES = 64
const ORDERS = 60
/** Links of slots that are named by multiples of 8. */
const SHIFT = 2

/** An index of slots, with their hashes kept beside it as a book keeps its orders. */
class Subject {
  readonly hashes = new Map<number, number>()
  private readonly head = new Int32Array(16)
  private readonly homes = new Int32Array(HOMES)
  private readonly links = new Int32Array(ORDERS * 2 + 2)
  index = this.reopened()

  /** Another index over the same memory. */
  reopened(): SlotIndex {
    const hashOf = (slot: number) => this.hashes.get(slot)!
    return new SlotIndex(this.homes, this.links, SHIFT, this.head, Head.ORDER_MASK, hashOf)
  }

  add(slot: number, hash: number): void {
    this.hashes.set(slot, hash)
    this.head[Head.ORDER_COUNT]!++
    this.index.add(hash, slot)
  }

  remove(slot: number): void {
    this.hashes.delete(slot)
    this.head[Head.ORDER_COUNT]!--
    this.index.remove(slot)
  }

  get mask(): number {
    return this.head[Head.ORDER_MASK]!
  }

  /** The slots that a search for this hash meets. */
  met(hash: number): number[] {
    const slots: number[] = []
    for (let slot = this.index.first(hash); slot > 0; slot = this.index.next(slot)) slots.push(slot)
    return slots
  }
}

test('every order is met under its hash, once, and none that was removed', () => {
  const act = fc.record({ hash: fc.integer(), pick: fc.nat(), reopens: fc.boolean() })
  fc.assert(
    fc.property(fc.array(act, { maxLength: ORDERS, size: 'max' }), (acts) => {
      const subject = new Subject()
      for (const [index, { hash, pick, reopens }] of acts.entries()) {
        const slots = [...subject.hashes.keys()]
        if (slots.length > 0 && pick % 4 === 0) subject.remove(slots[pick % slots.length]!)
        else subject.add((index + 1) * 8, hash)
        if (reopens) subject.index = subject.reopened()
        const missed = [...subject.hashes].filter(
          ([slot, of]) => subject.met(of).filter((met) => met === slot).length !== 1,
        )
        expect(missed).toEqual([])
      }
      for (const of of Array(HOMES).keys()) {
        for (const slot of subject.met(of)) expect(subject.hashes.has(slot)).toBe(true)
      }
    }),
  )
})

test('homes grow with the orders, up to what was reserved', () => {
  const subject = new Subject()
  const masks: number[] = []
  for (let order = 1; order <= ORDERS; order++) {
    subject.add(order * 8, order)
    if (masks.at(-1) !== subject.mask) masks.push(subject.mask)
  }
  expect(masks).toEqual([0, 31, 63])
  for (let order = 1; order <= ORDERS; order++) expect(subject.met(order)).toEqual([order * 8])
})
