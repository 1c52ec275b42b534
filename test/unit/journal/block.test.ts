import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readOrderRested, writeOrderRested } from '../../../scripts/layout/codecs.gen.ts'
import { AssertionError } from '../../../src/base/assert.ts'
import { AccountId, Lots, Ms, OrderId, SymbolId, Ticks } from '../../../src/base/units.ts'
import {
  BLOCK_HEADER_BYTES,
  BlockReader,
  BlockWriter,
  JournalDamage,
  LayoutError,
} from '../../../src/journal/block.ts'
import { BlockChain } from '../../../src/journal/chain.ts'
import { JOURNAL_LAYOUT, OLDEST_LAYOUT } from '../../../src/layout/conversions.ts'
import { RecordBuffer } from '../../../src/layout/record-buffer.ts'

function rested(sequence: number) {
  return {
    symbolId: SymbolId(3),
    gateway: 1,
    correlation: 7,
    timeMs: Ms(1_700_000_000_000),
    sequence,
    account: AccountId(2),
    terms: 0,
    orderId: OrderId(sequence * 10),
    priceTicks: Ticks(100),
    restedLots: Lots(5),
    updateId: sequence,
  }
}

function events(count: number): { buffer: RecordBuffer; end: number } {
  const buffer = RecordBuffer.allocate(64 * 1024)
  let end = 0
  for (let i = 1; i <= count; i++) end = writeOrderRested(buffer, end, rested(i))
  return { buffer, end }
}

function seal(count = 3): Uint8Array {
  const { buffer, end } = events(count)
  const writer = new BlockWriter({ matcher: 4, epoch: 9, previous: -5 })
  return writer.seal(buffer, end, 2 ** 40, Ms(1_700_000_000_123)).slice()
}

/** Makes the checksum right again, so that the other checks are met. */
function resum(block: Uint8Array): Uint8Array {
  new DataView(block.buffer).setInt32(4, crc32(block.subarray(8)) | 0, true)
  return block
}

describe('round trip', () => {
  test('a reader finds what the writer was given', () => {
    const reader = new BlockReader()
    reader.open(seal(), 'Block')
    const { matcher, epoch, position, timeMs, previous, recordCount, start, end } = reader
    expect({ matcher, epoch, position, timeMs, previous, recordCount }).toEqual({
      matcher: 4,
      epoch: 9,
      position: 2 ** 40,
      timeMs: Ms(1_700_000_000_123),
      previous: -5,
      recordCount: 3,
    })
    expect(end - start).toBe(3 * 72)
    for (let i = 0; i < 3; i++) {
      expect(readOrderRested(reader.records, start + 72 * i)).toEqual(rested(i + 1))
    }
  })

  test('each block names the one before', () => {
    const { buffer, end } = events(1)
    const writer = new BlockWriter({ matcher: 0, epoch: 1, previous: 0 })
    const reader = new BlockReader()
    let previous = 0
    for (let position = 1; position <= 4; position++) {
      reader.open(writer.seal(buffer, end, position, Ms(5)), 'Block')
      expect(reader.previous).toBe(previous)
      previous = reader.checksum
    }
  })

  test('a block may outgrow the buffers', () => {
    const count = 8_000
    const buffer = RecordBuffer.allocate(count * 72)
    let end = 0
    for (let i = 1; i <= count; i++) end = writeOrderRested(buffer, end, rested(i))
    const writer = new BlockWriter({ matcher: 0, epoch: 1, previous: 0 })
    const reader = new BlockReader()
    reader.open(writer.seal(buffer, end, 1, Ms(5)), 'Block')
    expect(reader.recordCount).toBe(count)
    expect(readOrderRested(reader.records, reader.end - 72)).toEqual(rested(count))
  })

  test('an empty batch, or half a record, is no block', () => {
    const { buffer, end } = events(2)
    const writer = new BlockWriter({ matcher: 0, epoch: 1, previous: 0 })
    expect(() => writer.seal(buffer, 0, 1, Ms(5))).toThrow(AssertionError)
    expect(() => writer.seal(buffer, end - 8, 1, Ms(5))).toThrow(AssertionError)
  })
})

const set = (at: number, value: number) => (block: Uint8Array) => {
  new DataView(block.buffer).setInt32(at, value, true)
  return block
}
const damages: [what: string, damage: (block: Uint8Array) => Uint8Array, sentence: RegExp][] = [
  ['nothing', () => new Uint8Array(0), /shorter than a header/],
  ['half a header', (it) => it.slice(0, BLOCK_HEADER_BYTES - 1), /shorter than a header/],
  ['magic', set(0, 1), /does not begin/],
  ['checksum', set(4, 1), /checksum/],
  ['length', (it) => resum(set(12, 64)(it)), /not as long/],
  ['matcher', set(16, 5), /checksum/],
  ['records', (it) => resum(set(20, 4)(it)), /number of records/],
  ['position', set(24, 5), /checksum/],
  ['epoch', set(32, 5), /checksum/],
  ['time', set(40, 5), /checksum/],
  ['previous', set(48, 5), /checksum/],
  ['a record that ends outside', (it) => resum(set(56 + 144, 80 << 16)(it)), /number of records/],
  ['a record of no length', (it) => resum(set(56, 18)(it)), /number of records/],
  ['a byte too many', (it) => Uint8Array.from([...it, 0]), /not as long/],
  ['a byte too few', (it) => it.slice(0, -1), /not as long/],
  ['a record too few', (it) => it.slice(0, -72), /not as long/],
]

test.each([OLDEST_LAYOUT - 1, JOURNAL_LAYOUT + 1])('a block of layout %i is refused', (layout) => {
  const reader = new BlockReader()
  const open = () => reader.open(resum(set(8, layout)(seal())), 'Block 7 of journal-0')
  expect(open).toThrow(LayoutError)
  const other = layout > JOURNAL_LAYOUT ? 'a newer one' : 'start on a new folder'
  expect(open).toThrow(
    `Block 7 of journal-0 was written in journal layout ${layout}, and this Ringbook reads layouts ` +
      `${OLDEST_LAYOUT} to ${JOURNAL_LAYOUT}: use the Ringbook that wrote it, or ${other}.`,
  )
  expect(reader.end).toBe(reader.start)
})

describe('damage', () => {
  test.each(damages)('%s', (_, damage, sentence) => {
    const reader = new BlockReader()
    const open = () => reader.open(damage(seal()), 'Block 7 of journal-0')
    expect(open).toThrow(JournalDamage)
    expect(open).toThrow(sentence)
    expect(open).toThrow(/^Block 7 of journal-0 .*\.$/)
    expect(reader.end).toBe(reader.start)
  })

  test('any flipped bit', () => {
    const block = seal(1)
    fc.assert(
      fc.property(fc.nat(block.length * 8 - 1), (bit) => {
        const flipped = block.slice()
        flipped[bit >> 3]! ^= 1 << (bit & 7)
        expect(() => new BlockReader().open(flipped, 'Block')).toThrow(JournalDamage)
      }),
      { numRuns: 1000 },
    )
  })

  test('any other length', () => {
    const block = seal(2)
    fc.assert(
      fc.property(fc.nat(block.length - 1), (length) => {
        expect(() => new BlockReader().open(block.slice(0, length), 'Block')).toThrow(JournalDamage)
      }),
    )
  })
})

describe('a chain', () => {
  /** Checks a block behind block 7 of matcher 4 and epoch 9, whose checksum is -5. */
  function check({ matcher = 4, epoch = 9, previous = -5, position = 8 }) {
    const { buffer, end } = events(1)
    const block = new BlockReader()
    const writer = new BlockWriter({ matcher, epoch, previous })
    block.open(writer.seal(buffer, end, position, Ms(1)), 'Block 8')
    const chain = new BlockChain(4, { position: 7, checksum: -5 }, 9)
    chain.check(block, 'Block 8')
    chain.advance(block)
    return chain.position
  }

  test('goes on with the next block, of the same start or a later one', () => {
    expect([check({}), check({ epoch: 10 })]).toEqual([8, 8])
  })

  test.each([
    [{ position: 9 }, 'says it is another'],
    [{ position: 7 }, 'says it is another'],
    [{ matcher: 5 }, "is another matcher's"],
    [{ previous: -4 }, 'does not follow the block before it'],
    [{ epoch: 8 }, 'is of an earlier start than the block before it'],
  ])('refuses a block of %j', (of, why) => {
    expect(() => check(of)).toThrow(new JournalDamage(`Block 8 ${why}.`))
  })
})
