/** What browsers let pages of other origins read, and which requests they let them send. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../../../src/api/operations/index.ts'
import { ORIGINS_MAX, parseOrigins } from '../../../../src/base/origins.ts'
import { keyOf, limitSettings, OneThreadExchange } from '../../../fixtures/one-thread-exchange.ts'

const DESK = 'https://desk.example'
const STRANGER = 'https://elsewhere.example'

interface Shown {
  readonly origin: string | null
  readonly methods: string | null
  readonly headers: string | null
}

const shownBy = (headers: Headers): Shown => ({
  origin: headers.get('access-control-allow-origin'),
  methods: headers.get('access-control-allow-methods'),
  headers: headers.get('access-control-allow-headers'),
})

describe('an exchange that names an origin', () => {
  let exchange: OneThreadExchange
  beforeAll(async () => {
    exchange = await OneThreadExchange.start({ corsOrigins: `${DESK}, http://localhost:3000` })
  })
  afterAll(() => exchange.close())

  const isPublic = operations.filter(({ security }) => security === 'NONE')
  test.each(isPublic)('lets every page read $method $path', async ({ method, path }) => {
    const init = { headers: { Origin: STRANGER } }
    const { headers } = await exchange.send(method, path, 0, init)
    expect(shownBy(headers)).toEqual({ origin: '*', methods: 'GET, OPTIONS', headers: null })
  })

  const needsKey = operations.filter(({ security }) => security !== 'NONE')
  test.each(needsKey)('lets named pages alone read $method $path', async ({ method, path }) => {
    const from = async (origin: string) => {
      const init = { headers: { Origin: origin, 'X-MBX-APIKEY': keyOf(1).apiKey } }
      return (await exchange.send(method, path, 0, init)).headers
    }
    const named = await from(DESK)
    expect(shownBy(named).origin).toBe(DESK)
    const shown = named.get('access-control-expose-headers')
    for (const name of ['X-RINGBOOK-STAGES', 'X-Ringbook-Fault']) expect(shown).toContain(name)
    const strange = await from(STRANGER)
    expect(shownBy(strange)).toEqual({ origin: null, methods: null, headers: null })
    expect([named.get('vary'), strange.get('vary')]).toEqual(['Origin', 'Origin'])
  })

  const preflights: [path: string, origin: string, shown: Shown][] = [
    [
      '/api/v3/order',
      DESK,
      {
        origin: DESK,
        methods: 'POST, GET, DELETE, OPTIONS',
        headers: 'X-MBX-APIKEY, X-MBX-TIME-UNIT, X-MBX-SBE, X-RINGBOOK-RECEIPT, Content-Type',
      },
    ],
    ['/api/v3/order', STRANGER, { origin: null, methods: null, headers: null }],
    ['/api/v3/order', 'https://desk.example.evil', { origin: null, methods: null, headers: null }],
    ['/api/v3/order', 'http://desk.example', { origin: null, methods: null, headers: null }],
    ['/api/v3/order', 'https://desk.example:8443', { origin: null, methods: null, headers: null }],
    ['/api/v3/order', 'null', { origin: null, methods: null, headers: null }],
    ['/api/v3/depth', STRANGER, { origin: '*', methods: 'GET, OPTIONS', headers: null }],
  ]
  test.each(preflights)('preflight of %s from %s', async (path, origin, shown) => {
    const { status, headers } = await exchange.send('OPTIONS', path, 0, {
      headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
    })
    expect(status).toBe(200)
    expect(shownBy(headers)).toEqual(shown)
  })

  test('has no preflight for a path without operations', async () => {
    const { status } = await exchange.send('OPTIONS', '/api/v3/none', 0)
    expect(status).toBe(404)
  })
})

test('an exchange that names no origin lets no page call with a key', async () => {
  const exchange = await OneThreadExchange.start()
  const asked = { headers: { Origin: DESK } }
  for (const method of ['OPTIONS', 'POST']) {
    const { headers } = await exchange.send(method, '/api/v3/order', 0, asked)
    expect(shownBy(headers).origin).toBeNull()
  }
  await exchange.close()
})

test('preflights are limited like other requests, and pages may read refusals', async () => {
  const limits = limitSettings(['--weight-limit', '2'])
  const exchange = await OneThreadExchange.start({ limits })
  const ask = (method: string, path: string) => exchange.send(method, path, 0)
  expect((await ask('OPTIONS', '/api/v3/order')).status).toBe(200)
  expect((await ask('OPTIONS', '/api/v3/order')).status).toBe(200)
  expect((await ask('OPTIONS', '/api/v3/order')).status).toBe(429)
  const { status, headers } = await ask('GET', '/api/v3/ping')
  expect([status, headers.get('access-control-allow-origin')]).toEqual([429, '*'])
  await exchange.close()
})

test.each<[string, readonly string[] | undefined]>([
  ['', []],
  ['https://desk.example', ['https://desk.example']],
  [' http://localhost:3000 , http://[::1]:80', undefined],
  ['http://localhost:3000, http://[::1]:8080', ['http://localhost:3000', 'http://[::1]:8080']],
  ['*', undefined],
  ['null', undefined],
  ['desk.example', undefined],
  ['https://desk.example/', undefined],
  ['https://desk.example:443', undefined],
  ['https://Desk.example', undefined],
  ['https://desk.example:99999', undefined],
  ['ftp://desk.example', undefined],
  ['https://a.example\r\nX: y', undefined],
])('origins %j', (text, origins) => {
  expect(parseOrigins(text)).toEqual(origins)
})

test('at most so many origins', () => {
  const names = (count: number) => Array.from({ length: count }, (_, i) => `http://h${i}`).join()
  expect(parseOrigins(names(ORIGINS_MAX))).toHaveLength(ORIGINS_MAX)
  expect(parseOrigins(names(ORIGINS_MAX + 1))).toBeUndefined()
})
