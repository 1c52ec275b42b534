/**
 * What each operation answers, beside its documented example: the same members with the same types,
 * and the values that this request must give. An operation without a case fails the test.
 */
import { afterAll, describe, expect, test } from 'vitest'
import { operations } from '#api/operations/index.ts'
import { ExpiryReason, OrderStatus, OrderType, packTerms, RejectReason } from '#base/codes.ts'
import type { AccountSpec } from '#base/listing.ts'
import {
  CancelOpenOrders,
  CancelOrder,
  PlaceOrder,
  QueryOpenOrders,
  QueryOrder,
  readCancelOpenOrders,
  readCancelOrder,
  readPlaceOrder,
  readQueryOrder,
  writeQueryEnd,
  writeRejected,
} from '#layout/records.gen.ts'
import {
  answerCommand,
  FakeContext,
  grouped,
  loadBook,
  NOW_MS,
  type RequestOptions,
  send,
  trader,
} from './fake-context.ts'
import {
  accepted,
  buyLimit,
  closed,
  orderRow,
  prevented,
  state,
  trade,
  type Write,
} from './records.ts'

const asked = new Set<string>()

function ask(context: FakeContext, id: string, query = '', options: RequestOptions = {}) {
  asked.add(id)
  return send(context, id, query, options)
}

const now = (id: string, query = '', options: RequestOptions = {}, context = new FakeContext()) =>
  bodyOf(ask(context, id, query, options))

function bodyOf(responder: ReturnType<typeof send>): unknown {
  expect(responder.answer?.status).toBe(200)
  return JSON.parse(responder.answer?.body as string)
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Member names and types, arrays by their first item: what an example says of a shape. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, shapeOf(member)]),
  )
}

const rejected =
  (reason: number): Write =>
  (buffer) => {
    writeRejected(buffer, 0, { symbolId: 0, gateway: 0, correlation: 0, reason, spare: 0 })
  }
const queryEnd: Write = (buffer) => {
  writeQueryEnd(buffer, 0, { symbolId: 0, gateway: 0, correlation: 0 })
}

const limit = 'symbol=BTCUSDT&side=BUY&type=LIMIT&timeInForce=GTC&quantity=0.01&price=50000'

/** Places the order and answers its command with these events. */
function place(query: string, events: readonly Write[], options: RequestOptions = {}): unknown {
  const context = new FakeContext()
  const responder = ask(context, 'placeOrder', query, options)
  answerCommand(context, ...events)
  return bodyOf(responder)
}

describe('the exchange', () => {
  test('ping and time', () => {
    expect(now('ping')).toEqual({})
    expect(now('time')).toEqual({ serverTime: NOW_MS })
    expect(now('time', '', { microseconds: true })).toEqual({ serverTime: NOW_MS * 1000 })
    expect(now('systemStatus')).toEqual({ status: 0, msg: 'normal' })
    expect(now('marginPairs', 'timestamp=1&signature=x')).toEqual([])
    expect(now('isolatedMarginPairs')).toEqual([])
  })

  test('exchangeInfo', () => {
    const info = now('exchangeInfo') as { symbols: Record<string, unknown>[] }
    expect(shapeOf(info)).toEqual(
      shapeOf({
        timezone: 'UTC',
        serverTime: 1565246363776,
        rateLimits: [{ rateLimitType: '', interval: '', intervalNum: 1, limit: 1 }],
        exchangeFilters: [],
        symbols: [
          {
            symbol: 'ETHBTC',
            status: 'TRADING',
            baseAsset: 'ETH',
            baseAssetPrecision: 8,
            quoteAsset: 'BTC',
            quotePrecision: 8,
            quoteAssetPrecision: 8,
            baseCommissionPrecision: 8,
            quoteCommissionPrecision: 8,
            orderTypes: ['LIMIT'],
            icebergAllowed: true,
            ocoAllowed: true,
            otoAllowed: true,
            opoAllowed: true,
            quoteOrderQtyMarketAllowed: true,
            allowTrailingStop: false,
            cancelReplaceAllowed: false,
            amendAllowed: false,
            pegInstructionsAllowed: true,
            isSpotTradingAllowed: true,
            isMarginTradingAllowed: true,
            filters: [{ filterType: '', minPrice: '', maxPrice: '', tickSize: '' }],
            permissions: ['SPOT'],
            permissionSets: [['SPOT']],
            defaultSelfTradePreventionMode: 'NONE',
            allowedSelfTradePreventionModes: ['NONE'],
          },
        ],
        permissions: ['SPOT'],
        defaultSelfTradePreventionMode: 'NONE',
        allowedSelfTradePreventionModes: ['NONE'],
      }),
    )
    expect(info.symbols[0]).toMatchObject({
      symbol: 'BTCUSDT',
      orderTypes: ['LIMIT', 'LIMIT_MAKER', 'MARKET'],
      permissionSets: [['SPOT']],
      defaultSelfTradePreventionMode: 'EXPIRE_MAKER',
    })
  })

  test.each<[query: string, names: string[]]>([
    ['', ['BTCUSDT', 'ETHBTC']],
    ['symbol=ETHBTC', ['ETHBTC']],
    ['symbols=%5B%22ETHBTC%22,%22BTCUSDT%22%5D', ['ETHBTC', 'BTCUSDT']],
    ['symbols=["ETHBTC"]', ['ETHBTC']],
    ['symbolStatus=HALT', ['ETHBTC']],
    ['symbolStatus=BREAK', []],
    ['permissions=SPOT', ['BTCUSDT', 'ETHBTC']],
    ['permissions=["MARGIN","SPOT"]', ['BTCUSDT', 'ETHBTC']],
    ['permissions=["MARGIN"]', []],
  ])('exchangeInfo %s', (query, names) => {
    const { symbols } = now('exchangeInfo', query) as { symbols: { symbol: string }[] }
    expect(symbols.map(({ symbol }) => symbol)).toEqual(names)
  })

  test('exchangeInfo without permission sets', () => {
    const query = 'symbol=BTCUSDT&showPermissionSets=false'
    const { symbols } = now('exchangeInfo', query) as { symbols: { permissionSets: unknown }[] }
    expect(symbols[0]?.permissionSets).toEqual([])
  })
})

describe('market data', () => {
  const context = new FakeContext()
  loadBook(context.depth(0), [
    [0, 4_999_900, 1_000],
    [0, 4_999_800, 2_000],
    [1, 5_000_000, 3_000],
  ])
  context.tape(0).seed([
    { tradeId: 1, priceTicks: 100, lots: 100_000, timeMs: NOW_MS - 2, isBuyerMaker: true },
    { tradeId: 2, priceTicks: 200, lots: 300_000, timeMs: NOW_MS - 1, isBuyerMaker: false },
  ])
  const of = (id: string, query: string, options: RequestOptions = {}) =>
    now(id, query, options, context)

  test('depth', () => {
    expect(of('depth', 'symbol=BTCUSDT')).toEqual({
      lastUpdateId: 100,
      bids: [
        ['49999.00000000', '0.01000000'],
        ['49998.00000000', '0.02000000'],
      ],
      asks: [['50000.00000000', '0.03000000']],
    })
    expect(of('depth', 'symbol=BTCUSDT&limit=1')).toMatchObject({
      bids: [['49999.00000000', '0.01000000']],
    })
    expect(of('depth', 'symbol=ETHBTC&limit=99999')).toEqual({
      lastUpdateId: 100,
      bids: [],
      asks: [],
    })
  })

  test('trades', () => {
    const last = {
      id: 2,
      price: '2.00000000',
      qty: '3.00000000',
      quoteQty: '6.00000000',
      time: (NOW_MS - 1) * 1000,
      isBuyerMaker: false,
      isBestMatch: true,
    }
    expect(of('trades', 'symbol=BTCUSDT&limit=1', { microseconds: true })).toEqual([last])
    expect(of('trades', 'symbol=BTCUSDT')).toHaveLength(2)
    expect(of('trades', 'symbol=ETHBTC')).toEqual([])
  })

  test('average price', () => {
    expect(of('avgPrice', 'symbol=BTCUSDT')).toEqual({
      mins: 5,
      price: '1.75000000',
      closeTime: NOW_MS - 1,
    })
    expect(of('avgPrice', 'symbol=ETHBTC')).toEqual({ mins: 5, price: '0.00000000', closeTime: 0 })
  })

  test('tickers', () => {
    const btc = { symbol: 'BTCUSDT', price: '2.00000000' }
    const eth = { symbol: 'ETHBTC', price: '0.00000000' }
    expect(of('tickerPrice', 'symbol=BTCUSDT')).toEqual(btc)
    expect(of('tickerPrice', 'symbols=["BTCUSDT"]')).toEqual([btc])
    expect(of('tickerPrice', '')).toEqual([btc, eth])
    expect(of('tickerPrice', 'symbolStatus=HALT')).toEqual([eth])
    expect(of('tickerBook', 'symbol=BTCUSDT&symbolStatus=TRADING')).toEqual({
      symbol: 'BTCUSDT',
      bidPrice: '49999.00000000',
      bidQty: '0.01000000',
      askPrice: '50000.00000000',
      askQty: '0.03000000',
    })
    expect(of('tickerBook', 'symbols=["ETHBTC","BTCUSDT"]')).toHaveLength(2)
  })
})

describe('placing an order', () => {
  const ack = {
    symbol: 'BTCUSDT',
    orderId: 41,
    orderListId: -1,
    clientOrderId: 'generated0000000000001',
    transactTime: NOW_MS,
  }
  const result = {
    ...ack,
    price: '50000.00000000',
    origQty: '0.01000000',
    executedQty: '0.00000000',
    origQuoteOrderQty: '0.00000000',
    cummulativeQuoteQty: '0.00000000',
    status: 'NEW',
    timeInForce: 'GTC',
    type: 'LIMIT',
    side: 'BUY',
    workingTime: NOW_MS,
    selfTradePreventionMode: 'EXPIRE_MAKER',
  }
  const fill = {
    price: '49999.00000000',
    qty: '0.00400000',
    commission: '0.00000600',
    commissionAsset: 'BTC',
    tradeId: 77,
  }
  const filledInPart = {
    status: 'PARTIALLY_FILLED',
    executedQty: '0.00400000',
    cummulativeQuoteQty: '199.99600000',
  }

  test('sends the command', () => {
    const context = new FakeContext()
    ask(context, 'placeOrder', `${limit}&newClientOrderId=mine`)
    const command = context.sent[0]!
    expect(command.type).toBe(PlaceOrder.type)
    expect(readPlaceOrder(command.buffer, 0)).toMatchObject({
      account: trader.id,
      terms: buyLimit,
      priceTicks: 5_000_000,
      lots: 1_000,
      quoteAtoms: 0,
      expiresMs: NOW_MS + 5_000,
      clientOrderId: 'mine',
    })
  })

  test.each<[query: string, fields: object]>([
    [
      'symbol=BTCUSDT&side=SELL&type=MARKET&quoteOrderQty=12.5&clOrdId=other',
      { priceTicks: 0, lots: 0, quoteAtoms: 1_250_000_000, clientOrderId: 'other' },
    ],
    ['symbol=ETHBTC&side=BUY&type=MARKET&quoteOrderQty=0.5', { quoteAtoms: 5_000_000_000 }],
    [
      'symbol=ETHBTC&side=BUY&type=LIMIT_MAKER&quantity=1&price=0.5&selfTradePreventionMode=EXPIRE_BOTH',
      { terms: packTerms(0, OrderType.LIMIT_MAKER, 0, 3), priceTicks: 50_000, lots: 10_000 },
    ],
  ])('as its type says: %s', (query, fields) => {
    const context = new FakeContext()
    ask(context, 'placeOrder', query)
    expect(readPlaceOrder(context.sent[0]!.buffer, 0)).toMatchObject(fields)
  })

  test('MARKET by quantity is judged at the average price', () => {
    const context = new FakeContext()
    context
      .tape(0)
      .seed([{ tradeId: 1, priceTicks: 500, lots: 1, timeMs: NOW_MS, isBuyerMaker: true }])
    ask(context, 'placeOrder', 'symbol=BTCUSDT&side=BUY&type=MARKET&quantity=1')
    expect(readPlaceOrder(context.sent[0]!.buffer, 0)).toMatchObject({ lots: 100_000 })
  })

  test.each<[form: string, events: Write[], answer: object]>([
    ['', [accepted()], { ...result, fills: [] }],
    ['ACK', [accepted(), trade()], ack],
    ['RESULT', [accepted(), trade()], { ...result, ...filledInPart }],
    ['FULL', [accepted(), trade()], { ...result, ...filledInPart, fills: [fill] }],
  ])('the form "%s"', (form, events, answer) => {
    const query = form === '' ? limit : `${limit}&newOrderRespType=${form}`
    expect(place(query, events)).toEqual(answer)
  })

  test('a LIMIT_MAKER is only acknowledged', () => {
    const query = 'symbol=BTCUSDT&side=BUY&type=LIMIT_MAKER&quantity=0.01&price=50000'
    expect(place(query, [accepted()])).toEqual(ack)
  })

  test('filled whole, with times in microseconds', () => {
    const rest = trade({ tradeLots: 600, takerFilledLots: 1_000, tradeId: 78 })
    const answer = place(limit, [accepted(), trade(), rest], { microseconds: true })
    expect(answer).toMatchObject({
      status: 'FILLED',
      executedQty: '0.01000000',
      transactTime: NOW_MS * 1000,
      workingTime: NOW_MS * 1000,
      fills: [fill, { ...fill, qty: '0.00600000', tradeId: 78 }],
    })
  })

  test('a seller pays in the quote asset', () => {
    const sold = [accepted({ terms: buyLimit | 1 }), trade({ takerCommissionAtoms: 23_999_520 })]
    expect(place(limit, sold)).toMatchObject({
      side: 'SELL',
      fills: [{ ...fill, commission: '0.23999520', commissionAsset: 'USDT' }],
    })
  })

  test('the rest expires', () => {
    const expired = closed({
      status: OrderStatus.EXPIRED,
      reason: ExpiryReason.UNFILLED_IOC_QUANTITY_EXPIRED,
    })
    expect(place(limit, [accepted(), trade(), expired])).toEqual({
      ...result,
      ...filledInPart,
      status: 'EXPIRED',
      fills: [fill],
      expiryReason: 'UNFILLED_IOC_QUANTITY_EXPIRED',
    })
  })

  const match = { preventedMatchId: 0, makerOrderId: 9, price: '49999.00000000' }
  const makerExpires = closed({ orderId: 9, status: OrderStatus.EXPIRED_IN_MATCH })
  const takerExpires = closed({ status: OrderStatus.EXPIRED_IN_MATCH, preventedLots: 1_000 })
  test.each<[mode: string, account: AccountSpec, events: Write[], members: object]>([
    [
      'EXPIRE_MAKER',
      trader,
      [accepted(), prevented(), makerExpires],
      { status: 'NEW', preventedMatches: [{ ...match, makerPreventedQuantity: '0.01500000' }] },
    ],
    [
      'EXPIRE_TAKER',
      trader,
      [accepted(), prevented({ takerPreventedLots: 1_000, makerPreventedLots: 0 }), takerExpires],
      {
        status: 'EXPIRED_IN_MATCH',
        preventedMatches: [{ ...match, takerPreventedQuantity: '0.01000000' }],
        preventedQuantity: '0.01000000',
      },
    ],
    [
      'EXPIRE_BOTH',
      grouped,
      [
        accepted(),
        prevented({ takerPreventedLots: 1_000, tradeGroupId: 3 }),
        makerExpires,
        takerExpires,
      ],
      {
        status: 'EXPIRED_IN_MATCH',
        preventedMatches: [
          {
            ...match,
            takerPreventedQuantity: '0.01000000',
            makerPreventedQuantity: '0.01500000',
          },
        ],
        preventedQuantity: '0.01000000',
        tradeGroupId: 3,
      },
    ],
  ])('prevented from trading with itself: %s', (_, account, events, members) => {
    expect(place(limit, events, { account })).toEqual({ ...result, fills: [], ...members })
  })

  test('order/test sends nothing', () => {
    const context = new FakeContext()
    expect(bodyOf(ask(context, 'testOrder', limit))).toEqual({})
    expect(context.sent).toEqual([])
    expect(now('testOrder', `${limit.replace('BUY', 'SELL')}&computeCommissionRates=true`)).toEqual(
      {
        standardCommissionForOrder: { maker: '0.00120000', taker: '0.00170000' },
        specialCommissionForOrder: { maker: '0.00000000', taker: '0.00000000' },
        taxCommissionForOrder: { maker: '0.00000000', taker: '0.00000000' },
        discount: {
          enabledForAccount: false,
          enabledForSymbol: false,
          discountAsset: '',
          discount: '0.00000000',
        },
      },
    )
  })
})

describe('canceling', () => {
  const record = {
    symbol: 'BTCUSDT',
    origClientOrderId: 'mine',
    orderId: 41,
    orderListId: -1,
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
    ['orderId=41', { orderId: 41, origClientOrderId: '', restrictions: 0 }],
    [
      'origClOrdId=mine&clOrdId=theCancel&cancelRestrictions=ONLY_NEW',
      { orderId: 0, origClientOrderId: 'mine', clientOrderId: 'theCancel', restrictions: 1 },
    ],
    ['orderId=41&origClientOrderId=mine', { orderId: 41, origClientOrderId: 'mine' }],
  ])('one order: %s', (query, fields) => {
    const context = new FakeContext()
    const responder = ask(context, 'cancelOrder', `symbol=BTCUSDT&${query}`)
    expect(context.sent[0]?.type).toBe(CancelOrder.type)
    expect(readCancelOrder(context.sent[0]!.buffer, 0)).toMatchObject({
      account: trader.id,
      expiresMs: NOW_MS + 5_000,
      ...fields,
    })
    answerCommand(context, closed())
    expect(bodyOf(responder)).toEqual(record)
  })

  test('all of a symbol', () => {
    const context = new FakeContext()
    const responder = ask(context, 'cancelOpenOrders', 'symbol=BTCUSDT')
    expect(context.sent[0]?.type).toBe(CancelOpenOrders.type)
    expect(readCancelOpenOrders(context.sent[0]!.buffer, 0).account).toBe(trader.id)
    answerCommand(context, closed(), closed({ orderId: 42 }))
    expect(bodyOf(responder)).toEqual([record, { ...record, orderId: 42 }])
  })
})

describe('orders and trades', () => {
  const record = {
    symbol: 'BTCUSDT',
    orderId: 41,
    orderListId: -1,
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
    ['orderId=41', { orderId: 41, clientOrderId: '' }],
    ['origClientOrderId=mine', { orderId: 0, clientOrderId: 'mine' }],
    ['orderId=41&origClOrdId=mine', { orderId: 41, clientOrderId: '' }],
  ])('an open order: %s', (query, fields) => {
    const context = new FakeContext()
    const responder = ask(context, 'queryOrder', `symbol=BTCUSDT&${query}`)
    expect(context.sent[0]?.type).toBe(QueryOrder.type)
    expect(readQueryOrder(context.sent[0]!.buffer, 0)).toMatchObject(fields)
    answerCommand(context, state())
    expect(bodyOf(responder)).toEqual(record)
  })

  test.each(['orderId=41', 'origClientOrderId=mine', 'orderId=41&origClientOrderId=mine'])(
    'a closed order: %s',
    async (query) => {
      const context = new FakeContext()
      context.rows = [orderRow({})]
      const responder = ask(context, 'queryOrder', `symbol=BTCUSDT&${query}`)
      answerCommand(context, rejected(RejectReason.NO_SUCH_ORDER))
      await settled()
      expect(bodyOf(responder)).toEqual(inPart)
    },
  )

  test('open orders of one symbol', () => {
    const context = new FakeContext()
    const responder = ask(context, 'openOrders', 'symbol=BTCUSDT')
    expect(context.sent.map(({ type }) => type)).toEqual([QueryOpenOrders.type])
    answerCommand(context, state(), state({ orderId: 42, filledLots: 1 }), queryEnd)
    expect(bodyOf(responder)).toEqual([
      record,
      { ...record, orderId: 42, executedQty: '0.00001000', status: 'PARTIALLY_FILLED' },
    ])
  })

  test('open orders of all symbols are joined by symbol, whoever answers first', () => {
    const context = new FakeContext()
    const responder = ask(context, 'openOrders')
    const [first, second] = context.sent.splice(0)
    context.sent.push(second!, first!)
    answerCommand(context, state({ orderId: 1 }), queryEnd)
    expect(responder.answer).toBeUndefined()
    answerCommand(context, state({ orderId: 2 }), queryEnd)
    const rows = bodyOf(responder) as { symbol: string; orderId: number }[]
    expect(rows.map(({ symbol, orderId }) => [symbol, orderId])).toEqual([
      ['BTCUSDT', 2],
      ['ETHBTC', 1],
    ])
  })

  test('all orders', async () => {
    const context = new FakeContext()
    context.rows = [
      orderRow({}),
      orderRow({
        orderId: 42,
        status: OrderStatus.EXPIRED_IN_MATCH,
        preventedLots: 600,
        preventedMatchIdPlusOne: 1,
      }),
      orderRow({
        orderId: 43,
        status: OrderStatus.EXPIRED,
        reason: ExpiryReason.INSUFFICIENT_LIQUIDITY,
      }),
    ]
    const query = 'symbol=BTCUSDT&orderId=41&startTime=5&endTime=6&limit=5000'
    const responder = ask(context, 'allOrders', query)
    await settled()
    expect(context.asked.allOrders).toEqual({
      account: trader.id,
      symbolId: 0,
      orderId: 41,
      startTime: 5,
      endTime: 6,
      limit: 1000,
    })
    expect(bodyOf(responder)).toEqual([
      inPart,
      {
        ...inPart,
        orderId: 42,
        status: 'EXPIRED_IN_MATCH',
        preventedMatchId: 0,
        preventedQuantity: '0.00600000',
      },
      { ...inPart, orderId: 43, status: 'EXPIRED', expiryReason: 'INSUFFICIENT_LIQUIDITY' },
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
  ])('my trades%s', async (more, question) => {
    const context = new FakeContext()
    context.trades = [
      {
        tradeId: 77,
        orderId: 41,
        priceTicks: 4_999_900,
        lots: 400,
        commissionAtoms: 60_000,
        timeMs: NOW_MS,
        isBuyer: true,
        isMaker: false,
      },
    ]
    const responder = ask(context, 'myTrades', `symbol=BTCUSDT${more}`)
    await settled()
    expect(context.asked.myTrades).toEqual({ account: trader.id, symbolId: 0, ...question })
    expect(bodyOf(responder)).toEqual([
      {
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
      },
    ])
  })
})

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
      updateTime: NOW_MS,
      accountType: 'SPOT',
      balances: [
        { asset: 'USDT', free: '1000.00000000', locked: '5.00000000' },
        { asset: 'BTC', free: '0.00000000', locked: '0.00000000' },
      ],
      permissions: ['SPOT'],
      uid: 7,
    }
    expect(now('account')).toEqual(account)
    expect(now('account', 'omitZeroBalances=true')).toEqual({
      ...account,
      balances: account.balances.slice(0, 1),
    })
    expect(now('account', '', { account: grouped })).toEqual({
      ...account,
      uid: 8,
      tradeGroupId: 3,
    })
  })

  test('commission rates and trade fees', () => {
    expect(now('commission', 'symbol=BTCUSDT')).toEqual({
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
    const fee = {
      symbol: 'BTCUSDT',
      makerCommission: '0.00100000',
      takerCommission: '0.00150000',
    }
    expect(now('tradeFee', 'symbol=BTCUSDT')).toEqual([fee])
    expect(now('tradeFeeAlias')).toEqual([fee, { ...fee, symbol: 'ETHBTC' }])
  })

  test('coins', () => {
    expect(now('coins')).toContainEqual({
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

  test('listen keys', () => {
    const listenKey = 'k'.repeat(64)
    expect(now('startListenKey')).toEqual({ listenKey })
    expect(now('keepListenKeyAlive', `listenKey=${listenKey}`)).toEqual({})
    expect(now('closeListenKey', '', { body: `listenKey=${listenKey}` })).toEqual({})
  })
})

describe('the table', () => {
  test('ids, routes and methods are unique', () => {
    for (const key of ['id', 'wsMethod'] as const) {
      const values = operations.map((row) => row[key]).filter((value) => value !== undefined)
      expect(new Set(values).size).toBe(values.length)
    }
    const routes = operations.map(({ method, path }) => `${method} ${path}`)
    expect(new Set(routes).size).toBe(routes.length)
  })

  afterAll(() => {
    const missed = operations.map(({ id }) => id).filter((id) => !asked.has(id))
    expect(missed, 'operations that no case asks').toEqual([])
  })
})
