/** What a gateway loads of a symbol from its matcher, beside the levels of its book. */
import { expect, test } from 'vitest'
import type { Collector, CommandSlot } from '../../../../src/api/context.ts'
import { ReferenceCalculation } from '../../../../src/base/codes.ts'
import { Ms, SymbolId } from '../../../../src/base/units.ts'
import { DepthView } from '../../../../src/core/views/depth.ts'
import { ReferencePrice } from '../../../../src/core/views/reference-price.ts'
import { BookLoader } from '../../../../src/gateway/engine-link/book-loader.ts'
import type { Markets } from '../../../../src/gateway/engine-link/markets.ts'
import { RecordBuffer, recordLength } from '../../../../src/layout/record-buffer.ts'
import { noReference } from '../../../../src/market/listing.ts'
import { FakedTime } from '../../../fixtures/faked-time.ts'
import { Tape, tapeSymbol } from '../../core/matching/tape.ts'

const mean = {
  ...noReference,
  calculation: ReferenceCalculation.ARITHMETIC_MEAN,
  bucketCount: 5,
  bucketWidthMs: 100,
}

/** A gateway's views of the tape's symbol, loaded by the book that the tape's engine replies. */
async function load(tape: Tape, markets: Markets): Promise<void> {
  const command = (): CommandSlot => {
    const submit = (_type: number, _bytes: number, collector: Collector) => {
      tape.records('query book')
      const { replies, repliesEnd } = tape.output
      for (let at = 0; at < repliesEnd; at += recordLength(replies, at)) {
        collector.record(replies, at)
      }
      collector.done()
    }
    return { buffer: RecordBuffer.allocate(256), at: 0, submit }
  }
  await new BookLoader(markets, new FakedTime(), command, () => {}).load(SymbolId(0))
}

test('a book that is loaded again brings its reference price once', async () => {
  const tape = new Tape({ reference: mean })
  for (const price of [100, 104]) {
    tape.nowMs = Ms(tape.nowMs + 70)
    for (const line of [`1 BUY 2 @ ${price}`, `2 SELL 2 @ ${price}`]) tape.run(line)
  }
  const reference = new ReferencePrice(tapeSymbol.tickUnits)
  const views = { depths: [new DepthView(tapeSymbol)], references: [reference], matcherOf: [0] }
  const markets = views as unknown as Markets
  await load(tape, markets)
  const known = tape.engine.state.reference
  expect(reference.image).toEqual(known.image)
  expect(reference.image.buckets).toHaveLength(2)
  // Records were missed.
  views.depths[0]!.invalidate()
  await load(tape, markets)
  expect(reference.image).toEqual(known.image)
  expect(reference.unitsAt(tape.nowMs)).toBe(102 * 10 ** 8)
  const other = new Tape()
  views.depths[0]!.invalidate()
  await load(other, markets)
  expect(reference.image).toEqual(other.engine.state.reference.image)
})
