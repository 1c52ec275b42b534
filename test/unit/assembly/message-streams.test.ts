/** Streams in SBE of an exchange within a program: its address, and timers that a virtual clock passes. */
import { createHmac, generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { startHere } from '../../../src/assembly/in-this-process.ts'
import type { EmbeddedExchange } from '../../../src/assembly/options.ts'
import { Pace } from '../../../src/gateway/streams/pace.ts'
import { readMessage } from '../../fixtures/sbe.ts'
import { TestSocket } from '../../fixtures/test-socket.ts'

let exchange: EmbeddedExchange
afterEach(async () => {
  vi.restoreAllMocks()
  await exchange.close()
})

async function keyOf(account: string): Promise<string> {
  const { publicKey } = generateKeyPairSync('ed25519')
  const pem = String(publicKey.export({ type: 'spki', format: 'pem' }))
  const token = readFileSync(path.join(exchange.folder, 'operator-token'), 'utf8').trim()
  const response = await fetch(`${exchange.adminUrl}/actions/key-create`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ account, kind: 'ED25519', 'public-key': pem }),
  })
  const { rows } = (await response.json()) as { rows: readonly { apiKey: string }[] }
  return rows[0]!.apiKey
}

async function buy(): Promise<void> {
  const { apiKey, secretKey } = exchange.accounts.maker!
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '1' }
  const stamped = { ...order, price: '50000', timestamp: String(exchange.clock.now()) }
  const query = new URLSearchParams(stamped).toString()
  const signature = createHmac('sha256', secretKey).update(query).digest('hex')
  const headers = { 'X-MBX-APIKEY': apiKey }
  const path = `/api/v3/order?${query}&signature=${signature}`
  expect((await exchange.fetch(path, { method: 'POST', headers })).status).toBe(200)
}

test('a virtual clock has a tick of 20 ms once a book with a reader has changed', async () => {
  exchange = await startHere({ clock: 'virtual' })
  const headers = { 'X-MBX-APIKEY': await keyOf('maker') }
  const ticks = vi.spyOn(Pace.prototype, 'tick')
  const fastTicks = () =>
    ticks.mock.contexts.splice(0).filter((pace) => (pace as Pace).periodMs === 20).length
  await exchange.clock.advance('10m')
  expect(fastTicks()).toBe(0)
  const socket = await TestSocket.open(`${exchange.sbeUrl}/ws/btcusdt@depth`, { headers })
  await socket.ask({ method: 'LIST_SUBSCRIPTIONS', id: 1 })
  await exchange.clock.advance('10s')
  expect(fastTicks()).toBe(0)
  const beganMs = exchange.clock.now()
  await buy()
  await exchange.clock.advance(40)
  const { name, values } = readMessage(await socket.nextBytes())
  expect(name).toBe('DepthDiffStreamEvent')
  expect(Number(values.eventTime) / 1000 - beganMs).toBe(20)
  expect(fastTicks()).toBe(1)
  socket.close()
  await socket.closed()
  await exchange.clock.advance('10m')
  expect(fastTicks()).toBe(0)
})
