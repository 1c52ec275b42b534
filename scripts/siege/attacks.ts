/** All attacks, in the order in which they get their addresses. */
import { generateKeyPair, type KeyObject, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { streams } from '../../src/api/streams.ts'
import type { DemoKey } from '../exchange/exchange-process.ts'
import { frameBytes, frameHead, Opcode, repeated, requestBytes, upgradeBytes } from './bytes.ts'
import type { Line } from './line.ts'
import type { Raid } from './raid.ts'
import type { Stage } from './stage.ts'

export interface Attack {
  readonly name: string
  readonly about: string
  /** Source addresses, which no other attack uses; 1 unless it says. */
  readonly addresses?: number
  /**
   * Opens accounts and fills books through a server without limits, before the control run. Resolves to the keys
   * that the attack uses; a secret is empty for a key whose private half no client holds.
   */
  readonly prepare?: (stage: Stage) => Promise<readonly DemoKey[]>
  /** Begins it; the generator's process ends it. What it sends must not depend on answers. */
  readonly run: (raid: Raid) => void
}

const TRADING = '/ws-api/v3'
const SYMBOLS = ['btcusdt', 'ethusdt', 'solusdt', 'bnbusdt', 'adausdt', 'ethbtc']

const many = <T>(count: number, of: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => of(index))
const json = (message: object): Buffer => frameBytes(JSON.stringify(message))
const pemOf = ({ publicKey }: { publicKey: KeyObject }): string =>
  publicKey.export({ type: 'spki', format: 'pem' }).toString()
const makeKeys = promisify(generateKeyPair)
const guess = (): string => randomBytes(32).toString('hex')

const KEYS = 30
const STOPS = 3_000
/** Prices fall by a cent from level to level. */
const stopAt = (level: number): string => (600 - level / 100).toFixed(2)
const ICEBERGS = 6_800
const HUGE_BYTES = 512 * 1024
/** By turns; each ends its connection, or stays unfinished. */
const garbage: readonly (() => Buffer)[] = [
  () => randomBytes(4_096),
  () =>
    Buffer.from('POST /api/v3/order HTTP/1.1\r\nHost: siege\r\nContent-Length: 100000\r\n\r\nsym'),
  () => requestBytes('GET', '/api/v3/time', { 'X-Huge': 'x'.repeat(HUGE_BYTES) }),
  () => requestBytes('GET', `/api/v3/depth?symbol=${'x'.repeat(HUGE_BYTES)}`),
  () => {
    const head = requestBytes('POST', '/api/v3/order', { 'Content-Length': String(HUGE_BYTES) })
    return Buffer.concat([head, Buffer.alloc(HUGE_BYTES, 'a=b&')])
  },
  () => Buffer.from('POST /api/v3/order HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nfffffff\r\n'),
  () => Buffer.from(`GET / HTTP/1.1\r\n${'a: b\r\n'.repeat(1_000)}`),
]

const LONG = 8_000
const NESTED = 20_000
const extremePaths: readonly string[] = [
  `/api/v3/depth?symbol=BTCUSDT&limit=${'9'.repeat(LONG)}`,
  `/api/v3/klines?symbol=BTCUSDT&interval=1s&startTime=${Number.MAX_SAFE_INTEGER}&limit=1000`,
  '/api/v3/klines?symbol=BTCUSDT&interval=1M&startTime=-1&endTime=1e308',
  `/api/v3/ticker/24hr?symbols=[${'"BTCUSDT",'.repeat(LONG / 10)}"ETHUSDT"]`,
  `/api/v3/trades?symbol=${'%F0%9F%92%A3'.repeat(LONG / 12)}`,
  `/api/v3/aggTrades?symbol=BTCUSDT&fromId=0&limit=1000&${'a=b&'.repeat(LONG / 4)}`,
  `/api/v3/exchangeInfo?permissions=${'['.repeat(LONG)}`,
]
const extremeMessages: readonly string[] = [
  `{"id":1,"method":"depth","params":${'['.repeat(NESTED)}`,
  `{"id":${'9'.repeat(NESTED)},"method":"time"}`,
  JSON.stringify({ id: 1, method: 'x'.repeat(NESTED) }),
  JSON.stringify({ id: 1, method: 'depth', params: { symbol: 'x'.repeat(NESTED), limit: 1e308 } }),
]

export const attacks: readonly Attack[] = [
  {
    name: 'names',
    about: 'subscribes to stream names of 64 KB that are no streams',
    run: (raid) => {
      const lines = many(raid.size(295), () => raid.webSocket(0, '/ws'))
      let count = 0
      const subscribe = (line: Line, index: number) => {
        // Half of the sockets use one character that costs a JavaScript string two bytes for each.
        const start = `${index % 2 === 0 ? '\u0416' : ''}${++count}-`
        // The frame holds the name and what stands around it, and stays below 64 KiB.
        line.write(json({ method: 'SUBSCRIBE', params: [start.padEnd(65_000, 'x')], id: count }))
      }
      // Spread over the interval, as clients that know nothing of each other.
      for (const [index, line] of lines.entries()) {
        const begin = () => raid.every(500, () => subscribe(line, index))
        setTimeout(begin, (500 * index) / lines.length)
      }
    },
  },
  {
    name: 'list-subscriptions',
    about: 'asks four times a second for long lists of subscriptions',
    run: (raid) => {
      for (let socket = 0; socket < raid.size(40); socket++) {
        const line = raid.webSocket(0, '/ws', { reads: socket % 2 === 0 })
        let frames = 0
        raid.every(250, () => {
          if (frames >= 6) {
            line.write(json({ method: 'LIST_SUBSCRIPTIONS', id: 1 }))
            return
          }
          const params = many(200, (index) => `${socket}-${frames}-${index}@`.padEnd(300, 'depth'))
          if (line.write(json({ method: 'SUBSCRIBE', params, id: 2 }))) frames++
        })
      }
    },
  },
  {
    name: 'refused-frames',
    about: 'writes 100,000 tiny refused frames a second to the WebSocket API',
    run: (raid) => {
      const frames = repeated(frameBytes('{}'), raid.size(500))
      const line = raid.webSocket(0, TRADING)
      raid.every(5, () => line.write(frames))
    },
  },
  {
    name: 'pings',
    about: 'writes 100,000 pings a second to both kinds of WebSocket',
    run: (raid) => {
      const frames = repeated(frameBytes('x'.repeat(100), Opcode.PING), raid.size(250))
      const paths = [TRADING, '/ws']
      const lines = paths.map((path, index) => raid.webSocket(0, path, { reads: index === 0 }))
      raid.every(5, () => {
        for (const line of lines) line.write(frames)
      })
    },
  },
  {
    name: 'order-status',
    about: 'asks for 2,000 open orders, sixteen times in one write, once a second',
    prepare: async (stage) => [
      await stage.bidder('status', 2_000, (index) => ({
        symbol: 'ETHUSDT',
        price: (1_000 + index / 100).toFixed(2),
        quantity: '0.0100',
      })),
    ],
    run: (raid) => {
      const line = raid.webSocket(0, TRADING)
      // Sixteen queries of weight 6 every second stay within the weight of a minute.
      raid.every(1_000, () => {
        const query = raid.message(raid.key(), 'openOrders.status', { symbol: 'ETHUSDT' })
        line.write(repeated(frameBytes(query), raid.size(16)))
      })
    },
  },
  {
    name: 'open-orders',
    about: 'asks for the open orders of all of 200 symbols, without naming one',
    addresses: 6,
    prepare: async (stage) => {
      const key = await stage.account('openorders', { USDT: '1000000' })
      await stage.listSymbols(stage.size(200))
      return [key]
    },
    run: (raid) => {
      const key = raid.key()
      const lines = many(6, (address) => raid.connect(address))
      // A query weighs 80, so an address may send 75 in a minute.
      raid.every(900, () => {
        const path = `/api/v3/openOrders?${raid.query(key)}`
        for (const line of lines)
          line.write(requestBytes('GET', path, { 'X-MBX-APIKEY': key.apiKey }))
      })
    },
  },
  {
    name: 'silent-connections',
    about: 'holds 1,200 TCP connections that say nothing, and opens each again when it ends',
    addresses: 2,
    run: (raid) => {
      let opened = 0
      raid.every(200, () => {
        for (let i = 0; i < 100 && opened < raid.size(1_200); i++) {
          const first = Buffer.from('GET /api/v3/ping HTTP/1.1\r\nHost: ')
          const address = opened % 2
          raid.connect(address, ++opened % 3 === 0 ? { first } : {})
        }
      })
    },
  },
  {
    name: 'unread-answers',
    about: 'pipelines 6,000 requests for /openapi.json and reads no answer',
    run: (raid) => {
      const first = repeated(requestBytes('GET', '/openapi.json'), raid.size(2_000))
      many(3, () => raid.connect(0, { first, reads: false, againMs: 5_000 }))
    },
  },
  {
    name: 'slow-readers',
    about: 'subscribes 200 sockets to all busy streams and never reads them',
    run: (raid) => {
      const kinds = ['depth@100ms', 'depth20@100ms', 'trade', 'bookTicker', 'aggTrade', 'kline_1s']
      const params = SYMBOLS.flatMap((symbol) => kinds.map((kind) => `${symbol}@${kind}`))
      const subscribe = json({ method: 'SUBSCRIBE', params, id: 1 })
      const onReady = (line: Line) => void line.write(subscribe)
      many(raid.size(200), () => raid.webSocket(0, '/ws', { reads: false, onReady }))
    },
  },
  {
    name: 'icebergs',
    about: 'crosses 6,800 icebergs of a hundred slices by one order',
    prepare: async (stage) => {
      const key = await stage.account('icebergs', { SOL: '100000' })
      const sweeper = await stage.account('sweeper', { USDT: '10000000' })
      const terms = { symbol: 'SOLUSDT', side: 'SELL', type: 'LIMIT', timeInForce: 'GTC' }
      // A hundred slices each, the most that ICEBERG_PARTS allows.
      const lots = { quantity: '1.000', icebergQty: '0.010' }
      await stage.orders(stage.size(ICEBERGS), () => ({ key, ...terms, price: '100.00', ...lots }))
      return [sweeper]
    },
    run: (raid) => {
      const line = raid.webSocket(0, TRADING)
      const terms = { symbol: 'SOLUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
      raid.at(0.3, () => {
        const order = { ...terms, price: '100.00', quantity: `${raid.size(ICEBERGS)}.000` }
        line.write(frameBytes(raid.message(raid.key(), 'order.place', order)))
      })
    },
  },
  {
    name: 'cancel-all',
    about: 'cancels four times 10,000 orders in one moment',
    prepare: async (stage) => {
      const keys: DemoKey[] = []
      for (let account = 0; account < 4; account++) {
        const key = await stage.bidder(`cancels${account}`, 10_000, (index) => ({
          symbol: 'ADAUSDT',
          price: (0.2 + (index % 5_000) / 10_000).toFixed(4),
          quantity: '100.0',
        }))
        keys.push(key)
      }
      return keys
    },
    run: (raid) => {
      const lines = raid.keys.map(() => raid.webSocket(0, TRADING))
      raid.at(0.5, () => {
        for (const [index, key] of raid.keys.entries()) {
          const cancel = raid.message(key, 'openOrders.cancelAll', { symbol: 'ADAUSDT' })
          lines[index]!.write(frameBytes(cancel))
        }
      })
    },
  },
  {
    name: 'stops',
    about: 'wakes a cascade of 3,000 stops by one trade',
    prepare: async (stage) => {
      const count = stage.size(STOPS)
      const filters = [{ filterType: 'MAX_NUM_ALGO_ORDERS', maxNumAlgoOrders: STOPS }]
      await stage.act('symbol-filters', { symbol: 'BNBUSDT', filters: JSON.stringify(filters) })
      const key = await stage.account('stops', { BNB: '1000' })
      const buyer = await stage.account('stopsbuyer', { USDT: '1000000' })
      const common = { symbol: 'BNBUSDT', quantity: '0.010' }
      const limit = { ...common, type: 'LIMIT', timeInForce: 'GTC' }
      await stage.orders(count + 2, (level) => {
        return { key: buyer, side: 'BUY', price: stopAt(level), ...limit }
      })
      // A trade above all stops, since a stop is refused whose price would wake it at once.
      await stage.orders(1, () => ({ key, side: 'SELL', price: stopAt(0), ...limit }))
      await stage.orders(count, (level) => {
        return { key, side: 'SELL', type: 'STOP_LOSS', stopPrice: stopAt(level + 1), ...common }
      })
      return [key]
    },
    run: (raid) => {
      const line = raid.webSocket(0, TRADING)
      const order = { symbol: 'BNBUSDT', side: 'SELL', type: 'MARKET', quantity: '0.010' }
      raid.at(0.4, () => line.write(frameBytes(raid.message(raid.key(), 'order.place', order))))
    },
  },
  {
    name: 'signatures',
    about: 'sends 1,000 wrong RSA and Ed25519 signatures a second',
    addresses: 4,
    prepare: async (stage) => {
      // On another thread: the admin server closes a connection that rests for seconds.
      const rsa = await makeKeys('rsa', { modulusLength: 4_096 })
      const ed25519 = await makeKeys('ed25519', {})
      await stage.account('signatures', {})
      return [
        await stage.publicKey('signatures', 'RSA', pemOf(rsa)),
        await stage.publicKey('signatures', 'ED25519', pemOf(ed25519)),
      ]
    },
    run: (raid) => {
      const lines = many(4, (address) => raid.connect(address))
      const send = (line: Line, kind: number) => {
        const wrong = randomBytes([512, 64][kind]!).toString('base64')
        const query = `timestamp=${Date.now()}&signature=${encodeURIComponent(wrong)}`
        const headers = { 'X-MBX-APIKEY': raid.key(kind).apiKey }
        line.write(requestBytes('GET', `/api/v3/account?${query}`, headers))
      }
      raid.every(20, () => {
        for (const [index, line] of lines.entries()) many(5, () => send(line, index % 2))
      })
    },
  },
  {
    name: 'banned',
    about: 'asks 10,000 times a second for what weighs most, and continues when banned',
    run: (raid) => {
      const burst = repeated(requestBytes('GET', '/api/v3/ticker/24hr'), raid.size(10))
      const lines = many(20, () => raid.connect(0, { againMs: 50 }))
      raid.every(20, () => {
        for (const line of lines) line.write(burst)
      })
    },
  },
  {
    name: 'accepts',
    about: 'opens 300 connections a second and resets them',
    addresses: 2,
    run: (raid) => {
      const first = upgradeBytes('/ws/btcusdt@trade')
      raid.every(20, () => {
        for (let i = 0; i < 6; i++) {
          const line = raid.visit(i % 2, i % 3 === 0 ? { first } : {})
          setTimeout(() => line.reset(), 30)
        }
      })
    },
  },
  {
    name: 'garbage',
    about: 'sends garbage, halves of requests, and heads and bodies of 512 KB',
    run: (raid) => {
      let count = 0
      raid.every(25, () => {
        const line = raid.visit(0, { first: garbage[count++ % garbage.length]!() })
        setTimeout(() => line.reset(), 2_000)
      })
    },
  },
  {
    name: 'forwarded',
    about: 'claims the addresses of others by X-Forwarded-For, beyond its limits',
    run: (raid) => {
      const lines = many(4, () => raid.connect(0))
      const polite = '127.0.0.1'
      let count = 0
      raid.every(10, () => {
        for (const line of lines) {
          const other = `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`
          const claimed = ++count % 2 === 0 ? polite : `${other}, ${polite}`
          const headers = { 'X-Forwarded-For': claimed, Forwarded: `for=${claimed}` }
          line.write(requestBytes('GET', '/api/v3/exchangeInfo', headers))
        }
      })
    },
  },
  {
    name: 'fragments',
    about: 'sends parts of WebSocket messages from 200 sockets and never the last part',
    run: (raid) => {
      const part = 'x'.repeat(1_000)
      const begin = frameBytes(part, Opcode.TEXT, false)
      const next = frameBytes(part, Opcode.CONTINUATION, false)
      // A frame that never comes.
      const announced = frameHead(60_000, Opcode.TEXT)
      for (let i = 0; i < raid.size(200); i++) {
        const isWhole = i % 2 === 0
        const line = raid.webSocket(0, i % 4 < 2 ? '/ws' : TRADING, {
          onReady: (ready) => ready.write(isWhole ? begin : announced),
        })
        const more = isWhole ? next : Buffer.from('x')
        raid.every(500, () => line.write(more))
      }
    },
  },
  {
    name: 'everything',
    about: 'subscribes to all streams of all symbols, and again',
    run: (raid) => {
      const names = streams.flatMap(({ name }) =>
        name.includes('<symbol>') ? SYMBOLS.map((it) => name.replace('<symbol>', it)) : [name],
      )
      many(raid.size(6), () => {
        const line = raid.webSocket(0, '/stream')
        let turn = 0
        raid.every(400, () => {
          const start = (turn * 60) % names.length
          const isSecond = Math.floor((turn * 60) / names.length) % 2 === 1
          const method = isSecond ? 'UNSUBSCRIBE' : 'SUBSCRIBE'
          if (line.write(json({ method, params: names.slice(start, start + 60), id: turn }))) turn++
        })
      })
    },
  },
  {
    name: 'listen-keys',
    about: `makes and ends listen keys of ${KEYS} accounts, and guesses others`,
    addresses: 2,
    prepare: async (stage) => {
      const keys: DemoKey[] = []
      for (let i = 0; i < stage.size(KEYS); i++) keys.push(await stage.account(`listener${i}`, {}))
      return keys
    },
    run: (raid) => {
      const line = raid.connect(0)
      const socket = raid.webSocket(1, '/ws')
      let turn = 0
      raid.every(1_000, () => {
        turn++
        for (const { apiKey } of raid.keys) {
          const method = turn % 2 === 0 ? 'POST' : 'DELETE'
          const headers = { 'X-MBX-APIKEY': apiKey, 'Content-Length': '0' }
          const query = method === 'POST' ? '' : `?listenKey=${guess()}`
          line.write(requestBytes(method, `/api/v3/userDataStream${query}`, headers))
        }
        socket.write(json({ method: 'SUBSCRIBE', params: many(20, guess), id: turn }))
      })
    },
  },
  {
    name: 'parameters',
    about: 'asks with huge numbers, texts and lists, and in microseconds',
    addresses: 2,
    run: (raid) => {
      const line = raid.connect(0)
      const socket = raid.webSocket(1, `${TRADING}?timeUnit=MICROSECOND`)
      let turn = 0
      raid.every(500, () => {
        const headers = { 'X-MBX-TIME-UNIT': 'MICROSECOND' }
        const path = extremePaths[turn % extremePaths.length]!
        line.write(requestBytes('GET', path, headers))
        socket.write(frameBytes(extremeMessages[turn++ % extremeMessages.length]!))
      })
    },
  },
]

/** Throws for a name that is in no row. */
export function attackNamed(name: string): Attack {
  const attack = attacks.find((row) => row.name === name)
  if (attack === undefined) throw new Error(`there is no attack ${name}`)
  return attack
}

/** The index of an attack's first address, counted over all attacks. */
export function firstAddressOf(attack: Attack): number {
  const before = attacks.slice(0, attacks.indexOf(attack))
  return before.reduce((sum, { addresses = 1 }) => sum + addresses, 0)
}
