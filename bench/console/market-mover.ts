/**
 * Moves a market at fixed rates, over two connections of the WebSocket API: a maker places and cancels
 * orders at changing prices, a taker trades with one large order that rests. Arguments: address, key of
 * the maker, key of the taker, level changes a second, trades a second, open orders of the maker.
 */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { WebSocket } from 'ws'

interface Key {
  readonly apiKey: string
  readonly secretKey: string
}

const SYMBOL = 'BTCUSDT'
const EXECUTION_MS = 10
/** Cents around which levels change. */
const MIDDLE = 5_000_000
const BAND = 4_000

const [address = '', makerText = '', takerText = '', levels = '', trades = '', live = ''] =
  process.argv.slice(2)

let [answered, refused] = [0, 0]

class Trader {
  private readonly key: Key
  private readonly socket: WebSocket
  private id = 0

  constructor(key: Key) {
    this.key = key
    this.socket = new WebSocket(`${address}/ws-api/v3`)
    this.socket.on('message', (data) => {
      const { status } = JSON.parse(String(data)) as { status: number }
      if (status === 200) answered++
      else refused++
    })
  }

  opened(): Promise<unknown> {
    return once(this.socket, 'open')
  }

  send(method: string, params: Readonly<Record<string, string | number>>): void {
    const whole: Record<string, string | number> = {
      ...params,
      apiKey: this.key.apiKey,
      timestamp: Date.now(),
    }
    const names = Object.keys(whole).sort()
    const payload = names.map((name) => `${name}=${whole[name]}`).join('&')
    const signature = createHmac('sha256', this.key.secretKey).update(payload).digest('hex')
    this.socket.send(JSON.stringify({ id: ++this.id, method, params: { ...whole, signature } }))
  }
}

const limit = { symbol: SYMBOL, type: 'LIMIT', newOrderRespType: 'ACK' }
const [maker, taker] = [JSON.parse(makerText) as Key, JSON.parse(takerText) as Key].map(
  (key) => new Trader(key),
)
await Promise.all([maker!.opened(), taker!.opened()])

/** The order that all trades meet. */
maker!.send('order.place', {
  ...limit,
  side: 'SELL',
  timeInForce: 'GTC',
  price: (MIDDLE / 100).toFixed(2),
  quantity: 100,
})

let placed = 0
let canceled = 0
/** Places an order at a separate price, or cancels the oldest once there are enough. */
function changeLevel(): void {
  if (placed - canceled >= Number(live)) {
    const origClientOrderId = `level-${canceled++}`
    maker!.send('order.cancel', { symbol: SYMBOL, origClientOrderId })
    return
  }
  const isBid = placed % 2 === 0
  const distance = 1 + ((placed * 7_919) % BAND)
  const cents = isBid ? MIDDLE - distance : MIDDLE + distance
  maker!.send('order.place', {
    ...limit,
    side: isBid ? 'BUY' : 'SELL',
    timeInForce: 'GTC',
    price: (cents / 100).toFixed(2),
    quantity: (0.001 * (1 + (placed % 9))).toFixed(3),
    newClientOrderId: `level-${placed++}`,
  })
}

function trade(): void {
  const price = (MIDDLE / 100).toFixed(2)
  taker!.send('order.place', {
    ...limit,
    side: 'BUY',
    timeInForce: 'IOC',
    price,
    quantity: 0.0002,
  })
}

for (let i = 0; i < Number(live); i++) changeLevel()

const beganMs = performance.now()
let [levelsDone, tradesDone] = [0, 0]
setInterval(() => {
  const seconds = (performance.now() - beganMs) / 1_000
  for (; levelsDone < seconds * Number(levels); levelsDone++) changeLevel()
  for (; tradesDone < seconds * Number(trades); tradesDone++) trade()
}, EXECUTION_MS)

process.once('SIGTERM', () => {
  const seconds = (performance.now() - beganMs) / 1_000
  const rate = Math.round(answered / seconds)
  process.stdout.write(`the generator: ${rate} requests/s carried out, ${refused} refused in all\n`)
  process.exit(0)
})
