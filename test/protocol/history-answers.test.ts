/** What queries of the past ask the archive for and answer, beside the documented examples. */
import { afterAll, describe, expect, test } from 'vitest'
import { FakeContext, NOW_MS, trader } from '../../bench/workloads/fake-context.ts'
import { noDetails } from '../../bench/workloads/no-extras.ts'
import { historyOperations } from '../../src/api/operations/history.ts'
import {
  DETAILED,
  ExpiryReason,
  ListOrderStatus,
  ListStatusType,
  OrderListKind,
  OrderStatus,
  OrderType,
  packTerms,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../src/base/codes.ts'
import {
  AccountId,
  AssetId,
  Atoms,
  Lots,
  Ms,
  OrderId,
  OrderListId,
  QuoteAtoms,
  SymbolId,
  Ticks,
  TradeId,
} from '../../src/base/units.ts'
import type {
  OrderListRow,
  PreventedMatchRow,
  TradeRow,
} from '../../src/history/account-history.ts'
import { Asking, bodyOf, settled } from './asking.ts'
import { orderRow } from './records.ts'

const asking = new Asking()

async function answerOf(context: FakeContext, id: string, query: string): Promise<unknown> {
  const responder = asking.ask(context, id, query)
  await settled()
  return bodyOf(responder)
}

/** `-1128 Combination…` */
async function refusalOf(id: string, query: string, context = new FakeContext()): Promise<string> {
  const responder = asking.ask(context, id, query)
  await settled()
  const { answer } = responder
  const { code, msg } = JSON.parse(answer?.body ?? '{}') as { code: number; msg: string }
  return `${answer?.status} ${code} ${msg}`
}

const badCombination = '400 -1128 Combination of optional parameters invalid.'
const tooWide = '400 -1127 More than 24 hours between startTime and endTime.'
const DAY_MS = 24 * 60 * 60 * 1000

describe('all orders', () => {
  const record = {
    symbol: 'BTCUSDT',
    orderId: 41,
    orderListId: -1,
    clientOrderId: 'mine',
    price: '50000.00000000',
    origQty: '0.01000000',
    executedQty: '0.00400000',
    cummulativeQuoteQty: '199.99600000',
    status: 'PARTIALLY_FILLED',
    timeInForce: 'GTC',
    type: 'LIMIT',
    side: 'BUY',
    stopPrice: '0.00000000',
    icebergQty: '0.00000000',
    time: NOW_MS - 5_000,
    updateTime: NOW_MS - 4_000,
    isWorking: true,
    workingTime: NOW_MS - 5_000,
    origQuoteOrderQty: '0.00000000',
    selfTradePreventionMode: 'EXPIRE_MAKER',
  }

  test('as they ended', async () => {
    const context = new FakeContext()
    context.rows = [
      orderRow({}),
      orderRow({
        orderId: OrderId(42),
        status: OrderStatus.EXPIRED_IN_MATCH,
        preventedLots: Lots(600),
        preventedMatchIdPlusOne: 1,
      }),
      orderRow({
        orderId: OrderId(43),
        status: OrderStatus.EXPIRED,
        reason: ExpiryReason.INSUFFICIENT_LIQUIDITY,
      }),
    ]
    expect(await answerOf(context, 'allOrders', 'symbol=BTCUSDT')).toEqual([
      record,
      {
        ...record,
        orderId: 42,
        status: 'EXPIRED_IN_MATCH',
        preventedMatchId: 0,
        preventedQuantity: '0.00600000',
      },
      { ...record, orderId: 43, status: 'EXPIRED', expiryReason: 'INSUFFICIENT_LIQUIDITY' },
    ])
  })

  test('a trailing stop of a list, with a strategy', async () => {
    const context = new FakeContext()
    const type = OrderType.STOP_LOSS_LIMIT
    const { EXPIRE_MAKER } = SelfTradePrevention
    context.rows = [
      orderRow({
        terms: packTerms(Side.BUY, type, TimeInForce.IOC, EXPIRE_MAKER) | DETAILED,
        status: OrderStatus.NEW,
        filledLots: Lots(0),
        filledAtoms: QuoteAtoms(0),
        details: {
          ...noDetails,
          orderListId: OrderListId(7),
          stopTicks: Ticks(5_100_000),
          icebergLots: Lots(100),
          strategyId: 0,
          strategyType: 1_000_000,
          trailingDelta: 25,
          trailingMs: Ms(NOW_MS - 4_500),
          workingMs: Ms(-1),
          phase: 1,
        },
      }),
    ]
    expect(await answerOf(context, 'allOrders', 'symbol=BTCUSDT')).toEqual([
      {
        ...record,
        orderListId: 7,
        type: 'STOP_LOSS_LIMIT',
        timeInForce: 'IOC',
        status: 'NEW',
        executedQty: '0.00000000',
        cummulativeQuoteQty: '0.00000000',
        stopPrice: '51000.00000000',
        icebergQty: '0.00100000',
        trailingDelta: 25,
        trailingTime: NOW_MS - 4_500,
        strategyId: 0,
        strategyType: 1_000_000,
        isWorking: false,
        workingTime: -1,
      },
    ])
  })

  test.each([
    ['', { limit: 500 }],
    ['&orderId=41', { orderId: 41, limit: 500 }],
    ['&orderId=41&startTime=5&endTime=6', { orderId: 41, startTime: 5, endTime: 6, limit: 500 }],
    ['&startTime=5&limit=3', { startTime: 5, limit: 3 }],
    [`&startTime=5&endTime=${5 + DAY_MS}&limit=5000`, { startTime: 5, endTime: 5 + DAY_MS }],
    ['&endTime=6', { endTime: 6, limit: 500 }],
  ])('asked for by symbol%s', async (more, query) => {
    const context = new FakeContext()
    await answerOf(context, 'allOrders', `symbol=BTCUSDT${more}`)
    const whole = { account: trader.id, symbolId: 0, limit: 1000, ...query }
    expect(context.asked.allOrders).toEqual(whole)
  })

  test('at most a day, of a symbol that there is', async () => {
    const day = `symbol=BTCUSDT&startTime=5&endTime=${6 + DAY_MS}`
    expect(await refusalOf('allOrders', day)).toBe(tooWide)
    expect(await refusalOf('allOrders', 'symbol=NONE')).toBe('400 -1121 Invalid symbol.')
  })
})

describe('my trades', () => {
  const row: TradeRow = {
    tradeId: TradeId(77),
    orderId: OrderId(41),
    priceTicks: Ticks(4_999_900),
    lots: Lots(400),
    quoteAtoms: QuoteAtoms(19_999_600_000),
    commissionAtoms: Atoms(600),
    timeMs: NOW_MS,
    isBuyer: true,
    isMaker: false,
    orderListId: OrderListId(-1),
    commissionAssetId: AssetId(-1),
  }
  const record = {
    symbol: 'BTCUSDT',
    id: 77,
    orderId: 41,
    orderListId: -1,
    price: '49999.00000000',
    qty: '0.00400000',
    quoteQty: '199.99600000',
    commission: '0.00000600',
    commissionAsset: 'BTC',
    time: NOW_MS,
    isBuyer: true,
    isMaker: false,
    isBestMatch: true,
  }

  test('with the commission in the asset that it was paid in', async () => {
    const context = new FakeContext()
    const eth = context.assets.findIndex(({ name }) => name === 'ETH')
    const paid = 100_000_000
    context.trades = [
      row,
      { ...row, isBuyer: false, commissionAtoms: Atoms(0) },
      {
        ...row,
        orderListId: OrderListId(9),
        commissionAssetId: AssetId(eth),
        commissionAtoms: Atoms(paid),
      },
    ]
    expect(await answerOf(context, 'myTrades', 'symbol=BTCUSDT')).toEqual([
      record,
      { ...record, isBuyer: false, commission: '0.00000000', commissionAsset: 'USDT' },
      { ...record, orderListId: 9, commission: '1.00000000', commissionAsset: 'ETH' },
    ])
  })

  test.each([
    ['', { limit: 500 }],
    ['&orderId=1', { orderId: 1, limit: 500 }],
    ['&startTime=1', { startTime: 1, limit: 500 }],
    ['&endTime=1&limit=2', { endTime: 1, limit: 2 }],
    ['&fromId=1', { fromId: 1, limit: 500 }],
    ['&startTime=1&endTime=1', { startTime: 1, endTime: 1, limit: 500 }],
    ['&orderId=1&fromId=2', { orderId: 1, fromId: 2, limit: 500 }],
  ])('asked for by symbol%s', async (more, query) => {
    const context = new FakeContext()
    await answerOf(context, 'myTrades', `symbol=BTCUSDT${more}`)
    expect(context.asked.myTrades).toEqual({ account: trader.id, symbolId: 0, ...query })
  })

  test.each(
    combinationsBeyond(
      ['orderId', 'startTime', 'endTime', 'fromId'],
      ['', 'orderId', 'startTime', 'endTime', 'fromId', 'startTime+endTime', 'orderId+fromId'],
    ),
  )('not by %s together', async (names) => {
    expect(await refusalOf('myTrades', `symbol=BTCUSDT${valuesOf(names)}`)).toBe(badCombination)
  })

  test('at most a day', async () => {
    const day = `symbol=BTCUSDT&startTime=5&endTime=${6 + DAY_MS}`
    expect(await refusalOf('myTrades', day)).toBe(tooWide)
  })
})

/** Sets of names, joined by +, that are not allowed. */
function combinationsBeyond(names: readonly string[], allowed: readonly string[]): string[] {
  const sets = Array.from({ length: 2 ** names.length }, (_, bits) =>
    names.filter((_, i) => ((bits >> i) & 1) === 1).join('+'),
  )
  expect(sets).toEqual(expect.arrayContaining([...allowed]))
  return sets.filter((set) => !allowed.includes(set))
}

const valuesOf = (names: string): string =>
  names
    .split('+')
    .filter((name) => name !== '')
    .map((name) => `&${name}=1`)
    .join('')

describe('prevented matches', () => {
  const terms = (mode: SelfTradePrevention) => packTerms(Side.SELL, 0, 0, mode)
  const { EXPIRE_MAKER, TRANSFER, NONE } = SelfTradePrevention
  const row: PreventedMatchRow = {
    preventedMatchId: 1,
    takerOrderId: OrderId(5),
    makerOrderId: OrderId(3),
    takerTerms: terms(EXPIRE_MAKER),
    makerTerms: terms(NONE),
    tradeGroupId: 1,
    priceTicks: Ticks(110),
    takerPreventedLots: Lots(0),
    makerPreventedLots: Lots(130_000),
    timeMs: NOW_MS,
    makerSymbolId: SymbolId(0),
    makerAccount: AccountId(1),
  }
  const record = {
    symbol: 'BTCUSDT',
    preventedMatchId: 1,
    takerOrderId: 5,
    makerSymbol: 'BTCUSDT',
    makerOrderId: 3,
    tradeGroupId: 1,
    selfTradePreventionMode: 'EXPIRE_MAKER',
    price: '1.10000000',
    makerPreventedQuantity: '1.30000000',
    transactTime: NOW_MS,
  }

  test('say who lost what, under the mode that was in effect', async () => {
    const context = new FakeContext()
    const both = { ...row, takerPreventedLots: Lots(100_000), makerPreventedLots: Lots(100_000) }
    context.preventedMatches = [
      row,
      { ...both, takerTerms: terms(TRANSFER), makerTerms: terms(TRANSFER) },
      { ...both, takerTerms: terms(TRANSFER), makerTerms: terms(NONE) },
    ]
    const answered = await answerOf(context, 'myPreventedMatches', 'symbol=BTCUSDT&orderId=5')
    expect(Object.keys((answered as object[])[0]!)).toEqual(Object.keys(record))
    const lost = { takerPreventedQuantity: '1.00000000', makerPreventedQuantity: '1.00000000' }
    expect(answered).toEqual([
      record,
      { ...record, ...lost, selfTradePreventionMode: 'TRANSFER' },
      { ...record, ...lost, selfTradePreventionMode: 'DECREMENT' },
    ])
  })

  test.each([
    ['preventedMatchId=0', { preventedMatchId: 0, limit: 500 }],
    ['orderId=5', { orderId: 5, limit: 500 }],
    ['orderId=5&fromPreventedMatchId=2', { orderId: 5, fromPreventedMatchId: 2, limit: 500 }],
    ['orderId=5&fromPreventedMatchId=2&limit=7', { orderId: 5, fromPreventedMatchId: 2, limit: 7 }],
  ])('asked for by symbol and %s', async (more, query) => {
    const context = new FakeContext()
    await answerOf(context, 'myPreventedMatches', `symbol=BTCUSDT&${more}`)
    const whole = { account: trader.id, symbolId: 0, ...query }
    expect(context.asked.preventedMatches).toEqual(whole)
  })

  test.each(
    combinationsBeyond(
      ['preventedMatchId', 'orderId', 'fromPreventedMatchId', 'limit'],
      [
        'preventedMatchId',
        'orderId',
        'orderId+fromPreventedMatchId',
        'orderId+fromPreventedMatchId+limit',
      ],
    ),
  )('not by %s together', async (names) => {
    const query = `symbol=BTCUSDT${valuesOf(names)}`
    expect(await refusalOf('myPreventedMatches', query)).toBe(badCombination)
  })

  test('of a symbol that there is', async () => {
    const line = await refusalOf('myPreventedMatches', 'symbol=NONE&orderId=1')
    expect(line).toBe('400 -1121 Invalid symbol.')
  })
})

describe('amendments', () => {
  test('each with the ids and quantities before and after', async () => {
    const context = new FakeContext()
    context.amendments = [
      {
        orderId: OrderId(9),
        executionId: 22,
        oldLots: Lots(500_000),
        newLots: Lots(400_000),
        origClientOrderId: 'before',
        newClientOrderId: 'after',
        timeMs: NOW_MS,
      },
    ]
    const query = 'symbol=BTCUSDT&orderId=9&fromExecutionId=20&limit=2'
    expect(await answerOf(context, 'amendments', query)).toEqual([
      {
        symbol: 'BTCUSDT',
        orderId: 9,
        executionId: 22,
        origClientOrderId: 'before',
        newClientOrderId: 'after',
        origQty: '5.00000000',
        newQty: '4.00000000',
        time: NOW_MS,
      },
    ])
    const asked = { account: trader.id, symbolId: 0, orderId: 9, fromExecutionId: 20, limit: 2 }
    expect(context.asked.amendments).toEqual(asked)
  })

  test('of one order of a symbol that there is', async () => {
    expect(await refusalOf('amendments', 'symbol=BTCUSDT')).toMatch(/-1102 .*'orderId'/)
    const line = await refusalOf('amendments', 'symbol=NONE&orderId=1')
    expect(line).toBe('400 -1121 Invalid symbol.')
  })
})

describe('order lists', () => {
  const row: OrderListRow = {
    orderListId: OrderListId(27),
    symbolId: SymbolId(1),
    kind: OrderListKind.OCO,
    statusType: ListStatusType.EXEC_STARTED,
    orderStatus: ListOrderStatus.EXECUTING,
    createdMs: NOW_MS,
    listClientOrderId: 'pair',
    orders: [
      { orderId: OrderId(4), clientOrderId: 'stop' },
      { orderId: OrderId(5), clientOrderId: 'limit' },
    ],
  }
  const record = {
    orderListId: 27,
    contingencyType: 'OCO',
    listStatusType: 'EXEC_STARTED',
    listOrderStatus: 'EXECUTING',
    listClientOrderId: 'pair',
    transactionTime: NOW_MS,
    symbol: 'ETHBTC',
    orders: [
      { symbol: 'ETHBTC', orderId: 4, clientOrderId: 'stop' },
      { symbol: 'ETHBTC', orderId: 5, clientOrderId: 'limit' },
    ],
  }

  test.each([
    ['orderListId=27', { orderListId: 27 }],
    ['origClientOrderId=pair', { listClientOrderId: 'pair' }],
    ['orderListId=27&origClientOrderId=pair', { orderListId: 27, listClientOrderId: 'pair' }],
  ])('one, by %s', async (query, asked) => {
    const context = new FakeContext()
    context.lists = [row]
    expect(await answerOf(context, 'orderList', query)).toEqual(record)
    expect(context.asked.orderList).toEqual({ account: trader.id, ...asked })
  })

  test('none of that id, or no id', async () => {
    const unknown = '400 -2018 Order list does not exist.'
    expect(await refusalOf('orderList', 'orderListId=1')).toBe(unknown)
    const context = new FakeContext()
    expect(asking.ask(context, 'orderList').answer?.body).toContain(
      "Param 'origClientOrderId' or 'orderListId' must be sent, but both were empty/null!",
    )
  })

  test.each([
    ['', { limit: 500 }],
    ['fromId=3&limit=2', { fromId: 3, limit: 2 }],
    ['startTime=5', { startTime: 5, limit: 500 }],
    ['endTime=5', { endTime: 5, limit: 500 }],
    ['startTime=5&endTime=5', { startTime: 5, endTime: 5, limit: 500 }],
  ])('all, by %s', async (query, asked) => {
    const context = new FakeContext()
    const done = { statusType: ListStatusType.ALL_DONE, orderStatus: ListOrderStatus.ALL_DONE }
    context.lists = [
      row,
      { ...row, ...done, orderListId: OrderListId(28), kind: OrderListKind.OTOCO },
    ]
    const ended = { listStatusType: 'ALL_DONE', listOrderStatus: 'ALL_DONE' }
    expect(await answerOf(context, 'allOrderLists', query)).toEqual([
      record,
      { ...record, ...ended, orderListId: 28, contingencyType: 'OTO' },
    ])
    expect(context.asked.orderLists).toEqual({ account: trader.id, ...asked })
  })

  test.each([
    ['fromId=1&startTime=1', badCombination],
    ['fromId=1&endTime=1', badCombination],
    [`startTime=1&endTime=${2 + DAY_MS}`, tooWide],
  ])('all, not by %s', async (query, line) => {
    expect(await refusalOf('allOrderLists', query)).toBe(line)
  })

  test('the open ones', async () => {
    const context = new FakeContext()
    context.lists = [row]
    expect(await answerOf(context, 'openOrderLists', '')).toEqual([record])
    expect(context.asked.openOrderLists).toEqual({ account: trader.id })
  })
})

afterAll(() => asking.expectAllOf(historyOperations))
