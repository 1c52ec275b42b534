/** Records as plain objects, by the generated readers, so that they can be compared with the twin's. */
import { unreachable } from '../../src/base/assert.ts'
import {
  type RecordBuffer,
  recordFlags,
  recordLength,
  recordType,
} from '../../src/layout/record-buffer.ts'
import {
  FLAG_LAST,
  RecordType,
  readBookBegin,
  readBookEnd,
  readBookLevel,
  readMatchPrevented,
  readOrderAccepted,
  readOrderAmended,
  readOrderClosed,
  readOrderDecremented,
  readOrderDetails,
  readOrderListChanged,
  readOrderListRejected,
  readOrderReleased,
  readOrderReplenished,
  readOrderRested,
  readOrderState,
  readOrderStateDetails,
  readOrderTriggered,
  readQueryEnd,
  readRejected,
  readReplaceResult,
  readTrade,
  readTradeCommission,
} from '../../src/layout/records.gen.ts'

const readers: Readonly<Record<string, (buffer: RecordBuffer, at: number) => object>> = {
  OrderAccepted: readOrderAccepted,
  Trade: readTrade,
  OrderRested: readOrderRested,
  OrderClosed: readOrderClosed,
  MatchPrevented: readMatchPrevented,
  OrderDetails: readOrderDetails,
  OrderTriggered: readOrderTriggered,
  OrderReleased: readOrderReleased,
  OrderReplenished: readOrderReplenished,
  OrderAmended: readOrderAmended,
  OrderListChanged: readOrderListChanged,
  TradeCommission: readTradeCommission,
  OrderDecremented: readOrderDecremented,
  OrderListRejected: readOrderListRejected,
  Rejected: readRejected,
  OrderState: readOrderState,
  QueryEnd: readQueryEnd,
  BookBegin: readBookBegin,
  BookLevel: readBookLevel,
  BookEnd: readBookEnd,
  OrderStateDetails: readOrderStateDetails,
  ReplaceResult: readReplaceResult,
}
const names = new Map<number, string>(
  Object.entries(RecordType).map(([name, type]) => [type, name]),
)

export type NamedRecord = { readonly name: string; readonly last: boolean } & Readonly<
  Record<string, string | number | boolean>
>

/** How many of the records are events. */
export const eventCountOf = (records: readonly NamedRecord[]): number =>
  records.filter(({ sequence }) => sequence !== undefined).length

/** The records in bytes [from, to). */
export function readRecords(buffer: RecordBuffer, from: number, to: number): NamedRecord[] {
  const records: NamedRecord[] = []
  for (let at = from; at < to; at += recordLength(buffer, at)) {
    const name = names.get(recordType(buffer, at)) ?? unreachable('a record has a known type')
    const last = (recordFlags(buffer, at) & FLAG_LAST) !== 0
    records.push({ name, last, ...readers[name]!(buffer, at) })
  }
  return records
}
