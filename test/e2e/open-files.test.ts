/** Clients that take file handles cannot take those of the journals. */
import { readdirSync } from 'node:fs'
import { Agent, request } from 'node:http'
import net from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { eventually } from '../fixtures/eventually.ts'

const FILES_MAX = 512
const SILENT = 700

let exchange: ExchangeProcess
beforeAll(async () => {
  exchange = await ExchangeProcess.prepare(['--limits', 'on', '--snapshot-minutes', '1'])
  exchange.filesMax = FILES_MAX
  await exchange.run()
})
afterAll(() => exchange.remove())

/** Between two requests, so that a minute of them weighs less than the limit. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 50))
const handles = () => readdirSync(`/proc/${exchange.pid}/fd`).length
const silent = (index: number) =>
  net
    .connect({
      port: exchange.port,
      host: '127.0.0.1',
      localAddress: `127.0.1.${1 + (index % 10)}`,
    })
    .on('error', () => {})

test('700 silent connections from ten addresses leave room for files, and orders continue', async () => {
  expect(exchange.output).toContain('"sockets":192,"openFilesMax":512')
  const { apiKey } = exchange.keys().maker!
  const maker = new SignedClient(exchange.url, exchange.keys().maker!)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
  const ask = (method: string, target: string) =>
    new Promise<number>((resolve, reject) => {
      const options = { method, agent, headers: { 'X-MBX-APIKEY': apiKey } }
      const asked = request(`${exchange.url}${target}`, options, (response) => {
        response.resume()
        response.once('end', () => resolve(response.statusCode!))
      })
      asked.once('error', reject)
      asked.end()
    })
  const place = () =>
    ask('POST', `/api/v3/order?${maker.sign({ ...order, price: '100', quantity: '1' })}`)
  // Its connection is open before the others come, and stays.
  expect(await place()).toBe(200)
  const before = handles()
  const sockets = Array.from({ length: SILENT }, (_, index) => silent(index))
  let closed = 0
  for (const socket of sockets) socket.on('close', () => closed++)
  /** It is not silent, whatever time this takes. */
  const closedUntil = (count: number) =>
    eventually(`${count} closed connections`, async () => {
      expect(await ask('GET', '/api/v3/ping')).toBe(200)
      await pause()
      return closed >= count || undefined
    })
  await closedUntil(SILENT - 192)
  expect(handles()).toBeLessThan(before + 192 + 16)
  for (let i = 0; i < 5; i++) expect(await place()).toBe(200)
  // The snapshot and what the checkpointer opens found room; silence ends after ten seconds.
  await closedUntil(SILENT)
  expect(await place()).toBe(200)
  expect(exchange.output).not.toMatch(/"level":[56]0/)
  agent.destroy()
  expect((await exchange.stop()).code).toBe(0)
})

test('one address takes a quarter of them', async () => {
  await exchange.run()
  const sockets = Array.from({ length: SILENT }, () => silent(0))
  let closed = 0
  for (const socket of sockets) socket.on('close', () => closed++)
  await expect.poll(() => closed).toBeGreaterThanOrEqual(SILENT - 2 * 48)
  expect((await fetch(`${exchange.url}/api/v3/ping`)).status).toBe(200)
  for (const socket of sockets) socket.destroy()
})

test('a limit that leaves no room is refused in one sentence', async () => {
  const small = await ExchangeProcess.prepare()
  small.filesMax = 200
  const { code, output } = await small.launch()
  expect([code, output]).toEqual([
    1,
    'The limit of 200 open files is too low for 2 gateways and 2 matchers: raise it to at ' +
      'least 336 (ulimit -n).\n',
  ])
  await small.remove()
})
