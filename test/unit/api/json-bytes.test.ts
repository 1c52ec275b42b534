/** JSON written as bytes beside its plain twin, a string; and views that others may not overwrite. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PAGE_BYTES } from '../../../src/api/answers/byte-page.ts'
import { JsonBytes, Piece } from '../../../src/api/answers/json-bytes.ts'
import { formatDecimal } from '../../../src/base/fixed.ts'

type Part =
  | readonly ['piece', string]
  | readonly ['text', string]
  | readonly ['integer', number]
  | readonly ['units', number]

const anyText = fc.oneof(
  fc.string({ unit: 'binary-ascii', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
)
const anyPart = fc.oneof(
  fc.tuple(fc.constant('piece' as const), anyText),
  fc.tuple(fc.constant('text' as const), anyText),
  fc.tuple(fc.constant('integer' as const), fc.maxSafeInteger()),
  fc.tuple(fc.constant('integer' as const), fc.integer({ min: -1, max: 100_000 })),
  fc.tuple(fc.constant('units' as const), fc.maxSafeNat()),
)

function put(to: JsonBytes, parts: readonly Part[]): void {
  for (const [kind, value] of parts) {
    if (kind === 'piece') to.piece(new Piece(value))
    else if (kind === 'text') to.text(value)
    else if (kind === 'integer') to.integer(value)
    else to.units(value)
  }
}

const plain = (parts: readonly Part[]): string =>
  parts
    .map(([kind, value]) => (kind === 'units' ? formatDecimal(value, 8) : String(value)))
    .join('')

const encoded = (parts: readonly Part[]): string => Buffer.from(plain(parts)).toString('latin1')
const bytesIn = (view: Uint8Array): string => Buffer.from(view).toString('latin1')

test('bytes are those of the plain text', () => {
  const to = new JsonBytes()
  fc.assert(
    fc.property(fc.array(anyPart, { maxLength: 30 }), (parts) => {
      to.begin()
      put(to, parts)
      expect(bytesIn(to.view())).toBe(encoded(parts))
      expect(to.length).toBe(to.view().length)
    }),
  )
})

test('kept texts stay whole, whatever follows, until they are released', () => {
  const anyLong = fc.tuple(fc.constant('text' as const), fc.constant('x'.repeat(PAGE_BYTES / 3)))
  const texts = fc.array(
    fc.tuple(fc.boolean(), fc.array(fc.oneof({ weight: 5, arbitrary: anyPart }, anyLong))),
    { maxLength: 20 },
  )
  const to = new JsonBytes()
  fc.assert(
    fc.property(texts, (written) => {
      const kept: { view: Uint8Array; parts: readonly Part[] }[] = []
      for (const [isKept, parts] of written) {
        to.begin()
        put(to, parts)
        const view = to.view()
        expect(bytesIn(view)).toBe(encoded(parts))
        if (!isKept) continue
        to.keep()
        kept.push({ view, parts })
      }
      for (const { view, parts } of kept) expect(bytesIn(view)).toBe(encoded(parts))
      to.releaseKept()
    }),
  )
})

test('released memory is used again, and that of a long text is given back', () => {
  const to = new JsonBytes()
  const write = (text: string) => {
    to.begin()
    to.text(text)
    return to.view()
  }
  const first = write('first')
  to.keep()
  const second = write('second')
  expect([second.buffer === first.buffer, second.byteOffset]).toEqual([true, first.length])
  to.releaseKept()
  expect([write('third').buffer === first.buffer, to.view().byteOffset]).toEqual([true, 0])
  expect(write('x'.repeat(3 * PAGE_BYTES)).buffer.byteLength).toBeGreaterThan(3 * PAGE_BYTES)
  expect(write('short').buffer.byteLength).toBe(PAGE_BYTES)
})
