/**
 * Operators' ids of the newest block trades of one symbol, with what they came to, so that one that is sent again is not
 * made again (block-trading.ts). The archive knows the older ones. Engine and recovery add them alike.
 */
import { unpackClientOrderId } from '../../base/client-order-id.ts'
import { BLOCK_TRADES_KNOWN_MAX } from '../../base/limits.ts'
import { Atoms, Lots, QuoteAtoms, Ticks } from '../../base/units.ts'
import type { DealBlockFields } from '../../layout/accessors.gen.ts'
import type { ImageReader, ImageWriter } from '../../layout/image.ts'
import { BlockTradeImage, type BlockTradeImageFields } from '../../layout/images.gen.ts'
import { EXCHANGE_ACCOUNT } from '../../market/listing.ts'
import type { HashSink } from './hash-sink.ts'

export type BlockTrade = BlockTradeImageFields

/** Returns a deal of nothing, to be filled in. */
export const newDeal = (): DealBlockFields => ({
  buyer: EXCHANGE_ACCOUNT,
  seller: EXCHANGE_ACCOUNT,
  blockTradeId: 0,
  priceTicks: Ticks(0),
  lots: Lots(0),
  quoteAtoms: QuoteAtoms(0),
  buyerCommissionAtoms: Atoms(0),
  sellerCommissionAtoms: Atoms(0),
})

export class BlockTrades {
  /** By the operator's id. */
  private readonly known = new Map<string, BlockTrade>()
  private _lastId = 0

  get lastId(): number {
    return this._lastId
  }

  /** The newest whose id is not known any more; 0 without one. */
  get forgottenId(): number {
    return this._lastId - this.known.size
  }

  /** Oldest first. */
  get all(): readonly BlockTrade[] {
    return [...this.known.values()]
  }

  add(trade: BlockTrade): void {
    const { known } = this
    this._lastId = trade.blockTradeId
    known.set(unpackClientOrderId(trade.requestId, 0), trade)
    if (known.size <= BLOCK_TRADES_KNOWN_MAX) return
    for (const oldest of known.keys()) {
      known.delete(oldest)
      return
    }
  }

  /** Returns the trade that was made under the id at words[at]. */
  of(words: Int32Array, at: number): BlockTrade | undefined {
    return this.known.size === 0 ? undefined : this.known.get(unpackClientOrderId(words, at))
  }

  write(image: ImageWriter): void {
    image.word(this.known.size)
    for (const trade of this.all) BlockTradeImage.write(image, trade)
  }

  read(image: ImageReader): void {
    for (let left = image.word(); left > 0; left--) this.add(BlockTradeImage.read(image))
  }

  hash(sink: HashSink): void {
    for (const trade of this.all) {
      sink.int(trade.blockTradeId)
      sink.int(trade.tradedMs)
      for (const word of trade.requestId) sink.word(word)
    }
  }
}
