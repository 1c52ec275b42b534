/** The bound on what comes before a request's body, shown over a socket. */
import net from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'

const HEADER_BYTES = 8_192
const MORE_THAN_A_READ = 1_048_576
const PIECE_BYTES = 1_024
const PAUSE_MS = 5

let exchange: ExchangeProcess

beforeAll(async () => {
  exchange = await ExchangeProcess.start([...FEW_THREADS, '--header-bytes', String(HEADER_BYTES)])
})
afterAll(() => exchange?.remove())

/** The status of the answer to a request that arrives in pieces; NaN without one. */
async function statusOf(request: string): Promise<number> {
  const socket = net.connect(Number(new URL(exchange.url).port), '127.0.0.1').setNoDelay(true)
  let received = ''
  let isOver = false
  const over = new Promise<void>((resolve) => {
    const end = () => {
      isOver = true
      resolve()
    }
    socket.on('close', end).on('data', (chunk) => {
      received += chunk.toString('latin1')
      end()
    })
  })
  // A reset is one of the ways to be closed.
  socket.on('error', () => {})
  for (let at = 0; at < request.length && !isOver; at += PIECE_BYTES) {
    socket.write(request.slice(at, at + PIECE_BYTES))
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  await over
  socket.destroy()
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1])
}

const inHeader = (bytes: number) =>
  `GET /api/v3/ping HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(bytes)}\r\n\r\n`
test.each<[string, string, number]>([
  ['headers within it', inHeader(HEADER_BYTES - 1_024), 200],
  // Pieces that a busy server reads at once count as one; this is more than it reads at once.
  ['headers over it', inHeader(MORE_THAN_A_READ), 431],
  // uWebSockets.js reads no request line that arrives in pieces: it refuses the first one.
  // The rest is never sent. It could reach a busy server together with the first piece.
  ['the first piece of an address', 'GET /api/v3/pi', 505],
])('%s', async (_, request, status) => {
  expect(await statusOf(request)).toBe(status)
})
