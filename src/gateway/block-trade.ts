/** Block trades, which an operator enters: the command of the symbol's matcher, and its answer. */
import type { Collector, Context } from '../api/context.ts'
import { errorMessage } from '../api/errors.ts'
import { refusalOf } from '../api/handlers/engine-refusal.ts'
import { packClientOrderId } from '../base/client-order-id.ts'
import { RejectReason } from '../base/codes.ts'
import {
  BlockTrade,
  BlockTradeState,
  DealBlock,
  EventHeader,
  Rejected,
  TradeBlock,
} from '../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../layout/record-buffer.ts'
import type { SymbolSpec } from '../market/listing.ts'
import type {
  BlockTradeQuery,
  BlockTradeResult,
  OperatorQueryAnswer,
} from '../shared/operator-query.ts'

const ANOTHER = 'Another block trade of the symbol has this id.'
const UNKNOWN = 'Whether it was made is unknown: the same id again tells.'

/** Resolves to what it came to, or to the refusal. */
export function makeBlockTrade(
  query: BlockTradeQuery,
  context: Context,
): Promise<OperatorQueryAnswer> {
  const { symbolId, buyer, seller, priceTicks, lots, rate, requestId } = query
  const spec = context.symbols[symbolId]
  const slot = context.command(symbolId, TradeBlock.bytes)
  if (spec === undefined || slot === undefined) {
    return Promise.resolve({ refused: errorMessage('SERVER_BUSY') })
  }
  const { buffer, at } = slot
  TradeBlock.setBuyer(buffer, at, buyer)
  TradeBlock.setSeller(buffer, at, seller)
  TradeBlock.setPriceTicks(buffer, at, priceTicks)
  TradeBlock.setLots(buffer, at, lots)
  TradeBlock.setRate(buffer, at, rate)
  packClientOrderId(requestId, buffer.i32, TradeBlock.requestIdAt(at))
  return new Promise((resolve) => {
    slot.submit(TradeBlock.type, TradeBlock.bytes, new Trading(spec, resolve), undefined)
  })
}

class Trading implements Collector {
  private readonly spec: SymbolSpec
  private readonly resolve: (answer: OperatorQueryAnswer) => void
  private answer: OperatorQueryAnswer = { refused: UNKNOWN }

  constructor(spec: SymbolSpec, resolve: (answer: OperatorQueryAnswer) => void) {
    this.spec = spec
    this.resolve = resolve
  }

  record(buffer: RecordBuffer, at: number): void {
    const type = recordType(buffer, at)
    if (type === Rejected.type) this.refuse(Rejected.reason(buffer, at))
    else if (type === BlockTrade.type) {
      this.answer = { value: resultAt(buffer, at, false) }
    } else if (type === BlockTradeState.type) {
      this.answer = { value: resultAt(buffer, at, true) }
    }
  }

  done(): void {
    this.resolve(this.answer)
  }

  failed(): void {
    this.resolve({ refused: UNKNOWN })
  }

  private refuse(reason: number): void {
    const { id, detail } = refusalOf(this.spec, reason)
    const isAnother = reason === RejectReason.DUPLICATE_ORDER
    this.answer = { refused: isAnother ? ANOTHER : errorMessage(id, detail) }
  }
}

function resultAt(buffer: RecordBuffer, at: number, isKnown: boolean): BlockTradeResult {
  const deal = isKnown ? BlockTradeState.dealBlockAt(at) : BlockTrade.dealBlockAt(at)
  return {
    blockTradeId: DealBlock.blockTradeId(buffer, deal),
    quoteAtoms: DealBlock.quoteAtoms(buffer, deal),
    buyerCommissionAtoms: DealBlock.buyerCommissionAtoms(buffer, deal),
    sellerCommissionAtoms: DealBlock.sellerCommissionAtoms(buffer, deal),
    timeMs: isKnown ? BlockTradeState.tradedMs(buffer, at) : EventHeader.timeMs(buffer, at),
    isKnown,
  }
}
