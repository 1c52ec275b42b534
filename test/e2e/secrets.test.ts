/** A day of use, and then a search: no secret stands in a log, a metric or a file that is not its own. */
import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { eventually } from '../fixtures/eventually.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'
import { operate } from './command-line.ts'

/** Files that hold secrets: the keys of the demo, what encrypts the others, the operator's token. */
const OWN_FILES = ['demo-keys.json', 'secret.key', 'operator-token']

let exchange: ExchangeProcess
beforeAll(async () => {
  exchange = await ExchangeProcess.start([...FEW_THREADS, '--log-level', 'trace', '--limits', 'on'])
})
afterAll(() => exchange?.remove())

/** Where each of the texts stands, as it is or as bytes that it may be kept as. */
function findIn(name: string, bytes: Buffer, secrets: ReadonlyMap<string, string>): string[] {
  return Array.from(secrets, ([what, secret]) => {
    const forms = [Buffer.from(secret), Buffer.from(secret, 'hex'), Buffer.from(secret, 'base64')]
    const isThere = forms.some((form) => form.length >= 16 && bytes.includes(form))
    return isThere ? `${what} in ${name}` : ''
  }).filter((found) => found !== '')
}

test('secrets stand in their own files and nowhere else', async () => {
  const secrets = new Map<string, string>()
  for (const { account, secretKey } of Object.values(exchange.keys())) {
    secrets.set(`the secret of ${account}`, secretKey)
  }
  const token = readFileSync(path.join(exchange.data, 'operator-token'), 'utf8').trim()
  secrets.set('the token', token)

  await operate(exchange, 'account-open', 'newcomer')
  const [created] = await operate(exchange, 'key-create', 'newcomer')
  secrets.set('the secret that was shown once', created!.secretKey!)

  const key = exchange.keys().maker!
  const client = new SignedClient(exchange.url, key)
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', price: 40_000 }
  expect((await client.send('POST', '/api/v3/order', { ...order, quantity: 0.01 })).status).toBe(
    200,
  )
  expect((await client.send('POST', '/api/v3/order', { ...order, quantity: 0 })).status).toBe(400)
  const query = `timestamp=${Date.now()}`
  const signature = createHmac('sha256', key.secretKey).update(query).digest('hex')
  secrets.set('a signature', signature)
  const headers = { 'X-MBX-APIKEY': key.apiKey }
  const url = `${exchange.url}/api/v3/account?${query}&signature=${signature}`
  expect((await fetch(url, { headers })).status).toBe(200)
  const wrong = `${exchange.url}/api/v3/account?timestamp=1&signature=${signature}`
  expect((await fetch(wrong, { headers })).status).toBe(400)
  await eventually('the order in the archive', async () => {
    const { body } = await client.send('GET', '/api/v3/allOrders', { symbol: 'BTCUSDT' })
    return (body as unknown as unknown[]).length > 0 || undefined
  })
  const authorization = { Authorization: `Bearer ${token}` }
  const metrics = await fetch(`http://127.0.0.1:${exchange.adminPort}/metrics`, {
    headers: authorization,
  })
  expect(metrics.status).toBe(200)
  const metricsText = await metrics.text()
  const { output, code } = await exchange.stop()
  expect(code).toBe(0)

  const files = readdirSync(exchange.data, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(path.join(exchange.data, name)).isFile(),
  )
  expect(files).toEqual(expect.arrayContaining(OWN_FILES))
  const found = [
    ...findIn('the log', Buffer.from(output), secrets),
    ...findIn('the metrics', Buffer.from(metricsText), secrets),
    ...files
      .filter((name) => !OWN_FILES.includes(name))
      .flatMap((name) => findIn(name, readFileSync(path.join(exchange.data, name)), secrets)),
  ]
  expect(found).toEqual([])
  for (const name of OWN_FILES) {
    expect(statSync(path.join(exchange.data, name)).mode & 0o077, name).toBe(0)
  }
})
