/**
 * An order of long ago, put into a data folder before its exchange is started: the journal of the
 * symbol's matcher says that it was accepted and canceled then.
 */

import {
  readOrderClosed,
  writeOrderAccepted,
  writeOrderClosed,
} from '../../../scripts/layout/codecs.gen.ts'
import { OrderStatus, OrderType, packTerms, Side, TimeInForce } from '../../../src/base/codes.ts'
import {
  AccountId,
  Atoms,
  Lots,
  type Ms,
  OrderId,
  QuoteAtoms,
  type SymbolId,
  Ticks,
} from '../../../src/base/units.ts'
import { BlockWriter } from '../../../src/journal/block.ts'
import { openJournal } from '../../../src/journal/journal.ts'
import { RecordBuffer } from '../../../src/layout/record-buffer.ts'
import { zeroRecord } from '../../fixtures/zero-record.ts'

/** Order 1 of the symbol. The exchange must not have been started yet. */
export function writeOldOrder(dataFolder: string, symbolId: SymbolId, timeMs: Ms): void {
  const journal = openJournal(dataFolder, 0, 'flushed')
  const blocks = new BlockWriter({ matcher: 0, epoch: 1, previous: 0 })
  const header = { symbolId, gateway: -1, correlation: 0, timeMs }
  const order = {
    account: AccountId(1),
    terms: packTerms(Side.BUY, OrderType.LIMIT, TimeInForce.GTC, 0),
    orderId: OrderId(1),
    priceTicks: Ticks(1),
    lots: Lots(1),
    quoteAtoms: QuoteAtoms(0),
    heldAtoms: Atoms(0),
    clientOrderId: 'old',
  }
  const events = RecordBuffer.allocate(1024)
  const accepted = writeOrderAccepted(events, 0, { ...header, ...order, sequence: 1 })
  const end = writeOrderClosed(events, accepted, {
    ...zeroRecord(readOrderClosed),
    ...header,
    ...order,
    sequence: 2,
    status: OrderStatus.CANCELED,
    createdMs: timeMs,
    clientOrderId: 'the-cancel',
    origClientOrderId: 'old',
  })
  journal.append(blocks.seal(events, end, 1, timeMs))
  journal.close()
}
