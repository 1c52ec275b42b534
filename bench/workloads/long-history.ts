/**
 * A history of any length that takes no memory: trade n of the exchange is a pure function of n, so
 * that the archive's answers can be computed again without having kept it. Each trade is of two
 * orders that nothing else fills; symbols take turns, and time goes evenly through the span.
 */

import {
  writeOrderAccepted,
  writeOrderRested,
  writeTrade,
} from '../../scripts/layout/codecs.gen.ts'
import { OrderStatus } from '../../src/base/codes.ts'
import {
  AccountId,
  AssetId,
  Atoms,
  Lots,
  Ms,
  OrderId,
  QuoteAtoms,
  SymbolId,
  Ticks,
  TradeId,
} from '../../src/base/units.ts'
import { BlockWriter } from '../../src/journal/block.ts'
import { journalFolder, LmdbStore } from '../../src/journal/lmdb-store.ts'
import { OrderAccepted, OrderRested, Trade } from '../../src/layout/accessors.gen.ts'
import { RecordBuffer } from '../../src/layout/record-buffer.ts'

export const EVENTS_PER_TRADE = 4
const TRADES_PER_BLOCK = 64
/** About 16 MiB, which then takes one flush. */
const BLOCKS_PER_TRANSACTION = 256
const BYTES_PER_TRADE = 2 * OrderAccepted.bytes + OrderRested.bytes + Trade.bytes
const SELL = 1

export interface LongTrade {
  readonly symbolId: number
  readonly tradeId: number
  readonly timeMs: Ms
  readonly priceTicks: Ticks
  readonly lots: Lots
  readonly isBuyerMaker: boolean
  readonly takerAccount: number
  readonly makerAccount: number
  readonly takerOrderId: number
  readonly makerOrderId: number
}

export class LongHistory {
  readonly trades: number
  readonly symbols: number
  readonly accounts: number
  readonly startMs: number
  readonly spanMs: number

  /** Accounts count from 1. */
  constructor(trades: number, symbols: number, accounts: number, startMs: number, spanMs: number) {
    this.trades = trades
    this.symbols = symbols
    this.accounts = accounts
    this.startMs = startMs
    this.spanMs = spanMs
  }

  /** How many trades the symbol has: their ids are 1 to this. */
  tradesOf(symbolId: number): number {
    return Math.ceil((this.trades - symbolId) / this.symbols)
  }

  /** When trade n is made. */
  timeMs(n: number): number {
    return this.startMs + Math.floor((n / this.trades) * this.spanMs)
  }

  /** Trade n of the exchange, from 0. */
  trade(n: number): LongTrade {
    const chance = mix(n)
    const tradeId = Math.floor(n / this.symbols) + 1
    return {
      symbolId: n % this.symbols,
      tradeId,
      timeMs: Ms(this.timeMs(n)),
      priceTicks: Ticks(10_000 + (chance % 1_000)),
      lots: Lots(1 + ((chance >>> 10) % 100)),
      isBuyerMaker: (chance & (1 << 17)) !== 0,
      takerAccount: 1 + ((chance >>> 18) % this.accounts),
      makerAccount: 1 + ((chance >>> 24) % this.accounts),
      makerOrderId: tradeId * 2 - 1,
      takerOrderId: tradeId * 2,
    }
  }

  /** Trade `tradeId` of the symbol. */
  tradeOf(symbolId: number, tradeId: number): LongTrade {
    return this.trade((tradeId - 1) * this.symbols + symbolId)
  }

  /** Writes everything as the journal of matcher 0, as if it had been carried there. */
  writeJournal(dataFolder: string): void {
    const store = new LmdbStore(journalFolder(dataFolder, 0))
    const blocks = new BlockWriter({ matcher: 0, epoch: 1, previous: 0 })
    const buffer = RecordBuffer.allocate(TRADES_PER_BLOCK * BYTES_PER_TRADE)
    let position = 0
    let n = 0
    const nextBlock = (): Uint8Array => {
      const first = n
      let at = 0
      for (; n < Math.min(first + TRADES_PER_BLOCK, this.trades); n++) {
        at = writeEvents(buffer, at, this.trade(n))
      }
      return blocks.seal(buffer, at, ++position, Ms(this.timeMs(first)))
    }
    while (n < this.trades) {
      let left = BLOCKS_PER_TRANSACTION
      store.append(() => (left-- > 0 && n < this.trades ? nextBlock() : undefined))
    }
    store.close()
  }
}

export const makerIdOf = (tradeId: number): string => `maker-${tradeId}`

/** Every field by its name: copying objects into each other took most of the time of a long history. */
function writeEvents(buffer: RecordBuffer, start: number, trade: LongTrade): number {
  const sequence = (trade.tradeId - 1) * EVENTS_PER_TRADE
  const makerTerms = trade.isBuyerMaker ? 0 : SELL
  const takerTerms = trade.isBuyerMaker ? SELL : 0
  let at = writeMaker(buffer, start, trade, makerTerms, sequence)
  at = writeTaker(buffer, at, trade, takerTerms, sequence)
  return writeFill(buffer, at, trade, makerTerms, takerTerms, sequence)
}

function writeMaker(
  buffer: RecordBuffer,
  start: number,
  trade: LongTrade,
  makerTerms: number,
  sequence: number,
): number {
  const { symbolId, timeMs, priceTicks, lots } = trade
  const at = writeOrderAccepted(buffer, start, {
    symbolId: SymbolId(symbolId),
    gateway: 0,
    correlation: 0,
    timeMs,
    account: AccountId(trade.makerAccount),
    orderId: OrderId(trade.makerOrderId),
    terms: makerTerms,
    priceTicks,
    lots,
    quoteAtoms: QuoteAtoms(0),
    heldAtoms: Atoms(0),
    sequence: sequence + 1,
    clientOrderId: makerIdOf(trade.tradeId),
  })
  return writeOrderRested(buffer, at, {
    symbolId: SymbolId(symbolId),
    gateway: 0,
    correlation: 0,
    timeMs,
    account: AccountId(trade.makerAccount),
    orderId: OrderId(trade.makerOrderId),
    terms: makerTerms,
    priceTicks,
    restedLots: lots,
    updateId: sequence + 2,
    sequence: sequence + 2,
  })
}

function writeTaker(
  buffer: RecordBuffer,
  at: number,
  trade: LongTrade,
  takerTerms: number,
  sequence: number,
): number {
  const { symbolId, timeMs, priceTicks, lots } = trade
  return writeOrderAccepted(buffer, at, {
    symbolId: SymbolId(symbolId),
    gateway: 0,
    correlation: 0,
    timeMs,
    account: AccountId(trade.takerAccount),
    orderId: OrderId(trade.takerOrderId),
    terms: takerTerms,
    priceTicks,
    lots,
    quoteAtoms: QuoteAtoms(0),
    heldAtoms: Atoms(0),
    sequence: sequence + 3,
    clientOrderId: `taker-${trade.tradeId}`,
  })
}

function writeFill(
  buffer: RecordBuffer,
  at: number,
  trade: LongTrade,
  makerTerms: number,
  takerTerms: number,
  sequence: number,
): number {
  const { symbolId, timeMs, priceTicks, lots, tradeId } = trade
  const filledAtoms = priceTicks * lots
  return writeTrade(buffer, at, {
    symbolId: SymbolId(symbolId),
    gateway: 0,
    correlation: 0,
    timeMs,
    sequence: sequence + 4,
    takerAccount: AccountId(trade.takerAccount),
    makerAccount: AccountId(trade.makerAccount),
    takerTerms,
    makerTerms,
    tradeId: TradeId(tradeId),
    priceTicks,
    tradeLots: lots,
    quoteAtoms: QuoteAtoms(filledAtoms),
    updateId: sequence + 4,
    takerOrderId: OrderId(trade.takerOrderId),
    takerFilledLots: lots,
    takerFilledAtoms: QuoteAtoms(filledAtoms),
    takerCommissionAtoms: Atoms(0),
    makerOrderId: OrderId(trade.makerOrderId),
    makerFilledLots: lots,
    makerFilledAtoms: QuoteAtoms(filledAtoms),
    makerCommissionAtoms: Atoms(0),
    makerLots: lots,
    makerCreatedMs: timeMs,
    buyerReleasedAtoms: QuoteAtoms(0),
    makerClientOrderId: makerIdOf(tradeId),
    takerPriceTicks: priceTicks,
    takerQuoteAtoms: QuoteAtoms(0),
    takerStatus: OrderStatus.FILLED,
    makerStatus: OrderStatus.FILLED,
    takerCommissionAssetId: AssetId(-1),
    makerCommissionAssetId: AssetId(-1),
    takerLots: lots,
    takerCreatedMs: timeMs,
    takerClientOrderId: `taker-${tradeId}`,
  })
}

/** 32 bits that look like chance (splitmix32). */
function mix(n: number): number {
  let z = Math.imul((n + 1) | 0, 0x9e3779b9)
  z = Math.imul(z ^ (z >>> 16), 0x85ebca6b)
  z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35)
  return (z ^ (z >>> 16)) >>> 0
}
