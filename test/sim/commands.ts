/** Commands as plain records, and their bytes. */

import {
  RecordType,
  readAmendOrder,
  readApplyWithdrawal,
  readCancelOpenOrders,
  readCancelOrder,
  readCancelOrderList,
  readCancelOrdersWhere,
  readCancelSessionOrders,
  readChangeChain,
  readDecideWithdrawal,
  readMoveFunds,
  readPlaceOrder,
  readPlaceOrderList,
  readQueryBook,
  readQueryCountdowns,
  readQueryOpenOrders,
  readQueryOrder,
  readQueryProtection,
  readQueryWallet,
  readReplaceOrder,
  readResetProtection,
  readSendToExchange,
  readSetCountdown,
  readSetProtection,
  readSetReferencePrice,
  readTradeBlock,
  writeAmendOrder,
  writeApplyWithdrawal,
  writeCancelOpenOrders,
  writeCancelOrder,
  writeCancelOrderList,
  writeCancelOrdersWhere,
  writeCancelSessionOrders,
  writeChangeChain,
  writeDecideWithdrawal,
  writeMoveFunds,
  writePlaceOrder,
  writePlaceOrderList,
  writeQueryBook,
  writeQueryCountdowns,
  writeQueryOpenOrders,
  writeQueryOrder,
  writeQueryProtection,
  writeQueryWallet,
  writeReplaceOrder,
  writeResetProtection,
  writeSendToExchange,
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

const walletForms = {
  ApplyWithdrawal: [readApplyWithdrawal, writeApplyWithdrawal],
  DecideWithdrawal: [readDecideWithdrawal, writeDecideWithdrawal],
  SendToExchange: [readSendToExchange, writeSendToExchange],
  ChangeChain: [readChangeChain, writeChangeChain],
  MoveFunds: [readMoveFunds, writeMoveFunds],
  QueryWallet: [readQueryWallet, writeQueryWallet],
} as const
type WalletForms = typeof walletForms

type CommandOf<
  Table extends Record<string, readonly [(...given: never[]) => object, ...unknown[]]>,
> = {
  [Name in keyof Table]: { readonly name: Name; readonly record: ReturnType<Table[Name][0]> }
}[keyof Table]
/** Of a symbol's engine. */
export type Command = CommandOf<Forms>
export type WalletCommand = CommandOf<WalletForms>
export type AnyCommand = Command | WalletCommand

/** Room for the largest of them. */
const COMMAND_BYTES = 2560

const allForms = { ...forms, ...walletForms }

export function encode({ name, record }: AnyCommand): RecordBuffer {
  const buffer = RecordBuffer.allocate(COMMAND_BYTES)
  allForms[name][1](buffer, 0, record as never)
  return buffer
}

/** The command of a symbol that begins at byte `at`. */
export const decode = (buffer: RecordBuffer, at: number): Command => decoded(buffer, at) as Command

/** The command of the wallet that begins at byte `at`. */
export const decodeWallet = (buffer: RecordBuffer, at: number): WalletCommand =>
  decoded(buffer, at) as WalletCommand

function decoded(buffer: RecordBuffer, at: number): AnyCommand {
  const name = names.get(recordType(buffer, at)) ?? unreachable('a command has a known type')
  return { name, record: allForms[name][0](buffer, at) } as AnyCommand
}

const names = new Map(
  Object.keys(allForms).map((name): [number, keyof typeof allForms] => [
    RecordType[name as keyof typeof allForms],
    name as keyof typeof allForms,
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
