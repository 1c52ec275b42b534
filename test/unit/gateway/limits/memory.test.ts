/** A gateway that is short of memory sheds what costs most, and recovers by itself. */
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { Ms } from '../../../../src/base/units.ts'
import { dropSlowest, type Reader } from '../../../../src/gateway/limits/backlog.ts'
import { MemoryGuard } from '../../../../src/gateway/limits/memory-guard.ts'
import {
  MemoryLevel,
  type MemoryReading,
  MemoryWatch,
  memoryBytesMax,
  memoryLevel,
  processBytes,
} from '../../../../src/gateway/limits/memory-watch.ts'
import { countersBytes, ThreadCounters } from '../../../../src/shared/counters.ts'
import { eventually } from '../../../fixtures/eventually.ts'
import { limitSettings, OneThreadExchange } from '../../../fixtures/one-thread-exchange.ts'

const plenty: MemoryReading = { heapBytes: 0, heapMax: 100, processBytes: 0, processMax: 100 }

test.each<[number, number, MemoryLevel]>([
  [0, 0, MemoryLevel.FINE],
  [69, 99, MemoryLevel.FINE],
  [70, 0, MemoryLevel.NOTHING_NEW],
  [0, 100, MemoryLevel.NOTHING_NEW],
  [80, 0, MemoryLevel.SHED],
  [0, 111, MemoryLevel.SHED],
  [0, 1_000, MemoryLevel.SHED],
  [92, 0, MemoryLevel.OVER],
])('a heap of %i and a process of %i percent: level %i', (heapBytes, processBytes, level) => {
  expect(memoryLevel({ ...plenty, heapBytes, processBytes })).toBe(level)
})

test('memory is read, and its bound follows from the machine', () => {
  const watch = new MemoryWatch(memoryBytesMax(0))
  const { heapBytes, heapMax, processMax } = watch.read()
  watch.close()
  expect(heapBytes).toBeLessThan(heapMax)
  expect(processBytes()).toBeGreaterThan(1 << 20)
  expect(processMax).toBeGreaterThan(processBytes())
  expect(memoryBytesMax(3)).toBe(3 << 20)
})

describe('readers who are behind', () => {
  const row = fc.record({ peer: fc.constantFrom('a', 'b', 'c'), unreadBytes: fc.nat(50) })

  test('are dropped, the slowest first, until all bounds are held', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 30 }), fc.nat(200), fc.nat(300), (rows, per, max) => {
        const dropped: number[] = []
        const readers = rows.map(
          (it, index): Reader => ({ ...it, drop: () => dropped.push(index) }),
        )
        const left = dropSlowest(readers, per, max)
        const kept = rows.filter((_, index) => !dropped.includes(index))
        const sum = (some: typeof rows) => some.reduce((total, it) => total + it.unreadBytes, 0)
        expect(left).toBe(sum(kept))
        expect(left).toBeLessThanOrEqual(max)
        for (const peer of ['a', 'b', 'c']) {
          expect(sum(kept.filter((it) => it.peer === peer))).toBeLessThanOrEqual(per)
        }
        // The sockets of an address that are furthest behind are dropped.
        for (const index of dropped) {
          const { peer, unreadBytes } = rows[index]!
          const stay = kept.filter((it) => it.peer === peer).map((it) => it.unreadBytes)
          expect(Math.max(0, ...stay)).toBeLessThanOrEqual(unreadBytes)
        }
      }),
    )
  })
})

test('the end of the heap is a sentence', () => {
  const warnings: string[] = []
  const guard = new MemoryGuard({
    gateway: 3,
    readMemory: () => ({ ...plenty, heapBytes: 95 << 20, heapMax: 100 << 20 }),
    unreadMax: 1,
    unreadPerAddressMax: 1,
    clock: { nowMs: () => Ms(0), elapsedNs: () => 0 },
    counters: ThreadCounters.ofGateway(new SharedArrayBuffer(countersBytes(1, 1)), 0),
    warn: (_, message) => warnings.push(message),
  })
  expect(() => guard.look(new Set())).toThrow(
    'gateway-3 ran out of memory (100 MiB; --gateway-heap-mb)',
  )
  expect(warnings).toHaveLength(1)
})

describe('a gateway', () => {
  let exchange: OneThreadExchange

  beforeEach(async () => {
    exchange = await OneThreadExchange.start({
      limits: limitSettings(['--limits', 'off', '--unread-mb-per-address', '1']),
    })
  })
  afterEach(() => exchange.close())

  const levelIs = (level: number) =>
    eventually(`level ${level}`, () => exchange.counter('memoryLevel') === level || undefined)
  const subscribe = (name: string) => ({ method: 'SUBSCRIBE', params: [name], id: 1 })

  test('refuses what is new while memory is short, and serves what is there', async () => {
    const stream = await exchange.socket('/ws/btcusdt@trade')
    exchange.memory = { ...plenty, heapBytes: 75 }
    await levelIs(1)
    expect(await stream.ask(subscribe('ethusdt@trade'))).toMatchObject({ code: -1008, id: 1 })
    expect(await stream.ask(subscribe('btcusdt@trade'))).toEqual({ result: null, id: 1 })
    const leave = { ...subscribe('ethusdt@trade'), method: 'UNSUBSCRIBE' }
    expect(await stream.ask(leave)).toEqual({ result: null, id: 1 })
    await expect(exchange.socket('/ws')).rejects.toThrow('503')
    await expect(exchange.socket('/ws-api/v3')).rejects.toThrow('503')
    expect((await exchange.send('GET', '/api/v3/ping')).status).toBe(200)
    expect(exchange.counter('memoryShed')).toBe(3)
    expect(exchange.warnings).toHaveLength(1)
    exchange.memory = plenty
    await levelIs(0)
    const late = await exchange.socket('/ws')
    expect(await late.ask(subscribe('btcusdt@trade'))).toEqual({ result: null, id: 1 })
    for (const socket of [stream, late]) socket.close()
  })

  test('ends connections while that does not help', async () => {
    const sockets = await Promise.all([1, 2, 3].map(() => exchange.socket('/ws')))
    exchange.memory = { ...plenty, processBytes: 111 }
    expect(await Promise.all(sockets.map((socket) => socket.closed()))).toEqual([1013, 1013, 1013])
    expect((await exchange.send('GET', '/api/v3/ping')).status).toBe(200)
  })

  test('closes the slowest readers of an address that is too far behind', async () => {
    const names = Array.from({ length: 900 }, (_, i) => `${i}`.padEnd(64, 'x'))
    const open = async () => {
      const socket = new WebSocket(`ws://127.0.0.1:${exchange.port}/ws`)
      await new Promise((resolve) => socket.once('open', resolve))
      socket.send(JSON.stringify({ method: 'SUBSCRIBE', params: names, id: 1 }))
      socket.pause()
      return socket
    }
    const slow = await Promise.all(Array.from({ length: 6 }, open))
    let asked = 0
    await eventually('the end of one', () => {
      // Each answer has 60 KB. A reader may be one megabyte behind, as its address may.
      for (const socket of slow) socket.send('{"method":"LIST_SUBSCRIPTIONS","id":1}')
      asked++
      return exchange.counter('slowClientsClosed') > 0 || undefined
    })
    expect(asked).toBeGreaterThan(1)
    await eventually('room', () => exchange.counter('backlogBytes') <= 1 << 20 || undefined)
    expect((await exchange.send('GET', '/api/v3/ping')).status).toBe(200)
    for (const socket of slow) socket.terminate()
  })
})
