/**
 * Commissions, by the public FAQ "Commission Rates": the rates as they are shown, and its example
 * charged to the last digit, in the asset received and in the discount asset.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExchangeProcess } from '../../../scripts/exchange/exchange-process.ts'
import type { Frame } from '../frame-log.ts'
import { stageExchange } from '../staged-exchange.ts'
import { type Params, Trader } from '../trader.ts'

const rates = (maker: number, taker: number, buyer: number, seller: number) => {
  return { maker, taker, buyer, seller }
}
const shown = (maker: string, taker: string, buyer: string, seller: string) => {
  return { maker, taker, buyer, seller }
}
const standard = (maker: number, taker: number, buyer: number, seller: number) => {
  return { makerRate: maker, takerRate: taker, buyerRate: buyer, sellerRate: seller }
}

let exchange: ExchangeProcess
let market: Trader

beforeAll(async () => {
  const funds = { BTC: 100, USDT: 10_000_000, BNB: 1000 }
  exchange = await stageExchange({
    assets: ['BTC', 'USDT', 'BNB'],
    symbols: [
      {
        name: 'BTCUSDT',
        fees: {
          special: rates(1_000_000, 2_000_000, 3_000_000, 4_000_000),
          tax: rates(112, 114, 118, 116),
          discountEnabled: true,
        },
      },
      {
        name: 'BTCUSDT-RATES',
        fees: {
          special: rates(4_000_000, 5_000_000, 1_000_000, 1_000_000),
          tax: rates(128, 130, 100, 100),
          discountEnabled: true,
        },
      },
      { name: 'BNBUSDT', base: 'BNB' },
      { name: 'PLAIN' },
    ],
    exchange: { discountAsset: 'BNB', discountRate: 25_000_000 },
    accounts: {
      market: { funds },
      other: { funds },
      rich: { ...standard(10, 20, 30, 40), funds: { BTC: 10, BNB: 10 }, discountEnabled: true },
      poor: { ...standard(10, 20, 30, 40), funds: { BTC: 10, BNB: 4 }, discountEnabled: true },
      plain: { ...standard(10, 20, 30, 40), funds: { BTC: 10, BNB: 10 } },
      rates: { ...standard(40, 50, 10, 10), discountEnabled: true },
    },
  })
  await exchange.run()
  market = new Trader(exchange, 'market')
  const order = { symbol: 'BNBUSDT', type: 'LIMIT', timeInForce: 'GTC', price: '260' }
  await market.place({ ...order, side: 'BUY', quantity: '1' })
  await new Trader(exchange, 'other').place({ ...order, side: 'SELL', quantity: '1' })
})
afterAll(() => exchange?.remove())

const discount = {
  enabledForAccount: true,
  enabledForSymbol: true,
  discountAsset: 'BNB',
  discount: '0.25000000',
}

describe('rates', () => {
  test('of an account on a symbol', async () => {
    const query = { symbol: 'BTCUSDT-RATES' }
    const account = new Trader(exchange, 'rates')
    expect(await account.ask('GET', '/api/v3/account/commission', query)).toEqual({
      symbol: 'BTCUSDT-RATES',
      standardCommission: shown('0.00000040', '0.00000050', '0.00000010', '0.00000010'),
      specialCommission: shown('0.04000000', '0.05000000', '0.01000000', '0.01000000'),
      taxCommission: shown('0.00000128', '0.00000130', '0.00000100', '0.00000100'),
      discount,
    })
  })

  test.each(['BUY', 'SELL'])('of one %s order, whose side is added already', async (side) => {
    const order = { symbol: 'BTCUSDT-RATES', side, type: 'MARKET', quantity: '1' }
    const account = new Trader(exchange, 'rates')
    const answer = account.ask('POST', '/api/v3/order/test', {
      ...order,
      computeCommissionRates: 'true',
    })
    expect(await answer).toEqual({
      standardCommissionForOrder: { maker: '0.00000050', taker: '0.00000060' },
      specialCommissionForOrder: { maker: '0.05000000', taker: '0.06000000' },
      taxCommissionForOrder: { maker: '0.00000228', taker: '0.00000230' },
      discount,
    })
  })

  test('where nothing is discounted', async () => {
    const account = new Trader(exchange, 'plain')
    const none = shown('0.00000000', '0.00000000', '0.00000000', '0.00000000')
    expect(await account.ask('GET', '/api/v3/account/commission', { symbol: 'PLAIN' })).toEqual({
      symbol: 'PLAIN',
      standardCommission: shown('0.00000010', '0.00000020', '0.00000030', '0.00000040'),
      specialCommission: none,
      taxCommission: none,
      discount: { ...discount, enabledForAccount: false, enabledForSymbol: false },
    })
  })
})

interface Charge {
  readonly account: string
  readonly commission: string
  readonly commissionAsset: string
  readonly free: Readonly<Record<string, string>>
}

/** 0.49975 BTC sold for 17491.25 USDT. */
const charges: readonly Charge[] = [
  {
    // 17491.25 × (0.25 × 0.0000006 + 0.0000023 + 0.06) / 260 = 4.03660712...
    account: 'rich',
    commission: '4.03660713',
    commissionAsset: 'BNB',
    free: { BTC: '9.50025000', USDT: '17491.25000000', BNB: '5.96339287' },
  },
  {
    // 0.01049475 + 0.04022988 + 1049.475, more than its 4 BNB could pay.
    account: 'poor',
    commission: '1049.52572463',
    commissionAsset: 'USDT',
    free: { BTC: '9.50025000', USDT: '16441.72427537', BNB: '4.00000000' },
  },
  {
    account: 'plain',
    commission: '1049.52572463',
    commissionAsset: 'USDT',
    free: { BTC: '9.50025000', USDT: '16441.72427537', BNB: '10.00000000' },
  },
]

describe('the example, charged', () => {
  test.each(charges)('$account pays in $commissionAsset', async (charge) => {
    const { account, free, ...commission } = charge
    const order: Params = { symbol: 'BTCUSDT', quantity: '0.49975' }
    const limit = { type: 'LIMIT', timeInForce: 'GTC', price: '35000', side: 'BUY' }
    const bid = await market.place({ ...order, ...limit })
    const seller = new Trader(exchange, account)
    await seller.follow()
    const sold = await seller.place({ ...order, type: 'MARKET', side: 'SELL' })
    const price = '35000.00000000'
    const qty = '0.49975000'
    const { tradeId } = (sold.fills as Frame[])[0] as Frame
    expect(sold.fills).toEqual([{ price, qty, ...commission, tradeId }])

    const trade = { symbol: 'BTCUSDT', id: tradeId, orderListId: -1, price, qty }
    const query = { symbol: 'BTCUSDT', orderId: Number(sold.orderId) }
    expect(await seller.ask('GET', '/api/v3/myTrades', query)).toEqual([
      {
        ...trade,
        orderId: sold.orderId,
        quoteQty: '17491.25000000',
        ...commission,
        time: sold.transactTime,
        isBuyer: false,
        isMaker: false,
        isBestMatch: true,
      },
    ])
    // The maker pays maker + buyer of special and tax: its own standard rates are 0.
    const theirs = { symbol: 'BTCUSDT', orderId: Number(bid.orderId) }
    expect(await market.ask('GET', '/api/v3/myTrades', theirs)).toMatchObject([
      { isMaker: true, commission: '0.01999115', commissionAsset: 'BTC' },
    ])

    const [, filled, position] = await seller.events(3)
    expect(filled).toMatchObject({
      x: 'TRADE',
      X: 'FILLED',
      n: commission.commission,
      N: commission.commissionAsset,
    })
    const balances = await seller.balances()
    for (const [asset, amount] of Object.entries(free)) {
      expect(balances[asset], asset).toEqual({ free: amount, locked: '0.00000000' })
    }
    const rows = (position as Frame).B as { a: string; f: string }[]
    const told = Object.fromEntries(rows.map(({ a, f }) => [a, f]))
    const moved = charge.commissionAsset === 'BNB' ? free : { BTC: free.BTC, USDT: free.USDT }
    expect(told).toEqual(moved)
    await seller.leave()
  })
})
