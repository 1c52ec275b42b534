// Orders that are too many at once get a refusal at once. They change nothing and may come again.
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import WebSocket from 'ws'
import { Refusal, SYMBOL } from './trader.mjs'

/** Orders that a gateway has under way at most; the default is 1024. */
const PENDING = 4
const BURST = 200
const OVERLOADED = -1008
const NO_SUCH_ORDER = -2013

export const flags = ['--gateways', '1', '--pending-orders', String(PENDING)]

export async function teach({ exchange, narrator }) {
  const trader = exchange.trader('trader1')
  const { apiKey, secretKey } = exchange.key('trader1')
  const socket = new WebSocket(`${exchange.url.replace('http', 'ws')}/ws-api/v3`)
  await once(socket, 'open')
  const waiting = new Map()
  socket.on('message', (text) => {
    const { id, ...answer } = JSON.parse(text)
    waiting.get(id)?.(answer)
  })

  /** Sends one order for each name, without waiting in between. Returns names by the code of their answer. */
  async function send(names) {
    const answers = names.map((newClientOrderId) => {
      const params = {
        symbol: SYMBOL,
        side: 'BUY',
        type: 'LIMIT',
        timeInForce: 'GTC',
        quantity: '0.001',
        price: '40000',
        newClientOrderId,
        apiKey,
        timestamp: Date.now(),
      }
      const payload = Object.keys(params)
        .sort()
        .map((name) => `${name}=${params[name]}`)
      const signature = createHmac('sha256', secretKey).update(payload.join('&')).digest('hex')
      const request = {
        id: newClientOrderId,
        method: 'order.place',
        params: { ...params, signature },
      }
      return new Promise((resolve) => {
        waiting.set(newClientOrderId, resolve)
        socket.send(JSON.stringify(request))
      })
    })
    const codes = (await Promise.all(answers)).map(({ error }) => error?.code ?? 'placed')
    const of = (code) => names.filter((_, index) => codes[index] === code)
    return { placed: of('placed'), refused: of(OVERLOADED) }
  }

  narrator.step(`The gateway may have ${PENDING} orders under way. trader1 sends ${BURST} at once.`)
  const names = Array.from({ length: BURST }, (_, index) => `burst-${index}`)
  const burst = send(names)
  const reads = exchange.read(`/api/v3/depth?symbol=${SYMBOL}`)
  const { placed, refused } = await burst
  narrator.line(
    'trader1',
    `${placed.length} orders are placed, ${refused.length} got ${OVERLOADED}`,
  )
  narrator.claim('Every order has an answer.', placed.length + refused.length === BURST)
  narrator.claim('Some are placed, some are refused.', placed.length > 0 && refused.length > 0)
  narrator.claim('The book can be read at the same time.', Array.isArray((await reads).bids))

  narrator.step('trader1 asks for an order that was refused.')
  const asked = { symbol: SYMBOL, origClientOrderId: refused[0] }
  const code = await trader.ask('GET', '/api/v3/order', asked).catch((error) => {
    if (error instanceof Refusal) return error.code
    throw error
  })
  narrator.claim('It was never there (-2013): a refusal changes nothing.', code === NO_SUCH_ORDER)

  narrator.step('trader1 sends the refused ones again, until each is placed.')
  let left = refused
  while (left.length > 0) left = (await send(left)).refused
  const { body } = await trader.ask('GET', '/api/v3/openOrders', { symbol: SYMBOL })
  narrator.line('trader1', `has ${body.length} open orders`)
  narrator.claim('All are open, each once.', body.length === BURST)
  socket.close()
}
