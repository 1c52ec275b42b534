/** What replacing and amending an order send and answer (rest-api.md, cancelReplace). */

import { describe, expect, test } from 'vitest'
import { FakeContext, NOW_MS, trader } from '../../bench/workloads/fake-context.ts'
import {
  readAmendOrder,
  readCancelOrder,
  readReplaceOrder,
} from '../../scripts/layout/codecs.gen.ts'
import { errorRows } from '../../src/api/answers/errors.ts'
import { textOf } from '../../src/api/answers/json.ts'
import { Fault } from '../../src/api/errors.ts'
import {
  CancelReplaceMode,
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
  Lots,
  Ms,
  OrderId,
  OrderListId,
  QuoteAtoms,
  SymbolId,
  Ticks,
  TradeId,
} from '../../src/base/units.ts'
import { AmendOrder, CancelOrder, ReplaceOrder } from '../../src/layout/accessors.gen.ts'
import { bodyOf, settled } from './asking.ts'
import { type Answer, answerCommand, send } from './fake-responder.ts'
import {
  accepted,
  amended,
  buyLimit,
  closed,
  listChanged,
  rejected,
  replaceResult,
  trade,
  type Write,
} from './records.ts'

const order = 'symbol=BTCUSDT&side=BUY&type=LIMIT&timeInForce=GTC&quantity=0.01&price=50000'
const stops = `${order}&cancelReplaceMode=STOP_ON_FAILURE&cancelOrderId=40`
const goesOn = `${order}&cancelReplaceMode=ALLOW_FAILURE&cancelOrderId=40`

const canceled: Write = closed({
  orderId: OrderId(40),
  origClientOrderId: 'old',
  clientOrderId: 'cancel',
})
const canceledRecord = {
  symbol: 'BTCUSDT',
  orderId: OrderId(40),
  orderListId: OrderListId(-1),
  origClientOrderId: 'old',
  clientOrderId: 'cancel',
  status: 'CANCELED',
}
const placedRecord = { symbol: 'BTCUSDT', orderId: OrderId(41), status: 'NEW', fills: [] }
const failure = (id: Fault['id']) => JSON.parse(textOf(errorRows(id))) as object
const unknownOrder = failure('UNKNOWN_ORDER')
const { UNKNOWN_ORDER, INSUFFICIENT_BALANCE } = RejectReason
const noMoney = failure('INSUFFICIENT_BALANCE')

/** Sends the request and answers its command with these records. */
function replaced(query: string, records: readonly Write[], limited?: Fault): Answer {
  const context = new FakeContext()
  context.orderFault = limited
  const responder = send(context, 'replaceOrder', query)
  if (context.sent.length > 0) answerCommand(context, ...records)
  return responder.answer as Answer
}

const success = (body: object) => ({ status: 200, body })
const partly = (status: number, data: object) => ({
  status,
  body: { code: -2021, msg: 'Order cancel-replace partially failed.', data },
})
const failed = (status: number, data: object) => ({
  status,
  body: { code: -2022, msg: 'Order cancel-replace failed.', data },
})
const halves = (
  cancelResult: string,
  newOrderResult: string,
  cancelResponse: object,
  newOrderResponse: object | null,
) => ({ cancelResult, newOrderResult, cancelResponse, newOrderResponse })

describe('replacing an order', () => {
  test.each<[query: string, fields: object]>([
    [
      stops,
      {
        account: trader.id,
        terms: buyLimit,
        priceTicks: Ticks(5_000_000),
        lots: Lots(1_000),
        expiresMs: Ms(NOW_MS + 5_000),
        cancelOrderId: OrderId(40),
        cancelOrigClientOrderId: '',
        cancelRestrictions: 0,
        mode: CancelReplaceMode.STOP_ON_FAILURE,
      },
    ],
    [
      `${order}&cancelReplaceMode=ALLOW_FAILURE&cancelOrigClientOrderId=old` +
        '&cancelNewClientOrderId=cancel&newClientOrderId=old&cancelRestrictions=ONLY_NEW' +
        '&icebergQty=0.002&strategyId=9',
      {
        terms: buyLimit | DETAILED,
        icebergLots: Lots(200),
        strategyId: 9,
        strategyType: 0,
        clientOrderId: 'old',
        cancelOrderId: OrderId(0),
        cancelOrigClientOrderId: 'old',
        cancelClientOrderId: 'cancel',
        cancelRestrictions: 1,
        mode: CancelReplaceMode.ALLOW_FAILURE,
      },
    ],
    [stops.replace('cancelOrderId=40', 'cancelOrderId=0'), { cancelOrderId: OrderId(-1) }],
  ])('%s', (query, fields) => {
    const context = new FakeContext()
    send(context, 'replaceOrder', query)
    expect(context.sent.map(({ type }) => type)).toEqual([ReplaceOrder.type])
    expect(readReplaceOrder(context.sent[0]!.buffer, 0)).toMatchObject(fields)
    expect(context.ordersWaived).toBe(false)
  })

  const both: Write[] = [canceled, accepted(), replaceResult(0, 0)]
  const limited = new Fault('TOO_MANY_ORDERS', 10, 1, 'SECOND')
  const tooMany = {
    code: -1015,
    msg: 'Too many new orders; current limit is 10 orders per 1 SECOND.',
  }
  const only = '&orderRateLimitExceededMode=CANCEL_ONLY'

  test.each<
    [name: string, query: string, records: Write[], limited: Fault | undefined, answer: object]
  >([
    [
      'both',
      stops,
      both,
      undefined,
      success(halves('SUCCESS', 'SUCCESS', canceledRecord, placedRecord)),
    ],
    [
      'no cancel',
      stops,
      [replaceResult(UNKNOWN_ORDER, -1)],
      undefined,
      failed(400, halves('FAILURE', 'NOT_ATTEMPTED', unknownOrder, null)),
    ],
    [
      'no order',
      `${stops}${only}`,
      [canceled, replaceResult(0, INSUFFICIENT_BALANCE)],
      undefined,
      partly(409, halves('SUCCESS', 'FAILURE', canceledRecord, noMoney)),
    ],
    [
      'both, though either might fail',
      goesOn,
      both,
      undefined,
      success(halves('SUCCESS', 'SUCCESS', canceledRecord, placedRecord)),
    ],
    [
      'neither',
      goesOn,
      [replaceResult(UNKNOWN_ORDER, INSUFFICIENT_BALANCE)],
      undefined,
      failed(400, halves('FAILURE', 'FAILURE', unknownOrder, noMoney)),
    ],
    [
      'no cancel, but the order',
      goesOn,
      [accepted(), replaceResult(UNKNOWN_ORDER, 0)],
      undefined,
      partly(409, halves('FAILURE', 'SUCCESS', unknownOrder, placedRecord)),
    ],
    [
      'no order, but the cancel',
      goesOn,
      [canceled, replaceResult(0, INSUFFICIENT_BALANCE)],
      undefined,
      partly(409, halves('SUCCESS', 'FAILURE', canceledRecord, noMoney)),
    ],
    ['nothing over the limit', stops, [], limited, { status: 429, body: tooMany }],
    [
      'nothing over the limit, whatever the mode',
      goesOn,
      [],
      limited,
      { status: 429, body: tooMany },
    ],
    [
      'only the cancel, over the limit',
      `${stops}${only}`,
      [canceled],
      limited,
      partly(429, halves('SUCCESS', 'FAILURE', canceledRecord, tooMany)),
    ],
    [
      'not even the cancel, over the limit',
      `${stops}${only}`,
      [rejected(UNKNOWN_ORDER)],
      limited,
      failed(429, halves('FAILURE', 'NOT_ATTEMPTED', unknownOrder, null)),
    ],
    [
      'only the cancel, over the limit, though it might fail',
      `${goesOn}${only}`,
      [canceled],
      limited,
      partly(409, halves('SUCCESS', 'FAILURE', canceledRecord, tooMany)),
    ],
    [
      'neither, over the limit',
      `${goesOn}${only}`,
      [rejected(UNKNOWN_ORDER)],
      limited,
      failed(400, halves('FAILURE', 'FAILURE', unknownOrder, tooMany)),
    ],
  ])('%s', (_, query, records, refusal, answer) => {
    const { status, body } = replaced(query, records, refusal)
    expect({ status, body: JSON.parse(body) as object }).toMatchObject(answer)
  })

  test('over the limit the cancel goes alone, and is not charged as an order', () => {
    const context = new FakeContext()
    context.orderFault = limited
    send(context, 'replaceOrder', `${stops}${only}&cancelRestrictions=ONLY_NEW`)
    expect(context.sent.map(({ type }) => type)).toEqual([CancelOrder.type])
    expect(readCancelOrder(context.sent[0]!.buffer, 0)).toMatchObject({
      account: trader.id,
      orderId: OrderId(40),
      restrictions: 1,
    })
    expect(context.ordersWaived).toBe(true)
  })

  test('a leg is canceled with its list, which is done only after the new order has traded', () => {
    const leg = (orderId: OrderId): Write[] => [
      closed({
        orderId: OrderId(orderId),
        origClientOrderId: `own${orderId}`,
        details: { orderListId: OrderListId(5) },
      }),
    ]
    const done = {
      statusType: ListStatusType.ALL_DONE,
      orderStatus: ListOrderStatus.ALL_DONE,
      orderId1: OrderId(38),
      orderId2: OrderId(39),
    }
    const answer = replaced(stops, [
      ...leg(OrderId(38)),
      ...leg(OrderId(39)),
      accepted(),
      trade(),
      closed({ orderId: OrderId(9), details: { orderListId: OrderListId(6) } }),
      listChanged({ orderListId: OrderListId(6) }),
      listChanged(done),
      replaceResult(0, 0),
    ])
    expect(JSON.parse(answer.body)).toMatchObject({
      cancelResponse: {
        orderListId: OrderListId(5),
        listStatusType: 'ALL_DONE',
        orders: [{ clientOrderId: 'own38' }, { clientOrderId: 'own39' }],
        orderReports: [
          { orderId: OrderId(38), orderListId: OrderListId(5) },
          { orderId: OrderId(39) },
        ],
      },
      newOrderResponse: {
        orderId: OrderId(41),
        orderListId: OrderListId(-1),
        fills: [{ tradeId: TradeId(77) }],
      },
    })
  })
})

describe('amending an order', () => {
  const record = {
    symbol: 'BTCUSDT',
    orderId: OrderId(41),
    orderListId: OrderListId(-1),
    origClientOrderId: 'mine',
    clientOrderId: 'renamed',
    price: '50000.00000000',
    qty: '0.00800000',
    executedQty: '0.00000000',
    preventedQty: '0.00000000',
    quoteOrderQty: '0.00000000',
    cumulativeQuoteQty: '0.00000000',
    status: 'NEW',
    timeInForce: 'GTC',
    type: 'LIMIT',
    side: 'BUY',
    workingTime: NOW_MS - 3_000,
    selfTradePreventionMode: 'EXPIRE_MAKER',
  }

  function amendment(query: string, events: readonly Write[]): unknown {
    const context = new FakeContext()
    const responder = send(context, 'amendOrder', `symbol=BTCUSDT&newQty=0.008&${query}`)
    answerCommand(context, ...events)
    return bodyOf(responder)
  }

  test.each<[query: string, fields: object]>([
    [
      'orderId=41',
      { orderId: OrderId(41), origClientOrderId: '', clientOrderId: 'generated0000000000001' },
    ],
    [
      'origClOrdId=mine&clOrdId=b',
      { orderId: OrderId(0), origClientOrderId: 'mine', clientOrderId: 'b' },
    ],
  ])('sends the command: %s', (query, fields) => {
    const context = new FakeContext()
    send(context, 'amendOrder', `symbol=BTCUSDT&newQty=0.008&${query}`)
    expect(context.sent.map(({ type }) => type)).toEqual([AmendOrder.type])
    expect(readAmendOrder(context.sent[0]!.buffer, 0)).toMatchObject({
      account: trader.id,
      lots: Lots(800),
      expiresMs: Ms(NOW_MS + 5_000),
      ...fields,
    })
  })

  test.each(['orderId=41', 'origClientOrderId=mine'])('a plain order by %s', (query) => {
    expect(amendment(query, [amended({ details: {} })])).toEqual({
      transactTime: NOW_MS,
      executionId: 26,
      amendedOrder: record,
    })
  })

  test('filled in part, decremented, an iceberg', () => {
    const numbers = {
      filledLots: Lots(300),
      filledAtoms: QuoteAtoms(15_000_000_000),
      preventedLots: Lots(100),
    }
    expect(
      amendment('orderId=41', [amended({ ...numbers, details: { icebergLots: Lots(100) } })]),
    ).toEqual({
      transactTime: NOW_MS,
      executionId: 26,
      amendedOrder: {
        ...record,
        executedQty: '0.00300000',
        preventedQty: '0.00100000',
        cumulativeQuoteQty: '150.00000000',
        status: 'PARTIALLY_FILLED',
        icebergQty: '0.00100000',
      },
    })
  })

  test('a pending leg', () => {
    const { workingTime, ...waits } = record
    const market = packTerms(0, OrderType.MARKET, 0, 2) | DETAILED
    const pending = { orderListId: OrderListId(5), phase: OrderPhase.PENDING, workingMs: Ms(-1) }
    expect(
      amendment('orderId=41', [
        amended({ terms: market, priceTicks: Ticks(0), details: pending }),
        listChanged({ kind: OrderListKind.OTO, statusType: ListStatusType.UPDATED }),
      ]),
    ).toEqual({
      transactTime: NOW_MS,
      executionId: 26,
      amendedOrder: {
        ...waits,
        orderListId: OrderListId(5),
        price: '0.00000000',
        type: 'MARKET',
        status: 'PENDING_NEW',
      },
      listStatus: {
        orderListId: OrderListId(5),
        contingencyType: 'OTO',
        listOrderStatus: 'EXECUTING',
        listClientOrderId: 'theList',
        symbol: 'BTCUSDT',
        orders: [
          { symbol: 'BTCUSDT', orderId: OrderId(41), clientOrderId: 'one' },
          { symbol: 'BTCUSDT', orderId: OrderId(42), clientOrderId: 'two' },
        ],
      },
    })
  })

  test.each([
    ['the archive tells of the list', undefined, 'theList'],
    ['the archive does not answer', new Error('behind'), undefined],
  ])('a leg that keeps its id: %s', async (_, failure, listClientOrderId) => {
    const context = new FakeContext()
    context.historyFailure = failure
    context.lists = [
      {
        orderListId: OrderListId(5),
        symbolId: SymbolId(0),
        kind: OrderListKind.OTOCO,
        statusType: ListStatusType.EXEC_STARTED,
        orderStatus: ListOrderStatus.EXECUTING,
        createdMs: NOW_MS,
        listClientOrderId: 'theList',
        orders: [{ orderId: OrderId(41), clientOrderId: 'mine' }],
      },
    ]
    const responder = send(context, 'amendOrder', 'symbol=BTCUSDT&newQty=0.008&orderId=41')
    answerCommand(
      context,
      amended({ clientOrderId: 'mine', details: { orderListId: OrderListId(5) } }),
    )
    await settled()
    const { amendedOrder, listStatus } = bodyOf(responder) as {
      amendedOrder: object
      listStatus?: { listClientOrderId: string; contingencyType: string }
    }
    expect(amendedOrder).toMatchObject({ orderListId: OrderListId(5), clientOrderId: 'mine' })
    expect(listStatus?.listClientOrderId).toBe(listClientOrderId)
    if (failure === undefined) {
      expect(listStatus?.contingencyType).toBe('OTO')
      expect(context.asked.orderList).toEqual({ account: trader.id, orderListId: OrderListId(5) })
    }
  })

  test('of a pair both are amended, and the one asked for is shown', () => {
    const sibling = [
      amended({
        orderId: OrderId(42),
        sequence: 15,
        origClientOrderId: 'other',
        clientOrderId: 'other',
        details: { orderListId: OrderListId(5) },
      }),
    ]
    const own = [amended({ details: { orderListId: OrderListId(5) } })]
    for (const events of [
      [...own, ...sibling],
      [...sibling, ...own],
    ]) {
      const answer = amendment('origClientOrderId=mine', [...events, listChanged()])
      expect(answer).toMatchObject({ executionId: 26, amendedOrder: { orderId: OrderId(41) } })
    }
  })
})
