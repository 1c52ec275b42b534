/**
 * Whole payloads of orders and lists: every field, with the values that most orders have. A test says
 * what is different; a field given as undefined is one that must not be there.
 */
import { expect } from 'vitest'
import type { Frame } from '../frame-log.ts'

export const ZERO = '0.00000000'
export const TIME: unknown = expect.any(Number)
export const ID: unknown = expect.any(Number)
/** Generated when the client chose none. */
export const CLIENT_ID: unknown = expect.stringMatching(/^[a-zA-Z0-9]{22}$/)
export const NONE: unknown = undefined

const terms = {
  timeInForce: 'GTC',
  type: 'LIMIT',
  selfTradePreventionMode: 'EXPIRE_MAKER',
}

const amounts = {
  price: ZERO,
  executedQty: ZERO,
  origQuoteOrderQty: ZERO,
  cummulativeQuoteQty: ZERO,
}

/** An ACK. */
export const acknowledged = (fields: Frame): Frame => ({
  orderId: ID,
  orderListId: -1,
  clientOrderId: CLIENT_ID,
  transactTime: TIME,
  ...fields,
})

/** A RESULT: what a FULL answer of a list shows of a leg that has no fills, too. */
export const result = (fields: Frame): Frame => ({
  ...acknowledged({}),
  ...amounts,
  ...terms,
  status: 'NEW',
  workingTime: TIME,
  ...fields,
})

/** A FULL answer. */
export const placed = (fields: Frame): Frame => ({ ...result({}), fills: [], ...fields })

/** What queries show. */
export const queried = (fields: Frame): Frame => ({
  orderId: ID,
  orderListId: -1,
  clientOrderId: CLIENT_ID,
  ...amounts,
  ...terms,
  status: 'NEW',
  stopPrice: ZERO,
  icebergQty: ZERO,
  time: TIME,
  updateTime: TIME,
  isWorking: true,
  workingTime: TIME,
  ...fields,
})

/** What a cancel answers. */
export const canceled = (fields: Frame): Frame => ({
  ...acknowledged({}),
  origClientOrderId: CLIENT_ID,
  ...amounts,
  ...terms,
  status: 'CANCELED',
  ...fields,
})

/** An order list just placed; without `orderReports` as queries show it. */
export const list = (fields: Frame): Frame => ({
  orderListId: ID,
  contingencyType: 'OCO',
  listStatusType: 'EXEC_STARTED',
  listOrderStatus: 'EXECUTING',
  listClientOrderId: CLIENT_ID,
  transactionTime: TIME,
  ...fields,
})

/** An executionReport of a resting order's acceptance. */
export const report = (fields: Frame): Frame => ({
  e: 'executionReport',
  E: TIME,
  o: 'LIMIT',
  f: 'GTC',
  p: ZERO,
  P: ZERO,
  F: ZERO,
  g: -1,
  C: '',
  x: 'NEW',
  X: 'NEW',
  r: 'NONE',
  i: ID,
  l: ZERO,
  z: ZERO,
  L: ZERO,
  n: '0',
  N: null,
  T: TIME,
  t: -1,
  I: ID,
  w: true,
  m: false,
  M: false,
  O: TIME,
  Z: ZERO,
  Y: ZERO,
  Q: ZERO,
  W: TIME,
  V: 'EXPIRE_MAKER',
  ...fields,
})

/** A listStatus. */
export const listStatus = (fields: Frame): Frame => ({
  e: 'listStatus',
  E: TIME,
  g: ID,
  c: 'OCO',
  l: 'EXEC_STARTED',
  L: 'EXECUTING',
  r: 'NONE',
  C: CLIENT_ID,
  T: TIME,
  ...fields,
})

/** Balances that changed, `[free, locked]` by asset, base before quote. */
export const position = (balances: Readonly<Record<string, readonly [string, string]>>): Frame => ({
  e: 'outboundAccountPosition',
  E: TIME,
  u: TIME,
  B: Object.entries(balances).map(([a, [f, l]]) => ({ a, f, l })),
})

/** An error's body. */
export const refusal = (code: number, msg: string): Frame => ({ code, msg })
