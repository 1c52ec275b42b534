/** Quotes and their results as objects, with the levels that stand behind their fields. */
import {
  readQuoteOrders,
  readQuoteResult,
  writeQuoteOrders,
} from '../../scripts/layout/codecs.gen.ts'
import { packClientOrderId, unpackClientOrderId } from '../../src/base/client-order-id.ts'
import {
  QuoteLevel,
  QuoteOrders,
  QuoteOutcome,
  QuoteResult,
} from '../../src/layout/accessors.gen.ts'
import { type RecordBuffer, writeHead } from '../../src/layout/record-buffer.ts'
import type { QuoteCommand } from '../model/plain-quote.ts'

const levelAt = (at: number, level: number): number =>
  at + QuoteOrders.bytes + level * QuoteLevel.bytes

export function writeQuote(buffer: RecordBuffer, at: number, command: QuoteCommand): void {
  const { levels } = command
  writeQuoteOrders(buffer, at, command)
  writeHead(buffer, at, QuoteOrders.type, levelAt(0, levels.length))
  for (const [i, { priceTicks, lots, clientOrderId }] of levels.entries()) {
    const to = levelAt(at, i)
    QuoteLevel.setPriceTicks(buffer, to, priceTicks)
    QuoteLevel.setLots(buffer, to, lots)
    packClientOrderId(clientOrderId, buffer.i32, QuoteLevel.clientOrderIdAt(to))
  }
}

export function readQuote(buffer: RecordBuffer, at: number): QuoteCommand {
  const record = readQuoteOrders(buffer, at)
  const levels = Array.from({ length: record.bids + record.asks }, (_, i) => {
    const from = levelAt(at, i)
    return {
      priceTicks: QuoteLevel.priceTicks(buffer, from),
      lots: QuoteLevel.lots(buffer, from),
      clientOrderId: unpackClientOrderId(buffer.i32, QuoteLevel.clientOrderIdAt(from)),
    }
  })
  return { ...record, levels }
}

export function readQuoteOutcomes(buffer: RecordBuffer, at: number): object {
  const record = readQuoteResult(buffer, at)
  const outcomes = Array.from({ length: record.levels }, (_, i) => {
    const from = at + QuoteResult.bytes + i * QuoteOutcome.bytes
    const outcome = QuoteOutcome.outcome(buffer, from)
    const reason = QuoteOutcome.reason(buffer, from)
    return [`level${i}`, { outcome, reason, orderId: QuoteOutcome.orderId(buffer, from) }]
  })
  return { ...record, ...Object.fromEntries(outcomes) }
}
