/**
 * What one journaled event does to balances: the one definition that recovery, snapshots and audits
 * use. The effects are additive, so symbols may be applied in any order; every event of a symbol conserves the sum
 * of free and locked of each asset, and the wallet's events change it by what its terms of the proof of funds change
 * (core/wallet). The engine's live calls to `Holds` must come to the same.
 */
import { Side, sideOf } from '../../base/codes.ts'
import { minus, negative, plus } from '../../base/int64.ts'
import { baseAtomsOf } from '../../base/notional.ts'
import { type AccountId, type AssetId, Atoms, QuoteAtoms } from '../../base/units.ts'
import {
  Allocation,
  BlockTrade,
  DebtPaid,
  DepositBlock,
  DepositChanged,
  ExecutionEvent,
  FundsMoved,
  MatchPrevented,
  MovementBlock,
  OrderAccepted,
  OrderAmended,
  OrderClosed,
  OrderDecremented,
  OrderFunded,
  OrderReleased,
  OrderTriggered,
  Trade,
  TradeSide,
  WholeOrderEvent,
  WithdrawalBlock,
  WithdrawalChanged,
} from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import { EXCHANGE_ACCOUNT, type SymbolSpec } from '../../market/listing.ts'

/** Where effects go. Amounts are atoms, negative when they are taken. */
export interface EffectSink {
  addRecovered(account: AccountId, asset: AssetId, freeAtoms: Atoms, lockedAtoms: Atoms): void
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
      applyHeld(events, at, spec, sink, ExecutionEvent.heldAtoms(events, at))
      break
    case OrderFunded.type:
      applyHeld(events, at, spec, sink, OrderFunded.heldAtoms(events, at))
      break
    case Trade.type:
      applyTrade(events, at, spec, sink)
      break
    case Allocation.type:
      applyAllocation(events, at, spec, sink)
      break
    case MatchPrevented.type:
      applyTransfer(events, at, spec, sink)
      break
    case BlockTrade.type:
      applyBlockTrade(events, at, spec, sink)
      break
    case OrderClosed.type:
      applyHeld(events, at, spec, sink, negative(OrderClosed.releasedAtoms(events, at)))
      break
    case OrderAmended.type:
      applyHeld(events, at, spec, sink, negative(OrderAmended.releasedAtoms(events, at)))
      break
    case OrderDecremented.type:
      applyHeld(events, at, spec, sink, negative(OrderDecremented.releasedAtoms(events, at)))
      break
  }
}

/** Applies the event at byte `at` of `events`, an event of the wallet. All of it moves free balances. */
export function applyWalletEffects(events: RecordBuffer, at: number, sink: EffectSink): void {
  const move = (account: AccountId, asset: AssetId, atoms: Atoms) => {
    if (atoms !== 0) sink.addRecovered(account, asset, atoms, Atoms(0))
  }
  switch (recordType(events, at)) {
    case DepositChanged.type: {
      const row = DepositChanged.depositBlockAt(at)
      const asset = DepositBlock.assetId(events, row)
      move(DepositBlock.account(events, row), asset, DepositChanged.movedAtoms(events, at))
      break
    }
    case WithdrawalChanged.type: {
      const row = WithdrawalChanged.withdrawalBlockAt(at)
      const asset = WithdrawalBlock.assetId(events, row)
      move(WithdrawalBlock.account(events, row), asset, WithdrawalChanged.movedAtoms(events, at))
      move(EXCHANGE_ACCOUNT, asset, WithdrawalChanged.feeMovedAtoms(events, at))
      break
    }
    case FundsMoved.type: {
      const row = FundsMoved.movementBlockAt(at)
      const asset = MovementBlock.assetId(events, row)
      const atoms = MovementBlock.atoms(events, row)
      move(MovementBlock.from(events, row), asset, negative(atoms))
      move(MovementBlock.to(events, row), asset, atoms)
      break
    }
    case DebtPaid.type:
      move(
        DebtPaid.account(events, at),
        DebtPaid.assetId(events, at),
        negative(DebtPaid.atoms(events, at)),
      )
      break
  }
}

/** The asset that an order of this side pays with, and so the one it locks. */
const paidAsset = (spec: SymbolSpec, terms: number): AssetId =>
  sideOf(terms) === Side.BUY ? spec.quote.id : spec.base.id

/** An event of one order moves atoms from free to locked; negative ones go back. */
function applyHeld(
  events: RecordBuffer,
  at: number,
  spec: SymbolSpec,
  sink: EffectSink,
  held: Atoms,
): void {
  if (held === 0) return
  const account = WholeOrderEvent.account(events, at)
  const terms = WholeOrderEvent.terms(events, at)
  sink.addRecovered(account, paidAsset(spec, terms), negative(held), held)
}

/** What self-trade prevention transfers moves as in a trade, without commissions. */
function applyTransfer(events: RecordBuffer, at: number, spec: SymbolSpec, sink: EffectSink): void {
  const lots = MatchPrevented.transferredLots(events, at)
  if (lots === 0) return
  const quote = MatchPrevented.transferredAtoms(events, at)
  const base = baseAtomsOf(lots, spec.atomsPerLot)
  const improvement = MatchPrevented.buyerReleasedAtoms(events, at)
  const taker = MatchPrevented.takerAccount(events, at)
  const maker = MatchPrevented.makerAccount(events, at)
  const takerBuys = sideOf(MatchPrevented.takerTerms(events, at)) === Side.BUY
  const buyer = takerBuys ? taker : maker
  const seller = takerBuys ? maker : taker
  sink.addRecovered(buyer, spec.quote.id, improvement, negative(plus(quote, improvement)))
  sink.addRecovered(buyer, spec.base.id, base, Atoms(0))
  sink.addRecovered(seller, spec.base.id, Atoms(0), negative(base))
  sink.addRecovered(seller, spec.quote.id, quote, Atoms(0))
}

/** Both sides pay from free. */
function applyBlockTrade(
  events: RecordBuffer,
  at: number,
  spec: SymbolSpec,
  sink: EffectSink,
): void {
  const [buyer, seller] = [BlockTrade.buyer(events, at), BlockTrade.seller(events, at)]
  const base = baseAtomsOf(BlockTrade.lots(events, at), spec.atomsPerLot)
  const quote = BlockTrade.quoteAtoms(events, at)
  const ofBuyer = BlockTrade.buyerCommissionAtoms(events, at)
  const ofSeller = BlockTrade.sellerCommissionAtoms(events, at)
  sink.addRecovered(buyer, spec.quote.id, negative<Atoms>(quote), Atoms(0))
  sink.addRecovered(buyer, spec.base.id, minus<Atoms>(base, ofBuyer), Atoms(0))
  sink.addRecovered(seller, spec.base.id, negative<Atoms>(base), Atoms(0))
  sink.addRecovered(seller, spec.quote.id, minus<Atoms>(quote, ofSeller), Atoms(0))
  if (ofBuyer !== 0) sink.addRecovered(EXCHANGE_ACCOUNT, spec.base.id, ofBuyer, Atoms(0))
  if (ofSeller !== 0) sink.addRecovered(EXCHANGE_ACCOUNT, spec.quote.id, ofSeller, Atoms(0))
}

function applyTrade(events: RecordBuffer, at: number, spec: SymbolSpec, sink: EffectSink): void {
  const taker = Trade.takerAt(at)
  const maker = Trade.makerAt(at)
  const quote = Trade.quoteAtoms(events, at)
  const base = baseAtomsOf(Trade.tradeLots(events, at), spec.atomsPerLot)
  const improvement = Trade.buyerReleasedAtoms(events, at)
  const takerBuys = sideOf(TradeSide.terms(events, taker)) === Side.BUY
  const buyer = takerBuys ? taker : maker
  const seller = takerBuys ? maker : taker
  const buyerAccount = TradeSide.account(events, buyer)
  const sellerAccount = TradeSide.account(events, seller)
  const buyerCommission = keptBack(events, buyer)
  const sellerCommission = keptBack(events, seller)
  sink.addRecovered(buyerAccount, spec.quote.id, improvement, negative(plus(quote, improvement)))
  sink.addRecovered(buyerAccount, spec.base.id, minus<Atoms>(base, buyerCommission), Atoms(0))
  sink.addRecovered(sellerAccount, spec.base.id, Atoms(0), negative(base))
  sink.addRecovered(sellerAccount, spec.quote.id, minus<Atoms>(quote, sellerCommission), Atoms(0))
  if (buyerCommission !== 0) {
    sink.addRecovered(EXCHANGE_ACCOUNT, spec.base.id, buyerCommission, Atoms(0))
  }
  if (sellerCommission !== 0) {
    sink.addRecovered(EXCHANGE_ACCOUNT, spec.quote.id, sellerCommission, Atoms(0))
  }
  applyOtherCommission(events, buyer, sink)
  applyOtherCommission(events, seller, sink)
}

/** The order pays from locked, its group's account from free; the order alone pays a commission. */
function applyAllocation(
  events: RecordBuffer,
  at: number,
  spec: SymbolSpec,
  sink: EffectSink,
): void {
  const side = Allocation.takerAt(at)
  const taker = TradeSide.account(events, side)
  const allocator = Allocation.allocator(events, at)
  const quote = Allocation.quoteAtoms(events, at)
  const base = baseAtomsOf(Allocation.allocatedLots(events, at), spec.atomsPerLot)
  const commission = keptBack(events, side)
  const buys = sideOf(TradeSide.terms(events, side)) === Side.BUY
  const [paid, got] = buys ? [quote, base] : [base, quote]
  const [paidId, gotId] = buys ? [spec.quote.id, spec.base.id] : [spec.base.id, spec.quote.id]
  const improvement = buys ? Allocation.buyerReleasedAtoms(events, at) : QuoteAtoms(0)
  sink.addRecovered(taker, paidId, improvement, negative(plus<Atoms>(paid, improvement)))
  sink.addRecovered(taker, gotId, minus<Atoms>(got, commission), Atoms(0))
  sink.addRecovered(allocator, paidId, paid, Atoms(0))
  sink.addRecovered(allocator, gotId, negative<Atoms>(got), Atoms(0))
  if (commission !== 0) sink.addRecovered(EXCHANGE_ACCOUNT, gotId, commission, Atoms(0))
  applyOtherCommission(events, side, sink)
}

/** A side's commission in the asset that it receives. */
const keptBack = (events: RecordBuffer, side: number): Atoms =>
  TradeSide.commissionAssetId(events, side) < 0 ? TradeSide.commissionAtoms(events, side) : Atoms(0)

/** A side's commission in another asset. */
function applyOtherCommission(events: RecordBuffer, side: number, sink: EffectSink): void {
  const assetId = TradeSide.commissionAssetId(events, side)
  if (assetId < 0) return
  const atoms = TradeSide.commissionAtoms(events, side)
  sink.addRecovered(TradeSide.account(events, side), assetId, negative(atoms), Atoms(0))
  sink.addRecovered(EXCHANGE_ACCOUNT, assetId, atoms, Atoms(0))
}
