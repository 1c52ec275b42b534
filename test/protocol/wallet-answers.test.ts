/** What the wallet's endpoints answer (Binance.US, wallet). */
import { afterAll, describe, expect, test } from 'vitest'
import { FakeContext, NOW_MS, trader } from '../../bench/workloads/fake-context.ts'
import { writeWalletEnd, writeWithdrawingState } from '../../scripts/layout/codecs.gen.ts'
import { walletOperations } from '../../src/api/operations/wallet.ts'
import { WalletSubject } from '../../src/base/codes.ts'
import { AssetId, Atoms, ChainId, Ms, NetworkId, SymbolId, Ticks } from '../../src/base/units.ts'
import { chainFact, usualNetwork } from '../../src/control/usual-networks.ts'
import { QueryWallet } from '../../src/layout/accessors.gen.ts'
import type { RecordBuffer } from '../../src/layout/record-buffer.ts'
import { DAY_MS, MINUTE_MS } from '../../src/market/intervals.ts'
import { type AssetSpec, WALLET } from '../../src/market/listing.ts'
import { Asking, bodyOf, settled } from './asking.ts'
import { coinContext } from './coin-context.ts'
import { answerCommand } from './fake-responder.ts'

const asking = new Asking()
const head = { symbolId: WALLET, gateway: 0, correlation: 1 }
const taken = (buffer: RecordBuffer) =>
  writeWithdrawingState(buffer, 0, {
    ...head,
    account: trader.id,
    assetId: AssetId(1),
    atoms: Atoms(7),
  })
const walletEnd = (buffer: RecordBuffer) =>
  writeWalletEnd(buffer, 0, { ...head, count: 0, isWhole: 1 })

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
    const state = await later(lockedFor(ms), 'accountState', '', { account })
    expect(state).toEqual({ data: expected.msg })
  })

  test('trades so and so', async () => {
    const context = lockedFor(MINUTE_MS)
    const tally = { orders: 20, filled: 1, immediate: 4, expired: 3, lasting: 0, canceled: 0 }
    context.status = { ...context.status, symbols: [{ symbolId: SymbolId(0), tally }] }
    const status = {
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
    }
    expect(await later(context, 'tradingStatus')).toEqual({ success: true, status })
    expect(await later(context, 'tradingState')).toEqual({ data: status })
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
  const row = { atoms: Atoms(1_000_000_000), timeMs: NOW_MS, transferId: 602 }
  context.distributed = {
    rows: [{ ...row, assetId: AssetId(0), category: 'airdrop' }],
    total: 7,
  }
  const shown = { amount: '10.00000000', asset: 'USDT', divTime: NOW_MS, tranId: 602 }

  test('have their fields, in ms whatever unit the request asks for', async () => {
    const expected = { rows: [{ ...shown, category: 'airdrop' }], total: 7 }
    expect(await later(context, 'distributions')).toEqual(expected)
    expect(await later(context, 'distributions', '', { microseconds: true })).toEqual(expected)
    const { category: _, ...dividend } = { ...shown, category: '' }
    expect(await later(context, 'dividends')).toEqual({
      rows: [{ id: 602, ...dividend, enInfo: 'airdrop', direction: 1 }],
      total: 7,
    })
  })

  test.each([
    ['the newest', '', { limit: 20 }],
    ['no more than the most', 'limit=5000', { limit: 500 }],
    ['of an asset', 'asset=BTC', { assetId: 1, limit: 20 }],
    ['of an asset that is not listed', 'asset=NONE', { assetId: -1, limit: 20 }],
    [
      'between times',
      `startTime=${NOW_MS}&endTime=${NOW_MS + 1}&limit=2`,
      { startTime: NOW_MS, endTime: NOW_MS + 1, limit: 2 },
    ],
  ])('are asked for: %s', async (_, query, expected) => {
    for (const id of ['distributions', 'dividends']) {
      await later(context, id, query)
      expect(context.asked.distributions).toEqual({ account: trader.id, ...expected })
    }
    await later(context, 'distributions', 'category=rebate')
    expect(context.asked.distributions).toMatchObject({ category: 'rebate' })
  })
})

describe('assets of the account', () => {
  const usdtRow = {
    asset: 'USDT',
    free: '1000.00000000',
    locked: '5.00000000',
    freeze: '0',
    withdrawing: '0',
    ipoable: '0',
    btcValuation: '0.00000000',
  }

  test('are those that it has something of, or the one asked for', () => {
    expect(asking.now('userAssets')).toContainEqual(usdtRow)
    expect(asking.now('userAssets', 'asset=USDT')).toEqual([usdtRow])
    const context = new FakeContext()
    const rows = asking.now('userAssets', '', {}, context) as { readonly free: string }[]
    expect(rows.filter(({ free }) => free === '0.00000000')).toEqual([])
    expect(asking.now('userAssets', 'asset=NONE')).toEqual([])
  })

  test('are worth so much of BTC at last prices, rounded down', () => {
    const context = new FakeContext()
    context.tapes[0]!.begin(Ticks(3_000_000))
    const [row] = asking.now('userAssets', 'needBtcValuation=true', {}, context) as object[]
    expect(row).toEqual({ ...usdtRow, btcValuation: '0.03350000' })
  })
})

describe.each(['coins', 'userAssets'])('what withdrawals took, in %s', (id) => {
  const query = id === 'userAssets' ? 'asset=BTC' : ''

  test('is what the wallet says, of an asset that nothing else is left of', () => {
    const context = coinContext()
    const asked = [asking.ask(context, id, query), asking.ask(context, id)]
    const [{ type, symbolId, buffer }] = context.sent as [FakeContext['sent'][number]]
    expect([type, symbolId]).toEqual([QueryWallet.type, WALLET])
    expect(QueryWallet.subject(buffer, 0)).toBe(WalletSubject.WITHDRAWING)
    expect(QueryWallet.account(buffer, 0)).toBe(trader.id)
    for (const responder of asked) {
      answerCommand(context, taken, walletEnd)
      const rows = bodyOf(responder) as { readonly coin?: string; readonly asset?: string }[]
      const row = rows.find(({ coin, asset }) => (coin ?? asset) === 'BTC')
      expect(row).toMatchObject({ free: '0.00000000', withdrawing: '0.00000007' })
    }
  })

  test('is refused while the wallet takes no more queries, or does not answer', () => {
    const context = coinContext()
    const responder = asking.ask(context, id, query)
    context.sent.shift()!.collector.failed('TIMEOUT')
    expect(responder.answer?.body).toMatch(/-1007/)
    context.ringIsFull = true
    expect(asking.ask(context, id, query).answer?.body).toMatch(/-1008/)
  })
})

describe('details of assets', () => {
  test('are those of default networks', () => {
    const context = coinContext({ depositEnabled: false, depositText: 'Wallet maintenance' })
    const usdt = {
      minWithdrawAmount: '2.00000000',
      depositStatus: false,
      withdrawFee: 1,
      withdrawStatus: true,
      depositTip: 'Wallet maintenance',
    }
    expect(asking.now('assetDetail', '', {}, context)).toEqual({ USDT: usdt })
    expect(asking.now('assetDetail', 'asset=BTC', {}, context)).toEqual({})
    const { depositTip: _, ...open } = { ...usdt, depositStatus: true }
    expect(asking.now('assetDetail', 'asset=USDT', {}, coinContext())).toEqual({ USDT: open })
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

  test('what a key may do', () => {
    const key = { apiKey: '', canRead: true, canTrade: false }
    const restrictions = (more: object) =>
      asking.now('keyRights', '', { key: { ...key, ...more } }) as Record<string, unknown>
    expect(restrictions({})).toEqual({
      ipRestrict: false,
      createTime: 0,
      enableReading: true,
      enableWithdrawals: false,
      enableInternalTransfer: false,
      enableMargin: false,
      enableFutures: false,
      permitsUniversalTransfer: false,
      enableVanillaOptions: false,
      enableFixApiTrade: false,
      enableFixReadOnly: false,
      enableSpotAndMarginTrading: false,
      enablePortfolioMarginTrading: false,
    })
    const more = { canTrade: true, canWithdraw: true, createdMs: Ms(7), addresses: [] }
    expect(restrictions(more)).toMatchObject({
      ipRestrict: true,
      createTime: 7,
      enableWithdrawals: true,
      enableSpotAndMarginTrading: true,
    })
    expect(asking.now('keyRights')).toMatchObject({ enableWithdrawals: true, enableReading: true })
  })

  test('networks of coins', () => {
    const context = new FakeContext()
    const chain = chainFact({
      id: ChainId(0),
      name: 'ETH',
      addressForm: 'ethereum',
      hasMemo: true,
      blockMs: 12_000,
      genesisMs: Ms(0),
    })
    context.chains = [chain]
    const [usdt, btc] = context.assets as [AssetSpec, AssetSpec]
    const first = usualNetwork(NetworkId(0), usdt.id, chain, true)
    const withdrawMax = Atoms(2n ** 62n)
    context.networks = [
      { ...first, minConfirm: 6, unLockConfirm: 64, withdrawMax, withdrawFee: Atoms(4) },
      { ...usualNetwork(NetworkId(1), btc.id, chain, true), depositEnabled: false },
    ]
    const responder = asking.ask(context, 'coins')
    answerCommand(context, walletEnd)
    const coins = bodyOf(responder)
    expect(coins).toContainEqual(
      expect.objectContaining({
        coin: 'USDT',
        depositAllEnable: true,
        withdrawAllEnable: true,
        networkList: [
          {
            network: 'ETH',
            coin: 'USDT',
            withdrawIntegerMultiple: '0.00000001',
            isDefault: true,
            depositEnable: true,
            withdrawEnable: true,
            depositDesc: '',
            withdrawDesc: '',
            name: 'ETH',
            resetAddressStatus: false,
            withdrawFee: '0.00000004',
            withdrawMin: '0.00000001',
            withdrawMax: '46116860184.27387904',
            addressRegex: '^0x[0-9A-Fa-f]{40}$',
            memoRegex: '^[0-9]{1,10}$',
            minConfirm: 6,
            unLockConfirm: 64,
            withdrawInternalMin: '0.00000001',
            depositDust: '0.00000000',
            sameAddress: true,
            estimatedArrivalTime: 2,
            busy: false,
          },
        ],
      }),
    )
    const suspended = { coin: 'BTC', depositAllEnable: false, withdrawAllEnable: true }
    expect(coins).toContainEqual(expect.objectContaining(suspended))
  })

  test('what this exchange does not have', () => {
    expect(asking.now('marginPairs', 'timestamp=1&signature=x')).toEqual([])
    expect(asking.now('isolatedMarginPairs')).toEqual([])
  })
})

afterAll(() => {
  asking.expectAllOf(walletOperations)
})
