/** Refusals that take some orders first: counting filters, and halves of a cancel-replace that fail. */
import { expect, test } from 'vitest'
import type { ExchangeProcess } from '../../../scripts/exchange/exchange-process.ts'
import { type Params, Trader } from '../trader.ts'
import { expectRefusal } from './raise.ts'
import { SYMBOL, symbolOf } from './stage.ts'

const LIMIT = { type: 'LIMIT', timeInForce: 'GTC', side: 'BUY', price: '10', quantity: '1' }
const MARKET_STOP = { type: 'STOP_LOSS', side: 'SELL', stopPrice: '10', quantity: '1' }
const ICEBERG = { ...LIMIT, icebergQty: '0.5' }
const OCO = {
  side: 'SELL',
  quantity: '1',
  aboveType: 'LIMIT_MAKER',
  abovePrice: '200',
  belowType: 'STOP_LOSS',
  belowStopPrice: '10',
}

interface Counting {
  readonly filterType: string
  /** The message, when it is not the filter's type. */
  readonly name?: string
  readonly path?: string
  readonly params: Params
  /** So many pass. */
  readonly passing: number
}

const one: readonly Counting[] = [
  { filterType: 'MAX_NUM_ORDERS', params: LIMIT, passing: 2 },
  { filterType: 'MAX_NUM_ALGO_ORDERS', name: 'MAX_ALGO_ORDERS', params: MARKET_STOP, passing: 1 },
  { filterType: 'MAX_NUM_ICEBERG_ORDERS', params: ICEBERG, passing: 1 },
  {
    filterType: 'MAX_NUM_ORDER_LISTS',
    path: '/api/v3/orderList/oco',
    params: OCO,
    passing: 1,
  },
  { filterType: 'MAX_POSITION', params: { ...LIMIT, quantity: '4' }, passing: 2 },
]
const all: readonly Counting[] = [
  {
    filterType: 'EXCHANGE_MAX_NUM_ALGO_ORDERS',
    name: 'EXCHANGE_MAX_ALGO_ORDERS',
    params: MARKET_STOP,
    passing: 4,
  },
  { filterType: 'EXCHANGE_MAX_NUM_ICEBERG_ORDERS', params: ICEBERG, passing: 3 },
  {
    filterType: 'EXCHANGE_MAX_NUM_ORDER_LISTS',
    path: '/api/v3/orderList/oco',
    params: OCO,
    passing: 2,
  },
  { filterType: 'EXCHANGE_MAX_NUM_ORDERS', params: LIMIT, passing: 20 },
]

/** Where orders over all symbols are counted, they are placed on two symbols. */
const spread = ['EMPTY', 'FINE']

export function countingTests(exchange: () => ExchangeProcess): void {
  const refuse = async (
    { filterType, name = filterType, path = '/api/v3/order', params, passing }: Counting,
    symbols: readonly string[],
  ) => {
    const account = filterType === 'MAX_POSITION' ? 'holder' : 'counted'
    const trader = new Trader(exchange(), account)
    for (let count = 0; count < passing; count++) {
      const symbol = symbols[count % symbols.length] as string
      await trader.ask('POST', path, { symbol, ...params })
    }
    const last = { symbol: symbols[0] as string, ...params }
    const answer = await trader.send('POST', path, last)
    expectRefusal('COUNTING_FILTER_FAILURE', answer, -2010, `Filter failure: ${name}`)
    const open = await trader.ask('GET', '/api/v3/openOrders')
    const orders = path === '/api/v3/order' ? passing : 2 * passing
    expect(open).toHaveLength(orders)
    for (const symbol of symbols) await trader.send('DELETE', '/api/v3/openOrders', { symbol })
    expect(await trader.ask('GET', '/api/v3/openOrders')).toEqual([])
  }

  test.each(one)('COUNTING_FILTER_FAILURE: $filterType', (counting) =>
    refuse(counting, [symbolOf(counting.filterType)]))
  test.each(all)('COUNTING_FILTER_FAILURE: $filterType', (counting) => refuse(counting, spread))

  test('AMEND_FILTER_FAILURE: MAX_NUM_ORDER_AMENDS', async () => {
    const trader = new Trader(exchange(), 'counted')
    const symbol = symbolOf('MAX_NUM_ORDER_AMENDS')
    const placed = await trader.place({ symbol, ...LIMIT })
    const amend = { symbol, orderId: Number(placed.orderId) }
    await trader.ask('PUT', '/api/v3/order/amend/keepPriority', { ...amend, newQty: '0.9' })
    const path = '/api/v3/order/amend/keepPriority'
    const answer = await trader.send('PUT', path, { ...amend, newQty: '0.8' })
    const msg = 'Filter failure: MAX_NUM_ORDER_AMENDS'
    expectRefusal('AMEND_FILTER_FAILURE', answer, -2038, msg)
  })

  test('REPLACE_FAILED_PARTLY', async () => {
    const trader = new Trader(exchange(), 'counted')
    const placed = await trader.place({ symbol: SYMBOL, ...LIMIT })
    const answer = await trader.send('POST', '/api/v3/order/cancelReplace', {
      symbol: SYMBOL,
      ...LIMIT,
      quantity: '9000',
      price: '90',
      cancelReplaceMode: 'STOP_ON_FAILURE',
      cancelOrderId: Number(placed.orderId),
    })
    const msg = 'Order cancel-replace partially failed.'
    expectRefusal('REPLACE_FAILED_PARTLY', answer, -2021, msg)
  })
}
