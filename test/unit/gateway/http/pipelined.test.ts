/** Requests that follow on a connection before the response to the one before: uWebSockets.js closes it. */
import net from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../../../fixtures/eventually.ts'
import { keyOf, OneThreadExchange, queryOf, sign } from '../../../fixtures/one-thread-exchange.ts'

let exchange: OneThreadExchange

beforeEach(async () => {
  exchange = await OneThreadExchange.start()
})
afterEach(async () => {
  await exchange.close()
})

/** The bytes of one request of account 1. */
function requestOf(method: string, path: string, params: Record<string, string> = {}): string {
  const query = queryOf({ ...params, timestamp: exchange.nowMs() })
  const address = `${path}?${query}&signature=${sign(1, query)}`
  const headers = `Host: exchange\r\nX-MBX-APIKEY: ${keyOf(1).apiKey}\r\nContent-Length: 0\r\n`
  return `${method} ${address} HTTP/1.1\r\n${headers}\r\n`
}

const order = (newClientOrderId: string): string =>
  requestOf('POST', '/api/v3/order', {
    symbol: 'BTCUSDT',
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: 'GTC',
    price: '100.00',
    quantity: '1.00000',
    newClientOrderId,
  })

const ping = 'GET /api/v3/ping HTTP/1.1\r\nHost: exchange\r\n\r\n'

/** A connection, and what came over it. */
class Wire {
  received = ''
  isClosed = false
  private readonly socket = net.connect(exchange.port, '127.0.0.1')

  constructor() {
    this.socket.on('data', (chunk) => {
      this.received += chunk.toString('latin1')
    })
    // A reset is one of the ways to be closed.
    this.socket.on('error', () => {})
    this.socket.on('close', () => {
      this.isClosed = true
    })
  }

  send(bytes: string): void {
    this.socket.write(bytes)
  }

  get statuses(): readonly string[] {
    return [...this.received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status!)
  }

  /** Resolves when the server has closed it. */
  closed(): Promise<boolean> {
    return eventually('the end', () => this.isClosed || undefined)
  }

  answers(count: number): Promise<boolean> {
    return eventually('answers', () => this.statuses.length === count || undefined)
  }

  end(): void {
    this.socket.destroy()
  }
}

async function openIds(): Promise<readonly string[]> {
  const { body } = await exchange.signed(1, 'GET', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
  return (body as unknown as { clientOrderId: string }[]).map(({ clientOrderId }) => clientOrderId)
}

describe('while an order waits for its response', () => {
  test.each([
    ['another order', () => order('second')],
    ['a query of memory', () => ping],
  ])('%s closes the connection, and the first order stands', async (_, next) => {
    exchange.pause()
    const wire = new Wire()
    wire.send(order('first') + next())
    await wire.closed()
    expect(wire.received).toBe('')
    exchange.resume()
    expect(await openIds()).toEqual(['first'])
  })

  test('a later packet does the same', async () => {
    exchange.pause()
    const wire = new Wire()
    wire.send(order('first'))
    await eventually('the first one waits', () => exchange.waiting() === 1 || undefined)
    wire.send(order('second'))
    await wire.closed()
    exchange.resume()
    expect(await openIds()).toEqual(['first'])
  })
})

test('requests that are answered at once may follow each other', async () => {
  const wire = new Wire()
  wire.send(ping.repeat(3) + order('last'))
  await wire.answers(4)
  expect(wire.statuses).toEqual(Array(4).fill('200'))
  expect(wire.isClosed).toBe(false)
  wire.end()
})

test('a request that follows the response keeps the connection', async () => {
  const wire = new Wire()
  for (const [count, name] of ['first', 'second'].entries()) {
    wire.send(order(name))
    await wire.answers(count + 1)
  }
  expect(wire.isClosed).toBe(false)
  expect(await openIds()).toEqual(['first', 'second'])
  wire.end()
})
