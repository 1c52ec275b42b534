/** A third transport beside REST and the WebSocket API: one file (fixtures/line-transport.ts), and no change elsewhere. */
import net from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ManualClock, ManualTime } from '../../../src/base/manual-time.ts'
import { AccountId, Ms } from '../../../src/base/units.ts'
import { readFaultRule } from '../../../src/sandbox/fault-rule.ts'
import { type LineParts, serveLines } from '../../fixtures/line-transport.ts'
import {
  keyOf,
  limitSettings,
  OneThreadExchange,
  queryOf,
  sign,
} from '../../fixtures/one-thread-exchange.ts'

/** Delays last by it; a test moves it. */
const time = new ManualTime(new ManualClock(Ms(0)))
let exchange: OneThreadExchange
let server: net.Server
let client: Client
beforeAll(async () => {
  const limits = limitSettings(['--raw-requests-limit', '1', '--weight-limit', '1000000'])
  exchange = await OneThreadExchange.start({ limits, sandbox: time })
  server = await serveLines(exchange.gateways[0] as unknown as LineParts)
})
beforeEach(() => {
  client = new Client((server.address() as net.AddressInfo).port)
  return () => client.close()
})
afterAll(async () => {
  server.close()
  await exchange.close()
})

class Client {
  private readonly socket: net.Socket
  private readonly lines: string[] = []
  private text = ''
  private take: (() => void) | undefined
  private asked = 0

  constructor(port: number) {
    this.socket = net.connect(port, '127.0.0.1')
    this.socket.on('data', (bytes) => {
      const lines = (this.text + bytes).split('\n')
      this.text = lines.pop()!
      this.lines.push(...lines)
      this.take?.()
    })
  }

  write(line: string): void {
    this.socket.write(`${line}\n`)
  }

  async next(): Promise<string> {
    while (this.lines.length === 0) {
      await new Promise<void>((resolve) => {
        this.take = resolve
      })
    }
    return this.lines.shift()!
  }

  /** Resolves to the answer without its id. */
  async ask(operation: string, key = '-', query = ''): Promise<string> {
    const id = ++this.asked
    this.write([id, operation, key, query].join(' '))
    const line = await this.next()
    expect(line).toMatch(new RegExp(`^${id} `))
    return line.slice(String(id).length + 1)
  }

  signed(account: number, operation: string, params: Record<string, string | number>) {
    const query = queryOf({ ...params, timestamp: exchange.nowMs() })
    return this.ask(operation, keyOf(account).apiKey, `${query}&signature=${sign(account, query)}`)
  }

  order(account: number, side: string, newClientOrderId: string) {
    const terms = { symbol: 'BTCUSDT', side, type: 'LIMIT', timeInForce: 'GTC' }
    const amounts = { price: '100', quantity: '1', newClientOrderId }
    return this.signed(account, 'placeOrder', { ...terms, ...amounts })
  }

  close(): void {
    this.socket.destroy()
  }
}

test('operations answer in its encoding, and count by its limiter', async () => {
  for (let i = 0; i < 3; i++) expect(await client.ask('ping')).toBe('200 ')
  const info = await client.ask('exchangeInfo', '-', 'symbol=BTCUSDT')
  expect(info).toContain('rateLimits.3.rateLimitType=CONNECTIONS')
  expect(await client.order(1, 'SELL', 'one')).toMatch(
    /^200 symbol=BTCUSDT orderId=1 orderListId=-1 clientOrderId=one .* status=NEW /,
  )
  expect(await client.signed(1, 'openOrders', { symbol: 'BTCUSDT' })).toContain(
    '0.clientOrderId=one',
  )
  expect(await client.signed(1, 'cancelOrder', { symbol: 'BTCUSDT', orderId: 1 })).toContain(
    'status=CANCELED',
  )
})

test.each([
  ['an unknown operation', 'nothing', '-', '', '400 code=-1020'],
  ['a parameter', 'depth', '-', 'symbol=NONE', '400 code=-1121'],
  ['a parameter too many', 'ping', '-', 'a=1', '400 code=-1101'],
  ['no key', 'account', '-', 'timestamp=1', '401 code=-2014'],
  ['no time', 'account', keyOf(1).apiKey, 'signature=0', '400 code=-1102'],
])('%s is refused', async (_, operation, key, query, answer) => {
  expect(await client.ask(operation, key, query)).toContain(answer)
})

test('a stream is read in its encoding, until the connection ends', async () => {
  client.write('1 READ btcusdt@trade')
  await client.order(1, 'SELL', 'maker')
  expect(exchange.counter('streamSubscriptions')).toBe(1)
  const other = new Client((server.address() as net.AddressInfo).port)
  await other.order(2, 'BUY', 'taker')
  expect(await client.next()).toMatch(
    /^btcusdt@trade e=trade E=\d+ s=BTCUSDT t=1 p=100.00000000 q=1.00000000 T=\d+ m=false M=true$/,
  )
  other.close()
  client.close()
  await expect.poll(() => exchange.counter('streamSubscriptions')).toBe(0)
})

test('the sandbox delays an answer in its encoding, and a rule for others leaves it alone', async () => {
  const add = (rule: object) =>
    exchange.faults.add([readFaultRule({ name: 'rule', ...rule }, (id) => AccountId(Number(id)))])
  await add({ do: 'answer', status: 500, over: 'rest' })
  expect(await client.ask('ping')).toBe('200 ')
  await exchange.faults.remove(() => true)
  await add({ do: 'delay', way: 'out', ms: 10 })
  client.write('a time')
  const asked = client.next()
  await expect.poll(() => exchange.counter('faultsTouched')).toBe(1)
  time.advance(10)
  expect(await asked).toMatch(/^a 200 serverTime=\d+$/)
  await exchange.faults.remove(() => true)
  await add({ do: 'answer', status: 503, code: -1_000, message: 'so' })
  expect(await client.ask('ping')).toBe('503 code=-1000 msg=so')
})
