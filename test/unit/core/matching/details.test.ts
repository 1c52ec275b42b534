/** Sparse columns against a plain twin: a map of rows, where an order without one reads as a plain one. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { OrderPhase } from '../../../../src/base/codes.ts'
import type { Int64 } from '../../../../src/base/int64.ts'
import { Doubles, OrderId, Words } from '../../../../src/base/units.ts'
import { Details } from '../../../../src/core/matching/details.ts'
import { readSymbol, writeSymbol } from '../../../../src/core/matching/symbol-image.ts'
import { ImageReader, ImageWriter } from '../../../../src/layout/image.ts'
import { Tape } from './tape.ts'

const SLOTS = 300
const step = fc.record({
  act: fc.constantFrom('add', 'add', 'set', 'set', 'set', 'remove'),
  index: fc.integer({ min: 1, max: SLOTS }),
  column: fc.nat(),
  value: fc.maxSafeInteger(),
})

test.each([
  0, 3,
])('what is set of one order is read of it alone, slots shifted by %i', (slotShift) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400, size: 'max' }), (steps) => {
      const ids = new Float64Array((SLOTS + 1) << slotShift).map((_, slot) => -slot)
      const orderId = Doubles<OrderId>(ids)
      const details = new Details({ slotShift, orderId, account: Words(new Int32Array(0)) })
      const initial = details.columns.map((column) => column.of(0))
      const plain = new Map<number, Int64[]>()
      for (const { act, index, column, value } of steps) {
        const slot = index << slotShift
        const row = plain.get(slot)
        if (act === 'add' && row === undefined) {
          details.add(slot)
          plain.set(slot, [...initial])
        } else if (act === 'remove' && row !== undefined) {
          details.remove(slot)
          plain.delete(slot)
        } else if (act === 'set' && row !== undefined) {
          details.columns[column % initial.length]!.set(slot, value)
          row[column % initial.length] = value
        }
      }
      for (let index = 0; index <= SLOTS; index++) {
        const slot = index << slotShift
        const expected = plain.get(slot) ?? initial
        expect(details.columns.map((column) => column.of(slot))).toEqual(expected)
      }
      expect(details.sorted()).toEqual([...plain.keys()].sort((a, b) => b - a))
    }),
  )
})

test('every column of a detailed order is in a snapshot', () => {
  const tape = new Tape()
  tape.run('1 SELL 6 @ 105 show 2')
  tape.run('1 SELL 5 stop 90')
  const { state } = tape.engine
  for (const slot of state.details.sorted()) {
    const phase = state.details.phase.of(slot)
    for (const [index, column] of state.details.columns.entries()) {
      if (column === state.details.orderListId || column === state.details.phase) continue
      if (column !== state.details.trailingDelta) column.set(slot, 1000 * index + slot)
    }
    expect([OrderPhase.WORKING, OrderPhase.UNTRIGGERED]).toContain(phase)
  }
  const read = new Tape().engine.state
  const image = new ImageWriter()
  writeSymbol(state, image)
  readSymbol(read, new ImageReader(image.bytes()))
  const columnsOf = ({ book, details }: typeof state) =>
    [1, 2].map((orderId) =>
      details.columns.map((column) => column.of(book.findOrder(OrderId(orderId)))),
    )
  expect(columnsOf(read)).toEqual(columnsOf(state))
})
