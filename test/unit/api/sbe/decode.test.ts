/** ringbook/sbe at messages of other versions, of no template that it knows, and of bytes that are no message. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, expectTypeOf, test } from 'vitest'
import { Rows } from '../../../../src/api/answers/answer.ts'
import type { Table } from '../../../../src/api/answers/element.ts'
import { shownError } from '../../../../src/api/answers/errors.ts'
import { depth, pong, publicTrade } from '../../../../src/api/answers/market.ts'
import { responseFrame } from '../../../../src/api/answers/session.ts'
import { listTemplates, rowTemplates } from '../../../../src/api/sbe/answer-templates.ts'
import { sbeOf } from '../../../../src/api/sbe/sbe.ts'
import { Prng } from '../../../../src/base/prng.ts'
import { Lots, Ticks } from '../../../../src/base/units.ts'
import { decode, SbeError, type SbeMessages } from '../../../../src/sbe.ts'
import { tradedSymbols } from '../../../fixtures/one-thread-exchange.ts'
import { RandomRows } from '../../../fixtures/random-rows.ts'
import { importedFiles, importsOf } from '../../../rooms.ts'

const form = { spec: tradedSymbols()[0]!, microseconds: false }
const book = {
  updateId: 7,
  bids: [[Ticks(100_001), Lots(3)] as const],
  asks: [] as (readonly [Ticks, Lots])[],
}
const bookBytes = () => Buffer.from(sbeOf(5, new Rows(depth, book, form)))

test('a message by its template, typed', () => {
  const decoded = decode(bookBytes())
  expect(decoded).toEqual({
    ...{ template: 'DepthResponse', id: 200, schema: 3, version: 5 },
    message: { lastUpdateId: 7n, bids: [{ price: '1000.01000000', qty: '0.00003000' }], asks: [] },
  })
  if (decoded.template === 'DepthResponse') {
    expectTypeOf(decoded.message.bids[0]!.price).toEqualTypeOf<string>()
  }
  type Order = SbeMessages['OrderResponse']
  expectTypeOf<Order['time']>().toEqualTypeOf<bigint>()
  expectTypeOf<Order['stopPrice']>().toEqualTypeOf<string | null>()
  expectTypeOf<'BUY'>().toExtend<Order['side']>()
})

test('bytes within a larger buffer', () => {
  const bytes = bookBytes()
  const within = Buffer.concat([Buffer.alloc(3), bytes, Buffer.alloc(5)])
  expect(decode(within.subarray(3, 3 + bytes.length))).toEqual(decode(bytes))
})

test('decimals of every exponent lose nothing', () => {
  const bytes = bookBytes()
  const priceOf = (exponent: number, mantissa: bigint) => {
    bytes.writeInt8(exponent, 16)
    bytes.writeBigInt64LE(mantissa, 24)
    const { message } = decode(bytes) as { message: SbeMessages['DepthResponse'] }
    return message.bids[0]!.price
  }
  expect([-8, -1, 0, 2].map((exponent) => priceOf(exponent, -5n))).toEqual([
    '-0.00000005',
    '-0.5',
    '-5',
    '-500',
  ])
  expect(priceOf(-8, 2n ** 63n - 1n)).toBe('92233720368.54775807')
  expect(priceOf(-8, -(2n ** 63n))).toBe('-92233720368.54775808')
  expect(priceOf(-128, 1n)).toBe(`0.${'1'.padStart(128, '0')}`)
  expect(priceOf(127, 0n)).toBe('0')
})

test('what a later version adds to blocks and behind the message is skipped', () => {
  const plain = bookBytes()
  const version = Buffer.from(plain)
  version.writeUInt16LE(6, 6)
  const longer = (at: number, lengthAt: number) => (bytes: Buffer) => {
    const made = Buffer.concat([bytes.subarray(0, at), Buffer.from([1, 2]), bytes.subarray(at)])
    made.writeUInt16LE(bytes.readUInt16LE(lengthAt) + 2, lengthAt)
    return made
  }
  // Behind the only bid, then behind the message's block.
  const later = longer(18, 0)(longer(40, 18)(version))
  const decoded = { ...decode(plain), version: 6 }
  expect(decode(later)).toEqual(decoded)
  expect(decode(Buffer.concat([later, Buffer.from('more')]))).toEqual(decoded)
})

test('what an earlier version lacks is null, if it may be', () => {
  const bytes = Buffer.from('0000640003000200', 'hex')
  expect(() => decode(bytes)).toThrow(new SbeError('The block ends before code does.'))
  const error = Buffer.concat([Buffer.from('0200640003000200', 'hex'), Buffer.from('6afc', 'hex')])
  const texts = Buffer.from('0200' + '6162' + '00000000', 'hex')
  expect(decode(Buffer.concat([error, texts])).message).toEqual({
    ...{ code: -918, serverTime: null, retryAfter: null, msg: 'ab', data: null },
  })
  const half = Buffer.concat([error, Buffer.alloc(4), texts])
  half.writeUInt16LE(6)
  expect(() => decode(half)).toThrow('The block ends before serverTime does.')
})

test('a template or a schema that is not known has its header alone', () => {
  const unknown = (id: number, schema: number) => {
    const bytes = Buffer.alloc(20)
    bytes.writeUInt16LE(id, 2)
    bytes.writeUInt16LE(schema, 4)
    return decode(bytes)
  }
  expect(unknown(9_999, 3)).toEqual({ id: 9_999, schema: 3, version: 0 })
  expect(unknown(200, 2)).toEqual({ id: 200, schema: 2, version: 0 })
  const frame = { id: '"x"', status: 200, result: new Rows(pong, {}, form), error: undefined }
  const bytes = Buffer.from(sbeOf(5, new Rows(responseFrame, frame as never, form)))
  bytes.writeUInt16LE(9_999, bytes.length - 6)
  const { message } = decode(bytes) as { message: SbeMessages['WebSocketResponse'] }
  expect(message).toMatchObject({ id: 'x', status: 200, result: { id: 9_999, message: undefined } })
})

test('codes that are not known are numbers', () => {
  const list = [...listTemplates].find(([, { id }]) => id === 402)![0] as Table
  const row = { rateLimitType: 'ORDERS', interval: 'DAY', intervalNum: 1, limit: 1, count: 1 }
  const bytes = Buffer.from(sbeOf(5, new Rows(list as never, [row] as never, form)))
  const typeOf = (code: number) => {
    bytes[14] = code
    return (decode(bytes) as { message: SbeMessages['AccountOrderRateLimitResponse'] }).message
      .rateLimits[0]!.rateLimitType
  }
  expect([3, 77, 254].map(typeOf)).toEqual(['ORDERS', 77, 'NON_REPRESENTABLE'])
})

test('lengths that a message has no room for are errors at once', () => {
  const bytes = bookBytes()
  const countOf = (block: number, count: number) => {
    bytes.writeUInt16LE(block, 18)
    bytes.writeUInt32LE(count, 20)
    return () => decode(bytes)
  }
  expect(countOf(16, 2 ** 32 - 1)).toThrow('The message ends within bids.')
  expect(countOf(16, 3)).toThrow('The message ends within bids.')
  // Entries without bytes never end.
  expect(countOf(0, 2 ** 32 - 1)).toThrow('The message ends within bids.')
  expect(() => decode(new Uint8Array(0))).toThrow(
    new SbeError('The message ends within the header.'),
  )
})

test('texts are UTF-8, flags are flags, and messages within messages have an end', () => {
  const refused = Buffer.from(sbeOf(5, shownError({ code: -1, message: 'ab' })))
  refused[28] = 0xff
  expect(() => decode(refused)).toThrow(new SbeError('msg is not UTF-8.'))
  const trades = new Rows(
    publicTrade,
    [new RandomRows(new Prng(1)).one(publicTrade).rows as never],
    form,
  )
  const flagged = Buffer.from(sbeOf(5, trades))
  flagged[flagged.length - 1] = 2
  expect(() => decode(flagged)).toThrow(new SbeError('isBestMatch is neither true nor false.'))
  const deep = (levels: number) => {
    let bytes: Buffer = Buffer.from(sbeOf(5, new Rows(pong, {}, form)))
    for (let i = 1; i < levels; i++) {
      const head = Buffer.from(
        '0300320003000500' + '00c800' + '00000000' + '00' + '00000000',
        'hex',
      )
      head.writeUInt16LE(9, 11)
      head.writeUInt32LE(bytes.length, 16)
      bytes = Buffer.concat([head, bytes])
    }
    return () => decode(bytes)
  }
  expect(deep(8)).not.toThrow()
  expect(deep(9)).toThrow('Over 8 messages are within each other.')
  expect(deep(3_000)).toThrow(SbeError)
})

test('no cut and no changed byte of a message does more than throw an SbeError', () => {
  for (const table of [...rowTemplates.keys(), ...listTemplates.keys()]) {
    const prng = new Prng(1)
    const random = new RandomRows(prng)
    const shown = listTemplates.has(table) ? random.many(table) : random.one(table)
    const bytes = Buffer.from(sbeOf(5, shown))
    for (let i = 0; i < 60; i++) {
      const at = prng.below(bytes.length)
      expectOrderly(bytes.subarray(0, at), true)
      const changed = Buffer.from(bytes)
      changed[at] = prng.pick([0, 1, 0x7f, 0x80, 0xff])
      expectOrderly(changed, false)
    }
  }
})

function expectOrderly(bytes: Uint8Array, isCut: boolean): void {
  try {
    const { template } = decode(bytes)
    if (isCut) expect(template, 'a cut message is none').toBeUndefined()
  } catch (error) {
    if (!(error instanceof SbeError)) throw error
  }
}

test('it imports the templates alone, and nothing of Node.js', () => {
  const root = path.resolve(import.meta.dirname, '../../../..')
  const files = new Set(['src/sbe.ts'])
  for (const file of files) {
    const text = readFileSync(path.join(root, file), 'utf8')
    expect(importsOf(text).filter((target) => !target.startsWith('.'))).toEqual([])
    for (const target of importedFiles(file, text)) files.add(target)
  }
  const names = ['decode', 'messages.gen', 'fields', 'templates', 'stream-templates', 'codes']
  expect([...files].slice(1).sort()).toEqual(names.map((it) => `src/api/sbe/${it}.ts`).sort())
})
