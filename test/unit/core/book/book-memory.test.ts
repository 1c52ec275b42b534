/** The book's memory against the schema: a slot that is used again keeps nothing of its last order. */
import { expect, test } from 'vitest'
import { Side } from '../../../../src/base/codes.ts'
import { readInt64 } from '../../../../src/base/int64.ts'
import { AccountId, Lots, OrderId, Ticks } from '../../../../src/base/units.ts'
import { Book } from '../../../../src/core/book/book.ts'
import { checkBook } from '../../../../src/core/book/invariants.ts'
import { mapMemory, RECORD_WORDS } from '../../../../src/core/book/memory-map.ts'
import { RecordBuffer } from '../../../../src/layout/record-buffer.ts'
import {
  bookAmounts,
  bookMemory,
  bookRecords,
  bookTail,
  linkFields,
  orderImage,
  orderMethods,
  recordColumns,
} from '../../../../src/layout/schema/book-memory.ts'
import { carrierOf, fieldBytes, type Structure } from '../../../../src/layout/schema/field.ts'
import { placesOf, sectionBytes } from '../../../../src/layout/schema.ts'

const shape = { priceTicksMax: 1000, ordersMax: 16, accountsMax: 4 }
const map = mapMemory(shape)
const [bookOrder] = bookRecords as [Structure]

test.each(bookMemory)('$name fills its bytes', (structure) => {
  const fields = placesOf(structure)
  expect(fields.reduce((sum, { type }) => sum + fieldBytes(type), 0)).toBe(sectionBytes(structure))
})

test('a slot that is used again keeps nothing of its last order', () => {
  const memory = new SharedArrayBuffer(Book.bytesFor(shape))
  const book = new Book(memory, shape)
  const first = book.rest(Side.SELL, Ticks(500), Lots(9), OrderId(1), AccountId(2))
  book.remove(first)
  // The bytes of that slot in each region: slots stand in one order in all of them.
  const place = first / RECORD_WORDS
  const parts = [
    { structure: bookOrder, region: map.records },
    { structure: bookAmounts, region: map.amounts },
    { structure: bookTail, region: map.tails },
  ]
  const startOf = ({ structure, region }: (typeof parts)[number]) =>
    region.at + place * sectionBytes(structure)
  const bytes = new Uint8Array(memory)
  for (const part of parts) {
    for (const { name, type, offset } of placesOf(part.structure)) {
      const at = startOf(part) + offset
      if (!linkFields.includes(name)) bytes.fill(0xff, at, at + fieldBytes(type))
    }
  }
  const slot = book.rest(Side.BUY, Ticks(100), Lots(5), OrderId(7), AccountId(3))
  expect(slot).toBe(first)
  checkBook(book)
  const given: Record<string, number> = {
    orderId: 7,
    openLots: 5,
    key: -100,
    account: 3,
    terms: Side.BUY,
  }
  const buffer = new RecordBuffer(memory)
  for (const part of parts) {
    for (const { name, type, offset } of placesOf(part.structure)) {
      const at = startOf(part) + offset
      if (linkFields.includes(name)) continue
      // The first word of an id states that there is none.
      const read = {
        int: () => buffer.f64[at / 8],
        int64: () => readInt64(buffer.i32, at / 4),
        i32: () => buffer.i32[at / 4],
      }
      const carrier = carrierOf(type) as keyof typeof read
      expect((read[carrier] ?? read.i32)(), `${part.structure.name}.${name}`).toBe(given[name] ?? 0)
    }
  }
})

test('the image of an order has each of its columns', () => {
  const columns = [...bookAmounts.fields.map(([name]) => name), ...recordColumns]
  const names = orderImage.map(([name]) => name)
  expect(names).toEqual(expect.arrayContaining(columns))
  expect(names.filter((name) => !columns.includes(name))).toEqual(orderMethods)
})
