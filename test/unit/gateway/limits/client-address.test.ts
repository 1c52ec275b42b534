/** Whose address counts: by headers and peers as tables, and behind proxies on real sockets. */

import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import net from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { parseAddressRanges } from '../../../../src/base/address-range.ts'
import { ClientAddresses } from '../../../../src/gateway/limits/client-address.ts'
import {
  keyOf,
  limitSettings,
  OneThreadExchange,
  queryOf,
  sign,
} from '../../../fixtures/one-thread-exchange.ts'

const TRUSTED = '10.0.0.0/8, fd00::/8'
const bytesOf = (text: string) => parseAddressRanges(text)![0]!.bytes
const ipv4 = (text: string) => Uint8Array.from(text.split('.'), Number).buffer
const peerOf = (text: string) =>
  text.includes(':') ? Uint8Array.from(bytesOf(text)).buffer : ipv4(text)

/** What the client's address is for this peer, these headers and this PROXY header. */
function clientOf(
  peer: string,
  forwarded: readonly string[],
  proxied = '',
  readsPreambles = true,
): string {
  const response = {
    getRemoteAddress: () => peerOf(peer),
    getProxiedRemoteAddress: () => (proxied === '' ? new ArrayBuffer(0) : peerOf(proxied)),
  } as unknown as HttpResponse
  const request = {
    forEach: (take: (name: string, value: string) => void) => {
      take('host', 'x')
      for (const value of forwarded) take('x-forwarded-for', value)
    },
  } as unknown as HttpRequest
  const address = new ClientAddresses(TRUSTED, readsPreambles).of(response, request)
  return Buffer.from(address).toString('hex')
}
const hexOf = (address: string) => Buffer.from(bytesOf(address)).toString('hex')
/** 4 bytes are the same address as 16 that map them. */
const same = (hex: string) => (hex.length === 8 ? `00000000000000000000ffff${hex}` : hex)

describe('the client of', () => {
  test.each<[what: string, peer: string, forwarded: string[], client: string]>([
    ['a peer that is not trusted', '1.2.3.4', ['9.9.9.9'], '1.2.3.4'],
    ['a trusted peer that says nothing', '10.1.1.1', [], '10.1.1.1'],
    ['one entry', '10.1.1.1', ['9.9.9.9'], '9.9.9.9'],
    [
      'the rightmost entry, whatever a client wrote before',
      '10.1.1.1',
      ['8.8.8.8, 9.9.9.9'],
      '9.9.9.9',
    ],
    ['proxies behind each other', '10.1.1.1', ['9.9.9.9, 10.2.2.2,10.3.3.3'], '9.9.9.9'],
    ['trusted hops alone', '10.1.1.1', ['10.4.4.4 , 10.2.2.2'], '10.4.4.4'],
    ['several headers', '10.1.1.1', ['8.8.8.8', '9.9.9.9'], '9.9.9.9'],
    ['several headers, the last of a proxy', '10.1.1.1', ['9.9.9.9', '10.2.2.2'], '9.9.9.9'],
    ['IPv6', '10.1.1.1', ['2001:db8::1'], '2001:db8::1'],
    ['IPv6 with a port', '10.1.1.1', ['[2001:db8::1]:443'], '2001:db8::1'],
    ['IPv6 in brackets', '10.1.1.1', ['[2001:db8::1]'], '2001:db8::1'],
    ['IPv4 with a port', '10.1.1.1', ['9.9.9.9:80'], '9.9.9.9'],
    ['a mapped entry', '10.1.1.1', ['::ffff:9.9.9.9'], '9.9.9.9'],
    ['a mapped peer', '::ffff:10.1.1.1', ['9.9.9.9'], '9.9.9.9'],
    ['a peer of IPv6', 'fd00::1', ['9.9.9.9'], '9.9.9.9'],
    ['spaces', '10.1.1.1', ['   8.8.8.8 ,   9.9.9.9   '], '9.9.9.9'],
    ['garbage', '10.1.1.1', ['unknown'], '10.1.1.1'],
    ['garbage left of the client', '10.1.1.1', ['x, 9.9.9.9'], '9.9.9.9'],
    ['garbage right of the client', '10.1.1.1', ['9.9.9.9, x'], '10.1.1.1'],
    ['garbage behind a proxy', '10.1.1.1', ['9.9.9.9, x, 10.2.2.2'], '10.2.2.2'],
    ['an empty entry', '10.1.1.1', ['9.9.9.9,'], '10.1.1.1'],
    ['nothing but commas', '10.1.1.1', [',,,'], '10.1.1.1'],
    ['a number that is no address', '10.1.1.1', ['9.9.9.999'], '10.1.1.1'],
    ['a zone', '10.1.1.1', ['fe80::1%eth0'], '10.1.1.1'],
    ['a bracket that does not end', '10.1.1.1', ['[2001:db8::1'], '10.1.1.1'],
    ['an address of 100,000 characters', '10.1.1.1', ['9'.repeat(100_000)], '10.1.1.1'],
  ])('%s', (_, peer, forwarded, client) => {
    expect(same(clientOf(peer, forwarded))).toBe(hexOf(client))
  })

  test.each<[string, string, string, string[], boolean, string]>([
    ['a trusted peer', '10.1.1.1', '9.9.9.9', [], true, '9.9.9.9'],
    ['a trusted peer, of IPv6', '10.1.1.1', '2001:db8::2', [], true, '2001:db8::2'],
    ['anyone else', '1.2.3.4', '9.9.9.9', [], true, '1.2.3.4'],
    ['a client that forwards itself', '10.1.1.1', '9.9.9.9', ['7.7.7.7'], true, '9.9.9.9'],
    ['a proxy that names a proxy', '10.1.1.1', '10.2.2.2', ['7.7.7.7'], true, '7.7.7.7'],
    ['a peer under TLS', '10.1.1.1', '9.9.9.9', [], false, '10.1.1.1'],
  ])('a PROXY header of %s', (_, peer, proxied, forwarded, reads, client) => {
    expect(same(clientOf(peer, forwarded, proxied, reads))).toBe(hexOf(client))
  })
})

let exchange: OneThreadExchange
afterEach(() => exchange?.close())
const begin = async (flags: string, keys: Parameters<typeof OneThreadExchange.start>[0] = {}) => {
  exchange = await OneThreadExchange.start({ ...keys, limits: limitSettings(flags.split(' ')) })
}

/** A PROXY header, version 2, of TCP over IPv4. */
function preamble(client: string): Buffer {
  const head = Buffer.from('0d0a0d0a000d0a515549540a2111000c', 'hex')
  return Buffer.concat([head, new Uint8Array(ipv4(client)), Buffer.from('7f00000110102020', 'hex')])
}

/** What comes back for these bytes, sent together, until the server closes or is quiet. */
function exchangeBytes(...parts: (Buffer | string)[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = net.connect(exchange.port, '127.0.0.1')
    let text = ''
    socket.on('data', (data) => {
      text += data.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
    socket.write(Buffer.concat(parts.map((part) => Buffer.from(part))))
  })
}

const get = (path: string, ...headers: string[]) =>
  `${[`GET ${path} HTTP/1.1`, 'Host: x', ...headers].join('\r\n')}\r\n\r\n`
const usedIn = (text: string) =>
  [...text.matchAll(/X-MBX-USED-WEIGHT-1M: (\d+)/g)].map((match) => Number(match[1]))

const forwardedPing = (client: string) =>
  exchange.send('GET', '/api/v3/ping', 0, { headers: { 'X-Forwarded-For': client } })

test('one noisy client behind a proxy is banned alone', async () => {
  await begin('--trusted-proxies 127.0.0.1 --weight-limit 5 --ban-after 2')
  let status = 0
  for (let i = 0; i < 20; i++) ({ status } = await forwardedPing('9.9.9.9'))
  expect(status).toBe(418)
  expect((await forwardedPing('8.8.8.8')).status).toBe(200)
  expect((await exchange.send('GET', '/api/v3/ping')).status).toBe(200)
})

test('a proxy is not closed at accept or for a client that continues', async () => {
  await begin('--trusted-proxies 127.0.0.1 --accepts-per-address 3 --weight-limit 1 --ban-after 1')
  for (let i = 0; i < 10; i++) {
    const text = await exchangeBytes(preamble('9.9.9.9'), get('/api/v3/ping'))
    expect(text).toMatch(/^HTTP\/1\.1 (200|429|418)/)
  }
  for (let i = 0; i < 1_200; i++) expect((await forwardedPing('7.7.7.7')).status).not.toBe(0)
  expect((await forwardedPing('8.8.8.8')).status).toBe(200)
})

test('without the setting no proxy is believed', async () => {
  await begin('--weight-limit 5 --ban-after 2')
  for (let i = 0; i < 5; i++) expect((await forwardedPing(`9.9.9.${i}`)).status).toBe(200)
  expect((await forwardedPing('9.9.9.9')).status).toBe(429)
})

describe('a PROXY header', () => {
  test('names the client, on every path', async () => {
    await begin('--trusted-proxies 127.0.0.1')
    for (const [index, path] of ['/api/v3/ping', '/openapi.json', '/api/v3/time'].entries()) {
      const text = await exchangeBytes(preamble('9.9.9.9'), get(path))
      expect([text.slice(0, 12), usedIn(text)]).toEqual(['HTTP/1.1 200', [index + 1]])
      expect(text).toMatch(/connection: close/i)
    }
    const unknown = await exchangeBytes(preamble('9.9.9.9'), get('/nothing'))
    expect([unknown.slice(0, 12), usedIn(unknown)]).toEqual(['HTTP/1.1 404', [4]])
    expect(usedIn(await exchangeBytes(preamble('9.9.9.8'), get('/api/v3/ping')))).toEqual([1])
  })

  test.each([
    '/api/v3/ping',
    '/openapi.json',
    '/nothing',
    '/ws',
  ])('that a client sends itself after its first request to %s counts nothing', async (path) => {
    await begin('--trusted-proxies 127.0.0.1')
    const text = await exchangeBytes(
      ...[preamble('9.9.9.9'), get(path)],
      ...[preamble('8.8.8.8'), get('/api/v3/ping')],
    )
    expect(text.match(/HTTP\/1\.1 200/g) ?? []).toHaveLength(0)
    expect(usedIn(await exchangeBytes(preamble('8.8.8.8'), get('/api/v3/ping')))).toEqual([1])
  })

  test('of an untrusted peer is ignored', async () => {
    await begin('--trusted-proxies 10.0.0.0/8 --weight-limit 2')
    for (const [client, status] of [
      ['9.9.9.9', '200'],
      ['9.9.9.8', '200'],
      ['9.9.9.7', '429'],
    ]) {
      const text = await exchangeBytes(preamble(client!), get('/api/v3/ping', 'Connection: close'))
      expect(text.slice(9, 12)).toBe(status)
    }
  })

  test('may come with a body behind it', async () => {
    await begin('--trusted-proxies 127.0.0.1')
    const query = queryOf({ symbol: 'BTCUSDT', timestamp: exchange.nowMs() })
    const body = `${query}&signature=${sign(1, query)}`
    const head = `DELETE /api/v3/openOrders HTTP/1.1\r\nHost: x\r\nX-MBX-APIKEY: ${keyOf(1).apiKey}\r\n`
    const request = `${head}Content-Length: ${body.length}\r\n\r\n${body}`
    const text = await exchangeBytes(preamble('9.9.9.9'), request, preamble('8.8.8.8'), request)
    expect(text.match(/-2011/g) ?? []).toHaveLength(0)
    expect(await exchangeBytes(preamble('9.9.9.9'), request)).toContain('-2011')
  })
})

test('a key bound to an address knows it behind a proxy, over REST and the WebSocket API', async () => {
  const addresses = parseAddressRanges('9.9.9.0/24')!
  const bound = { ...keyOf(1), apiKey: 'b'.repeat(64), addresses }
  await begin('--trusted-proxies 127.0.0.1', { keys: [bound] })
  const rest = async (client: string) => {
    const query = queryOf({ symbol: 'BTCUSDT', timestamp: exchange.nowMs() })
    const path = `/api/v3/openOrders?${query}&signature=${sign(1, query)}`
    const headers = { 'X-MBX-APIKEY': bound.apiKey, 'X-Forwarded-For': client }
    const { body } = await exchange.send('GET', path, 0, { headers })
    return body.code ?? 'open'
  }
  const socket = async (client: string) => {
    const opened = new WebSocket(`ws://127.0.0.1:${exchange.port}/ws-api/v3`, {
      headers: { 'X-Forwarded-For': client },
    })
    await new Promise((resolve) => opened.once('open', resolve))
    const timestamp = exchange.nowMs()
    const payload = `apiKey=${bound.apiKey}&symbol=BTCUSDT&timestamp=${timestamp}`
    const params = { symbol: 'BTCUSDT', apiKey: bound.apiKey, timestamp }
    opened.send(
      JSON.stringify({
        id: 1,
        method: 'openOrders.status',
        params: { ...params, signature: sign(1, payload) },
      }),
    )
    const frame = JSON.parse(
      String(await new Promise((resolve) => opened.once('message', resolve))),
    ) as { error?: { code: number } }
    opened.close()
    return frame.error?.code ?? 'open'
  }
  for (const ask of [rest, socket]) {
    expect([await ask('9.9.9.9'), await ask('9.9.8.9'), await ask('9.9.9.9, 1.1.1.1')]).toEqual([
      'open',
      -2015,
      -2015,
    ])
  }
})

test('WebSockets are counted for the client behind the proxy', async () => {
  await begin('--trusted-proxies 127.0.0.1 --sockets-per-address 2')
  const open = (client: string) =>
    new Promise<number>((resolve) => {
      const headers = { 'X-Forwarded-For': client }
      const socket = new WebSocket(`ws://127.0.0.1:${exchange.port}/ws`, { headers })
      socket.on('error', () => {})
      socket.once('open', () => resolve(101))
      socket.once('unexpected-response', (_, { statusCode = 0 }) => resolve(statusCode))
    })
  expect([await open('9.9.9.9'), await open('9.9.9.9'), await open('9.9.9.9')]).toEqual([
    101, 101, 429,
  ])
  expect(await open('9.9.9.8')).toBe(101)
})
