/**
 * What one journaled event does to balances: the one definition that recovery, snapshots and audits
 * use. The effects are additive, so symbols may be applied in any order; every event conserves the sum
 * of free and locked of each asset. The engine's live calls to `Holds` must come to the same.
 */
import { Side, sideOf } from '../../base/codes.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import {
  MatchPrevented,
  OrderAccepted,
  OrderAmended,
  OrderClosed,
  OrderDecremented,
  OrderReleased,
  OrderTriggered,
  Trade,
  TradeCommission,
} from '../../layout/records.gen.ts'
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
      applyHeld(events, at, spec, sink, OrderAccepted.heldAtoms, 1)
      break
    case OrderTriggered.type:
    case OrderReleased.type:
      applyHeld(events, at, spec, sink, OrderTriggered.heldAtoms, 1)
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
      applyHeld(events, at, spec, sink, OrderClosed.releasedAtoms, -1)
      break
    case OrderAmended.type:
      applyHeld(events, at, spec, sink, OrderAmended.releasedAtoms, -1)
      break
    case OrderDecremented.type:
      applyHeld(events, at, spec, sink, OrderDecremented.releasedAtoms, -1)
      break
  }
}

/** The asset that an order of this side pays with, and so the one it locks. */
const paidAsset = (spec: SymbolSpec, terms: number): number =>
  sideOf(terms) === Side.BUY ? spec.quote.id : spec.base.id

/**
 * An event of one order moves the atoms at `field` from free to locked, or, with sign -1, back. All
 * such events have account and terms at the same offsets.
 */
function applyHeld(
  { i32, f64 }: RecordBuffer,
  at: number,
  spec: SymbolSpec,
  sink: EffectSink,
  field: number,
  sign: 1 | -1,
): void {
  const held = sign * f64[(at >> 3) + field]!
  if (held === 0) return
  const account = i32[(at >> 2) + OrderAccepted.account]!
  const terms = i32[(at >> 2) + OrderAccepted.terms]!
  sink.addRecovered(account, paidAsset(spec, terms), -held, held)
}

/** What self-trade prevention transfers moves as in a trade, without commissions. */
function applyTransfer(
  { i32, f64 }: RecordBuffer,
  at: number,
  spec: SymbolSpec,
  sink: EffectSink,
): void {
  const word = at >> 2
  const double = at >> 3
  const lots = f64[double + MatchPrevented.transferredLots]!
  if (lots === 0) return
  const quote = f64[double + MatchPrevented.transferredAtoms]!
  const base = lots * spec.atomsPerLot
  const improvement = f64[double + MatchPrevented.buyerReleasedAtoms]!
  const taker = i32[word + MatchPrevented.takerAccount]!
  const maker = i32[word + MatchPrevented.makerAccount]!
  const takerBuys = sideOf(i32[word + MatchPrevented.takerTerms]!) === Side.BUY
  const buyer = takerBuys ? taker : maker
  const seller = takerBuys ? maker : taker
  sink.addRecovered(buyer, spec.quote.id, improvement, -quote - improvement)
  sink.addRecovered(buyer, spec.base.id, base, 0)
  sink.addRecovered(seller, spec.base.id, 0, -base)
  sink.addRecovered(seller, spec.quote.id, quote, 0)
}

function applyTrade(events: RecordBuffer, at: number, spec: SymbolSpec, sink: EffectSink): void {
  const word = at >> 2
  const double = at >> 3
  const { i32, f64 } = events
  const lots = f64[double + Trade.tradeLots]!
  const quote = f64[double + Trade.quoteAtoms]!
  const base = lots * spec.atomsPerLot
  const improvement = f64[double + Trade.buyerReleasedAtoms]!
  const takerCommission = f64[double + Trade.takerCommissionAtoms]!
  const makerCommission = f64[double + Trade.makerCommissionAtoms]!
  const taker = i32[word + Trade.takerAccount]!
  const maker = i32[word + Trade.makerAccount]!
  const takerBuys = sideOf(i32[word + Trade.takerTerms]!) === Side.BUY
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

function applyTradeCommission({ i32, f64 }: RecordBuffer, at: number, sink: EffectSink): void {
  const account = i32[(at >> 2) + TradeCommission.account]!
  const asset = i32[(at >> 2) + TradeCommission.assetId]!
  const atoms = f64[(at >> 3) + TradeCommission.atoms]!
  sink.addRecovered(account, asset, -atoms, 0)
  sink.addRecovered(EXCHANGE_ACCOUNT, asset, atoms, 0)
}
