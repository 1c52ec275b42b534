/**
 * What is exported, as rows in the order of the journals: every trade, in the book or outside, what routed orders
 * got, every order, every movement of every balance. Read from the journals alone, so nothing that the archive has forgotten is missing.
 * Amounts are exact decimals with all places of their asset; times are milliseconds.
 */
import {
  ExpiryReason,
  namesOf,
  OrderStatus,
  OrderType,
  Side,
  sideOf,
  TimeInForce,
  timeInForceOf,
  typeOf,
} from '../../src/base/codes.ts'
import { formatDecimal } from '../../src/base/fixed.ts'
import { type Int64, product } from '../../src/base/int64.ts'
import { WIRE_DECIMALS } from '../../src/base/limits.ts'
import type { Atoms, Lots, Ticks } from '../../src/base/units.ts'
import { applyEffects, applyWalletEffects, type EffectSink } from '../../src/core/ledger/effects.ts'
import type { BlockReader } from '../../src/journal/block.ts'
import { EventHeader, RecordHeader } from '../../src/layout/accessors.gen.ts'
import { type RecordBuffer, recordLength, recordType } from '../../src/layout/record-buffer.ts'
import type { AssetSpec, SymbolSpec } from '../../src/market/listing.ts'
import { RecordType, readAllocation, readBlockTrade, readTrade } from '../layout/codecs.gen.ts'
import type { DataFolder } from './data-folder.ts'
import { type ExportedOrder, ExportedOrders } from './exported-orders.ts'
import { JournalWalk } from './left-journal.ts'

export type Cell = string | number
export type Row = Readonly<Record<string, Cell>>

/** What can be exported: its columns, and its rows. */
export interface Export {
  readonly columns: readonly string[]
  /** `advanced` is called for each block that was read. */
  rows(data: DataFolder, advanced: () => void): Iterable<Row>
}

const sides = namesOf(Side)
const types = namesOf(OrderType)
const forces = namesOf(TimeInForce)
const statuses = namesOf(OrderStatus)
const reasons = namesOf(ExpiryReason)
const recordNames = namesOf(RecordType)

const amountOf = (atoms: Int64) => formatDecimal(atoms, WIRE_DECIMALS)
const priceOf = (spec: SymbolSpec, ticks: Ticks) => amountOf(product(ticks, spec.tickUnits))
const quantityOf = (spec: SymbolSpec, lots: Lots) => amountOf(product(lots, spec.lotUnits))

/** One event where it lies; one of the wallet has no symbol. */
interface AnyEvent {
  readonly spec: SymbolSpec | undefined
  readonly type: number
  readonly records: RecordBuffer
  readonly at: number
}

/** One event of a symbol. */
interface Event extends AnyEvent {
  readonly spec: SymbolSpec
}

function* blocksOf(data: DataFolder, advanced: () => void): Iterable<BlockReader> {
  const walk = new JournalWalk(data)
  try {
    for (let block = walk.next(); block !== undefined; block = walk.next()) {
      yield block
      advanced()
    }
  } finally {
    walk.close()
  }
}

function* allEventsIn(data: DataFolder, { records, start, end }: BlockReader): Iterable<AnyEvent> {
  for (let at = start; at < end; at += recordLength(records, at)) {
    const spec = data.symbols[RecordHeader.symbolId(records, at)]
    yield { spec, type: recordType(records, at), records, at }
  }
}

function* eventsIn(data: DataFolder, block: BlockReader): Iterable<Event> {
  for (const event of allEventsIn(data, block)) {
    if (event.spec !== undefined) yield { ...event, spec: event.spec }
  }
}

function* eventsOf(data: DataFolder, advanced: () => void): Iterable<Event> {
  for (const block of blocksOf(data, advanced)) yield* eventsIn(data, block)
}

const trades: Export = {
  columns: [
    'timeMs',
    'symbol',
    'tradeId',
    'price',
    'quantity',
    'quoteQuantity',
    'takerSide',
    'takerAccount',
    'takerOrderId',
    'takerCommission',
    'takerCommissionAsset',
    'makerAccount',
    'makerOrderId',
    'makerCommission',
    'makerCommissionAsset',
  ],
  *rows(data, advanced) {
    for (const { spec, type, records, at } of eventsOf(data, advanced)) {
      if (type !== RecordType.Trade) continue
      const trade = readTrade(records, at)
      const takerBuys = sideOf(trade.takerTerms) === Side.BUY
      const { takerCommissionAssetId, makerCommissionAssetId } = trade
      const { takerCommissionAtoms, makerCommissionAtoms, priceTicks, tradeLots, quoteAtoms } =
        trade
      const [bought, sold] = takerBuys ? [spec.base, spec.quote] : [spec.quote, spec.base]
      const taker = commissionOf(data, bought, takerCommissionAssetId, takerCommissionAtoms)
      const maker = commissionOf(data, sold, makerCommissionAssetId, makerCommissionAtoms)
      yield {
        timeMs: trade.timeMs,
        symbol: spec.name,
        tradeId: trade.tradeId,
        price: priceOf(spec, priceTicks),
        quantity: quantityOf(spec, tradeLots),
        quoteQuantity: amountOf(quoteAtoms),
        takerSide: sides[sideOf(trade.takerTerms)]!,
        takerAccount: nameOf(data, trade.takerAccount),
        takerOrderId: trade.takerOrderId,
        takerCommission: taker.amount,
        takerCommissionAsset: taker.asset,
        makerAccount: nameOf(data, trade.makerAccount),
        makerOrderId: trade.makerOrderId,
        makerCommission: maker.amount,
        makerCommissionAsset: maker.asset,
      }
    }
  },
}

/** In the asset that is received, where `assetId` is below 0. */
function commissionOf(data: DataFolder, receives: AssetSpec, assetId: number, atoms: Atoms) {
  const asset = assetId < 0 ? receives : data.assets[assetId]!
  return { asset: asset.name, amount: amountOf(atoms) }
}

const allocations: Export = {
  columns: [
    ...['timeMs', 'symbol', 'allocationId', 'price', 'quantity', 'quoteQuantity', 'side'],
    ...['account', 'orderId', 'commission', 'commissionAsset'],
    ...['sourceSymbol', 'sourceTradeId', 'sourceAccount'],
  ],
  *rows(data, advanced) {
    for (const { spec, type, records, at } of eventsOf(data, advanced)) {
      if (type !== RecordType.Allocation) continue
      const allocation = readAllocation(records, at)
      const side = sideOf(allocation.takerTerms)
      const received = side === Side.BUY ? spec.base : spec.quote
      const { takerCommissionAssetId, takerCommissionAtoms } = allocation
      const paid = commissionOf(data, received, takerCommissionAssetId, takerCommissionAtoms)
      yield {
        timeMs: allocation.timeMs,
        symbol: spec.name,
        allocationId: allocation.allocationId,
        price: amountOf(allocation.priceUnits),
        quantity: quantityOf(spec, allocation.allocatedLots),
        quoteQuantity: amountOf(allocation.quoteAtoms),
        side: sides[side]!,
        account: nameOf(data, allocation.takerAccount),
        orderId: allocation.takerOrderId,
        commission: paid.amount,
        commissionAsset: paid.asset,
        sourceSymbol: data.symbols[allocation.sourceSymbolId]!.name,
        sourceTradeId: allocation.sourceTradeId,
        sourceAccount: nameOf(data, allocation.allocator),
      }
    }
  },
}

const blockTrades: Export = {
  columns: [
    ...['timeMs', 'symbol', 'blockTradeId', 'price', 'quantity', 'quoteQuantity'],
    ...['buyer', 'buyerCommission', 'seller', 'sellerCommission', 'id'],
  ],
  *rows(data, advanced) {
    for (const { spec, type, records, at } of eventsOf(data, advanced)) {
      if (type !== RecordType.BlockTrade) continue
      const trade = readBlockTrade(records, at)
      yield {
        timeMs: trade.timeMs,
        symbol: spec.name,
        blockTradeId: trade.blockTradeId,
        price: priceOf(spec, trade.priceTicks),
        quantity: quantityOf(spec, trade.lots),
        quoteQuantity: amountOf(trade.quoteAtoms),
        buyer: nameOf(data, trade.buyer),
        buyerCommission: amountOf(trade.buyerCommissionAtoms),
        seller: nameOf(data, trade.seller),
        sellerCommission: amountOf(trade.sellerCommissionAtoms),
        id: trade.requestId,
      }
    }
  },
}

const orders: Export = {
  columns: [
    'symbol',
    'orderId',
    'account',
    'clientOrderId',
    'side',
    'type',
    'timeInForce',
    'price',
    'quantity',
    'orderedQuoteQuantity',
    'executedQuantity',
    'executedQuoteQuantity',
    'preventedQuantity',
    'status',
    'expiryReason',
    'createdMs',
    'updatedMs',
  ],
  /** In the order in which they ended; then those that are open. */
  *rows(data, advanced) {
    const open = new ExportedOrders()
    for (const block of blocksOf(data, advanced)) {
      for (const { type, records, at } of eventsIn(data, block)) open.apply(type, records, at)
      for (const order of open.takeEnded()) yield orderRow(data, order)
    }
    for (const order of open.left()) yield orderRow(data, order)
  },
}

function orderRow(data: DataFolder, order: ExportedOrder): Row {
  const spec = data.symbols[order.symbolId]!
  return {
    symbol: spec.name,
    orderId: order.orderId,
    account: nameOf(data, order.account),
    clientOrderId: order.clientOrderId,
    side: sides[sideOf(order.terms)]!,
    type: types[typeOf(order.terms)]!,
    timeInForce: forces[timeInForceOf(order.terms)]!,
    price: priceOf(spec, order.priceTicks),
    quantity: quantityOf(spec, order.lots),
    orderedQuoteQuantity: amountOf(order.quoteAtoms),
    executedQuantity: quantityOf(spec, order.filledLots),
    executedQuoteQuantity: amountOf(order.filledAtoms),
    preventedQuantity: quantityOf(spec, order.preventedLots),
    status: statuses[order.status]!,
    expiryReason: reasons[order.reason]!,
    createdMs: order.createdMs,
    updatedMs: order.updatedMs,
  }
}

const ledger: Export = {
  columns: ['timeMs', 'account', 'asset', 'free', 'locked', 'cause', 'symbol', 'sequence'],
  /** Changes of free and locked: what operators moved first, then every event's effects. */
  *rows(data, advanced) {
    yield* operatorRows(data)
    for (const block of blocksOf(data, advanced)) {
      for (const event of allEventsIn(data, block)) yield* movesOf(data, event)
    }
  },
}

function movesOf(data: DataFolder, { spec, type, records, at }: AnyEvent): readonly Row[] {
  const made: Row[] = []
  const sink: EffectSink = {
    addRecovered(account, assetId, freeAtoms, lockedAtoms) {
      made.push({
        timeMs: EventHeader.timeMs(records, at),
        account: nameOf(data, account),
        asset: data.assets[assetId]!.name,
        free: amountOf(freeAtoms),
        locked: amountOf(lockedAtoms),
        cause: recordNames[type]!,
        symbol: spec?.name ?? '',
        sequence: EventHeader.sequence(records, at),
      })
    },
  }
  if (spec === undefined) applyWalletEffects(records, at, sink)
  else applyEffects(records, at, spec, sink)
  return made
}

function* operatorRows(data: DataFolder): Iterable<Row> {
  for (const fact of data.facts) {
    if (fact.fact !== 'deposit' && fact.fact !== 'withdrawal' && fact.fact !== 'lock') continue
    const asset = data.assets[fact.asset]!
    const atoms = BigInt(fact.atoms)
    const free = fact.fact === 'deposit' ? atoms : -atoms
    yield {
      timeMs: fact.timeMs,
      account: nameOf(data, fact.account),
      asset: asset.name,
      free: amountOf(free),
      locked: amountOf(fact.fact === 'lock' ? atoms : 0n),
      cause: fact.fact,
      symbol: '',
      sequence: 0,
    }
  }
}

const nameOf = (data: DataFolder, account: number): string =>
  data.accounts[account]?.name ?? String(account)

/** By the name that `--what` takes. */
export const exports: Readonly<Record<string, Export>> = {
  orders,
  trades,
  allocations,
  ledger,
  'block-trades': blockTrades,
}
