/** Which requests show that something on this machine forwards those of others. */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { expect, test } from 'vitest'
import { ForwardingWatch, GLANCE_EVERY } from '../../../../src/gateway/limits/forwarding-watch.ts'

const HERE = [127, 0, 0, 1]
const ELSEWHERE = [192, 168, 1, 7]

const responseFrom = (peer: readonly number[]) =>
  ({
    getRemoteAddress: () => Uint8Array.from(peer).buffer,
    getProxiedRemoteAddress: () => new ArrayBuffer(0),
  }) as unknown as HttpResponse

function requestWith(headers: Readonly<Record<string, string>>): HttpRequest {
  const nameOf = (name: string | ArrayBuffer) =>
    typeof name === 'string' ? name : new TextDecoder().decode(name)
  return {
    getHeader: (name: string | ArrayBuffer) => headers[nameOf(name)] ?? '',
    forEach: (each: (name: string, value: string) => void) => {
      for (const [name, value] of Object.entries(headers)) each(name, value)
    },
  } as unknown as HttpRequest
}

const own = { host: 'localhost:8080' }
const cases: readonly (readonly [what: string, headers: Record<string, string>, seen: boolean])[] =
  [
    ['a request of this machine', own, false],
    ['a proxy', { ...own, 'x-forwarded-for': '10.0.0.1' }, true],
    ['another host', { host: 'exchange.example' }, true],
  ]

test.each(cases)('%s', (_, headers, seen) => {
  for (const how of ['look', 'glance'] as const) {
    const cell = new SharedArrayBuffer(4)
    const [first, second] = [new ForwardingWatch(cell, true), new ForwardingWatch(cell, true)]
    first[how](responseFrom(ELSEWHERE), requestWith(headers))
    expect(first.wasSeen).toBe(false)
    for (let i = 0; i < GLANCE_EVERY; i++) first[how](responseFrom(HERE), requestWith(headers))
    expect([first.wasSeen, second.wasSeen]).toEqual([seen, seen])
    // What was seen is not forgotten.
    second[how](responseFrom(HERE), requestWith(own))
    expect(second.wasSeen).toBe(seen)
  }
})

test('nothing is looked at where nothing is offered', () => {
  const watch = new ForwardingWatch(new SharedArrayBuffer(4), false)
  watch.look(responseFrom(HERE), requestWith({ host: 'exchange.example' }))
  expect(watch.wasSeen).toBe(false)
})
