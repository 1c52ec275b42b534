/** What detailed-stream.ts keeps beside its records: plain objects, as they stand. */
import type {
  AccountId,
  AssetId,
  Atoms,
  Lots,
  Ms,
  OrderId,
  OrderListId,
  QuoteAtoms,
  SymbolId,
  Ticks,
  TradeId,
} from '../../../src/base/units.ts'

export interface AnyOrder {
  symbolId: SymbolId
  orderId: OrderId
  account: AccountId
  terms: number
  priceTicks: Ticks
  lots: Lots
  filledLots: Lots
  filledAtoms: QuoteAtoms
  preventedLots: Lots
  preventedMatchIdPlusOne: number
  status: number
  reason: number
  createdMs: Ms
  updatedMs: Ms
  clientOrderId: string
  ownClientOrderId: string
  isOpen: boolean
  list: AnyList | undefined
  details: {
    orderListId: OrderListId
    stopTicks: Ticks
    icebergLots: Lots
    strategyId: number
    strategyType: number
    trailingDelta: number
    trailingMs: Ms
    workingMs: Ms
    phase: number
  }
}

export interface AnyList {
  orderListId: OrderListId
  symbolId: SymbolId
  account: AccountId
  kind: number
  statusType: number
  orderStatus: number
  createdMs: Ms
  listClientOrderId: string
  legs: AnyOrder[]
}

export interface AnySide {
  symbolId: SymbolId
  tradeId: TradeId
  order: AnyOrder
  priceTicks: Ticks
  lots: Lots
  commissionAtoms: Atoms
  commissionAssetId: AssetId
  timeMs: Ms
  isMaker: boolean
}

export interface AnyPrevented {
  symbolId: SymbolId
  preventedMatchId: number
  taker: AnyOrder
  maker: AnyOrder
  takerTerms: number
  makerTerms: number
  tradeGroupId: number
  priceTicks: Ticks
  takerPreventedLots: Lots
  makerPreventedLots: Lots
  timeMs: Ms
}

export interface AnyAmendment {
  order: AnyOrder
  executionId: number
  oldLots: Lots
  newLots: Lots
  origClientOrderId: string
  newClientOrderId: string
  timeMs: Ms
}
