/** Requests that uWebSockets.js refuses by itself, as in docs/clients.md: these tests pin it. */
import net from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OneThreadExchange } from '../../../fixtures/one-thread-exchange.ts'

let exchange: OneThreadExchange

beforeAll(async () => {
  exchange = await OneThreadExchange.start()
})
afterAll(() => exchange.close())

/** Resolves to the status line of the answer, once the server has closed the connection. */
function statusLineOf(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let received = ''
    const socket = net.connect(exchange.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
    })
    socket.on('close', () => resolve(received.split('\r\n')[0]!))
    socket.write(bytes)
  })
}

test.each([
  ['HTTP/1.0', 'GET /api/v3/ping HTTP/1.0\r\nHost: x\r\n\r\n'],
  ['an absolute target', 'GET http://x/api/v3/ping HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['an empty line before it', '\r\nGET /api/v3/ping HTTP/1.1\r\nHost: x\r\n\r\n'],
])('with %s', async (_, bytes) => {
  expect(await statusLineOf(bytes)).toBe('HTTP/1.1 505 HTTP Version Not Supported')
})
