/** Commands as plain records, and their bytes. */

import {
  type AmendOrderRecord,
  type CancelOpenOrdersRecord,
  type CancelOrderListRecord,
  type CancelOrderRecord,
  type CancelOrdersWhereRecord,
  type CancelSessionOrdersRecord,
  type PlaceOrderListRecord,
  type PlaceOrderRecord,
  type QueryBookRecord,
  type QueryCountdownsRecord,
  type QueryOpenOrdersRecord,
  type QueryOrderRecord,
  type QueryProtectionRecord,
  RecordType,
  type ReplaceOrderRecord,
  type ResetProtectionRecord,
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
  type SetCountdownRecord,
  type SetProtectionRecord,
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
} from '../../scripts/layout/codecs.gen.ts'
import { unreachable } from '../../src/base/assert.ts'
import { RecordBuffer, recordType } from '../../src/layout/record-buffer.ts'
import type { PlainRecord } from '../model/plain-answer.ts'
import type { PlainSymbol } from '../model/plain-exchange.ts'

export type Command =
  | { readonly name: 'PlaceOrder'; readonly record: PlaceOrderRecord }
  | { readonly name: 'PlaceOrderList'; readonly record: PlaceOrderListRecord }
  | { readonly name: 'CancelOrder'; readonly record: CancelOrderRecord }
  | { readonly name: 'CancelOrderList'; readonly record: CancelOrderListRecord }
  | { readonly name: 'CancelOpenOrders'; readonly record: CancelOpenOrdersRecord }
  | { readonly name: 'CancelOrdersWhere'; readonly record: CancelOrdersWhereRecord }
  | { readonly name: 'CancelSessionOrders'; readonly record: CancelSessionOrdersRecord }
  | { readonly name: 'ReplaceOrder'; readonly record: ReplaceOrderRecord }
  | { readonly name: 'AmendOrder'; readonly record: AmendOrderRecord }
  | { readonly name: 'QueryOrder'; readonly record: QueryOrderRecord }
  | { readonly name: 'QueryOpenOrders'; readonly record: QueryOpenOrdersRecord }
  | { readonly name: 'QueryBook'; readonly record: QueryBookRecord }
  | { readonly name: 'SetProtection'; readonly record: SetProtectionRecord }
  | { readonly name: 'ResetProtection'; readonly record: ResetProtectionRecord }
  | { readonly name: 'QueryProtection'; readonly record: QueryProtectionRecord }
  | { readonly name: 'SetCountdown'; readonly record: SetCountdownRecord }
  | { readonly name: 'QueryCountdowns'; readonly record: QueryCountdownsRecord }

/** Room for the largest of them. */
const COMMAND_BYTES = 512

export function encode(command: Command): RecordBuffer {
  const buffer = RecordBuffer.allocate(COMMAND_BYTES)
  switch (command.name) {
    case 'PlaceOrder':
      writePlaceOrder(buffer, 0, command.record)
      break
    case 'PlaceOrderList':
      writePlaceOrderList(buffer, 0, command.record)
      break
    case 'CancelOrder':
      writeCancelOrder(buffer, 0, command.record)
      break
    case 'CancelOrderList':
      writeCancelOrderList(buffer, 0, command.record)
      break
    case 'CancelOpenOrders':
      writeCancelOpenOrders(buffer, 0, command.record)
      break
    case 'CancelOrdersWhere':
      writeCancelOrdersWhere(buffer, 0, command.record)
      break
    case 'CancelSessionOrders':
      writeCancelSessionOrders(buffer, 0, command.record)
      break
    case 'ReplaceOrder':
      writeReplaceOrder(buffer, 0, command.record)
      break
    case 'AmendOrder':
      writeAmendOrder(buffer, 0, command.record)
      break
    case 'QueryOrder':
      writeQueryOrder(buffer, 0, command.record)
      break
    case 'QueryOpenOrders':
      writeQueryOpenOrders(buffer, 0, command.record)
      break
    case 'QueryBook':
      writeQueryBook(buffer, 0, command.record)
      break
    case 'SetProtection':
      writeSetProtection(buffer, 0, command.record)
      break
    case 'ResetProtection':
      writeResetProtection(buffer, 0, command.record)
      break
    case 'QueryProtection':
      writeQueryProtection(buffer, 0, command.record)
      break
    case 'SetCountdown':
      writeSetCountdown(buffer, 0, command.record)
      break
    case 'QueryCountdowns':
      writeQueryCountdowns(buffer, 0, command.record)
      break
  }
  return buffer
}

/** The command that begins at byte `at`. */
export function decode(buffer: RecordBuffer, at: number): Command {
  const type = recordType(buffer, at)
  const [name, read] = readers.get(type) ?? unreachable('a command has a known type')
  return { name, record: read(buffer, at) } as Command
}

const readers = new Map(
  Object.entries({
    AmendOrder: readAmendOrder,
    CancelOpenOrders: readCancelOpenOrders,
    CancelOrder: readCancelOrder,
    CancelOrderList: readCancelOrderList,
    CancelOrdersWhere: readCancelOrdersWhere,
    CancelSessionOrders: readCancelSessionOrders,
    PlaceOrder: readPlaceOrder,
    PlaceOrderList: readPlaceOrderList,
    QueryBook: readQueryBook,
    QueryCountdowns: readQueryCountdowns,
    QueryOpenOrders: readQueryOpenOrders,
    QueryOrder: readQueryOrder,
    ReplaceOrder: readReplaceOrder,
    SetCountdown: readSetCountdown,
    QueryProtection: readQueryProtection,
    ResetProtection: readResetProtection,
    SetProtection: readSetProtection,
  }).map(([name, read]): [number, readonly [string, typeof read]] => [
    RecordType[name as keyof typeof RecordType],
    [name, read],
  ]),
)

/** The twin's answer to a command. */
export function predict(
  twin: PlainSymbol,
  command: Command,
  nowMs: number,
  clockMs = nowMs,
): PlainRecord[] {
  twin.market.clockMs = clockMs
  switch (command.name) {
    case 'PlaceOrder':
      return twin.place(command.record, nowMs)
    case 'PlaceOrderList':
      return twin.placeList(command.record, nowMs)
    case 'CancelOrder':
      return twin.cancel(command.record, nowMs)
    case 'CancelOrderList':
      return twin.cancelList(command.record, nowMs)
    case 'CancelOpenOrders':
      return twin.cancelAll(command.record, nowMs)
    case 'CancelOrdersWhere':
      return twin.cancelWhere(command.record, nowMs)
    case 'CancelSessionOrders':
      return twin.cancelSession(command.record, nowMs)
    case 'ReplaceOrder':
      return twin.replace(command.record, nowMs)
    case 'AmendOrder':
      return twin.amend(command.record, nowMs)
    case 'QueryOrder':
      return twin.query(command.record, nowMs)
    case 'QueryOpenOrders':
      return twin.queryOpen(command.record, nowMs)
    case 'QueryBook':
      return twin.queryBook(command.record, nowMs)
    case 'SetProtection':
      return twin.setProtection(command.record, nowMs)
    case 'ResetProtection':
      return twin.resetProtection(command.record, nowMs)
    case 'QueryProtection':
      return twin.queryProtection(command.record, nowMs)
    case 'SetCountdown':
      return twin.setCountdown(command.record, nowMs)
    case 'QueryCountdowns':
      return twin.queryCountdowns(command.record, nowMs)
  }
}
