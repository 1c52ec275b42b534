/**
 * What one journaled event does to balances: the one definition that recovery, snapshots and audits
 * use. The effects are additive, so symbols may be applied in any order; every event conserves the sum
 * of free and locked of each asset. The engine's live calls to `Holds` must come to the same.
 */
import { Side, sideOf } from '../../base/codes.ts'
import {
  MatchPrevented,
  OrderAccepted,
  OrderAmended,
  OrderClosed,
  OrderDecremented,
  OrderEvent,
  OrderReleased,
  OrderTriggered,
  Trade,
  TradeCommission,
} from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import { EXCHANGE_ACCOUNT, type SymbolSpec } from '../../market/listing.ts'

/** Where effects go. Amounts are atoms, negative when they are taken. */
export interface EffectSink {
  addRecovered(account: number, asset: number, freeAtoms: number, lockedAtoms: number): void
}

/** Applies the event at byte `at` of `events`, an event of the symbol `spec`. */
export function applyEffects(
  events: RecordBuffer,
  at: number,
  spec: SymbolSpec,
  sink: EffectSink,
): void {
  switch (recordType(events, at)) {
    case OrderAccepted.type:
      applyHeld(events, at, spec, sink, OrderAccepted.heldAtoms(events, at))
      break
    case OrderTriggered.type:
    case OrderReleased.type:
      applyHeld(events, at, spec, sink, OrderTriggered.heldAtoms(events, at))
      break
    case Trade.type:
      applyTrade(events, at, spec, sink)
      break
    case TradeCommission.type:
      applyTradeCommission(events, at, sink)
      break
    case MatchPrevented.type:
      applyTransfer(events, at, spec, sink)
      break
    case OrderClosed.type:
      applyHeld(events, at, spec, sink, -OrderClosed.releasedAtoms(events, at))
      break
    case OrderAmended.type:
      applyHeld(events, at, spec, sink, -OrderAmended.releasedAtoms(events, at))
      break
    case OrderDecremented.type:
      applyHeld(events, at, spec, sink, -OrderDecremented.releasedAtoms(events, at))
      break
  }
}

/** The asset that an order of this side pays with, and so the one it locks. */
const paidAsset = (spec: SymbolSpec, terms: number): number =>
  sideOf(terms) === Side.BUY ? spec.quote.id : spec.base.id

/** An event of one order moves atoms from free to locked; negative ones go back. */
function applyHeld(
  events: RecordBuffer,
  at: number,
  spec: SymbolSpec,
  sink: EffectSink,
  held: number,
): void {
  if (held === 0) return
  const account = OrderEvent.account(events, at)
  const terms = OrderEvent.terms(events, at)
  sink.addRecovered(account, paidAsset(spec, terms), -held, held)
}

/** What self-trade prevention transfers moves as in a trade, without commissions. */
function applyTransfer(
  records: RecordBuffer,
  at: number,
  spec: SymbolSpec,
  sink: EffectSink,
): void {
  const lots = MatchPrevented.transferredLots(records, at)
  if (lots === 0) return
  const quote = MatchPrevented.transferredAtoms(records, at)
  const base = lots * spec.atomsPerLot
  const improvement = MatchPrevented.buyerReleasedAtoms(records, at)
  const taker = MatchPrevented.takerAccount(records, at)
  const maker = MatchPrevented.makerAccount(records, at)
  const takerBuys = sideOf(MatchPrevented.takerTerms(records, at)) === Side.BUY
  const buyer = takerBuys ? taker : maker
  const seller = takerBuys ? maker : taker
  sink.addRecovered(buyer, spec.quote.id, improvement, -quote - improvement)
  sink.addRecovered(buyer, spec.base.id, base, 0)
  sink.addRecovered(seller, spec.base.id, 0, -base)
  sink.addRecovered(seller, spec.quote.id, quote, 0)
}

function applyTrade(events: RecordBuffer, at: number, spec: SymbolSpec, sink: EffectSink): void {
  const lots = Trade.tradeLots(events, at)
  const quote = Trade.quoteAtoms(events, at)
  const base = lots * spec.atomsPerLot
  const improvement = Trade.buyerReleasedAtoms(events, at)
  const takerCommission = Trade.takerCommissionAtoms(events, at)
  const makerCommission = Trade.makerCommissionAtoms(events, at)
  const taker = Trade.takerAccount(events, at)
  const maker = Trade.makerAccount(events, at)
  const takerBuys = sideOf(Trade.takerTerms(events, at)) === Side.BUY
  const buyer = takerBuys ? taker : maker
  const seller = takerBuys ? maker : taker
  const buyerCommission = takerBuys ? takerCommission : makerCommission
  const sellerCommission = takerBuys ? makerCommission : takerCommission
  sink.addRecovered(buyer, spec.quote.id, improvement, -quote - improvement)
  sink.addRecovered(buyer, spec.base.id, base - buyerCommission, 0)
  sink.addRecovered(seller, spec.base.id, 0, -base)
  sink.addRecovered(seller, spec.quote.id, quote - sellerCommission, 0)
  if (buyerCommission !== 0) {
    sink.addRecovered(EXCHANGE_ACCOUNT, spec.base.id, buyerCommission, 0)
  }
  if (sellerCommission !== 0) {
    sink.addRecovered(EXCHANGE_ACCOUNT, spec.quote.id, sellerCommission, 0)
  }
}

function applyTradeCommission(records: RecordBuffer, at: number, sink: EffectSink): void {
  const account = TradeCommission.account(records, at)
  const asset = TradeCommission.assetId(records, at)
  const atoms = TradeCommission.atoms(records, at)
  sink.addRecovered(account, asset, -atoms, 0)
  sink.addRecovered(EXCHANGE_ACCOUNT, asset, atoms, 0)
}
