/** Commands as plain records, and their bytes. */

import {
  RecordType,
  readAmendOrder,
  readCancelOpenOrders,
  readCancelOrder,
  readCancelOrderList,
  readCancelOrdersWhere,
  readCancelSessionOrders,
  readPlaceOrder,
  readPlaceOrderList,
  readQueryBook,
  readQueryCountdowns,
  readQueryOpenOrders,
  readQueryOrder,
  readQueryProtection,
  readReplaceOrder,
  readResetProtection,
  readSetCountdown,
  readSetProtection,
  readSetReferencePrice,
  readTradeBlock,
  writeAmendOrder,
  writeCancelOpenOrders,
  writeCancelOrder,
  writeCancelOrderList,
  writeCancelOrdersWhere,
  writeCancelSessionOrders,
  writePlaceOrder,
  writePlaceOrderList,
  writeQueryBook,
  writeQueryCountdowns,
  writeQueryOpenOrders,
  writeQueryOrder,
  writeQueryProtection,
  writeReplaceOrder,
  writeResetProtection,
  writeSetCountdown,
  writeSetProtection,
  writeSetReferencePrice,
  writeTradeBlock,
} from '../../scripts/layout/codecs.gen.ts'
import { unreachable } from '../../src/base/assert.ts'
import { RecordBuffer, recordType } from '../../src/layout/record-buffer.ts'
import type { PlainRecord } from '../model/plain-answer.ts'
import type { PlainSymbol } from '../model/plain-exchange.ts'
import { readQuote, writeQuote } from './quote-commands.ts'

/** How each command is read and written, and the twin's method that executes it. */
const forms = {
  PlaceOrder: [readPlaceOrder, writePlaceOrder, 'place'],
  PlaceOrderList: [readPlaceOrderList, writePlaceOrderList, 'placeList'],
  CancelOrder: [readCancelOrder, writeCancelOrder, 'cancel'],
  CancelOrderList: [readCancelOrderList, writeCancelOrderList, 'cancelList'],
  CancelOpenOrders: [readCancelOpenOrders, writeCancelOpenOrders, 'cancelAll'],
  CancelOrdersWhere: [readCancelOrdersWhere, writeCancelOrdersWhere, 'cancelWhere'],
  QuoteOrders: [readQuote, writeQuote, 'quote'],
  CancelSessionOrders: [readCancelSessionOrders, writeCancelSessionOrders, 'cancelSession'],
  ReplaceOrder: [readReplaceOrder, writeReplaceOrder, 'replace'],
  AmendOrder: [readAmendOrder, writeAmendOrder, 'amend'],
  QueryOrder: [readQueryOrder, writeQueryOrder, 'query'],
  QueryOpenOrders: [readQueryOpenOrders, writeQueryOpenOrders, 'queryOpen'],
  QueryBook: [readQueryBook, writeQueryBook, 'queryBook'],
  SetCountdown: [readSetCountdown, writeSetCountdown, 'setCountdown'],
  QueryCountdowns: [readQueryCountdowns, writeQueryCountdowns, 'queryCountdowns'],
  SetProtection: [readSetProtection, writeSetProtection, 'setProtection'],
  ResetProtection: [readResetProtection, writeResetProtection, 'resetProtection'],
  SetReferencePrice: [readSetReferencePrice, writeSetReferencePrice, 'setReferencePrice'],
  QueryProtection: [readQueryProtection, writeQueryProtection, 'queryProtection'],
  TradeBlock: [readTradeBlock, writeTradeBlock, 'tradeBlock'],
} as const
type Forms = typeof forms

export type Command = {
  [Name in keyof Forms]: { readonly name: Name; readonly record: ReturnType<Forms[Name][0]> }
}[keyof Forms]

/** Room for the largest of them. */
const COMMAND_BYTES = 2560

export function encode({ name, record }: Command): RecordBuffer {
  const buffer = RecordBuffer.allocate(COMMAND_BYTES)
  forms[name][1](buffer, 0, record as never)
  return buffer
}

/** The command that begins at byte `at`. */
export function decode(buffer: RecordBuffer, at: number): Command {
  const name = names.get(recordType(buffer, at)) ?? unreachable('a command has a known type')
  return { name, record: forms[name][0](buffer, at) } as Command
}

const names = new Map(
  Object.keys(forms).map((name): [number, keyof Forms] => [
    RecordType[name as keyof Forms],
    name as keyof Forms,
  ]),
)

/** The twin's answer to a command. */
export function predict(
  twin: PlainSymbol,
  { name, record }: Command,
  nowMs: number,
  clockMs = nowMs,
): PlainRecord[] {
  twin.market.clockMs = clockMs
  return twin[forms[name][2]](record as never, nowMs)
}
