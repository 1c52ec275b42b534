/**
 * Block trades of one symbol: two accounts agreed outside of its book, and an operator enters it. It meets no order, and
 * moves no last price, trigger, reference or volume. What it takes is checked of both accounts at once: it is made
 * whole or not at all.
 */
import { RejectReason, Side, SymbolStatus } from '../../base/codes.ts'
import { baseAtomsOf } from '../../base/notional.ts'
import { QuoteAtoms } from '../../base/units.ts'
import { TradeBlock } from '../../layout/accessors.gen.ts'
import type { RecordBuffer } from '../../layout/record-buffer.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { Commission } from '../ledger/commission.ts'
import { type BlockTrade, newDeal } from './block-trades.ts'
import { ADMITTED, type Verdict } from './decision.ts'
import type { EventWriter } from './event-writer.ts'
import type { OrderFunds } from './order-funds.ts'
import type { SymbolState } from './symbol-state.ts'

export class BlockTrading {
  private readonly state: SymbolState
  private readonly funds: OrderFunds
  private readonly events: EventWriter
  private readonly atomsPerLot: number
  private readonly commission = new Commission()
  private readonly deal = newDeal()

  constructor(
    state: SymbolState,
    funds: OrderFunds,
    events: EventWriter,
    { atomsPerLot }: SymbolSpec,
  ) {
    this.state = state
    this.funds = funds
    this.events = events
    this.atomsPerLot = atomsPerLot
  }

  /** Whether the TradeBlock at byte `at` is what was made under its id. */
  isSame(trade: BlockTrade, commands: RecordBuffer, at: number): boolean {
    return (
      TradeBlock.buyer(commands, at) === trade.buyer &&
      TradeBlock.seller(commands, at) === trade.seller &&
      TradeBlock.priceTicks(commands, at) === trade.priceTicks &&
      TradeBlock.lots(commands, at) === trade.lots
    )
  }

  /** Executes the TradeBlock at byte `at`, whose id is not known. */
  trade(commands: RecordBuffer, at: number): Verdict {
    const state = this.state
    const funds = this.funds
    const deal = this.deal
    if (state.phase === SymbolStatus.BREAK) return RejectReason.MARKET_CLOSED
    const rate = TradeBlock.rate(commands, at)
    deal.buyer = TradeBlock.buyer(commands, at)
    deal.seller = TradeBlock.seller(commands, at)
    deal.priceTicks = TradeBlock.priceTicks(commands, at)
    deal.lots = TradeBlock.lots(commands, at)
    deal.quoteAtoms = state.notional.down(deal.priceTicks, deal.lots)
    const baseAtoms = baseAtomsOf(deal.lots, this.atomsPerLot)
    const bought = funds.hold(deal.buyer, Side.BUY, deal.quoteAtoms)
    if (bought !== ADMITTED) return bought
    const sold = funds.hold(deal.seller, Side.SELL, baseAtoms)
    if (sold !== ADMITTED) {
      funds.release(deal.buyer, Side.BUY, deal.quoteAtoms)
      return sold
    }
    deal.buyerCommissionAtoms = this.commission.of(baseAtoms, rate)
    deal.sellerCommissionAtoms = this.commission.of(deal.quoteAtoms, rate)
    funds.exchange(
      deal.buyer,
      deal.seller,
      baseAtoms,
      deal.quoteAtoms,
      QuoteAtoms(0),
      deal.buyerCommissionAtoms,
      deal.sellerCommissionAtoms,
    )
    deal.blockTradeId = state.blockTrades.lastId + 1
    this.events.blockTrade(deal, commands.i32, TradeBlock.requestIdAt(at))
    return ADMITTED
  }
}
