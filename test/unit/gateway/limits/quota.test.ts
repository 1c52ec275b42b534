/** Whose bytes and names count together: by address, IPv6 by /64, behind a proxy by client. */
import type { HttpResponse } from 'uWebSockets.js'
import { expect, test } from 'vitest'
import { addressKey, Quota } from '../../../../src/gateway/limits/quota.ts'
import { UnreadBytes } from '../../../../src/gateway/limits/unread.ts'
import { countersBytes, ThreadCounters } from '../../../../src/shared/counters.ts'

const ipv4 = (last: number) => Uint8Array.of(10, 0, 0, last).buffer
const mapped = (last: number) =>
  Uint8Array.from([...Array<number>(10).fill(0), 255, 255, 10, 0, 0, last]).buffer
const ipv6 = (network: number, host: number) =>
  Uint8Array.from([32, 1, 13, 184, 0, 0, 0, network, ...Array<number>(7).fill(0), host]).buffer

test.each<[string, ArrayBuffer, ArrayBuffer, boolean]>([
  ['an IPv4 address and itself', ipv4(1), ipv4(1), true],
  ['two IPv4 addresses', ipv4(1), ipv4(2), false],
  ['an IPv4 address and its mapped form', ipv4(1), mapped(1), true],
  ['two mapped addresses', mapped(1), mapped(2), false],
  ['two hosts of one /64', ipv6(1, 1), ipv6(1, 2), true],
  ['hosts of two networks', ipv6(1, 1), ipv6(2, 1), false],
])('%s', (_, one, other, isSame) => {
  expect(addressKey(one) === addressKey(other)).toBe(isSame)
})

const proxy = ipv4(1)
const client = ipv4(2)

test.each<[string, ArrayBuffer | undefined, ArrayBuffer]>([
  ['of the peer', undefined, proxy],
  ['of the client that a trusted proxy names', client, client],
])('an answer that is not read counts for the address %s', (_, named, counted) => {
  const body = 'a'.repeat(2_000)
  const quota = new Quota(body.length, 10 * body.length)
  const counters = ThreadCounters.ofGateway(new SharedArrayBuffer(countersBytes(1, 1)), 0)
  const unread = new UnreadBytes(quota, counters)
  let abort = () => {}
  const response = {
    getRemoteAddress: () => proxy,
    tryEnd: () => [false, false],
    onAborted: (call: () => void) => {
      abort = call
    },
    onWritable: () => {},
  } as unknown as HttpResponse
  unread.end(response, body, named && { address: named, byPreamble: false })
  for (const address of [proxy, client]) {
    expect(quota.hasRoom(addressKey(address), 1)).toBe(address !== counted)
  }
  abort()
  expect(quota.total).toBe(0)
})

test('what a client has not read of bytes is a copy of them', () => {
  const length = 2_000
  const counters = ThreadCounters.ofGateway(new SharedArrayBuffer(countersBytes(1, 1)), 0)
  const unread = new UnreadBytes(new Quota(length, length), counters)
  const sent: string[] = []
  let read: (offset: number) => boolean = () => false
  const response = {
    getRemoteAddress: () => client,
    tryEnd: (bytes: Uint8Array) => {
      sent.push(Buffer.from(bytes).toString())
      return [true, sent.length > 1]
    },
    onAborted: () => {},
    onWritable: (call: (offset: number) => boolean) => {
      read = call
    },
  } as unknown as HttpResponse
  const view = new Uint8Array(length).fill('a'.charCodeAt(0))
  unread.end(response, view, undefined)
  view.fill('b'.charCodeAt(0))
  expect(read(0)).toBe(true)
  expect(sent).toEqual(['a'.repeat(length), 'a'.repeat(length)])
})
