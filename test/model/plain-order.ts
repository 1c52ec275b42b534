/** What the plain twin remembers: orders as objects with bigint amounts, and a symbol's counters. */
import type { Fields } from './plain-answer.ts'

export interface PlainOrder {
  readonly orderId: number
  readonly account: number
  readonly terms: number
  readonly side: number
  readonly price: bigint
  readonly lots: bigint
  readonly clientOrderId: string
  readonly createdMs: number
  updatedMs: number
  open: bigint
  filled: bigint
  filledAtoms: bigint
}

/** All that one symbol's engine remembers between commands; plain data, so that it can be cloned. */
export interface PlainState {
  orders: PlainOrder[]
  sequence: number
  orderId: number
  tradeId: number
  updateId: number
  preventedMatchId: number
  lastPriceTicks: number
}

/** The fields that every record about an order begins with. */
export function faceOf(order: PlainOrder, quoteAtoms: number): Fields {
  return {
    account: order.account,
    terms: order.terms,
    orderId: order.orderId,
    priceTicks: Number(order.price),
    lots: Number(order.lots),
    quoteAtoms,
  }
}

/** As OrderState shows it. */
export function stateOf(order: PlainOrder): Fields {
  return {
    ...faceOf(order, 0),
    filledLots: Number(order.filled),
    filledAtoms: Number(order.filledAtoms),
    preventedLots: 0,
    createdMs: order.createdMs,
    updatedMs: order.updatedMs,
    clientOrderId: order.clientOrderId,
  }
}
