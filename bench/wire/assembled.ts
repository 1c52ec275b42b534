/**
 * The exchange that a Node.js user would assemble: Fastify, with schemas for orders and answers, and
 * nodejs-order-book. Nothing is signed, nothing is kept: a crash loses all. It takes limit orders as
 * JSON and answers with JSON of about the size of ours. A separate process: `node assembled.js PORT`.
 */
import Fastify from 'fastify'
import { OrderBook, Side } from 'nodejs-order-book'

interface OrderBody {
  readonly symbol: string
  readonly side: 'BUY' | 'SELL'
  readonly price: string
  readonly quantity: string
}

const LOTS_PER_UNIT = 100_000

const text = { type: 'string' } as const
const integer = { type: 'integer' } as const
const orderBody = {
  type: 'object',
  required: ['symbol', 'side', 'type', 'price', 'quantity'],
  properties: {
    symbol: text,
    side: { type: 'string', enum: ['BUY', 'SELL'] },
    type: { type: 'string', enum: ['LIMIT'] },
    timeInForce: { type: 'string', enum: ['GTC'] },
    price: text,
    quantity: text,
  },
} as const
const fill = {
  type: 'object',
  properties: {
    price: text,
    qty: text,
    commission: text,
    commissionAsset: text,
    tradeId: integer,
  },
} as const
const orderAnswer = {
  type: 'object',
  properties: {
    symbol: text,
    orderId: integer,
    orderListId: integer,
    clientOrderId: text,
    transactTime: integer,
    price: text,
    origQty: text,
    executedQty: text,
    cummulativeQuoteQty: text,
    status: text,
    timeInForce: text,
    type: text,
    side: text,
    fills: {
      type: 'array',
      items: fill,
    },
  },
} as const

const book = new OrderBook()
const server = Fastify({ logger: false })
let orders = 0
let trades = 0

server.get('/api/v3/ping', async () => ({}))

server.post<{ Body: OrderBody }>(
  '/api/v3/order',
  { schema: { body: orderBody, response: { 200: orderAnswer } } },
  async (request) => {
    const { symbol, side, price, quantity } = request.body
    const id = String(++orders)
    // Sizes in lots: the book adds them up as floats, and whole numbers stay exact.
    const lots = Math.round(Number(quantity) * LOTS_PER_UNIT)
    const result = book.limit({
      id,
      side: side === 'BUY' ? Side.BUY : Side.SELL,
      size: lots,
      price: Number(price),
    })
    if (result.err !== null) throw result.err
    const restLots = book.order(id)?.size ?? 0
    const executed = (lots - restLots) / LOTS_PER_UNIT
    const makers = result.done.filter((order) => order.id !== id)
    return {
      symbol,
      orderId: orders,
      orderListId: -1,
      clientOrderId: `order-${id}`,
      transactTime: Date.now(),
      price,
      origQty: quantity,
      executedQty: executed.toFixed(8),
      cummulativeQuoteQty: (executed * Number(price)).toFixed(8),
      status: restLots === 0 ? 'FILLED' : restLots === lots ? 'NEW' : 'PARTIALLY_FILLED',
      timeInForce: 'GTC',
      type: 'LIMIT',
      side,
      fills: makers.map((maker) => ({
        price,
        qty: String(maker.size),
        commission: '0.00000000',
        commissionAsset: 'BTC',
        tradeId: ++trades,
      })),
    }
  },
)

await server.listen({ host: '127.0.0.1', port: Number(process.argv[2]) })
process.on('SIGTERM', () => process.exit(0))
