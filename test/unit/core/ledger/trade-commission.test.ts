/** Trades whose sides pay in the discount asset: the events, and what they do to balances. */
import { expect, test } from 'vitest'
import { noExtras } from '../../../../bench/workloads/no-extras.ts'
import { writePlaceOrder } from '../../../../scripts/layout/codecs.gen.ts'
import {
  OrderType,
  packTerms,
  SelfTradePrevention,
  Side,
  SymbolStatus,
} from '../../../../src/base/codes.ts'
import { int64ToBigint } from '../../../../src/base/int64.ts'
import {
  AccountId,
  AssetId,
  Atoms,
  Lots,
  Ms,
  QuoteAtoms,
  SymbolId,
  Ticks,
} from '../../../../src/base/units.ts'
import { Book } from '../../../../src/core/book/book.ts'
import { AccountTable } from '../../../../src/core/ledger/accounts.ts'
import { BALANCE_WORDS, Balances } from '../../../../src/core/ledger/balances.ts'
import { applyEffects } from '../../../../src/core/ledger/effects.ts'
import { TradeFees } from '../../../../src/core/ledger/fees.ts'
import { Holds } from '../../../../src/core/ledger/holds.ts'
import { LastPrices } from '../../../../src/core/ledger/last-prices.ts'
import { Engine } from '../../../../src/core/matching/engine.ts'
import { EngineOutput } from '../../../../src/core/matching/output.ts'
import { RecordBuffer, recordLength } from '../../../../src/layout/record-buffer.ts'
import { plainExchange, specifySymbol, usualAccount } from '../../../../src/market/listing.ts'
import { readRecords } from '../../../sim/records.ts'

const ACCOUNTS = 4
const ASSETS = 2
const RED = 0
const COIN = 1
/** Buys and sells RED for COIN, which is the discount asset too. */
const spec = specifySymbol({
  id: SymbolId(0),
  name: 'REDCOIN',
  base: { id: AssetId(RED), name: 'RED' },
  quote: { id: AssetId(COIN), name: 'COIN' },
  status: SymbolStatus.TRADING,
  filters: [
    { filterType: 'PRICE_FILTER', minPrice: '1', maxPrice: '1000', tickSize: '1' },
    { filterType: 'LOT_SIZE', minQty: '0.00000001', maxQty: '1', stepSize: '0.00000001' },
  ],
  preventionModes: [SelfTradePrevention.NONE],
  preventionDefault: SelfTradePrevention.NONE,
  fees: {
    special: { maker: 0, taker: 0, buyer: 0, seller: 0 },
    tax: { maker: 0, taker: 10_000_000, buyer: 0, seller: 0 },
    discountEnabled: true,
  },
})

const funds = [
  [1, COIN, 5000],
  [2, RED, 50],
  [2, COIN, 30],
  [3, COIN, 1010],
] as const

function ledger(): Balances {
  const memory = new SharedArrayBuffer(Balances.bytesFor(ACCOUNTS, ASSETS))
  const balances = new Balances(memory, ACCOUNTS, ASSETS)
  for (const [account, asset, atoms] of funds)
    balances.credit(AccountId(account), AssetId(asset), Atoms(atoms))
  return balances
}

class Market {
  readonly live = ledger()
  readonly recovered = ledger()
  private readonly holds = new Holds(this.live, ACCOUNTS, ASSETS)
  private readonly output = new EngineOutput()
  private readonly engine: Engine
  private orders = 0

  constructor() {
    const accounts = new AccountTable(ACCOUNTS)
    for (let id = 0; id < ACCOUNTS; id++) {
      const rates = { makerRate: 20_000_000, takerRate: 40_000_000, discountEnabled: id !== 0 }
      accounts.set({ ...usualAccount, ...rates, id: AccountId(id), name: `${id}` })
    }
    const lastPrices = new LastPrices(new SharedArrayBuffer(LastPrices.bytes))
    lastPrices.publish(SymbolId(0), Ticks(10))
    const exchange = { ...plainExchange, discountAssetId: AssetId(COIN), discountRate: 50_000_000 }
    const holds = this.holds
    const fees = new TradeFees({ spec, accounts, holds, exchange, symbols: [spec], lastPrices })
    const shape = { priceTicksMax: 1000, ordersMax: 8, accountsMax: ACCOUNTS }
    const book = new Book(new SharedArrayBuffer(Book.bytesFor(shape)), shape)
    this.engine = new Engine({ spec, book, holds, accounts, fees, output: this.output })
  }

  /** Places a LIMIT order; answers what it paid and what others paid by it. */
  place(account: AccountId, side: Side, lots: Lots, priceTicks: Ticks): string[] {
    const buffer = RecordBuffer.allocate(256)
    writePlaceOrder(buffer, 0, {
      ...noExtras,
      symbolId: SymbolId(0),
      gateway: 0,
      correlation: 0,
      account: AccountId(account),
      terms: packTerms(side, OrderType.LIMIT, 0, SelfTradePrevention.NONE),
      priceTicks,
      lots,
      quoteAtoms: QuoteAtoms(0),
      expiresMs: Ms(0),
      clientOrderId: `o${++this.orders}`,
    })
    const output = this.output
    output.reset()
    this.engine.execute(buffer, 0, Ms(1))
    this.holds.settle(true)
    const { events, eventsEnd } = output
    for (let at = 0; at < eventsEnd; at += recordLength(events, at)) {
      applyEffects(events, at, spec, this.recovered)
    }
    return readRecords(events, 0, eventsEnd).flatMap((it) => {
      if (it.name !== 'Trade') return []
      const others: string[] = []
      const received = ['taker', 'maker'].map((side) => {
        const atoms = it[`${side}CommissionAtoms`]
        if (it[`${side}CommissionAssetId`] === -1) return `${side} ${atoms}`
        others.push(`${it[`${side}Account`]} pays ${atoms} as ${side} of ${it.tradeId}`)
        return `${side} 0`
      })
      return [...others, `${it.tradeId}: ${received.join(', ')}`]
    })
  }
}

function all(balances: Balances): string[] {
  const words = new Int32Array(BALANCE_WORDS)
  const rows: string[] = []
  for (let account = 0; account < ACCOUNTS; account++) {
    for (let asset = 0; asset < ASSETS; asset++) {
      balances.read(AccountId(account), AssetId(asset), words)
      rows.push(`${int64ToBigint(words, 1)} + ${int64ToBigint(words, 3)}`)
    }
  }
  return rows
}

test('each side pays where it can, and the ledger recovered from the events is the live one', () => {
  const market = new Market()
  expect(market.place(AccountId(2), Side.SELL, Lots(50), Ticks(20))).toEqual([])
  // Buys 20 RED, worth 200 COIN at the last price: 40 % halved and 10 % of tax make 60. The seller
  // receives the discount asset itself, 400 of it: 20 % halved make 40, kept from what it receives.
  expect(market.place(AccountId(1), Side.BUY, Lots(20), Ticks(20))).toEqual([
    '1 pays 60 as taker of 1',
    '1: taker 0, maker 40',
  ])
  // 600 are locked and 410 free; 3 pays 60 % halved less: 90.
  expect(market.place(AccountId(3), Side.BUY, Lots(30), Ticks(20))).toEqual([
    '3 pays 90 as taker of 2',
    '2: taker 0, maker 60',
  ])
  expect(all(market.live)).toEqual(all(market.recovered))
  const [red, coin] = [RED, COIN].map((asset) => market.live.total(AssetId(asset)))
  expect([red, coin]).toEqual([50n, 6040n])
})

test('what an order has locked pays no commission, nor does what the trade itself releases', () => {
  const market = new Market()
  market.place(AccountId(2), Side.SELL, Lots(50), Ticks(20))
  // 1000 of 1010 are locked; 500 of them come back with the trade, after its commission of 75.
  expect(market.place(AccountId(3), Side.BUY, Lots(25), Ticks(40))).toEqual([
    '1: taker 13, maker 50',
  ])
  expect(all(market.live)).toEqual(all(market.recovered))
})
