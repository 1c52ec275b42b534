/** Parameters of extreme size: huge numbers and texts, long lists, times in microseconds. */
import type { Attack } from '../attack.ts'
import { frameBytes, requestBytes } from '../bytes.ts'

const EVERY_MS = 500
const LONG = 8_000
const NESTED = 20_000

const paths: readonly string[] = [
  `/api/v3/depth?symbol=BTCUSDT&limit=${'9'.repeat(LONG)}`,
  `/api/v3/klines?symbol=BTCUSDT&interval=1s&startTime=${Number.MAX_SAFE_INTEGER}&limit=1000`,
  '/api/v3/klines?symbol=BTCUSDT&interval=1M&startTime=-1&endTime=1e308',
  `/api/v3/ticker/24hr?symbols=[${'"BTCUSDT",'.repeat(LONG / 10)}"ETHUSDT"]`,
  `/api/v3/trades?symbol=${'%F0%9F%92%A3'.repeat(LONG / 12)}`,
  `/api/v3/aggTrades?symbol=BTCUSDT&fromId=0&limit=1000&${'a=b&'.repeat(LONG / 4)}`,
  `/api/v3/exchangeInfo?permissions=${'['.repeat(LONG)}`,
]

const messages: readonly string[] = [
  `{"id":1,"method":"depth","params":${'['.repeat(NESTED)}`,
  `{"id":${'9'.repeat(NESTED)},"method":"time"}`,
  JSON.stringify({ id: 1, method: 'x'.repeat(NESTED) }),
  JSON.stringify({ id: 1, method: 'depth', params: { symbol: 'x'.repeat(NESTED), limit: 1e308 } }),
]

export const parameters: Attack = {
  name: 'parameters',
  about: 'asks with huge numbers, texts and lists, and in microseconds',
  addresses: 2,
  run: (raid) => {
    const line = raid.connect(0)
    const socket = raid.webSocket(1, '/ws-api/v3?timeUnit=MICROSECOND')
    let turn = 0
    raid.every(EVERY_MS, () => {
      const headers = { 'X-MBX-TIME-UNIT': 'MICROSECOND' }
      line.write(requestBytes('GET', paths[turn % paths.length]!, headers))
      socket.write(frameBytes(messages[turn++ % messages.length]!))
    })
  },
}
