/** The console's files over the wire, and who is offered the demo's keys. */
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import http, { type IncomingHttpHeaders } from 'node:http'
import net from 'node:net'
import path from 'node:path'
import zlib from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DOCS_ROOT, readPageFiles } from '../../../../src/base/page-files.ts'
import { type BrowserRequest, isOwnBrowser } from '../../../../src/gateway/http/demo-sign-in.ts'
import { GLANCE_EVERY } from '../../../../src/gateway/limits/forwarding-watch.ts'
import { keyOf, limitSettings, OneThreadExchange } from '../../../fixtures/one-thread-exchange.ts'
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts'

const SCRIPT = `console.log(${JSON.stringify('x'.repeat(5_000))})`
const PAGE = '<!doctype html><title>console</title>'
const demoKeys = [1, 2].map((id) => ({
  account: `account${id}`,
  apiKey: keyOf(id).apiKey,
  secretKey: keyOf(id).secretKey,
}))

const DOCS = {
  'index.html': '<h1>',
  'api/errors.html': '<h2>',
  'llms.txt': '# x',
  'assets/a-1.png': '',
}

const folder = temporaryFolder()
let exchange: OneThreadExchange

beforeAll(async () => {
  writeForms('index.html', PAGE)
  writeForms('console-1.js', SCRIPT)
  for (const [name, text] of Object.entries(DOCS)) writeForms(`docs/${name}`, text)
  const docs = readPageFiles(path.join(folder, 'docs'), DOCS_ROOT)
  const unknown = { account: 'gone', apiKey: 'z'.repeat(64), secretKey: 's' }
  const console = { files: readPageFiles(folder), docs, demoKeys: [...demoKeys, unknown] }
  exchange = await OneThreadExchange.start({ console })
})
afterAll(() => exchange.close())

function writeForms(name: string, text: string): void {
  const file = path.join(folder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
  if (name.endsWith('.png')) return
  writeFileSync(`${file}.br`, zlib.brotliCompressSync(text))
  writeFileSync(`${file}.gz`, zlib.gzipSync(text))
}

interface Got {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

async function ask(
  method: string,
  url: string,
  headers: Record<string, string> = {},
  port = exchange.port,
): Promise<Got> {
  const request = http.request({ host: '127.0.0.1', port, path: url, method, headers }).end()
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const { statusCode = 0 } = response
  return { status: statusCode, headers: response.headers, bytes: Buffer.concat(chunks) }
}

describe('files', () => {
  test.each([
    ['', undefined, (bytes: Buffer) => bytes],
    ['gzip', 'gzip', zlib.gunzipSync],
    ['gzip, deflate, br', 'br', zlib.brotliDecompressSync],
    ['br;q=0, gzip;q=0.5', 'gzip', zlib.gunzipSync],
    ['br;q=0.000', undefined, (bytes: Buffer) => bytes],
  ])('are sent as %j takes them', async (accepted, encoding, decode) => {
    const headers = { 'Accept-Encoding': accepted }
    const { status, headers: got, bytes } = await ask('GET', '/console/console-1.js', headers)
    expect([status, got['content-encoding']]).toEqual([200, encoding])
    expect(decode(bytes).toString()).toBe(SCRIPT)
    expect(got['content-type']).toBe('text/javascript;charset=UTF-8')
    expect(got['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(got.vary).toBe('Accept-Encoding')
  })

  test('the page runs its own script only, and is asked for again each time', async () => {
    const { headers, bytes } = await ask('GET', '/', { Accept: 'text/html' })
    expect(bytes.toString()).toBe(PAGE)
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self';")
    expect(headers['content-security-policy']).not.toContain('unsafe')
    expect(headers['cache-control']).toBe('no-cache')
  })

  test('a file that the browser has is not sent again', async () => {
    const { headers } = await ask('GET', '/', { Accept: 'text/html' })
    const tag = headers.etag!
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
      const again = await ask('GET', '/', { Accept: 'text/html', 'If-None-Match': known })
      expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, tag])
    }
    const other = await ask('GET', '/', { Accept: 'text/html', 'If-None-Match': '"other"' })
    expect(other.status).toBe(200)
  })

  test.each(['/', '/console/console-1.js'])('HEAD %s tells what GET would send', async (url) => {
    const get = await ask('GET', url, { Accept: 'text/html' })
    const head = await ask('HEAD', url, { Accept: 'text/html' })
    expect([head.status, head.bytes.length]).toEqual([200, 0])
    expect(head.headers['content-length']).toBe(String(get.bytes.length))
    expect(head.headers.etag).toBe(get.headers.etag)
  })

  test.each([
    '/console/',
    '/console/console-2.js',
    '/console/console-1.js.br',
    '/console/../x',
  ])('there is no %s', async (url) => {
    expect((await ask('GET', url)).status).toBe(404)
  })

  test('clients that are no browser still get the names of addresses', async () => {
    const { headers, bytes } = await ask('GET', '/', { Accept: '*/*' })
    expect(headers['content-type']).toContain('application/json')
    expect(JSON.parse(bytes.toString())).toMatchObject({ name: 'Ringbook', rest: '/api/v3' })
  })
})

describe('documents', () => {
  test.each([
    ['/docs', 'text/html;charset=UTF-8', 'no-cache'],
    ['/docs/api/errors', 'text/html;charset=UTF-8', 'no-cache'],
    ['/docs/llms.txt', 'text/plain;charset=UTF-8', 'no-cache'],
    ['/llms.txt', 'text/plain;charset=UTF-8', 'no-cache'],
    ['/docs/assets/a-1.png', 'image/png', 'public, max-age=31536000, immutable'],
  ])('%s is %s', async (url, type, kept) => {
    const { status, headers } = await ask('GET', url, { 'Accept-Encoding': 'br' })
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, type, kept])
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['content-encoding']).toBe(type === 'image/png' ? undefined : 'br')
    const policy = headers['content-security-policy']
    if (!type.startsWith('text/html')) expect(policy).toBeUndefined()
    else expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/)
  })

  test.each([
    '/docs/index',
    '/docs/api',
    '/docs/api/errors.html',
    '/docs/none',
  ])('there is no %s', async (url) => {
    expect((await ask('GET', url)).status).toBe(404)
  })
})

test('files are limited like the lightest request, and a folder without them serves none', async () => {
  const limits = limitSettings(['--weight-limit', '1'])
  const limited = await OneThreadExchange.start({
    limits,
    console: { files: readPageFiles(folder), docs: [], demoKeys: [] },
  })
  const load = () => ask('GET', '/console/console-1.js', {}, limited.port)
  expect([(await load()).status, (await load()).status]).toEqual([200, 429])
  await limited.close()
  expect(readPageFiles(path.join(folder, 'none'))).toEqual([])
})

test('a ban does not keep the page from a browser on this machine', async () => {
  const limits = limitSettings(['--weight-limit', '1', '--ban-after', '1'])
  const banning = await OneThreadExchange.start({
    limits,
    console: { files: readPageFiles(folder), docs: [], demoKeys: [] },
  })
  const load = async (path: string, headers: Record<string, string> = {}) =>
    (await ask('GET', path, { Accept: 'text/html', ...headers }, banning.port)).status
  while ((await load('/api/v3/ping')) !== 418) {}
  expect([await load('/'), await load('/console/console-1.js')]).toEqual([200, 200])
  expect(await load('/', { Host: 'exchange.example' })).toBe(418)
  expect(await load('/', { 'X-Forwarded-For': '10.1.2.3' })).toBe(418)
  expect([await load('/api/v3/ping'), await load('/openapi.json')]).toEqual([418, 418])
  await banning.close()
})

test('pages of other origins may read the documents', async () => {
  for (const url of ['/openapi.json', '/docs', '/docs/llms.txt', '/docs/assets/a-1.png', '/']) {
    const { status, headers } = await ask('GET', url, { Origin: 'https://desk.example' })
    expect([url, status, headers['access-control-allow-origin']]).toEqual([url, 200, '*'])
  }
  const page = await ask('GET', '/', { Accept: 'text/html', Origin: 'https://desk.example' })
  expect(page.headers['access-control-allow-origin']).toBeUndefined()
})

test('a client that reads nothing holds no more than it may', async () => {
  const limits = limitSettings(['--limits', 'off', '--unread-mb-per-address', '1'])
  const console = { files: readPageFiles(folder), docs: [], demoKeys: [] }
  const bounded = await OneThreadExchange.start({ limits, console })
  const socket = net.connect(bounded.port, '127.0.0.1').pause()
  await once(socket, 'connect')
  const asked = 'HEAD /console/console-1.js HTTP/1.1\r\nHost: x\r\n\r\n'
  for (let i = 0; i < 100; i++) socket.write(asked.repeat(100))
  expect((await ask('GET', '/api/v3/ping', {}, bounded.port)).status).toBe(200)
  socket.destroy()
  await bounded.close()
})

describe("the demo's keys", () => {
  const local = (port: number) => ({
    Host: `127.0.0.1:${port}`,
    Origin: `http://127.0.0.1:${port}`,
    'Sec-Fetch-Site': 'same-origin',
  })
  const keys = async (headers: Record<string, string>) =>
    JSON.parse((await ask('POST', '/console/demo-keys', headers)).bytes.toString())

  test('are offered to the console on this machine, through a tunnel too', async () => {
    expect(await keys(local(exchange.port))).toEqual(demoKeys)
    expect(await keys(local(9_999))).toEqual(demoKeys)
    const { headers } = await ask('POST', '/console/demo-keys', local(exchange.port))
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })

  test('are offered to no other request', async () => {
    expect(await keys({ Host: 'localhost', Origin: 'http://evil.example' })).toEqual([])
    expect((await ask('GET', '/console/demo-keys', local(exchange.port))).status).toBe(404)
    expect(await keys(local(exchange.port))).toEqual(demoKeys)
  })

  test.each<[path: string, headers: Record<string, string>]>([
    ['/console/demo-keys', { 'X-Forwarded-For': '127.0.0.1' }],
    ['/console/console-1.js', { 'X-Forwarded-Proto': 'https' }],
    ['/docs', { Via: '1.1 proxy' }],
    ['/none', { Host: 'exchange.example' }],
    ['/', { 'X-Envoy-External-Address': '10.0.0.1' }],
    ['/api/v3/ping', { Forwarded: 'for=10.0.0.1' }],
    ['/api/v3/account', { 'X-Forwarded-For': '10.0.0.1' }],
    ['/api/v3/time', { Host: '10.0.0.1:8080' }],
    ['/ringbook/role', { 'X-Real-IP': '10.0.0.1' }],
  ])('are offered no more once %s was forwarded with %j', async (path, headers) => {
    const console = { files: readPageFiles(folder), docs: [], demoKeys }
    const forwarded = await OneThreadExchange.start({ console })
    const { port } = forwarded
    const offered = async () =>
      JSON.parse((await ask('POST', '/console/demo-keys', local(port), port)).bytes.toString())
    await ask('GET', '/api/v3/ping', { Host: `localhost:${port}` }, port)
    expect(await offered()).toEqual(demoKeys)
    const method = path === '/console/demo-keys' ? 'POST' : 'GET'
    const times = path.startsWith('/api/') ? GLANCE_EVERY : 1
    for (let i = 0; i < times; i++) await ask(method, path, headers, port)
    expect(await offered()).toEqual([])
    await forwarded.close()
  })

  test('are offered no more once a WebSocket was forwarded', async () => {
    const console = { files: [], docs: [], demoKeys }
    const forwarded = await OneThreadExchange.start({ console })
    const { port } = forwarded
    const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' }
    const key = { 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' }
    const headers = { ...upgrade, ...key, 'X-Forwarded-For': '10.0.0.1' }
    const request = http.request({ host: '127.0.0.1', port, path: '/ws', headers }).end()
    const [, socket] = (await once(request, 'upgrade')) as [unknown, net.Socket]
    const { bytes } = await ask('POST', '/console/demo-keys', local(port), port)
    expect(JSON.parse(bytes.toString())).toEqual([])
    socket.destroy()
    await forwarded.close()
  })

  const ipv4 = (...bytes: number[]) => Uint8Array.from(bytes)
  const here = ipv4(127, 0, 0, 1)
  const usual: [string, string][] = [
    ['host', 'localhost:8080'],
    ['origin', 'http://localhost:8080'],
    ['sec-fetch-site', 'same-origin'],
  ]
  const without = (name: string) => usual.filter(([it]) => it !== name)
  const changed = (name: string, value: string) => [...without(name), [name, value] as const]
  const request = (more: Partial<BrowserRequest>): BrowserRequest => ({
    peer: here,
    hasPreamble: false,
    headers: usual,
    ...more,
  })

  test.each<[name: string, more: Partial<BrowserRequest>, isOffered: boolean]>([
    ['a browser on this machine', {}, true],
    ['the same over IPv6', { peer: Uint8Array.from([...new Uint8Array(15), 1]) }, true],
    ['one that names no fetch site', { headers: without('sec-fetch-site') }, true],
    ['a tunnel that ends in https', { headers: changed('origin', 'https://localhost:8080') }, true],
    ['a peer elsewhere', { peer: ipv4(192, 168, 1, 7) }, false],
    ['a PROXY header', { hasPreamble: true }, false],
    [
      'a name that was made to point here',
      {
        headers: [
          ['host', 'evil.example:8080'],
          ['origin', 'http://evil.example:8080'],
        ],
      },
      false,
    ],
    ['a name that only begins well', { headers: changed('host', 'localhost.evil.example') }, false],
    ['another origin', { headers: changed('origin', 'http://evil.example') }, false],
    [
      'another origin on this machine',
      { headers: changed('origin', 'http://localhost:3000') },
      false,
    ],
    ['a sandboxed page', { headers: changed('origin', 'null') }, false],
    ['no origin', { headers: without('origin') }, false],
    ['no host', { headers: without('host') }, false],
    ['two hosts', { headers: [...usual, ['host', 'localhost:8080']] }, false],
    ['two origins', { headers: [...usual, ['origin', 'http://localhost:8080']] }, false],
    ['a cross-site fetch', { headers: changed('sec-fetch-site', 'cross-site') }, false],
    ['a same-site fetch', { headers: changed('sec-fetch-site', 'same-site') }, false],
    ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'via']
      .concat('x-real-ip', 'cf-connecting-ip', 'true-client-ip', 'x-original-host')
      .map((name): [string, Partial<BrowserRequest>, boolean] => [
        `a proxy that adds ${name}`,
        { headers: [...usual, [name, '127.0.0.1']] },
        false,
      ]),
  ])('%s', (_, more, isOffered) => {
    expect(isOwnBrowser(request(more))).toBe(isOffered)
  })
})
