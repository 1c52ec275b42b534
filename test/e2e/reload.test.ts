/** Addresses of the settings file, read again under load: what is counted, what stays, what is refused. */
import { writeFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { eventually } from '../fixtures/eventually.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { act } from './admin-server.ts'

const SOCKETS_MAX = 3
const CLIENTS = 8
const RELOADS = 12
const LOOPBACK = '127.0.0.0/8'

const folder = temporaryFolder()
const file = path.join(folder, 'venue.toml')
let exchange: ExchangeProcess
const sockets = new Set<WebSocket>()

beforeAll(async () => {
  rewrite('')
  exchange = await ExchangeProcess.prepare([
    ...['--config', file, '--limits', 'on', '--gateways', '2'],
    ...['--sockets-per-address', String(SOCKETS_MAX), '--weight-limit', '1000000'],
    ...['--raw-requests-limit', '1000000', '--accepts-per-address', '100000'],
    ...['--connections-limit', '100000'],
  ])
  await exchange.run()
})
afterAll(async () => {
  for (const socket of sockets) socket.terminate()
  await exchange?.remove()
})
beforeEach(async () => {
  await reload('')
})

const rewrite = (text: string) => writeFileSync(file, text)

async function reload(text: string): Promise<string> {
  rewrite(text)
  return (await act(exchange, 'reload', {})).said
}

/** Over a separate connection. Returns the weight that the address has used. */
async function used(forwardedFor = ''): Promise<number> {
  const headers = { Connection: 'close', ...(forwardedFor && { 'X-Forwarded-For': forwardedFor }) }
  const { headers: answered } = await fetch(`${exchange.url}/api/v3/ping`, { headers })
  return Number(answered.get('x-mbx-used-weight-1m'))
}

/** Resolves to undefined when it is refused. */
function open(): Promise<WebSocket | undefined> {
  const socket = new WebSocket(`${exchange.wsUrl}/ws/btcusdt@trade`)
  sockets.add(socket)
  return new Promise((resolve) => {
    socket.once('open', () => resolve(socket))
    socket.once('error', () => resolve(undefined))
  })
}

async function close(opened: readonly (WebSocket | undefined)[]): Promise<void> {
  for (const socket of opened) {
    if (socket === undefined) continue
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.close()
    await closed
  }
}

const openAll = async (count: number) => {
  const opened: (WebSocket | undefined)[] = []
  for (let i = 0; i < count; i++) opened.push(await open())
  return opened
}

test('new requests count by them at every gateway', async () => {
  const [first, second] = [await used(), await used()]
  expect(second).toBe(first + 1)
  expect(await reload(`exempt-addresses = "${LOOPBACK}"`)).toBe(
    `trusted-proxies is as before. exempt-addresses was none, is ${LOOPBACK}. sbe is as before.`,
  )
  for (let i = 0; i < 16; i++) expect(await used()).toBe(1)
  expect(await reload(`trusted-proxies = "${LOOPBACK}"`)).toBe(
    `trusted-proxies was none, is ${LOOPBACK}. exempt-addresses was ${LOOPBACK}, is none. sbe is as before.`,
  )
  for (let i = 1; i <= 16; i++) expect(await used('10.1.2.3')).toBe(i)
  await reload('')
  expect(await used('10.1.2.3')).toBeGreaterThan(second)
})

test('a file with one bad setting changes none', async () => {
  await reload(`exempt-addresses = "${LOOPBACK}"`)
  rewrite(`trusted-proxies = "${LOOPBACK}"\nexempt-addresses = "10.0.0.0/33"`)
  await expect(act(exchange, 'reload', {})).rejects.toThrow(
    `exempt-addresses in ${file} must be addresses or ranges, with commas; it is 10.0.0.0/33.`,
  )
  for (let i = 0; i < 16; i++) expect(await used('10.9.9.9')).toBe(1)
  expect(await reload(`exempt-addresses = "${LOOPBACK}"`)).toContain(
    'exempt-addresses is as before',
  )
})

test('WebSockets are counted as long as they are open, whatever their address is meanwhile', async () => {
  for (let round = 0; round < 2; round++) {
    const counted = await openAll(SOCKETS_MAX)
    await reload(`exempt-addresses = "${LOOPBACK}"`)
    const exempt = await openAll(2)
    await close(counted)
    await reload('')
    await close(exempt)
    // Neither those that left while exempt, nor those that came so, count now.
    const again = await eventually('room for all', async () => {
      const opened = await openAll(SOCKETS_MAX)
      if (opened.every((socket) => socket !== undefined)) return opened
      await close(opened)
      return undefined
    })
    expect(await open()).toBeUndefined()
    await close(again)
  }
})

test('connections stay, and requests in flight are answered', async () => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: CLIENTS })
  let isLoaded = true
  let answers = 0
  const failures: string[] = []
  const ports = new Set<number>()
  const ask = () =>
    new Promise<void>((resolve) => {
      const url = `${exchange.url}/api/v3/depth?symbol=BTCUSDT&limit=1000`
      const request = http.get(url, { agent }, (response) => {
        response.resume()
        response.once('end', () => {
          answers++
          if (response.statusCode !== 200) failures.push(`status ${response.statusCode}`)
          resolve()
        })
      })
      request.once('socket', ({ localPort }) => localPort && ports.add(localPort))
      request.once('error', ({ message }) => {
        failures.push(message)
        resolve()
      })
    })
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (isLoaded) await ask()
  })
  const streams = await openAll(2)
  await eventually('load', () => answers > CLIENTS || undefined)
  for (let i = 0; i < RELOADS; i++) {
    const before = answers
    await reload(i % 2 === 0 ? `exempt-addresses = "${LOOPBACK}"` : `trusted-proxies = "::1"`)
    await eventually('answers behind it', () => answers > before + CLIENTS || undefined)
  }
  isLoaded = false
  await Promise.all(clients)
  agent.destroy()
  expect(failures).toEqual([])
  expect(ports.size).toBeLessThanOrEqual(CLIENTS)
  for (const socket of streams) expect(socket?.readyState).toBe(WebSocket.OPEN)
  await close(streams)
})
