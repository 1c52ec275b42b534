/** What placing and testing an order send and answer, beside the documented examples. */
import { describe, expect, test } from 'vitest'
import {
  FakeContext,
  grouped,
  NOW_MS,
  tapeTrade,
  trader,
} from '../../bench/workloads/fake-context.ts'
import { type DetailsSectionFields, readPlaceOrder } from '../../scripts/layout/codecs.gen.ts'
import {
  DETAILED,
  ExpiryReason,
  isRouted,
  OrderPhase,
  OrderStatus,
  OrderType,
  PegPriceType,
  packTerms,
  typeOf,
} from '../../src/base/codes.ts'
import {
  Atoms,
  Lots,
  Ms,
  OrderId,
  OrderListId,
  SymbolId,
  Ticks,
  TradeId,
} from '../../src/base/units.ts'
import { PlaceOrder } from '../../src/layout/accessors.gen.ts'
import type { AccountSpec } from '../../src/market/listing.ts'
import { Asking, bodyOf } from './asking.ts'
import { answerCommand, type RequestOptions } from './fake-responder.ts'
import {
  accepted,
  buyLimit,
  closed,
  listChanged,
  paysOtherwise,
  prevented,
  trade,
  type Write,
} from './records.ts'

const asking = new Asking()

const limit = 'symbol=BTCUSDT&side=BUY&type=LIMIT&timeInForce=GTC&quantity=0.01&price=50000'

/** Places the order and answers its command with these events. */
function place(query: string, events: readonly Write[], options: RequestOptions = {}): unknown {
  const context = new FakeContext()
  const responder = asking.ask(context, 'placeOrder', query, options)
  answerCommand(context, ...events)
  return bodyOf(responder)
}

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
    asking.ask(context, 'placeOrder', `${limit}&newClientOrderId=mine`)
    const command = context.sent[0]!
    expect(command.type).toBe(PlaceOrder.type)
    expect(readPlaceOrder(command.buffer, 0)).toMatchObject({
      account: trader.id,
      terms: buyLimit,
      priceTicks: Ticks(5_000_000),
      lots: Lots(1_000),
      quoteAtoms: 0,
      expiresMs: Ms(NOW_MS + 5_000),
      clientOrderId: 'mine',
    })
  })

  test.each<[query: string, fields: object]>([
    [
      'symbol=BTCUSDT&side=SELL&type=MARKET&quoteOrderQty=12.5&clOrdId=other',
      { priceTicks: Ticks(0), lots: Lots(0), quoteAtoms: 1_250_000_000, clientOrderId: 'other' },
    ],
    ['symbol=ETHBTC&side=BUY&type=MARKET&quoteOrderQty=0.5', { quoteAtoms: 50_000_000 }],
    [
      'symbol=ETHBTC&side=BUY&type=LIMIT_MAKER&quantity=1&price=0.5&selfTradePreventionMode=EXPIRE_BOTH',
      {
        terms: packTerms(0, OrderType.LIMIT_MAKER, 0, 3),
        priceTicks: Ticks(50_000),
        lots: Lots(10_000),
      },
    ],
  ])('as its type says: %s', (query, fields) => {
    const context = new FakeContext()
    asking.ask(context, 'placeOrder', query)
    expect(readPlaceOrder(context.sent[0]!.buffer, 0)).toMatchObject(fields)
  })

  const stop =
    'symbol=BTCUSDT&side=SELL&type=STOP_LOSS_LIMIT&timeInForce=GTC&quantity=0.01&price=50000'
  test.each<[query: string, fields: object]>([
    [limit, { terms: buyLimit }],
    [
      `${limit}&icebergQty=0.002`,
      {
        terms: buyLimit | DETAILED,
        icebergLots: Lots(200),
        stopTicks: Ticks(0),
        strategyId: -1,
        strategyType: 0,
        trailingDelta: 0,
      },
    ],
    [
      `${limit}&pegPriceType=MARKET_PEG&pegOffsetType=PRICE_LEVEL&pegOffsetValue=7`,
      { terms: buyLimit | DETAILED, pegPriceType: PegPriceType.MARKET_PEG, pegLevels: 7 },
    ],
    [`${limit}&strategyId=5`, { terms: buyLimit | DETAILED, strategyId: 5, strategyType: 0 }],
    [`${limit}&strategyType=1000000`, { strategyId: -1, strategyType: 1_000_000 }],
    [`${stop}&stopPrice=51000`, { stopTicks: Ticks(5_100_000), trailingDelta: 0 }],
    [
      `${stop}&trailingDelta=70`,
      { stopTicks: Ticks(0), trailingDelta: 70, priceTicks: Ticks(5_000_000) },
    ],
    [
      'symbol=BTCUSDT&side=SELL&type=MARKET&quoteOrderQty=12.5&strategyId=0',
      { quoteAtoms: 1_250_000_000, strategyId: 0 },
    ],
  ])('with all that it has beyond its terms: %s', (query, fields) => {
    const context = new FakeContext()
    asking.ask(context, 'placeOrder', query)
    expect(readPlaceOrder(context.sent[0]!.buffer, 0)).toMatchObject(fields)
  })

  test.each(['STOP_LOSS', 'TAKE_PROFIT'])('%s is judged as MARKET', (type) => {
    const context = new FakeContext()
    context.tape(SymbolId(0)).seed([tapeTrade(Ticks(500))])
    const query = `symbol=BTCUSDT&side=BUY&type=${type}&quantity=1&stopPrice=6&trailingDelta=3`
    asking.ask(context, 'placeOrder', query)
    const fields = {
      priceTicks: Ticks(0),
      lots: Lots(100_000),
      stopTicks: Ticks(600),
      trailingDelta: 3,
    }
    expect(readPlaceOrder(context.sent[0]!.buffer, 0)).toMatchObject(fields)
  })

  test('MARKET by quantity is judged at the average price', () => {
    const context = new FakeContext()
    context.tape(SymbolId(0)).seed([tapeTrade(Ticks(500))])
    asking.ask(context, 'placeOrder', 'symbol=BTCUSDT&side=BUY&type=MARKET&quantity=1')
    expect(readPlaceOrder(context.sent[0]!.buffer, 0)).toMatchObject({ lots: Lots(100_000) })
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

  test.each<[name: string, details: Partial<DetailsSectionFields>, members: object]>([
    [
      'an iceberg of a strategy',
      { icebergLots: Lots(200), strategyId: 0, strategyType: 1_000_000 },
      { icebergQty: '0.00200000', strategyId: 0, strategyType: 1_000_000 },
    ],
    [
      'a stop that waits',
      { stopTicks: Ticks(5_100_000), phase: OrderPhase.UNTRIGGERED, workingMs: Ms(-1) },
      { type: 'STOP_LOSS_LIMIT', stopPrice: '51000.00000000', workingTime: -1 },
    ],
    // The example of faqs/pegged_orders.md: the price that was sent, zero without one, and that of the peg.
    [
      'a peg',
      { pegPriceType: PegPriceType.PRIMARY_PEG, pegLimitTicks: Ticks(0) },
      { price: '0.00000000', pegPriceType: 'PRIMARY_PEG', peggedPrice: '50000.00000000' },
    ],
    [
      'a peg with an offset and a limit of its own',
      {
        pegPriceType: PegPriceType.MARKET_PEG,
        pegLevels: 5,
        pegLimitTicks: Ticks(5_100_000),
      },
      {
        price: '51000.00000000',
        pegPriceType: 'MARKET_PEG',
        pegOffsetType: 'PRICE_LEVEL',
        pegOffsetValue: 5,
        peggedPrice: '50000.00000000',
      },
    ],
    [
      'a peg that waits has no price yet',
      {
        stopTicks: Ticks(5_100_000),
        phase: OrderPhase.UNTRIGGERED,
        workingMs: Ms(-1),
        pegPriceType: PegPriceType.PRIMARY_PEG,
      },
      {
        type: 'STOP_LOSS_LIMIT',
        stopPrice: '51000.00000000',
        workingTime: -1,
        pegPriceType: 'PRIMARY_PEG',
      },
    ],
    [
      'a stop that trails',
      {
        trailingDelta: 70,
        trailingMs: NOW_MS,
        phase: OrderPhase.UNTRIGGERED,
        workingMs: Ms(-1),
      },
      {
        type: 'STOP_LOSS_LIMIT',
        trailingDelta: 70,
        trailingTime: NOW_MS,
        workingTime: -1,
      },
    ],
  ])('with details: %s', (_, details, members) => {
    const isStop = 'type' in members
    const terms = isStop ? packTerms(0, OrderType.STOP_LOSS_LIMIT, 0, 2) : buyLimit
    const events = [accepted({ terms, details })]
    expect(place(`${limit}&newOrderRespType=RESULT`, events)).toEqual({ ...result, ...members })
    expect(place(`${limit}&newOrderRespType=ACK`, events)).toEqual(ack)
  })

  test('details of makers are none of its own', () => {
    const foreign = trade({ makerDetails: { icebergLots: Lots(5), orderListId: OrderListId(2) } })
    const events = [accepted(), foreign, listChanged()]
    expect(place(limit, events)).toEqual({ ...result, ...filledInPart, fills: [fill] })
  })

  test('commission in another asset, of its own side only', () => {
    const second = trade({
      tradeLots: Lots(600),
      takerFilledLots: Lots(1_000),
      tradeId: TradeId(78),
    })
    const first = trade({ ...paysOtherwise('maker'), ...paysOtherwise('taker') })
    const events = [accepted(), first, second]
    expect(place(limit, events)).toMatchObject({
      fills: [
        { ...fill, commission: '0.00010000', commissionAsset: 'ETH' },
        { ...fill, tradeId: 78, qty: '0.00600000' },
      ],
    })
  })

  test('decremented and then filled, it is FILLED', () => {
    const events = [
      accepted(),
      prevented({ takerPreventedLots: Lots(600), makerPreventedLots: Lots(600) }),
      trade({
        tradeLots: Lots(400),
        takerFilledLots: Lots(400),
        takerDetails: { preventedLots: Lots(600) },
      }),
    ]
    expect(place(limit, events)).toMatchObject({
      status: 'FILLED',
      preventedQuantity: '0.00600000',
    })
  })

  test('a LIMIT_MAKER is only acknowledged', () => {
    const query = 'symbol=BTCUSDT&side=BUY&type=LIMIT_MAKER&quantity=0.01&price=50000'
    expect(place(query, [accepted()])).toEqual(ack)
  })

  test('filled whole, with times in microseconds', () => {
    const rest = trade({ tradeLots: Lots(600), takerFilledLots: Lots(1_000), tradeId: TradeId(78) })
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
    const sold = [
      accepted({ terms: buyLimit | 1 }),
      trade({ takerCommissionAtoms: Atoms(23_999_520) }),
    ]
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
  const makerExpires = closed({ orderId: OrderId(9), status: OrderStatus.EXPIRED_IN_MATCH })
  const takerExpires = closed({ status: OrderStatus.EXPIRED_IN_MATCH, preventedLots: Lots(1_000) })
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
      [
        accepted(),
        prevented({ takerPreventedLots: Lots(1_000), makerPreventedLots: Lots(0) }),
        takerExpires,
      ],
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
        prevented({ takerPreventedLots: Lots(1_000), tradeGroupId: 3 }),
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

  describe('that is routed', () => {
    const grouped = () => {
      const context = new FakeContext()
      const { base, id } = context.symbols[0]!
      context.groups = [{ base, symbols: [id], account: trader.id }]
      return context
    }

    test('says so in its terms', () => {
      const context = grouped()
      asking.ask(context, 'routeOrder', limit)
      const { terms, priceTicks, lots } = readPlaceOrder(context.sent[0]!.buffer, 0)
      expect([isRouted(terms), isRouted(buyLimit)]).toEqual([true, false])
      expect(typeOf(terms)).toBe(OrderType.LIMIT)
      expect([priceTicks, lots]).toEqual([5_000_000, 1_000])
    })

    test.each<[query: string, answer: string]>([
      [
        limit.replace('LIMIT', 'LIMIT_MAKER').replace('&timeInForce=GTC', ''),
        'Limit maker orders are',
      ],
      ['symbol=ETHBTC&side=BUY&type=MARKET&quantity=1', 'SOR orders are'],
      ['symbol=BTCUSDT&side=BUY&type=MARKET', "'quantity' was not sent"],
    ])('%s is refused', (query, text) => {
      for (const id of ['routeOrder', 'testRoutedOrder']) {
        const context = grouped()
        const { answer } = asking.ask(context, id, query)
        expect(answer?.body).toContain(text)
        expect(context.sent).toEqual([])
      }
    })

    test('a test of it sends nothing', () => {
      const context = grouped()
      expect(bodyOf(asking.ask(context, 'testRoutedOrder', limit))).toEqual({})
      expect(context.sent).toEqual([])
    })
  })

  test('order/test sends nothing', () => {
    const context = new FakeContext()
    expect(bodyOf(asking.ask(context, 'testOrder', limit))).toEqual({})
    expect(context.sent).toEqual([])
    expect(
      asking.now('testOrder', `${limit.replace('BUY', 'SELL')}&computeCommissionRates=true`),
    ).toEqual({
      standardCommissionForOrder: { maker: '0.00120000', taker: '0.00170000' },
      specialCommissionForOrder: { maker: '0.00000000', taker: '0.00000000' },
      taxCommissionForOrder: { maker: '0.00000000', taker: '0.00000000' },
      discount: {
        enabledForAccount: false,
        enabledForSymbol: false,
        discountAsset: '',
        discount: '0.00000000',
      },
    })
  })
})
