/**
 * Block trades, which an operator enters: the command of the symbol's matcher, and its answer. The matcher knows the ids
 * of the newest ones; of older ones the archive is asked, so that no id ever trades twice.
 */
import type { Collector, Context } from '../api/context.ts'
import { errorMessage } from '../api/errors.ts'
import { refusalOf } from '../api/handlers/engine-refusal.ts'
import { packClientOrderId } from '../base/client-order-id.ts'
import { RejectReason } from '../base/codes.ts'
import type { Ms } from '../base/units.ts'
import type { BlockTradeOfRequest, PastBlockTrade } from '../history/market-history.ts'
import {
  BlockTrade,
  BlockTradeState,
  type DealBlockFields,
  Rejected,
  TradeBlock,
} from '../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../layout/record-buffer.ts'
import { readBlockTrade, readBlockTradeState } from '../layout/records.gen.ts'
import type { SymbolSpec } from '../market/listing.ts'
import type {
  BlockTradeQuery,
  BlockTradeResult,
  OperatorQueryAnswer,
} from '../shared/operator-query.ts'

const ANOTHER = 'Another block trade of the symbol has this id.'
const UNKNOWN = 'Whether it was made is unknown: the same id again tells.'
const UNREAD =
  'It is not made: whether its id is an older one is for the archive to say, which is behind or fails. Send it again.'

/** Resolves to what it came to, or to the refusal. */
export async function makeBlockTrade(
  query: BlockTradeQuery,
  context: Context,
): Promise<OperatorQueryAnswer> {
  const first = await trade(query, 0, context)
  if (first !== undefined) return first
  const past = await pastOf(query, context)
  if (past?.made !== undefined) return answerOf(query, past.made)
  return (await trade(query, past?.lastId ?? 0, context)) ?? { refused: UNREAD }
}

/** Resolves to undefined where the archive has not been asked about enough block trades: `archivedId` is the last. */
function trade(
  query: BlockTradeQuery,
  archivedId: number,
  context: Context,
): Promise<OperatorQueryAnswer | undefined> {
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
  TradeBlock.setArchivedId(buffer, at, archivedId)
  packClientOrderId(requestId, buffer.i32, TradeBlock.requestIdAt(at))
  return new Promise((resolve) => {
    slot.submit(TradeBlock.type, TradeBlock.bytes, new Trading(spec, resolve), undefined)
  })
}

/** An archive that fails knows no trade. */
async function pastOf(
  { symbolId, requestId }: BlockTradeQuery,
  { history }: Context,
): Promise<BlockTradeOfRequest | undefined> {
  try {
    return await history.blockTradeOf({ symbolId, requestId })
  } catch {
    return undefined
  }
}

function answerOf(query: BlockTradeQuery, made: PastBlockTrade): OperatorQueryAnswer {
  const isSame =
    made.buyer === query.buyer &&
    made.seller === query.seller &&
    made.priceTicks === query.priceTicks &&
    made.lots === query.lots
  return isSame ? { value: resultOf(made, made.timeMs, true) } : { refused: ANOTHER }
}

class Trading implements Collector {
  private readonly spec: SymbolSpec
  private readonly resolve: (answer: OperatorQueryAnswer | undefined) => void
  private answer: OperatorQueryAnswer | undefined = { refused: UNKNOWN }

  constructor(spec: SymbolSpec, resolve: (answer: OperatorQueryAnswer | undefined) => void) {
    this.spec = spec
    this.resolve = resolve
  }

  record(buffer: RecordBuffer, at: number): void {
    const type = recordType(buffer, at)
    if (type === Rejected.type) this.refuse(Rejected.reason(buffer, at))
    else if (type === BlockTrade.type) {
      const deal = readBlockTrade(buffer, at)
      this.answer = { value: resultOf(deal, deal.timeMs, false) }
    } else if (type === BlockTradeState.type) {
      const deal = readBlockTradeState(buffer, at)
      this.answer = { value: resultOf(deal, deal.tradedMs, true) }
    }
  }

  done(): void {
    this.resolve(this.answer)
  }

  failed(): void {
    this.resolve({ refused: UNKNOWN })
  }

  private refuse(reason: number): void {
    if (reason === RejectReason.ID_FORGOTTEN) {
      this.answer = undefined
      return
    }
    const { id, detail } = refusalOf(this.spec, reason)
    const isAnother = reason === RejectReason.DUPLICATE_ORDER
    this.answer = { refused: isAnother ? ANOTHER : errorMessage(id, detail) }
  }
}

function resultOf(deal: Readonly<DealBlockFields>, timeMs: Ms, isKnown: boolean): BlockTradeResult {
  const { blockTradeId, quoteAtoms, buyerCommissionAtoms, sellerCommissionAtoms } = deal
  const sums = { quoteAtoms, buyerCommissionAtoms, sellerCommissionAtoms }
  return { blockTradeId, ...sums, timeMs, isKnown }
}
