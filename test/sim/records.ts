/** Records as plain objects, by the generated readers, so that they can be compared with the twin's. */

import {
  FLAG_LAST,
  RecordType,
  readAllocation,
  readAuctionIndicative,
  readAuctionUncrossed,
  readBlockTrade,
  readBlockTradeState,
  readBookBegin,
  readBookEnd,
  readBookLevel,
  readChainChanged,
  readChainState,
  readCountdownChanged,
  readCountdownState,
  readDebtPaid,
  readDepositChanged,
  readDepositState,
  readFundsMoved,
  readFundsState,
  readMatchPrevented,
  readMovementState,
  readOrderAccepted,
  readOrderAmended,
  readOrderClosed,
  readOrderDecremented,
  readOrderFunded,
  readOrderListChanged,
  readOrderListRejected,
  readOrderReleased,
  readOrderReplenished,
  readOrderRested,
  readOrderState,
  readOrderTriggered,
  readPhaseChanged,
  readProtectionChanged,
  readProtectionState,
  readQueryEnd,
  readReferenceBucket,
  readReferenceChanged,
  readReferenceState,
  readRejected,
  readReplaceResult,
  readTrade,
  readTransactionSigned,
  readTransactionState,
  readWalletEnd,
  readWalletRejected,
  readWithdrawalChanged,
  readWithdrawalState,
  readWithdrawingState,
} from '../../scripts/layout/codecs.gen.ts'
import { unreachable } from '../../src/base/assert.ts'
import type { Int64 } from '../../src/base/int64.ts'
import {
  type RecordBuffer,
  recordFlags,
  recordLength,
  recordType,
} from '../../src/layout/record-buffer.ts'
import { readQuoteOutcomes } from './quote-commands.ts'

const readers: Readonly<Record<string, (buffer: RecordBuffer, at: number) => object>> = {
  OrderAccepted: readOrderAccepted,
  Allocation: readAllocation,
  Trade: readTrade,
  OrderRested: readOrderRested,
  OrderClosed: readOrderClosed,
  MatchPrevented: readMatchPrevented,
  OrderTriggered: readOrderTriggered,
  OrderReleased: readOrderReleased,
  OrderReplenished: readOrderReplenished,
  OrderAmended: readOrderAmended,
  OrderListChanged: readOrderListChanged,
  OrderDecremented: readOrderDecremented,
  OrderFunded: readOrderFunded,
  PhaseChanged: readPhaseChanged,
  AuctionUncrossed: readAuctionUncrossed,
  BlockTrade: readBlockTrade,
  BlockTradeState: readBlockTradeState,
  CountdownChanged: readCountdownChanged,
  CountdownState: readCountdownState,
  ProtectionChanged: readProtectionChanged,
  ProtectionState: readProtectionState,
  ReferenceChanged: readReferenceChanged,
  ReferenceState: readReferenceState,
  ReferenceBucket: readReferenceBucket,
  AuctionIndicative: readAuctionIndicative,
  OrderListRejected: readOrderListRejected,
  Rejected: readRejected,
  OrderState: readOrderState,
  QueryEnd: readQueryEnd,
  QuoteResult: readQuoteOutcomes,
  BookBegin: readBookBegin,
  BookLevel: readBookLevel,
  BookEnd: readBookEnd,
  ReplaceResult: readReplaceResult,
  ChainChanged: readChainChanged,
  ChainState: readChainState,
  DebtPaid: readDebtPaid,
  DepositChanged: readDepositChanged,
  DepositState: readDepositState,
  FundsMoved: readFundsMoved,
  FundsState: readFundsState,
  TransactionSigned: readTransactionSigned,
  TransactionState: readTransactionState,
  WalletEnd: readWalletEnd,
  WalletRejected: readWalletRejected,
  WithdrawingState: readWithdrawingState,
  MovementState: readMovementState,
  WithdrawalChanged: readWithdrawalChanged,
  WithdrawalState: readWithdrawalState,
}
const names = new Map<number, string>(
  Object.entries(RecordType).map(([name, type]) => [type, name]),
)

export type NamedRecord = { readonly name: string; readonly last: boolean } & Readonly<
  Record<string, string | Int64 | boolean>
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
    records.push({ name, last, ...flat(readers[name]!(buffer, at)) })
  }
  return records
}

/** A section's fields stand behind its name: `details.stopTicks`. */
function flat(record: object): Record<string, string | Int64> {
  const fields: Record<string, string | Int64> = {}
  for (const [name, value] of Object.entries(record)) {
    if (typeof value !== 'object') {
      if (value !== undefined) fields[name] = value
    } else
      for (const [part, inner] of Object.entries(value as Record<string, number>)) {
        fields[`${name}.${part}`] = inner
      }
  }
  return fields
}
