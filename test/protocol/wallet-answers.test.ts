/** What the wallet's endpoints answer (Binance.US, wallet). */
import { afterAll, describe, expect, test } from 'vitest'
import { FakeContext, grouped, NOW_MS, trader } from '../../bench/workloads/fake-context.ts'
import { walletOperations } from '../../src/api/operations/wallet.ts'
import { AssetId, Ms, SymbolId } from '../../src/base/units.ts'
import { DAY_MS, MINUTE_MS } from '../../src/market/intervals.ts'
import { Asking, bodyOf, settled } from './asking.ts'

const asking = new Asking()

/** For operations that the archive answers. */
async function later(context: FakeContext, id: string, query = '', options = {}): Promise<unknown> {
  const responder = asking.ask(context, id, query, options)
  await settled()
  return bodyOf(responder)
}

describe('the system', () => {
  test('works, or is under maintenance', () => {
    expect(asking.now('systemStatus')).toEqual({ status: 0, msg: 'normal' })
    const context = new FakeContext()
    context.isInMaintenance = true
    const answer = asking.now('systemStatus', '', {}, context)
    expect(answer).toEqual({ status: 1, msg: 'system_maintenance' })
  })
})

describe('the account', () => {
  const lockedFor = (ms: number) => {
    const context = new FakeContext()
    context.status = { asOfMs: Ms(NOW_MS - 10_000), lockedUntilMs: Ms(NOW_MS + ms), symbols: [] }
    return context
  }
  const low = (minutes: number) => ({
    msg: `Order failed:Low Order fill rate! Will be reactivated after ${minutes} minutes.`,
    success: true,
    objs: [`${minutes}`],
  })

  test.each([
    ['normal', {}, 0, { msg: 'Normal', success: true }],
    ['locked', {}, 5 * MINUTE_MS, low(5)],
    ['locked for a moment more', {}, 1, low(1)],
    ['locked no more', {}, -1, { msg: 'Normal', success: true }],
    [
      'frozen',
      { frozen: true },
      0,
      { msg: 'This account may not place or cancel orders.', success: true },
    ],
    [
      'without trading',
      { canTrade: false },
      0,
      { msg: 'This action is disabled on this account.', success: true },
    ],
  ])('is %s', async (_, spec, ms, expected) => {
    const account = { ...trader, ...spec }
    expect(await later(lockedFor(ms), 'accountStatus', '', { account })).toEqual(expected)
  })

  test('trades so and so', async () => {
    const context = lockedFor(MINUTE_MS)
    const tally = { orders: 20, filled: 1, immediate: 4, expired: 3, lasting: 0, canceled: 0 }
    context.status = { ...context.status, symbols: [{ symbolId: SymbolId(0), tally }] }
    expect(await later(context, 'tradingStatus')).toEqual({
      success: true,
      status: {
        isLocked: true,
        plannedRecoverTime: NOW_MS + MINUTE_MS,
        triggerCondition: { GCR: 150, IFER: 150, UFR: 300 },
        indicators: {
          BTCUSDT: [
            { i: 'UFR', c: 20, v: 0.95, t: 0.995 },
            { i: 'IFER', c: 4, v: 0.75, t: 0.99 },
            { i: 'GCR', c: 0, v: 0, t: 0.99 },
          ],
        },
        updateTime: NOW_MS - 10_000,
      },
    })
    context.status = { ...context.status, lockedUntilMs: NOW_MS, symbols: [] }
    expect(await later(context, 'tradingStatus')).toMatchObject({
      status: { isLocked: false, plannedRecoverTime: 0, indicators: {} },
    })
  })

  test('traded so much in thirty whole days', async () => {
    const context = new FakeContext()
    context.volumeAtoms = 123_456_789_012n
    const expected = { past30DaysTradingVolume: 1234.56789012 }
    expect(await later(context, 'tradingVolume')).toEqual(expected)
    const toDay = Math.floor(NOW_MS / DAY_MS)
    const asked = { account: trader.id, fromDay: toDay - 30, toDay }
    expect(context.asked.tradingVolume).toEqual(asked)
    context.valuationAsset = undefined
    expect(await later(context, 'tradingVolume')).toEqual({ past30DaysTradingVolume: 0 })
  })

  test('is told when the archive cannot answer', async () => {
    const context = new FakeContext()
    context.historyFailure = new Error('no archive')
    const responder = asking.ask(context, 'accountStatus')
    await settled()
    expect(responder.answer?.status).toBeGreaterThanOrEqual(400)
  })
})

describe('fees', () => {
  const fee = { symbol: 'BTCUSDT', makerCommission: '0.00100000', takerCommission: '0.00150000' }

  test('of one symbol and of all', () => {
    expect(asking.now('tradeFee', 'symbol=BTCUSDT')).toEqual([fee])
    expect(asking.now('tradeFeeAlias')).toEqual([fee, { ...fee, symbol: 'ETHBTC' }])
  })
})

describe('distributions', () => {
  const context = new FakeContext()
  const given = (transferId: number, assetId: number, category: string, account = trader.id) => ({
    account,
    assetId: AssetId(assetId),
    atoms: '1000000000',
    category,
    timeMs: Ms(NOW_MS + transferId),
    transferId,
  })
  context.distributionRows = [
    ...Array.from({ length: 600 }, (_, index) => given(index + 1, 0, 'rebate')),
    given(601, 1, 'airdrop'),
    given(602, 0, 'airdrop', grouped.id),
  ]
  const ask = (query = '', options = {}) =>
    asking.now('distributions', query, options, context) as { rows: unknown[]; total: number }
  const idsOf = (query: string) => {
    const { rows, total } = ask(query)
    const ids = rows.map((row) => (row as { tranId: number }).tranId)
    return [ids[0], ids.at(-1), ids.length, total]
  }

  test('have their fields', () => {
    expect(ask('', { account: grouped })).toEqual({
      rows: [
        {
          amount: '10.00000000',
          asset: 'USDT',
          divTime: NOW_MS + 602,
          category: 'airdrop',
          tranId: 602,
        },
      ],
      total: 1,
    })
    const [row] = ask('', { account: grouped, microseconds: true }).rows
    expect(row).toMatchObject({ divTime: NOW_MS + 602 })
    expect(ask('category=nothing')).toEqual({ rows: [], total: 0 })
  })

  test.each([
    ['the newest of all', '', [582, 601, 20, 601]],
    ['no more than the most', 'limit=5000', [102, 601, 500, 601]],
    ['of an asset', 'asset=BTC', [601, 601, 1, 1]],
    ['of a category', 'category=rebate&limit=1', [600, 600, 1, 600]],
    ['from a time', `startTime=${NOW_MS + 10}&limit=2`, [10, 11, 2, 592]],
    ['up to a time', `endTime=${NOW_MS + 10}&limit=2`, [9, 10, 2, 10]],
    ['between times', `startTime=${NOW_MS + 3}&endTime=${NOW_MS + 3}`, [3, 3, 1, 1]],
  ])('%s', (_, query, expected) => {
    expect(idsOf(query)).toEqual(expected)
  })
})

describe('the rest', () => {
  test('coins', () => {
    expect(asking.now('coins')).toContainEqual({
      coin: 'USDT',
      name: 'USDT',
      free: '1000.00000000',
      locked: '5.00000000',
      freeze: '0',
      withdrawing: '0',
      ipoing: '0',
      ipoable: '0',
      storage: '0',
      isLegalMoney: false,
      trading: true,
      depositAllEnable: false,
      withdrawAllEnable: false,
      networkList: [],
    })
  })

  test('what this exchange does not have', () => {
    expect(asking.now('marginPairs', 'timestamp=1&signature=x')).toEqual([])
    expect(asking.now('isolatedMarginPairs')).toEqual([])
  })
})

afterAll(() => {
  asking.expectAllOf(walletOperations)
})
