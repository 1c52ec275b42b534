/** What placing and canceling order lists send and answer, beside the documented examples. */
import { afterAll, describe, expect, test } from 'vitest'
import { FakeContext, NOW_MS, tapeTrade, trader } from '../../bench/workloads/fake-context.ts'
import { readCancelOrderList, readPlaceOrderList } from '../../scripts/layout/codecs.gen.ts'
import { orderListOperations } from '../../src/api/operations/order-lists.ts'
import {
  DETAILED,
  ExpiryReason,
  ListOrderStatus,
  ListStatusType,
  OrderListKind,
  OrderPhase,
  OrderStatus,
  OrderType,
  packTerms,
  RejectReason,
  Side,
  TimeInForce,
} from '../../src/base/codes.ts'
import { Lots, Ms, OrderId, OrderListId, SymbolId, Ticks, TradeId } from '../../src/base/units.ts'
import { CancelOrderList, PlaceOrderList } from '../../src/layout/accessors.gen.ts'
import { Asking, bodyOf } from './asking.ts'
import { answerCommand } from './fake-responder.ts'
import { goodLists } from './order-refusals.ts'
import { accepted, closed, listChanged, listRejected, trade, type Write } from './records.ts'

const asking = new Asking()
const EXPIRE_MAKER = 2

const legTerms = (side: Side, type: OrderType, tif: TimeInForce = TimeInForce.GTC): number =>
  packTerms(side, type, tif, EXPIRE_MAKER) | DETAILED
const { BUY, SELL } = Side
const { LIMIT, LIMIT_MAKER, MARKET, STOP_LOSS, STOP_LOSS_LIMIT, TAKE_PROFIT_LIMIT } = OrderType

/** A symbol that has traded, at 50000.00. */
function traded(): FakeContext {
  const context = new FakeContext()
  context.tape(SymbolId(0)).seed([tapeTrade(Ticks(5_000_000))])
  return context
}

/** The command that an accepted request sends. */
function sentBy(id: string, query: string) {
  const context = traded()
  asking.ask(context, id, query)
  expect(context.sent.map(({ type }) => type)).toEqual([PlaceOrderList.type])
  return readPlaceOrderList(context.sent[0]!.buffer, 0)
}

describe('the command', () => {
  const sell = 'symbol=BTCUSDT&side=SELL&quantity=0.01'
  const buy = 'symbol=BTCUSDT&side=BUY&quantity=0.01'
  const working =
    'symbol=BTCUSDT&workingType=LIMIT&workingTimeInForce=IOC&workingSide=BUY' +
    '&workingPrice=50000&workingQuantity=0.01'
  const stopFirst = {
    kind: OrderListKind.OCO,
    account: trader.id,
    expiresMs: Ms(NOW_MS + 5_000),
    terms1: legTerms(SELL, STOP_LOSS),
    priceTicks1: 0,
    lots1: 1_000,
    stopTicks1: 4_000_000,
    trailingDelta1: 0,
    icebergLots1: 0,
    strategyId1: -1,
    strategyType1: 0,
    terms2: legTerms(SELL, LIMIT_MAKER),
    priceTicks2: 6_000_000,
    lots2: 1_000,
    stopTicks2: 0,
  }

  test.each<[name: string, id: string, query: string, fields: object]>([
    ['the old OCO', 'placeOldOco', `${sell}&price=60000&stopPrice=40000`, stopFirst],
    [
      'the old OCO with everything',
      'placeOldOco',
      `${sell}&price=60000&stopPrice=40000&trailingDelta=100&stopLimitPrice=39000` +
        '&stopLimitTimeInForce=GTC&stopIcebergQty=0.002&stopStrategyId=7&stopStrategyType=1000000' +
        '&limitIcebergQty=0.003&limitStrategyId=0&limitStrategyType=1000001' +
        '&limitClientOrderId=two&stopClientOrderId=one&listClientOrderId=all' +
        '&selfTradePreventionMode=EXPIRE_MAKER',
      {
        ...stopFirst,
        terms1: legTerms(SELL, STOP_LOSS_LIMIT),
        priceTicks1: 3_900_000,
        trailingDelta1: 100,
        icebergLots1: 200,
        strategyId1: 7,
        strategyType1: 1_000_000,
        clientOrderId1: 'one',
        icebergLots2: 300,
        strategyId2: 0,
        strategyType2: 1_000_001,
        clientOrderId2: 'two',
        listClientOrderId: 'all',
      },
    ],
    [
      'an OCO to sell: the stop is below',
      'placeOco',
      `${sell}&aboveType=LIMIT_MAKER&abovePrice=60000&belowType=STOP_LOSS&belowStopPrice=40000`,
      stopFirst,
    ],
    [
      'an OCO to buy: the stop is above',
      'placeOco',
      `${buy}&aboveType=STOP_LOSS_LIMIT&aboveStopPrice=60000&abovePrice=61000` +
        '&aboveTimeInForce=FOK&aboveClientOrderId=up&belowType=TAKE_PROFIT_LIMIT' +
        '&belowStopPrice=40000&belowPrice=41000&belowTimeInForce=GTC&belowIcebergQty=0.002' +
        '&belowTrailingDelta=50&belowStrategyId=3&belowStrategyType=1000003' +
        '&belowClientOrderId=down',
      {
        terms1: legTerms(BUY, STOP_LOSS_LIMIT, TimeInForce.FOK),
        stopTicks1: 6_000_000,
        priceTicks1: 6_100_000,
        clientOrderId1: 'up',
        terms2: legTerms(BUY, TAKE_PROFIT_LIMIT),
        stopTicks2: 4_000_000,
        priceTicks2: 4_100_000,
        icebergLots2: 200,
        trailingDelta2: 50,
        strategyId2: 3,
        strategyType2: 1_000_003,
        clientOrderId2: 'down',
      },
    ],
    [
      'an OTO',
      'placeOto',
      `${working}&pendingType=MARKET&pendingSide=SELL&pendingQuantity=0.02`,
      {
        kind: OrderListKind.OTO,
        terms1: legTerms(BUY, LIMIT, TimeInForce.IOC),
        priceTicks1: 5_000_000,
        lots1: 1_000,
        terms2: legTerms(SELL, MARKET),
        priceTicks2: 0,
        lots2: 2_000,
      },
    ],
    [
      'an OTOCO',
      'placeOtoco',
      `${working}&pendingSide=SELL&pendingQuantity=0.02&pendingAboveType=LIMIT_MAKER` +
        '&pendingAbovePrice=60000&pendingBelowType=STOP_LOSS&pendingBelowTrailingDelta=10' +
        '&pendingBelowClientOrderId=b',
      {
        kind: OrderListKind.OTOCO,
        terms1: legTerms(BUY, LIMIT, TimeInForce.IOC),
        terms2: legTerms(SELL, STOP_LOSS),
        trailingDelta2: 10,
        stopTicks2: 0,
        clientOrderId2: 'b',
        terms3: legTerms(SELL, LIMIT_MAKER),
        priceTicks3: 6_000_000,
        lots3: 2_000,
      },
    ],
    [
      'an OPO',
      'placeOpo',
      `${working}&pendingType=LIMIT&pendingTimeInForce=GTC&pendingSide=SELL&pendingPrice=60000` +
        '&pendingIcebergQty=0.02',
      {
        kind: OrderListKind.OPO,
        terms1: legTerms(BUY, LIMIT, TimeInForce.IOC),
        lots1: 1_000,
        terms2: legTerms(SELL, LIMIT),
        priceTicks2: 6_000_000,
        lots2: 0,
        icebergLots2: 2_000,
      },
    ],
    [
      'an OPOCO',
      'placeOpoco',
      `${working}&pendingSide=SELL&pendingAboveType=LIMIT_MAKER&pendingAbovePrice=60000` +
        '&pendingBelowType=STOP_LOSS&pendingBelowStopPrice=40000',
      {
        kind: OrderListKind.OPOCO,
        terms2: legTerms(SELL, STOP_LOSS),
        stopTicks2: 4_000_000,
        lots2: 0,
        terms3: legTerms(SELL, LIMIT_MAKER),
        priceTicks3: 6_000_000,
        lots3: 0,
      },
    ],
  ])('%s', (_, id, query, fields) => {
    expect(sentBy(id, query)).toMatchObject(fields)
  })

  test.each(goodLists)('ids are generated: %s', (id, query) => {
    const sent = sentBy(id, query)
    const ids = [sent.listClientOrderId, sent.clientOrderId1, sent.clientOrderId2]
    expect(new Set(ids).size).toBe(3)
    for (const text of ids) expect(text).toMatch(/^generated\d{13}$/)
  })
})

describe('the answer', () => {
  const oldOco = 'symbol=BTCUSDT&side=SELL&quantity=0.01&price=60000&stopPrice=40000'
  const waiting = { orderListId: OrderListId(5), phase: OrderPhase.UNTRIGGERED, workingMs: Ms(-1) }
  const stopAccepted: Write[] = [
    accepted({
      terms: legTerms(SELL, STOP_LOSS),
      priceTicks: Ticks(0),
      details: { ...waiting, stopTicks: Ticks(4_000_000), strategyId: 7, strategyType: 1_000_000 },
    }),
  ]
  const makerAccepted: Write[] = [
    accepted({
      orderId: OrderId(42),
      terms: legTerms(SELL, LIMIT_MAKER),
      priceTicks: Ticks(6_000_000),
      details: { orderListId: OrderListId(5), icebergLots: Lots(300), workingMs: NOW_MS },
    }),
  ]
  const list = {
    orderListId: OrderListId(5),
    contingencyType: 'OCO',
    listStatusType: 'EXEC_STARTED',
    listOrderStatus: 'EXECUTING',
    listClientOrderId: 'theList',
    transactionTime: NOW_MS,
    symbol: 'BTCUSDT',
    orders: [
      { symbol: 'BTCUSDT', orderId: OrderId(41), clientOrderId: 'one' },
      { symbol: 'BTCUSDT', orderId: OrderId(42), clientOrderId: 'two' },
    ],
  }
  const report = {
    symbol: 'BTCUSDT',
    orderId: OrderId(41),
    orderListId: OrderListId(5),
    clientOrderId: 'one',
    transactTime: NOW_MS,
    price: '0.00000000',
    origQty: '0.01000000',
    executedQty: '0.00000000',
    origQuoteOrderQty: '0.00000000',
    cummulativeQuoteQty: '0.00000000',
    status: 'NEW',
    timeInForce: 'GTC',
    type: 'STOP_LOSS',
    side: 'SELL',
    stopPrice: '40000.00000000',
    strategyId: 7,
    strategyType: 1_000_000,
    workingTime: -1,
    selfTradePreventionMode: 'EXPIRE_MAKER',
  }
  const { stopPrice, strategyId, strategyType, ...plain } = report
  const makerReport = {
    ...plain,
    orderId: OrderId(42),
    clientOrderId: 'two',
    price: '60000.00000000',
    type: 'LIMIT_MAKER',
    icebergQty: '0.00300000',
    workingTime: NOW_MS,
  }

  function place(id: string, query: string, events: readonly Write[]): unknown {
    const context = traded()
    const ids = '&stopClientOrderId=one&limitClientOrderId=two'
    const responder = asking.ask(context, id, `${query}${id === 'placeOldOco' ? ids : ''}`)
    answerCommand(context, ...events)
    return bodyOf(responder)
  }

  test.each<[form: string, reports: readonly object[]]>([
    [
      '',
      [
        { ...report, fills: [] },
        { ...makerReport, fills: [] },
      ],
    ],
    ['&newOrderRespType=RESULT', [report, makerReport]],
    [
      '&newOrderRespType=ACK',
      [
        {
          symbol: 'BTCUSDT',
          orderId: OrderId(41),
          orderListId: OrderListId(5),
          clientOrderId: 'one',
          transactTime: NOW_MS,
        },
        {
          symbol: 'BTCUSDT',
          orderId: OrderId(42),
          orderListId: OrderListId(5),
          clientOrderId: 'two',
          transactTime: NOW_MS,
        },
      ],
    ],
  ])('an OCO in the form "%s"', (form, orderReports) => {
    const events = [...stopAccepted, ...makerAccepted, listChanged()]
    expect(place('placeOldOco', `${oldOco}${form}`, events)).toEqual({ ...list, orderReports })
  })

  const oto = goodLists.find(([id]) => id === 'placeOto')!
  const otoIds = `${oto[1]}&workingClientOrderId=one&pendingClientOrderId=two`
  const placed: Write[] = [
    accepted({
      terms: legTerms(BUY, LIMIT),
      details: { orderListId: OrderListId(5), workingMs: NOW_MS },
    }),
    accepted({
      orderId: OrderId(42),
      terms: legTerms(SELL, LIMIT_MAKER),
      priceTicks: Ticks(6_000_000),
      details: { orderListId: OrderListId(5), phase: OrderPhase.PENDING, workingMs: Ms(-1) },
    }),
    listChanged({ kind: OrderListKind.OTO }),
  ]
  const pendingReport = {
    ...plain,
    orderId: OrderId(42),
    clientOrderId: 'two',
    price: '60000.00000000',
    type: 'LIMIT_MAKER',
    status: 'PENDING_NEW',
    fills: [],
  }

  test('one that the engine refuses', () => {
    const reason = RejectReason.INSUFFICIENT_BALANCE
    const [id, query] = goodLists.find(([name]) => name === 'placeOco')!
    const context = traded()
    const responder = asking.ask(context, id, query)
    answerCommand(context, listRejected({ reason }))
    expect(responder.answer).toEqual({
      status: 400,
      body: '{"code":-2010,"msg":"Account has insufficient balance for requested action."}',
    })
  })

  test('an OTO whose working order is filled at once, by a maker with a list of its own', () => {
    const foreign = [
      closed({
        orderId: OrderId(8),
        status: OrderStatus.EXPIRED,
        details: { orderListId: OrderListId(3) },
      }),
      listChanged({ orderListId: OrderListId(3), statusType: ListStatusType.ALL_DONE }),
    ]
    const filled = trade({ tradeLots: Lots(1_000), takerFilledLots: Lots(1_000) })
    expect(place('placeOto', otoIds, [...placed, filled, ...foreign])).toMatchObject({
      ...list,
      contingencyType: 'OTO',
      orderReports: [
        {
          orderId: OrderId(41),
          status: 'FILLED',
          workingTime: NOW_MS,
          fills: [{ tradeId: TradeId(77) }],
        },
        pendingReport,
      ],
    })
  })

  test('an OTO whose working order expires at once', () => {
    const { EXPIRED } = OrderStatus
    const reason = ExpiryReason.OTO_PHASE_ONE_EXPIRED
    const unfilled = ExpiryReason.UNFILLED_IOC_QUANTITY_EXPIRED
    const events = [
      ...placed,
      closed({ status: EXPIRED, reason: unfilled }),
      closed({
        orderId: OrderId(42),
        status: EXPIRED,
        reason,
        details: { orderListId: OrderListId(5), phase: OrderPhase.PENDING },
      }),
      listChanged({
        kind: OrderListKind.OTO,
        statusType: ListStatusType.ALL_DONE,
        orderStatus: ListOrderStatus.ALL_DONE,
      }),
    ]
    expect(place('placeOto', otoIds, events)).toMatchObject({
      contingencyType: 'OTO',
      listStatusType: 'ALL_DONE',
      listOrderStatus: 'ALL_DONE',
      orderReports: [
        { orderId: OrderId(41), status: 'EXPIRED', expiryReason: 'UNFILLED_IOC_QUANTITY_EXPIRED' },
        {
          orderId: OrderId(42),
          status: 'EXPIRED',
          expiryReason: 'OTO_PHASE_ONE_EXPIRED',
          workingTime: -1,
        },
      ],
    })
  })

  test('an OPO is an OTO whose pending order has no quantity', () => {
    const [id, query] = goodLists.find(([name]) => name === 'placeOpo')!
    const pending = { orderListId: OrderListId(5), phase: OrderPhase.PENDING, workingMs: Ms(-1) }
    const answer = place(id, query, [
      ...placed.slice(0, 1),
      accepted({
        orderId: OrderId(42),
        terms: legTerms(SELL, LIMIT_MAKER),
        lots: Lots(0),
        details: pending,
      }),
      listChanged({ kind: OrderListKind.OPO }),
    ])
    expect(answer).toMatchObject({
      contingencyType: 'OTO',
      orderReports: [
        { origQty: expect.any(String) },
        { orderId: 42, status: 'PENDING_NEW', executedQty: '0.00000000' },
      ],
    })
    expect(answer).not.toHaveProperty('orderReports.1.origQty')
  })

  test('an OTOCO is an OTO of three orders', () => {
    const [id, query] = goodLists.find(([name]) => name === 'placeOtoco')!
    const pending = { orderListId: OrderListId(5), phase: OrderPhase.PENDING, workingMs: Ms(-1) }
    const answer = place(id, query, [
      ...placed.slice(0, 1),
      accepted({
        orderId: OrderId(42),
        terms: legTerms(SELL, STOP_LOSS_LIMIT),
        details: { ...pending, stopTicks: Ticks(4_100_000) },
      }),
      accepted({
        orderId: OrderId(43),
        terms: legTerms(SELL, LIMIT_MAKER),
        details: pending,
      }),
      listChanged({
        kind: OrderListKind.OTOCO,
        legs: 3,
        orderId3: OrderId(43),
        clientOrderId3: 'three',
      }),
    ])
    expect(answer).toMatchObject({
      contingencyType: 'OTO',
      orders: [
        { orderId: OrderId(41) },
        { orderId: OrderId(42) },
        { orderId: OrderId(43), clientOrderId: 'three' },
      ],
      orderReports: [
        { orderId: OrderId(41), status: 'NEW', workingTime: NOW_MS },
        {
          orderId: OrderId(42),
          status: 'PENDING_NEW',
          stopPrice: '41000.00000000',
          workingTime: -1,
        },
        { orderId: OrderId(43), status: 'PENDING_NEW', workingTime: -1 },
      ],
    })
  })
})

describe('canceling a list', () => {
  test.each<[query: string, fields: object]>([
    ['orderListId=5', { orderListId: OrderListId(5), listClientOrderId: '' }],
    [
      'listClientOrderId=theList&newClientOrderId=theCancel',
      { orderListId: OrderListId(-1), listClientOrderId: 'theList', clientOrderId: 'theCancel' },
    ],
    ['orderListId=0&listClientOrderId=a', { orderListId: OrderListId(0), listClientOrderId: 'a' }],
  ])('%s', (query, fields) => {
    const context = new FakeContext()
    asking.ask(context, 'cancelOrderList', `symbol=BTCUSDT&${query}`)
    expect(context.sent[0]?.type).toBe(CancelOrderList.type)
    expect(readCancelOrderList(context.sent[0]!.buffer, 0)).toMatchObject({
      account: trader.id,
      expiresMs: Ms(NOW_MS + 5_000),
      ...fields,
    })
  })
})

afterAll(() => asking.expectAllOf(orderListOperations))
