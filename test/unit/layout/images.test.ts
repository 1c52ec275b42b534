/** Parts of images are read as they were written, and no part takes more or less than it writes. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CLIENT_ORDER_ID_WORDS } from '../../../src/base/client-order-id.ts'
import { INT64_MAX, int64 } from '../../../src/base/int64.ts'
import { ImageReader, ImageWriter } from '../../../src/layout/image.ts'
import * as generated from '../../../src/layout/images.gen.ts'
import { carrierOf, type Section } from '../../../src/layout/schema/field.ts'
import { imageParts } from '../../../src/layout/schema/images.ts'

interface Part {
  write(image: ImageWriter, part: object): void
  read(image: ImageReader): object
}

const word = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
const text = (maxLength: number) => fc.string({ unit: 'grapheme-ascii', maxLength })
const arbitraryOf = {
  i32: word,
  int: fc.maxSafeInteger(),
  int64: fc.bigInt({ min: -(2n ** 63n), max: INT64_MAX }).map(int64),
  id: fc.int32Array({ minLength: CLIENT_ORDER_ID_WORDS, maxLength: CLIENT_ORDER_ID_WORDS }),
  int96: fc.constant(undefined),
  text64: text(64),
  text128: text(128),
  text512: text(512),
}
const valuesOf = ({ fields }: Section) =>
  fc.record(Object.fromEntries(fields.map(([name, type]) => [name, arbitraryOf[carrierOf(type)]])))

test.each(imageParts)('$name', (schema) => {
  const part = (generated as unknown as Record<string, Part>)[schema.name]!
  const property = fc.property(valuesOf(schema), valuesOf(schema), (first, second) => {
    const writer = new ImageWriter()
    for (const values of [first, second]) part.write(writer, values)
    const reader = new ImageReader(writer.bytes())
    expect([part.read(reader), part.read(reader)]).toEqual([first, second])
    expect(reader.isRead).toBe(true)
  })
  fc.assert(property, { numRuns: 50 })
})

test('a cleared writer writes as a new one does, whatever it held', () => {
  const fill = (writer: ImageWriter, doubles: number, words: number) => {
    for (let i = 0; i < doubles; i++) writer.double(-i)
    for (let i = 0; i < words; i++) writer.word(-1 - i)
    return writer
  }
  const used = fill(new ImageWriter(), 3_000, 3_000)
  for (const [doubles, words] of [
    [0, 0],
    [1, 1],
    [5, 2_999],
    [2, 4],
  ] as const) {
    const fresh = fill(new ImageWriter(), doubles, words).bytes()
    expect(fill(used.clear(), doubles, words).bytes()).toEqual(fresh)
    expect(Buffer.concat(used.pieces())).toEqual(Buffer.from(fresh))
  }
})
