/** The poison test finds what a writer forgets: fields, sections and padding, each by its name. */
import { expect, test } from 'vitest'
import { DETAILED } from '../../../src/base/codes.ts'
import { SymbolId } from '../../../src/base/units.ts'
import {
  DetailsSection,
  OrderClosed,
  RecordHeader,
  Rejected,
} from '../../../src/layout/accessors.gen.ts'
import { RecordBuffer, writeHead } from '../../../src/layout/record-buffer.ts'
import { PATTERNS, unwrittenFields, unwrittenInRecord } from '../../fixtures/poison.ts'

/** What two runs of a writer leave in poisoned memory. */
function written(write: (buffer: RecordBuffer) => void): [RecordBuffer, RecordBuffer] {
  return PATTERNS.map((pattern) => {
    const buffer = RecordBuffer.allocate(512)
    buffer.bytes.fill(pattern)
    write(buffer)
    return buffer
  }) as [RecordBuffer, RecordBuffer]
}

const rejected = (buffer: RecordBuffer): void => {
  writeHead(buffer, 8, Rejected.type, Rejected.bytes)
  RecordHeader.setSymbolId(buffer, 8, SymbolId(1))
  RecordHeader.setGateway(buffer, 8, 1)
  RecordHeader.setCorrelation(buffer, 8, 1)
  Rejected.setReason(buffer, 8, 1)
}

test('a forgotten field has a name', () => {
  expect(unwrittenInRecord(...written(rejected), 8)).toEqual(['Rejected.spare'])
})

test('so does a field that is written in part', () => {
  const buffers = written((buffer) => {
    rejected(buffer)
    buffer.bytes.fill(0, 8 + 20, 8 + 23)
  })
  expect(unwrittenInRecord(...buffers, 8)).toEqual(['Rejected.spare'])
})

test('a field that holds a byte of a pattern is written', () => {
  const buffers = written((buffer) => {
    rejected(buffer)
    Rejected.setSpare(buffer, 8, 0x5a5aa5a5 | 0)
  })
  expect(unwrittenInRecord(...buffers, 8)).toEqual([])
})

test('a field of a section has the names of both', () => {
  const bytes = OrderClosed.bytes + DetailsSection.bytes
  const buffers = written((buffer) => {
    buffer.bytes.fill(0, 0, bytes)
    writeHead(buffer, 0, OrderClosed.type, bytes)
    OrderClosed.setTerms(buffer, 0, DETAILED)
  })
  const at = OrderClosed.detailsAt(buffers[0], 0)
  for (const [i, buffer] of buffers.entries()) buffer.bytes.fill(PATTERNS[i]!, at, at + 8)
  expect(unwrittenInRecord(...buffers, 0)).toEqual(['OrderClosed.details.orderListId'])
})

test('bytes of no field are padding', () => {
  const [first, second] = written((buffer) => buffer.bytes.fill(0, 0, 4))
  const places = [{ name: 'a', type: 'i32', offset: 0 }] as const
  const six = [first, second].map(({ bytes }) => bytes.subarray(0, 6)) as [Uint8Array, Uint8Array]
  expect(unwrittenFields(places, ...six)).toEqual(['padding at byte 4', 'padding at byte 5'])
})
