/**
 * Messages that NautilusTrader recorded on Binance's exchange (schema 3:2), where a copy of it lies beside the project:
 * `git clone https://github.com/nautechsystems/nautilus_trader ../nautilus_trader`, or SBE_RECORDED names the folder of
 * payloads. The same rows, encoded by this exchange in 3:5, differ in headers and in fields that were added since.
 */
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Rows } from '../../../../src/api/answers/answer.ts'
import type { Table } from '../../../../src/api/answers/element.ts'
import { canceledOrder, orderFull } from '../../../../src/api/answers/orders.ts'
import { responseFrame } from '../../../../src/api/answers/session.ts'
import {
  accountPosition,
  Execution,
  executionReport,
} from '../../../../src/api/answers/user-events.ts'
import { decode } from '../../../../src/api/sbe/decode.ts'
import { sbeOf } from '../../../../src/api/sbe/sbe.ts'
import {
  OrderStatus,
  OrderType,
  packTerms,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../../../src/base/codes.ts'
import { assets, tradedSymbols } from '../../../fixtures/one-thread-exchange.ts'

const folder =
  process.env.SBE_RECORDED ??
  '../nautilus_trader/crates/adapters/binance/test_data/spot/user_data_sbe/mainnet'

const spec = { ...tradedSymbols()[0]!, name: 'BTCUSDT', tickUnits: 1_000_000, lotUnits: 1_000 }
const shown = (table: Table, row: object) =>
  new Rows(table as never, row as never, { spec, assets, microseconds: false })

const order = {
  ...{ orderId: 59_208_788_051, priceTicks: 6_000_000, lots: 10, filledLots: 0 },
  ...{ quoteAtoms: 0, filledAtoms: 0, tradeGroupId: -1, preventedLots: 0, details: undefined },
  terms: packTerms(Side.BUY, OrderType.LIMIT, TimeInForce.GTC, SelfTradePrevention.EXPIRE_MAKER),
}
const placed = { ...order, status: OrderStatus.NEW, clientOrderId: 'test-order-id-0000000' }
const canceled = {
  ...{ ...order, status: OrderStatus.CANCELED, timeMs: 1_773_628_233_587.127 },
  ...{ origClientOrderId: 'test-order-id-0000000', clientOrderId: 'TestBinanceOrderId0000' },
}
const timeMs = 1_773_628_230_587.8
const limit = (rateLimitType: string, interval: string, facts: readonly number[]) => {
  const [intervalNum, most, count] = facts
  return { rateLimitType, interval, intervalNum, limit: most, count }
}
const weight = (count: number) => limit('REQUEST_WEIGHT', 'MINUTE', [1, 6_000, count])
const response = (id: string, result: Rows, limits: readonly object[]) =>
  shown(responseFrame, { id: JSON.stringify(id), status: 200, result, limits })

const eventTimeMs = 1_700_000_000_000
const report = {
  ...{ ...placed, eventTimeMs, timeMs: eventTimeMs, createdMs: eventTimeMs, workingMs: timeMs },
  ...{ orderId: 12_345_678, executionId: 0, rejectReason: 0, isOnBook: true, renamedFrom: '' },
  ...{ execution: Execution.NEW, clientOrderId: 'O-20200101-000000-000-000-0' },
}
const canceledReport = {
  ...{ ...report, status: OrderStatus.CANCELED, execution: Execution.CANCELED, isOnBook: false },
  renamedFrom: 'O-20200101-000000-000',
}
const [btc, usdt] = [spec.base, spec.quote]
const position = shown(accountPosition, {
  ...{ eventTimeMs, updateMs: eventTimeMs },
  balances: [
    { asset: btc, free: 100_000_000, locked: 0 },
    { asset: { ...btc, name: 'BNB' }, free: 28, locked: 0 },
    { asset: usdt, free: 5_000_000_000_000, locked: 0 },
  ],
})

/** By its name: the same answer, as this exchange has it. */
const answers = {
  web_socket_response_1: response(
    'ws-place',
    shown(orderFull, { ...placed, timeMs, workingMs: timeMs, fills: [] }),
    [limit('ORDERS', 'SECOND', [10, 100, 1]), limit('ORDERS', 'DAY', [1, 200_000, 1]), weight(15)],
  ),
  web_socket_response_2: response('ws-cancel', shown(canceledOrder, canceled), [weight(16)]),
  execution_report_event_1: shown(executionReport, report),
  execution_report_event_2: shown(executionReport, canceledReport),
  outbound_account_position_event_1: position,
  outbound_account_position_event_2: position,
}

/** Places in a header, behind it, and of the exponent of commissions in a report. */
const [VERSION, HEADER, COMMISSION_EXPONENT] = [6, 8, 26]
const RESPONSE = 50

test.runIf(fs.existsSync(folder)).each(Object.entries(answers))('%s', (name, answer) => {
  const recorded = fs.readFileSync(path.join(folder, `${name}.sbe`))
  const own = Buffer.from(sbeOf(5, answer))
  // That of no commission is 0 there.
  if (name.startsWith('execution')) own[COMMISSION_EXPONENT] = recorded[COMMISSION_EXPONENT]!
  expectSame(own, recorded)
  for (const at of versionsIn(recorded)) recorded.writeUInt16LE(5, at)
  expect(decode(own)).toEqual(decode(recorded))
})

/** Blocks may be longer: what is in them since is null, as decoders see. */
function expectSame(own: Buffer, recorded: Buffer): void {
  const blocks = [own.readUInt16LE(), recorded.readUInt16LE()] as const
  expect(own.subarray(2, VERSION)).toEqual(recorded.subarray(2, VERSION))
  expect([own, recorded].map((bytes) => bytes.readUInt16LE(VERSION))).toEqual([5, 2])
  const end = HEADER + blocks[1]
  expect(own.toString('hex', HEADER, end)).toBe(recorded.toString('hex', HEADER, end))
  const [rest, others] = [own.subarray(HEADER + blocks[0]), recorded.subarray(end)]
  if (own.readUInt16LE(2) !== RESPONSE) expect(rest.toString('hex')).toBe(others.toString('hex'))
  else {
    const at = resultAt(others)
    expect(rest.toString('hex', 0, at)).toBe(others.toString('hex', 0, at))
    expectSame(resultOf(rest, at), resultOf(others, at))
  }
}

/** Behind the block of a response: its limits, its id, and the length of its result. */
function resultAt(rest: Buffer): number {
  const limits = 4 + rest.readUInt16LE() * rest.readUInt16LE(2)
  return limits + 1 + rest[limits]!
}
const resultOf = (rest: Buffer, at: number): Buffer =>
  rest.subarray(at + 4, at + 4 + rest.readUInt32LE(at))

/** Of a message, and of one within it. */
function versionsIn(recorded: Buffer): readonly number[] {
  if (recorded.readUInt16LE(2) !== RESPONSE) return [VERSION]
  const end = HEADER + recorded.readUInt16LE()
  return [VERSION, end + resultAt(recorded.subarray(end)) + 4 + VERSION]
}
