/**
 * Every kind of order by the official connector, over REST and over the WebSocket API, with the user
 * stream beside it: each answer is of the shape that the connector's users read.
 */
import { BadRequestError, type Spot, SpotRestAPI, SpotWebsocketAPI } from '@binance/spot'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../fixtures/eventually.ts'
import { LoopExchange } from '../fixtures/loop-exchange.ts'
import type { Frame } from './frame-log.ts'
import { spotClient } from './spot-clients.ts'

const SYMBOL = 'BTCUSDT'
const { BUY, SELL } = SpotRestAPI.NewOrderSideEnum
const { GTC } = SpotRestAPI.NewOrderTimeInForceEnum

let exchange: LoopExchange
let own: Spot
let maker: Spot
let taker: Spot
let socket: SpotWebsocketAPI.WebsocketAPIConnection

beforeAll(async () => {
  exchange = await LoopExchange.start()
  own = spotClient(exchange, 'trader1')
  maker = spotClient(exchange, 'maker')
  taker = spotClient(exchange, 'taker')
  socket = await own.websocketAPI.connect()
})
afterAll(async () => {
  await socket?.disconnect()
  await exchange?.remove()
})

async function body<T>(answer: Promise<{ data(): Promise<T> }>): Promise<T> {
  return (await answer).data()
}

function limit(client: Spot, side: SpotRestAPI.NewOrderSideEnum, quantity: number, price: number) {
  const { LIMIT: type } = SpotRestAPI.NewOrderTypeEnum
  const order = { symbol: SYMBOL, side, type, timeInForce: GTC, quantity, price }
  return body(client.restAPI.newOrder(order))
}

/** Nothing is open, and the last price is 50,000. */
beforeEach(async () => {
  for (const client of [own, maker, taker]) {
    const open = await body(client.restAPI.getOpenOrders({ symbol: SYMBOL }))
    if (open.length > 0) await client.restAPI.deleteOpenOrders({ symbol: SYMBOL })
  }
  await tradeAt(50_000)
})

async function tradeAt(price: number): Promise<void> {
  await limit(maker, SELL, 0.01, price)
  expect(await limit(taker, BUY, 0.01, price)).toMatchObject({ status: 'FILLED' })
}

const orderOf = (orderId: unknown) =>
  body(own.restAPI.getOrder({ symbol: SYMBOL, orderId: Number(orderId) }))

interface ListAnswer {
  readonly orderListId?: number | bigint
  readonly orders?: readonly { readonly orderId?: number | bigint }[]
}

const statuses = (list: ListAnswer) =>
  Promise.all((list.orders ?? []).map(async ({ orderId }) => (await orderOf(orderId)).status))

const oco = {
  symbol: SYMBOL,
  side: SpotRestAPI.OrderListOcoSideEnum.SELL,
  quantity: 0.1,
  aboveType: SpotRestAPI.OrderListOcoAboveTypeEnum.LIMIT_MAKER,
  abovePrice: 55_000,
  belowType: SpotRestAPI.OrderListOcoBelowTypeEnum.STOP_LOSS_LIMIT,
  belowStopPrice: 45_000,
  belowPrice: 44_000,
  belowTimeInForce: SpotRestAPI.OrderListOcoBelowTimeInForceEnum.GTC,
}
const amounts = {
  symbol: SYMBOL,
  workingPrice: 49_000,
  workingQuantity: 0.1,
  pendingQuantity: 0.1,
}
const oto = {
  ...amounts,
  workingType: SpotRestAPI.OrderListOtoWorkingTypeEnum.LIMIT,
  workingSide: SpotRestAPI.OrderListOtoWorkingSideEnum.BUY,
  workingTimeInForce: SpotRestAPI.OrderListOtoWorkingTimeInForceEnum.GTC,
  pendingType: SpotRestAPI.OrderListOtoPendingTypeEnum.MARKET,
  pendingSide: SpotRestAPI.OrderListOtoPendingSideEnum.SELL,
}
const otoco = {
  ...amounts,
  workingType: SpotRestAPI.OrderListOtocoWorkingTypeEnum.LIMIT,
  workingSide: SpotRestAPI.OrderListOtocoWorkingSideEnum.BUY,
  workingTimeInForce: SpotRestAPI.OrderListOtocoWorkingTimeInForceEnum.GTC,
  pendingSide: SpotRestAPI.OrderListOtocoPendingSideEnum.SELL,
  pendingAboveType: SpotRestAPI.OrderListOtocoPendingAboveTypeEnum.LIMIT_MAKER,
  pendingAbovePrice: 55_000,
  pendingBelowType: SpotRestAPI.OrderListOtocoPendingBelowTypeEnum.STOP_LOSS,
  pendingBelowStopPrice: 40_000,
}

describe('REST', () => {
  test('a trailing stop, found and canceled', async () => {
    const placed = await body(
      own.restAPI.newOrder({
        symbol: SYMBOL,
        side: SELL,
        type: SpotRestAPI.NewOrderTypeEnum.STOP_LOSS_LIMIT,
        timeInForce: GTC,
        quantity: 0.1,
        price: 44_000,
        stopPrice: 45_000,
        trailingDelta: 100,
        icebergQty: 0.05,
        strategyId: 12,
        strategyType: 1_000_000,
      }),
    )
    expect(await orderOf(placed.orderId)).toMatchObject({
      type: 'STOP_LOSS_LIMIT',
      stopPrice: '45000.00000000',
      icebergQty: '0.05000000',
      trailingDelta: 100,
      trailingTime: -1,
      strategyId: 12,
      strategyType: 1_000_000,
      isWorking: false,
    })
    const orderId = Number(placed.orderId)
    const canceled = await body(own.restAPI.deleteOrder({ symbol: SYMBOL, orderId }))
    expect(canceled).toMatchObject({ status: 'CANCELED', trailingDelta: 100 })
  })

  test('order lists of every kind', async () => {
    const old = await body(
      own.restAPI.orderOco({
        symbol: SYMBOL,
        side: SpotRestAPI.OrderOcoSideEnum.SELL,
        quantity: 0.1,
        price: 56_000,
        stopPrice: 45_000,
      }),
    )
    const recent = await body(own.restAPI.orderListOco(oco))
    const two = await body(own.restAPI.orderListOto(oto))
    const three = await body(own.restAPI.orderListOtoco(otoco))
    const lists = [old, recent, two, three]
    expect(lists.map(({ contingencyType }) => contingencyType)).toEqual([
      'OCO',
      'OCO',
      'OTO',
      'OTO',
    ])
    const open = await body(own.restAPI.openOrderList())
    expect(open.map(({ orderListId }) => orderListId)).toEqual(
      lists.map(({ orderListId }) => orderListId),
    )
    const found = await body(own.restAPI.getOrderList({ orderListId: Number(two.orderListId) }))
    expect(found).toEqual(open[2])

    await limit(maker, BUY, 1, 48_000)
    await limit(taker, SELL, 0.2, 49_000)
    expect(await statuses(two)).toEqual(['FILLED', 'FILLED'])
    expect(await statuses(three)).toEqual(['FILLED', 'NEW', 'NEW'])
    for (const { orderListId } of [old, recent, three]) {
      const cancel = { symbol: SYMBOL, orderListId: Number(orderListId) }
      const gone = await body(own.restAPI.deleteOrderList(cancel))
      expect(gone).toMatchObject({ listOrderStatus: 'ALL_DONE' })
    }
    expect(await body(own.restAPI.openOrderList())).toEqual([])
    expect(await body(own.restAPI.allOrderList())).toHaveLength(4)
  })

  test('cancel-replace and amend', async () => {
    const old = await limit(own, BUY, 0.2, 40_000)
    const replaced = await body(
      own.restAPI.orderCancelReplace({
        symbol: SYMBOL,
        side: SpotRestAPI.OrderCancelReplaceSideEnum.BUY,
        type: SpotRestAPI.OrderCancelReplaceTypeEnum.LIMIT,
        timeInForce: SpotRestAPI.OrderCancelReplaceTimeInForceEnum.GTC,
        quantity: 0.2,
        price: 41_000,
        cancelReplaceMode: SpotRestAPI.OrderCancelReplaceCancelReplaceModeEnum.STOP_ON_FAILURE,
        cancelOrderId: Number(old.orderId),
      }),
    )
    expect(replaced).toMatchObject({
      cancelResult: 'SUCCESS',
      newOrderResult: 'SUCCESS',
      cancelResponse: { orderId: old.orderId, status: 'CANCELED' },
      newOrderResponse: { status: 'NEW', price: '41000.00000000' },
    })
    const [order] = await body(own.restAPI.getOpenOrders({ symbol: SYMBOL }))
    const orderId = Number(order?.orderId)
    const amend = { symbol: SYMBOL, orderId, newQty: 0.1 }
    expect(await body(own.restAPI.orderAmendKeepPriority(amend))).toMatchObject({
      amendedOrder: { orderId, qty: '0.10000000' },
    })
    const amendments = await body(own.restAPI.orderAmendments({ symbol: SYMBOL, orderId }))
    expect(amendments).toMatchObject([{ origQty: '0.20000000', newQty: '0.10000000' }])
    const more = own.restAPI.orderAmendKeepPriority({ ...amend, newQty: 0.3 })
    await expect(more).rejects.toThrow(BadRequestError)
    await expect(more).rejects.toMatchObject({ code: -2038 })
  })

  test('what one account may ask about itself', async () => {
    const commission = await body(own.restAPI.accountCommission({ symbol: SYMBOL }))
    expect(commission).toMatchObject({ symbol: SYMBOL, discount: { discountAsset: 'BNB' } })
    // The exchange has its limits off, and publishes none.
    expect(await body(own.restAPI.rateLimitOrder())).toEqual([])
    expect(await body(own.restAPI.myFilters({ symbol: SYMBOL }))).toHaveProperty('symbolFilters')
    const resting = await limit(own, SELL, 0.1, 51_000)
    await limit(own, BUY, 0.1, 51_000)
    const query = { symbol: SYMBOL, orderId: Number(resting.orderId) }
    const prevented = await body(own.restAPI.myPreventedMatches(query))
    expect(prevented).toMatchObject([
      { makerOrderId: resting.orderId, makerPreventedQuantity: '0.10000000' },
    ])
  })
})

describe('the WebSocket API', () => {
  test('order lists, and the user stream beside them', async () => {
    const listener = await own.websocketAPI.connect()
    const events: Frame[] = []
    const { stream } = await listener.userDataStreamSubscribeSignature()
    stream.on('message', (data) => {
      events.push(data as unknown as Frame)
    })
    const { data: list } = await socket.orderListPlaceOco({
      ...oco,
      side: SpotWebsocketAPI.OrderListPlaceOcoSideEnum.SELL,
      aboveType: SpotWebsocketAPI.OrderListPlaceOcoAboveTypeEnum.LIMIT_MAKER,
      belowType: SpotWebsocketAPI.OrderListPlaceOcoBelowTypeEnum.STOP_LOSS_LIMIT,
      belowTimeInForce: SpotWebsocketAPI.OrderListPlaceOcoBelowTimeInForceEnum.GTC,
    })
    const orderListId = Number(list?.orderListId)
    expect(list).toMatchObject({ contingencyType: 'OCO', listOrderStatus: 'EXECUTING' })
    const shown = await socket.orderListStatus({ orderListId })
    expect(shown.data).toMatchObject({ orderListId, listOrderStatus: 'EXECUTING' })
    const open = await socket.openOrderListsStatus()
    expect(open.data).toEqual([shown.data])
    const canceled = await socket.orderListCancel({ symbol: SYMBOL, orderListId })
    expect(canceled.data).toMatchObject({ orderListId, listOrderStatus: 'ALL_DONE' })
    const lists = await socket.allOrderLists()
    expect(lists.data?.at(-1)).toMatchObject({ orderListId, listStatusType: 'ALL_DONE' })

    const told = await eventually('both states of the list', () => {
      const found = events.filter(({ e }) => e === 'listStatus')
      return found.length === 2 ? found : undefined
    })
    expect(told).toMatchObject([
      { g: orderListId, c: 'OCO', l: 'EXEC_STARTED', L: 'EXECUTING', r: 'NONE' },
      { g: orderListId, c: 'OCO', l: 'ALL_DONE', L: 'ALL_DONE', r: 'NONE' },
    ])
    await listener.disconnect()
  })

  test('OTO and OTOCO', async () => {
    const api = SpotWebsocketAPI
    const { data: two } = await socket.orderListPlaceOto({
      ...amounts,
      workingType: api.OrderListPlaceOtoWorkingTypeEnum.LIMIT,
      workingSide: api.OrderListPlaceOtoWorkingSideEnum.BUY,
      workingTimeInForce: api.OrderListPlaceOtoWorkingTimeInForceEnum.GTC,
      pendingType: api.OrderListPlaceOtoPendingTypeEnum.STOP_LOSS,
      pendingSide: api.OrderListPlaceOtoPendingSideEnum.SELL,
      pendingStopPrice: 40_000,
    })
    const { data: three } = await socket.orderListPlaceOtoco({
      ...amounts,
      workingType: api.OrderListPlaceOtocoWorkingTypeEnum.LIMIT,
      workingSide: api.OrderListPlaceOtocoWorkingSideEnum.BUY,
      workingTimeInForce: api.OrderListPlaceOtocoWorkingTimeInForceEnum.GTC,
      pendingSide: api.OrderListPlaceOtocoPendingSideEnum.SELL,
      pendingAboveType: api.OrderListPlaceOtocoPendingAboveTypeEnum.LIMIT_MAKER,
      pendingAbovePrice: 55_000,
      pendingBelowType: api.OrderListPlaceOtocoPendingBelowTypeEnum.STOP_LOSS,
      pendingBelowStopPrice: 40_000,
    })
    expect(two?.orders).toHaveLength(2)
    expect(three?.orders).toHaveLength(3)
    const canceled = await socket.openOrdersCancelAll({ symbol: SYMBOL })
    expect(canceled.data).toHaveLength(2)
    expect(await statuses(two ?? {})).toEqual(['CANCELED', 'CANCELED'])
  })

  test('cancel-replace, amend, and what is refused', async () => {
    const api = SpotWebsocketAPI
    const old = await limit(own, BUY, 0.2, 40_000)
    const replacement = {
      symbol: SYMBOL,
      cancelReplaceMode: api.OrderCancelReplaceCancelReplaceModeEnum.STOP_ON_FAILURE,
      cancelOrderId: Number(old.orderId),
      side: api.OrderCancelReplaceSideEnum.BUY,
      type: api.OrderCancelReplaceTypeEnum.LIMIT,
      timeInForce: api.OrderCancelReplaceTimeInForceEnum.GTC,
      quantity: 0.2,
      price: 41_000,
    }
    const replaced = await socket.orderCancelReplace(replacement)
    expect(replaced.data).toMatchObject({ cancelResult: 'SUCCESS', newOrderResult: 'SUCCESS' })
    const again = socket.orderCancelReplace(replacement)
    await expect(again).rejects.toMatchObject({
      code: -2022,
      msg: 'Order cancel-replace failed.',
      data: { cancelResult: 'FAILURE', newOrderResult: 'NOT_ATTEMPTED', newOrderResponse: null },
    })
    const [order] = await body(own.restAPI.getOpenOrders({ symbol: SYMBOL }))
    const orderId = Number(order?.orderId)
    const amended = await socket.orderAmendKeepPriority({ symbol: SYMBOL, orderId, newQty: 0.1 })
    expect(amended.data).toMatchObject({ amendedOrder: { orderId, qty: '0.10000000' } })
  })
})
