/** What the event writer writes in two ways: the short one writes the same bytes. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { OrderType, packTerms, Side } from '../../../../src/base/codes.ts'
import {
  AccountId,
  AssetId,
  Atoms,
  Lots,
  Ms,
  OrderId,
  QuoteAtoms,
  Ticks,
} from '../../../../src/base/units.ts'
import { Book } from '../../../../src/core/book/book.ts'
import { Counter } from '../../../../src/core/matching/counters.ts'
import { Ending } from '../../../../src/core/matching/endings.ts'
import { EventWriter, NO_MATCH } from '../../../../src/core/matching/event-writer.ts'
import { OpenCounts } from '../../../../src/core/matching/open-counts.ts'
import { OrderSummary } from '../../../../src/core/matching/order-summary.ts'
import { EngineOutput } from '../../../../src/core/matching/output.ts'
import { SymbolState } from '../../../../src/core/matching/symbol-state.ts'
import { RecordHeader } from '../../../../src/layout/accessors.gen.ts'
import { RecordBuffer } from '../../../../src/layout/record-buffer.ts'
import { tapeSymbol } from './tape.ts'

const shape = { priceTicksMax: 100_000, ordersMax: 4, accountsMax: 8 }
const amount = fc.integer({ min: 0, max: 2 ** 50 })
const id = fc.array(fc.integer({ min: 1, max: 2 ** 30 }), { minLength: 8, maxLength: 8 })
const order = fc.record({
  side: fc.constantFrom(Side.BUY, Side.SELL),
  priceTicks: fc.integer({ min: 1, max: shape.priceTicksMax }),
  openLots: fc.integer({ min: 1, max: 2 ** 50 }),
  filledLots: amount,
  filledAtoms: amount,
  releasedAtoms: amount,
  account: fc.nat(shape.accountsMax - 1),
  createdMs: amount,
  updateId: amount,
  ownId: id,
  cancelId: id,
})

test('the cancel of a plain order is written as any other end of an order', () => {
  fc.assert(
    fc.property(order, (asked) => {
      const book = new Book(new SharedArrayBuffer(Book.bytesFor(shape)), shape)
      const counts = new OpenCounts(new SharedArrayBuffer(OpenCounts.bytesFor(shape.accountsMax)))
      const state = new SymbolState(tapeSymbol, book, counts)
      const ticks = Ticks(asked.priceTicks)
      const account = AccountId(asked.account)
      const slot = book.rest(asked.side, ticks, Lots(asked.openLots), OrderId(9), account)
      book.terms[slot] = packTerms(asked.side, OrderType.LIMIT, 0, 2)
      book.filledLots[slot] = Lots(asked.filledLots)
      book.filledAtoms.set(slot, QuoteAtoms(asked.filledAtoms))
      book.setTimes(slot, Ms(asked.createdMs), Ms(asked.createdMs))
      book.setClientOrderId(slot, new Int32Array(asked.ownId), 0)
      state.counters[Counter.updateId] = asked.updateId
      const cancelId = new Int32Array(asked.cancelId)
      const released = Atoms(asked.releasedAtoms)

      const short = written(state, (events) => events.canceledPlain(slot, released, cancelId, 0))
      const whole = written(state, (events) => {
        const summary = new OrderSummary()
        state.copyOrder(slot, summary)
        const lots = Lots(asked.openLots)
        events.closed(summary, Ending.CANCELED, lots, released, cancelId, 0, NO_MATCH)
      })
      expect(short).toEqual(whole)
    }),
  )
})

/** The bytes of the event that `write` writes, over others that stood there. */
function written(state: SymbolState, write: (events: EventWriter) => void): Uint8Array {
  const output = new EngineOutput(1 << 12)
  output.events.bytes.fill(0xff)
  const command = RecordBuffer.allocate(64)
  RecordHeader.setGateway(command, 0, 1)
  RecordHeader.setCorrelation(command, 0, 77)
  state.counters[Counter.sequence] = 5
  const events = new EventWriter(state, tapeSymbol.id, { discountAssetId: AssetId(-1) }, output)
  events.begin(command, 0, Ms(1000))
  write(events)
  events.end()
  return output.events.bytes.slice(0, output.eventsEnd)
}
