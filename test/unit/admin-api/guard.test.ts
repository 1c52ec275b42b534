/** Which requests the admin server takes, over its own port: Host and Origin, whatever is asked. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import path from 'node:path'
import zlib from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { claimPort } from '../../../scripts/exchange/ports.ts'
import { AdminServer } from '../../../src/admin-api/admin-server.ts'
import { readPageFiles } from '../../../src/base/page-files.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'
import { noFeed } from './no-feed.ts'

const PAGE = '<!doctype html><title>operators</title>'
const port = await claimPort()
const folder = temporaryFolder()
for (const [name, text] of Object.entries({ 'index.html': PAGE, 'console-1.js': 'let x' })) {
  writeFileSync(path.join(folder, name), text)
  writeFileSync(path.join(folder, `${name}.br`), zlib.brotliCompressSync(text))
  writeFileSync(path.join(folder, `${name}.gz`), zlib.gzipSync(text))
}
const door = new AdminServer(readPageFiles(folder))
const acted: string[] = []

beforeAll(async () => {
  await door.listen(port)
  door.ready({
    readCounters: () => [],
    metrics: { text: () => 'up 1\n' },
    actions: {
      ...noFeed,
      knows: () => true,
      answer: async ({ url = '' }) => {
        acted.push(url)
        return [200, {}]
      },
    },
  })
})
afterAll(() => door.close())

type Headers = http.OutgoingHttpHeaders

async function ask(url: string, method: string, headers: Headers) {
  const request = http.request({
    host: '127.0.0.1',
    port,
    path: url,
    method,
    headers,
    agent: false,
  })
  request.end()
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return { status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) }
}

const asked: readonly (readonly [method: string, url: string])[] = [
  ...(['/', '/healthz', '/readyz', '/counters', '/metrics', '/actions', '/whoami'] as const).map(
    (url) => ['GET', url] as const,
  ),
  ...[['GET', '/figures'] as const, ['POST', '/actions/halt'] as const],
  ...[['GET', '/console/console-1.js'] as const, ['GET', '/none'] as const],
]
const own = `127.0.0.1:${port}`
const refused: readonly (readonly [what: string, headers: Headers])[] = [
  ['a name that was made to point here', { Host: 'evil.example' }],
  ['such a name with the port', { Host: `evil.example:${port}` }],
  ['a name that begins like a loopback address', { Host: '127.0.0.1.evil.example' }],
  ['a name that ends like one', { Host: 'evil-localhost' }],
  ['a host with a user', { Host: `localhost@evil.example` }],
  ['another address', { Host: '10.0.0.1:8081' }],
  ['another origin', { Host: own, Origin: 'https://evil.example' }],
  ['the origin of the other port', { Host: own, Origin: 'http://127.0.0.1:8080' }],
  ['an origin of another name of here', { Host: own, Origin: `http://localhost:${port}` }],
  ['an origin that is none', { Host: own, Origin: 'null' }],
  ['a page of another site', { Host: own, 'Sec-Fetch-Site': 'cross-site' }],
  ['a page of the same site', { Host: own, 'Sec-Fetch-Site': 'same-site' }],
  [
    ...(['a frame of another site'] as const),
    { Host: own, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'iframe' },
  ],
]

describe.each(asked)('%s %s', (method, url) => {
  test.each(refused)('is refused to %s', async (_, headers) => {
    const before = acted.length
    const { status, bytes } = await ask(url, method, headers)
    expect(status).toBe(403)
    expect(JSON.parse(bytes.toString())).toEqual({ error: expect.stringMatching(/^[A-Z].*\.$/) })
    expect(acted).toHaveLength(before)
  })

  test.each<readonly [string, Headers]>([
    ['programs', {}],
    ['its own page', { Host: own, Origin: `http://${own}`, 'Sec-Fetch-Site': 'same-origin' }],
    ['a typed address', { Host: own, 'Sec-Fetch-Site': 'none' }],
    ['a tunnel', { Host: 'localhost:9999', Origin: 'http://localhost:9999' }],
    ['a tunnel with TLS', { Host: 'localhost', Origin: 'https://localhost' }],
    ['IPv6', { Host: `[::1]:${port}`, Origin: `http://[::1]:${port}` }],
  ])('is open to %s', async (_, headers) => {
    expect((await ask(url, method, headers)).status).toBe(url === '/none' ? 404 : 200)
  })
})

test('two hosts are refused, an empty one, and a request without any', async () => {
  for (const hosts of [`Host: ${own}\r\nHost: ${own}\r\n`, 'Host: \r\n', '']) {
    const socket = net.connect(port, '127.0.0.1')
    socket.end(`GET /healthz HTTP/1.0\r\n${hosts}\r\n`)
    let text = ''
    for await (const chunk of socket) text += String(chunk)
    expect(text).toMatch(/^HTTP\/1\.1 40[03] /)
  }
})

describe('the screen', () => {
  test('a link elsewhere opens the page, and nothing else', async () => {
    const linked = { Host: own, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'document' }
    const { status, headers, bytes } = await ask('/', 'GET', linked)
    expect([status, bytes.toString()]).toEqual([200, PAGE])
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self';")
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect((await ask('/', 'POST', linked)).status).toBe(403)
    expect((await ask('/metrics', 'GET', linked)).status).toBe(403)
  })

  test.each([
    ['br', zlib.brotliDecompressSync],
    ['gzip', zlib.gunzipSync],
  ])('its files are compressed by %s', async (encoding, decode) => {
    const accepted = { 'Accept-Encoding': encoding }
    const { headers, bytes } = await ask('/console/console-1.js', 'GET', accepted)
    expect([headers['content-encoding'], decode(bytes).toString()]).toEqual([encoding, 'let x'])
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    const head = await ask('/console/console-1.js', 'HEAD', accepted)
    expect([head.bytes.length, head.headers['content-length']]).toEqual([0, String(bytes.length)])
  })

  test('a file that the browser has is not sent again', async () => {
    const { headers } = await ask('/', 'GET', {})
    const again = await ask('/', 'GET', { 'If-None-Match': headers.etag! })
    expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, headers.etag])
  })
})
