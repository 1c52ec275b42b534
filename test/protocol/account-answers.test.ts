/** What the account answers, beside the documented examples. */
import { afterAll, describe, expect, test } from 'vitest'
import { BALANCES_MS, FakeContext, grouped, trader } from '../../bench/workloads/fake-context.ts'
import { accountOperations } from '../../src/api/operations/account.ts'
import { AssetId } from '../../src/base/units.ts'
import { plainExchange } from '../../src/market/listing.ts'
import { Asking } from './asking.ts'

const asking = new Asking()

describe('the account', () => {
  const rates = {
    maker: '0.00100000',
    taker: '0.00150000',
    buyer: '0.00000000',
    seller: '0.00020000',
  }
  const none = {
    maker: '0.00000000',
    taker: '0.00000000',
    buyer: '0.00000000',
    seller: '0.00000000',
  }

  test('balances and flags', () => {
    const account = {
      makerCommission: 10,
      takerCommission: 15,
      buyerCommission: 0,
      sellerCommission: 2,
      commissionRates: rates,
      canTrade: true,
      canWithdraw: true,
      canDeposit: true,
      brokered: false,
      requireSelfTradePrevention: false,
      preventSor: false,
      updateTime: BALANCES_MS,
      accountType: 'SPOT',
      balances: [
        { asset: 'USDT', free: '1000.00000000', locked: '5.00000000' },
        { asset: 'BTC', free: '0.00000000', locked: '0.00000000' },
      ],
      permissions: ['SPOT'],
      uid: 7,
    }
    expect(asking.now('account')).toEqual(account)
    expect(asking.now('account', 'omitZeroBalances=true')).toEqual({
      ...account,
      balances: account.balances.slice(0, 1),
    })
    expect(asking.now('account', '', { account: grouped })).toEqual({
      ...account,
      uid: 8,
      tradeGroupId: 3,
    })
    const over = { ...trader, frozen: true, closed: true }
    expect(asking.now('account', '', { account: over })).toMatchObject({
      canTrade: false,
      canWithdraw: false,
      canDeposit: false,
    })
  })

  test('unfilled orders under each limit', () => {
    const row = { rateLimitType: 'ORDERS', intervalNum: 1 }
    expect(asking.now('orderCounts')).toEqual([
      { ...row, interval: 'SECOND', limit: 10, count: 7 },
      { ...row, interval: 'DAY', limit: 160_000, count: 8 },
    ])
  })

  test('stages of its orders', () => {
    expect(asking.now('latency')).toEqual([
      {
        stage: 'order',
        count: 8,
        mean: 700,
        p50: 768,
        p90: 1_024,
        p99: 1_536,
        p999: 1_536,
        buckets: [
          [768, 7],
          [null, 1],
        ],
      },
    ])
  })

  test('commission rates', () => {
    expect(asking.now('commission', 'symbol=BTCUSDT')).toEqual({
      symbol: 'BTCUSDT',
      standardCommission: rates,
      specialCommission: none,
      taxCommission: none,
      discount: {
        enabledForAccount: false,
        enabledForSymbol: false,
        discountAsset: '',
        discount: '0.00000000',
      },
    })
  })

  test('commission rates of a symbol that charges more, with a discount', () => {
    const faq = new FakeContext()
    faq.exchange = { ...plainExchange, discountAssetId: AssetId(1), discountRate: 25_000_000 }
    const account = { ...grouped, discountEnabled: true }
    const discount = {
      enabledForAccount: true,
      enabledForSymbol: true,
      discountAsset: 'BTC',
      discount: '0.25000000',
    }
    expect(asking.now('commission', 'symbol=ETHBTC', { account }, faq)).toEqual({
      symbol: 'ETHBTC',
      standardCommission: rates,
      specialCommission: {
        maker: '0.01000000',
        taker: '0.02000000',
        buyer: '0.03000000',
        seller: '0.04000000',
      },
      taxCommission: {
        maker: '0.00000112',
        taker: '0.00000114',
        buyer: '0.00000118',
        seller: '0.00000116',
      },
      discount,
    })
    const order = 'symbol=ETHBTC&type=LIMIT&timeInForce=GTC&quantity=1&price=0.05'
    const asked = `${order}&side=SELL&computeCommissionRates=true`
    expect(asking.now('testOrder', asked, { account }, faq)).toEqual({
      standardCommissionForOrder: { maker: '0.00120000', taker: '0.00170000' },
      specialCommissionForOrder: { maker: '0.05000000', taker: '0.06000000' },
      taxCommissionForOrder: { maker: '0.00000228', taker: '0.00000230' },
      discount,
    })
  })

  test.each([
    ['may not place orders', { canTrade: false }, { canTrade: false }],
    ['is frozen', { frozen: true }, { canTrade: false }],
    [
      'has other permissions',
      { permissions: ['SPOT', 'MARGIN'] },
      { permissions: ['SPOT', 'MARGIN'] },
    ],
  ])('an account that %s is shown so', (_, spec, shown) => {
    expect(asking.now('account', '', { account: { ...grouped, ...spec } })).toMatchObject(shown)
  })

  test('listen keys', () => {
    const listenKey = 'k'.repeat(64)
    expect(asking.now('startListenKey')).toEqual({ listenKey })
    expect(asking.now('keepListenKeyAlive', `listenKey=${listenKey}`)).toEqual({})
    expect(asking.now('closeListenKey', '', { body: `listenKey=${listenKey}` })).toEqual({})
  })
})

afterAll(() => {
  asking.expectAllOf(accountOperations)
})
