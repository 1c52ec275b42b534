/** What canceling and querying orders and trades send and answer, beside the documented examples. */
import { afterAll, describe, expect, test } from 'vitest'
import { FakeContext, NOW_MS, trader } from '../../bench/workloads/fake-context.ts'
import {
  type DetailsSectionFields,
  readCancelOpenOrders,
  readCancelOrder,
  readOrderState,
  readQueryOrder,
} from '../../scripts/layout/codecs.gen.ts'
import { tradingOperations } from '../../src/api/operations/trading.ts'
import {
  DETAILED,
  ListOrderStatus,
  ListStatusType,
  OrderListKind,
  OrderPhase,
  OrderType,
  packTerms,
  RejectReason,
} from '../../src/base/codes.ts'
import {
  AssetId,
  Atoms,
  Lots,
  Ms,
  OrderId,
  OrderListId,
  QuoteAtoms,
  Ticks,
} from '../../src/base/units.ts'
import {
  CancelOpenOrders,
  CancelOrder,
  QueryOpenOrders,
  QueryOrder,
} from '../../src/layout/accessors.gen.ts'
import { RecordBuffer } from '../../src/layout/record-buffer.ts'
import { Asking, bodyOf, settled } from './asking.ts'
import { answerCommand } from './fake-responder.ts'
import { closed, listChanged, orderRow, queryEnd, rejected, state } from './records.ts'

const asking = new Asking()

/** Terms of BUY orders. */
const stopLimit = packTerms(0, OrderType.STOP_LOSS_LIMIT, 0, 2) | DETAILED

describe('canceling', () => {
  const record = {
    symbol: 'BTCUSDT',
    origClientOrderId: 'mine',
    orderId: OrderId(41),
    orderListId: OrderListId(-1),
    clientOrderId: 'theCancel',
    transactTime: NOW_MS,
    price: '50000.00000000',
    origQty: '0.01000000',
    executedQty: '0.00400000',
    origQuoteOrderQty: '0.00000000',
    cummulativeQuoteQty: '199.99600000',
    status: 'CANCELED',
    timeInForce: 'GTC',
    type: 'LIMIT',
    side: 'BUY',
    selfTradePreventionMode: 'EXPIRE_MAKER',
  }

  test.each<[query: string, fields: object]>([
    ['orderId=41', { orderId: OrderId(41), origClientOrderId: '', restrictions: 0 }],
    [
      'origClOrdId=mine&clOrdId=theCancel&cancelRestrictions=ONLY_NEW',
      {
        orderId: OrderId(0),
        origClientOrderId: 'mine',
        clientOrderId: 'theCancel',
        restrictions: 1,
      },
    ],
    ['orderId=41&origClientOrderId=mine', { orderId: OrderId(41), origClientOrderId: 'mine' }],
  ])('one order: %s', (query, fields) => {
    const context = new FakeContext()
    const responder = asking.ask(context, 'cancelOrder', `symbol=BTCUSDT&${query}`)
    expect(context.sent[0]?.type).toBe(CancelOrder.type)
    expect(readCancelOrder(context.sent[0]!.buffer, 0)).toMatchObject({
      account: trader.id,
      expiresMs: Ms(NOW_MS + 5_000),
      ...fields,
    })
    answerCommand(context, closed())
    expect(bodyOf(responder)).toEqual(record)
    // In the order in which the documents list them.
    expect(Object.keys(bodyOf(responder) as object)).toEqual(Object.keys(record))
  })

  test('all of a symbol', () => {
    const context = new FakeContext()
    const responder = asking.ask(context, 'cancelOpenOrders', 'symbol=BTCUSDT')
    expect(context.sent[0]?.type).toBe(CancelOpenOrders.type)
    expect(readCancelOpenOrders(context.sent[0]!.buffer, 0).account).toBe(trader.id)
    answerCommand(context, closed(), closed({ orderId: OrderId(42) }))
    expect(bodyOf(responder)).toEqual([record, { ...record, orderId: OrderId(42) }])
  })

  test('what is selected, as counts', () => {
    const context = new FakeContext()
    const responder = asking.ask(context, 'cancelWhere', 'symbol=BTCUSDT&side=BUY')
    answerCommand(context, closed(), closed({ orderId: OrderId(42) }))
    const symbols = [{ symbol: 'BTCUSDT', canceled: 2, lists: 0 }]
    expect(bodyOf(responder)).toEqual({ canceled: 2, lists: 0, symbols })
  })

  const leg = (orderId: number, name: string) => [
    closed({
      orderId: OrderId(orderId),
      terms: stopLimit,
      origClientOrderId: name,
      details: {
        orderListId: OrderListId(5),
        stopTicks: Ticks(4_000_000),
        trailingDelta: 100,
        strategyId: 3,
      },
    }),
  ]
  const done = listChanged({
    statusType: ListStatusType.ALL_DONE,
    orderStatus: ListOrderStatus.ALL_DONE,
    clientOrderId1: 'theCancel',
    clientOrderId2: 'theCancel',
  })
  const legRecord = {
    ...record,
    orderListId: OrderListId(5),
    origClientOrderId: 'one',
    type: 'STOP_LOSS_LIMIT',
    stopPrice: '40000.00000000',
    trailingDelta: 100,
    trailingTime: -1,
    strategyId: 3,
  }
  const listReport = {
    orderListId: OrderListId(5),
    contingencyType: 'OCO',
    listStatusType: 'ALL_DONE',
    listOrderStatus: 'ALL_DONE',
    listClientOrderId: 'theList',
    transactionTime: NOW_MS,
    symbol: 'BTCUSDT',
    orders: [
      { symbol: 'BTCUSDT', orderId: OrderId(41), clientOrderId: 'one' },
      { symbol: 'BTCUSDT', orderId: OrderId(42), clientOrderId: 'two' },
    ],
    orderReports: [legRecord, { ...legRecord, orderId: OrderId(42), origClientOrderId: 'two' }],
  }

  test('a leg cancels its list', () => {
    const context = new FakeContext()
    const responder = asking.ask(context, 'cancelOrder', 'symbol=BTCUSDT&orderId=41')
    answerCommand(context, ...leg(41, 'one'), ...leg(42, 'two'), done)
    expect(bodyOf(responder)).toEqual(listReport)
  })

  test('all of a symbol, with a list that had a leg filled before', () => {
    const context = new FakeContext()
    const responder = asking.ask(context, 'cancelOpenOrders', 'symbol=BTCUSDT')
    const left = listChanged({
      kind: OrderListKind.OTOCO,
      orderListId: OrderListId(6),
      legs: 3,
      orderId1: OrderId(50),
      orderId2: OrderId(51),
      orderId3: OrderId(52),
      clientOrderId1: 'filled',
      clientOrderId3: 'three',
    })
    answerCommand(
      context,
      closed({ orderId: OrderId(40) }),
      ...leg(41, 'one'),
      ...leg(42, 'two'),
      closed({ orderId: OrderId(43), details: { icebergLots: Lots(100) } }),
      closed({
        orderId: OrderId(51),
        origClientOrderId: 'two',
        details: { orderListId: OrderListId(6) },
      }),
      done,
      left,
    )
    expect(bodyOf(responder)).toEqual([
      { ...record, orderId: OrderId(40) },
      { ...record, orderId: OrderId(43), icebergQty: '0.00100000' },
      listReport,
      expect.objectContaining({
        orderListId: OrderListId(6),
        contingencyType: 'OTO',
        orders: [
          { symbol: 'BTCUSDT', orderId: OrderId(50), clientOrderId: 'filled' },
          { symbol: 'BTCUSDT', orderId: OrderId(51), clientOrderId: 'two' },
          { symbol: 'BTCUSDT', orderId: OrderId(52), clientOrderId: 'three' },
        ],
        orderReports: [
          expect.objectContaining({ orderId: OrderId(51), orderListId: OrderListId(6) }),
        ],
      }),
    ])
  })
})

describe('orders and trades', () => {
  const record = {
    symbol: 'BTCUSDT',
    orderId: OrderId(41),
    orderListId: OrderListId(-1),
    clientOrderId: 'mine',
    price: '50000.00000000',
    origQty: '0.01000000',
    executedQty: '0.00000000',
    cummulativeQuoteQty: '0.00000000',
    status: 'NEW',
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
  const inPart = {
    ...record,
    executedQty: '0.00400000',
    cummulativeQuoteQty: '199.99600000',
    status: 'PARTIALLY_FILLED',
  }

  test.each<[query: string, fields: object]>([
    ['orderId=41', { orderId: OrderId(41), clientOrderId: '' }],
    ['origClientOrderId=mine', { orderId: OrderId(0), clientOrderId: 'mine' }],
    ['orderId=41&origClOrdId=mine', { orderId: OrderId(41), clientOrderId: '' }],
  ])('an open order: %s', (query, fields) => {
    const context = new FakeContext()
    const responder = asking.ask(context, 'queryOrder', `symbol=BTCUSDT&${query}`)
    expect(context.sent[0]?.type).toBe(QueryOrder.type)
    expect(readQueryOrder(context.sent[0]!.buffer, 0)).toMatchObject(fields)
    answerCommand(context, state())
    expect(bodyOf(responder)).toEqual(record)
  })

  const started = {
    trailingDelta: 100,
    trailingMs: Ms(NOW_MS - 1_000),
    phase: OrderPhase.UNTRIGGERED,
  }
  test.each<[name: string, fields: Partial<DetailsSectionFields>, members: object]>([
    [
      'an iceberg of a strategy',
      { icebergLots: Lots(100), strategyId: 0, strategyType: 1_000_000 },
      {
        icebergQty: '0.00100000',
        strategyId: 0,
        strategyType: 1_000_000,
        workingTime: NOW_MS - 3_000,
      },
    ],
    [
      'a peg',
      { pegPriceType: 1, pegLevels: 2, pegLimitTicks: Ticks(0) },
      {
        price: '0.00000000',
        pegPriceType: 'PRIMARY_PEG',
        pegOffsetType: 'PRICE_LEVEL',
        pegOffsetValue: 2,
        peggedPrice: '50000.00000000',
        workingTime: NOW_MS - 3_000,
      },
    ],
    [
      'a stop that waits and trails',
      { ...started, stopTicks: Ticks(4_000_000), workingMs: Ms(-1) },
      {
        stopPrice: '40000.00000000',
        trailingDelta: 100,
        trailingTime: NOW_MS - 1_000,
        isWorking: false,
        workingTime: -1,
      },
    ],
    [
      'a pending leg',
      { orderListId: OrderListId(5), phase: OrderPhase.PENDING, workingMs: Ms(-1) },
      { orderListId: OrderListId(5), status: 'PENDING_NEW', isWorking: false, workingTime: -1 },
    ],
    [
      'a stop that works, of a list',
      { orderListId: OrderListId(5), stopTicks: Ticks(4_000_000) },
      { orderListId: OrderListId(5), stopPrice: '40000.00000000', workingTime: NOW_MS - 3_000 },
    ],
  ])('with details, open and of the archive: %s', async (_, fields, members) => {
    const context = new FakeContext()
    const open = asking.ask(context, 'queryOrder', 'symbol=BTCUSDT&orderId=41')
    answerCommand(context, state({ details: fields }))
    expect(bodyOf(open)).toEqual({ ...record, ...members })
    const all = asking.ask(context, 'openOrders', 'symbol=BTCUSDT')
    answerCommand(context, state({ orderId: OrderId(40) }), state({ details: fields }), queryEnd)
    expect(bodyOf(all)).toEqual([
      { ...record, orderId: OrderId(40) },
      { ...record, ...members },
    ])
    const buffer = RecordBuffer.allocate(256)
    state({ details: fields })(buffer)
    // As orderRowOf has it: the archive, too, keeps the price that a peg works at.
    const { pegLimitTicks = -1 } = fields
    const peg = { priceTicks: Ticks(pegLimitTicks), peggedTicks: Ticks(5_000_000) }
    const details = readOrderState(buffer, 0).details!
    context.rows = [orderRow({ details, ...(pegLimitTicks < 0 ? {} : peg) })]
    const closedOrder = asking.ask(context, 'queryOrder', 'symbol=BTCUSDT&orderId=41')
    answerCommand(context, rejected(RejectReason.NO_SUCH_ORDER))
    await settled()
    expect(bodyOf(closedOrder)).toEqual({ ...inPart, ...members, status: 'PARTIALLY_FILLED' })
  })

  test('decremented: the archive remembers which match was prevented', async () => {
    const context = new FakeContext()
    context.rows = [orderRow({ preventedLots: Lots(600), preventedMatchIdPlusOne: 8 })]
    const decremented = state({ filledLots: Lots(400), preventedLots: Lots(500), details: {} })
    const query = 'symbol=BTCUSDT&orderId=41'
    const one = asking.ask(context, 'queryOrder', query)
    answerCommand(context, decremented)
    const all = asking.ask(context, 'openOrders', 'symbol=BTCUSDT')
    answerCommand(context, decremented, queryEnd)
    await settled()
    const shown = {
      orderId: OrderId(41),
      status: 'PARTIALLY_FILLED',
      preventedMatchId: 7,
      preventedQuantity: '0.00500000',
    }
    expect(bodyOf(one)).toMatchObject(shown)
    expect(bodyOf(all)).toMatchObject([shown])
  })

  test('decremented, but the archive does not answer', async () => {
    const context = new FakeContext()
    context.historyFailure = new Error('behind')
    const one = asking.ask(context, 'queryOrder', 'symbol=BTCUSDT&orderId=41')
    answerCommand(context, state({ preventedLots: Lots(500) }))
    const all = asking.ask(context, 'openOrders', 'symbol=BTCUSDT')
    answerCommand(context, state({ preventedLots: Lots(500) }), queryEnd)
    await settled()
    for (const { answer } of [one, all]) expect(answer?.status).toBe(504)
  })

  test.each([
    'orderId=41',
    'origClientOrderId=mine',
    'orderId=41&origClientOrderId=mine',
  ])('a closed order: %s', async (query) => {
    const context = new FakeContext()
    context.rows = [orderRow({})]
    const responder = asking.ask(context, 'queryOrder', `symbol=BTCUSDT&${query}`)
    answerCommand(context, rejected(RejectReason.NO_SUCH_ORDER))
    await settled()
    expect(bodyOf(responder)).toEqual(inPart)
  })

  test('open orders of one symbol', () => {
    const context = new FakeContext()
    const responder = asking.ask(context, 'openOrders', 'symbol=BTCUSDT')
    expect(context.sent.map(({ type }) => type)).toEqual([QueryOpenOrders.type])
    answerCommand(context, state(), state({ orderId: OrderId(42), filledLots: Lots(1) }), queryEnd)
    expect(bodyOf(responder)).toEqual([
      record,
      { ...record, orderId: OrderId(42), executedQty: '0.00001000', status: 'PARTIALLY_FILLED' },
    ])
  })

  test('open orders of all symbols are told oldest first', () => {
    const context = new FakeContext()
    const responder = asking.ask(context, 'openOrders')
    const at = (orderId: number, createdMs: Ms) => state({ orderId: OrderId(orderId), createdMs })
    answerCommand(context, at(7, Ms(NOW_MS - 300)), at(8, Ms(NOW_MS - 100)), queryEnd)
    answerCommand(context, at(1, Ms(NOW_MS - 400)), at(2, Ms(NOW_MS - 200)), queryEnd)
    const rows = bodyOf(responder) as { symbol: string; orderId: number }[]
    expect(rows.map(({ symbol, orderId }) => [symbol, orderId])).toEqual([
      ['ETHBTC', 1],
      ['BTCUSDT', 7],
      ['ETHBTC', 2],
      ['BTCUSDT', 8],
    ])
  })

  test('open orders of one time are joined by symbol, whichever matcher answers first', () => {
    const context = new FakeContext()
    const responder = asking.ask(context, 'openOrders')
    const [first, second] = context.sent.splice(0)
    context.sent.push(second!, first!)
    answerCommand(context, state({ orderId: OrderId(1) }), queryEnd)
    expect(responder.answer).toBeUndefined()
    answerCommand(context, state({ orderId: OrderId(2) }), queryEnd)
    const rows = bodyOf(responder) as { symbol: string; orderId: number }[]
    expect(rows.map(({ symbol, orderId }) => [symbol, orderId])).toEqual([
      ['BTCUSDT', 2],
      ['ETHBTC', 1],
    ])
  })
})

describe('what concerns orders', () => {
  test('filters', () => {
    const context = new FakeContext()
    context.exchange = {
      ...context.exchange,
      filters: [
        { filterType: 'EXCHANGE_MAX_NUM_ORDERS', maxNumOrders: 1_000 },
        ...['BTC', 'ETH'].map((asset) => ({ filterType: 'MAX_ASSET', asset, limit: '2.00000000' })),
      ],
    }
    const answer = bodyOf(asking.ask(context, 'myFilters', 'symbol=BTCUSDT')) as {
      symbolFilters: readonly { filterType: string }[]
    }
    expect(answer).toMatchObject({
      exchangeFilters: [{ filterType: 'EXCHANGE_MAX_NUM_ORDERS', maxNumOrders: 1_000 }],
      assetFilters: [{ filterType: 'MAX_ASSET', asset: 'BTC', limit: '2.00000000' }],
    })
    expect(answer.symbolFilters.map(({ filterType }) => filterType)).toEqual([
      'PRICE_FILTER',
      'LOT_SIZE',
      'MARKET_LOT_SIZE',
      'NOTIONAL',
    ])
  })

  test('allocations', async () => {
    const context = new FakeContext()
    context.allocations = [
      {
        allocationId: 3,
        orderId: OrderId(41),
        priceUnits: 4_999_950_000_000,
        lots: Lots(400),
        quoteAtoms: QuoteAtoms(19_999_800_000),
        commissionAtoms: Atoms(600),
        timeMs: NOW_MS,
        isBuyer: true,
        commissionAssetId: AssetId(-1),
      },
    ]
    const responder = asking.ask(context, 'myAllocations', 'symbol=BTCUSDT&orderId=41&limit=5')
    await settled()
    expect(bodyOf(responder)).toEqual([
      {
        symbol: 'BTCUSDT',
        allocationId: 3,
        allocationType: 'SOR',
        orderId: 41,
        orderListId: -1,
        price: '49999.50000000',
        qty: '0.00400000',
        quoteQty: '199.99800000',
        commission: '0.00000600',
        commissionAsset: 'BTC',
        time: NOW_MS,
        isBuyer: true,
        isMaker: false,
        isAllocator: false,
      },
    ])
    expect(context.asked.allocations).toMatchObject({ orderId: 41, limit: 5 })
  })

  test.each([
    'orderId=1&startTime=1',
    'fromAllocationId=1&endTime=1',
    'orderId=1&fromAllocationId=1&endTime=1',
  ])('no allocations by %s', (query) => {
    const { answer } = asking.ask(new FakeContext(), 'myAllocations', `symbol=BTCUSDT&${query}`)
    expect(answer).toMatchObject({ status: 400, body: expect.stringContaining('-1128') })
  })
})

/** Called by the other files of this folder. */
const elsewhere = [
  ...['placeOrder', 'testOrder', 'routeOrder', 'testRoutedOrder'],
  ...['replaceOrder', 'amendOrder'],
]
afterAll(() => {
  asking.expectAllOf(tradingOperations.filter(({ id }) => !elsewhere.includes(id)))
})
