/** When a connection is kept, with false time and a socket that only remembers. */

import type { WebSocket } from 'uWebSockets.js'
import { beforeEach, describe, expect, test } from 'vitest'
import { jsonEncoder } from '../../../../src/api/answers/encoders.ts'
import { ManualClock, ManualTime } from '../../../../src/base/manual-time.ts'
import { RealTime } from '../../../../src/base/real-time.ts'
import { elapsedMs } from '../../../../src/base/time.ts'
import { Ms } from '../../../../src/base/units.ts'
import {
  Connection,
  LATE_FRAMES_MAX,
  PING_MS,
  type SocketData,
} from '../../../../src/gateway/websocket/connection.ts'
import { countersBytes, ThreadCounters } from '../../../../src/shared/counters.ts'

const DAY_MS = 86_400_000
let clock: ManualClock
let pings: string[]
let ends: (number | string)[]
const TOO_MANY = '1008 Too many requests'
const NO_PONG = '1008 Pong timeout'
const tick = () => new Promise((resolve) => setImmediate(resolve))

function pass(ms: number): void {
  clock.advance(ms)
}

class TestConnection extends Connection {
  readonly over = 'streams'
  readonly encoder = jsonEncoder
  readonly frames: string[] = []

  constructor(framesPerSecond: number, controlsPerSecond = framesPerSecond) {
    const counters = ThreadCounters.ofGateway(new SharedArrayBuffer(countersBytes(1, 1)), 0)
    super(
      { clock: new ManualTime(clock, new RealTime()), counters },
      { framesPerSecond, controlsPerSecond },
    )
    const socket = {
      ping: (payload: string) => pings.push(payload),
      end: (code: number, reason: string) => {
        ends.push(`${code} ${reason}`)
        // As uWebSockets.js does.
        this.closed()
      },
      close: () => ends.push('closed'),
    }
    this.open(socket as unknown as WebSocket<SocketData>, '')
  }

  /** A request that is answered later. */
  request(): void {
    this.asked()
  }

  override get accounts(): readonly number[] {
    return []
  }
  override announceShutdown(): void {}
  protected override continues(): void {}
  protected override detail() {
    return { transport: 'streams' as const, accounts: [], apiKey: '', streams: 0 }
  }
  protected override received(text: string): void {
    this.frames.push(text)
  }
  protected override opened(): void {}
  protected override left(): void {}
}

beforeEach(() => {
  clock = new ManualClock(Ms(1_700_000_000_000))
  clock.passedMs = 5_000
  pings = []
  ends = []
})

describe('a client that is pinged', () => {
  /** Pings as often as the server does, and answers as given. */
  function live(connection: TestConnection, times: number, pongs: () => readonly string[]): void {
    for (let i = 0; i < times; i++) {
      pass(PING_MS)
      connection.ping()
      for (const payload of pongs()) connection.ponged(payload)
    }
  }

  test('and answers stays', () => {
    live(new TestConnection(5), 20, () => [pings.at(-1)!])
    expect([pings.length, ends]).toEqual([20, []])
  })

  test('and answers late, but within a minute, stays', () => {
    live(new TestConnection(5), 20, () => pings.slice(-3, -2))
    expect(ends).toEqual([])
  })

  test('and is silent is closed after a minute', () => {
    const connection = new TestConnection(5)
    live(connection, 3, () => [])
    expect(ends).toEqual([])
    live(connection, 1, () => [])
    expect(ends).toEqual([NO_PONG])
  })

  test.each([
    ['without payloads', () => ['']],
    ['to no ping', () => ['12345']],
    ['to the same ping again and again', () => [pings[0]!]],
  ])('and only sends pongs %s is closed all the same', (_, pongs) => {
    live(new TestConnection(5), 5, pongs)
    expect(ends).toContain(NO_PONG)
  })

  test.each([
    120_000,
    -120_000,
    2 * DAY_MS,
    -2 * DAY_MS,
  ])('stays when the clock steps %i ms', (stepMs) => {
    const connection = new TestConnection(5)
    live(connection, 2, () => [pings.at(-1)!])
    clock.wallMs = Ms(clock.wallMs + stepMs)
    live(connection, 5, () => [pings.at(-1)!])
    expect([pings.length, ends]).toEqual([7, []])
  })

  test('is let go after a day', () => {
    const connection = new TestConnection(5)
    pass(DAY_MS)
    connection.endIfOld(elapsedMs(clock))
    expect(ends).toEqual([])
    pass(1)
    connection.endIfOld(elapsedMs(clock))
    expect([pings, ends]).toEqual([[], ['1000 a connection lasts 24 hours']])
  })
})

describe('frames of a second', () => {
  test.each([
    ['messages', (connection: Connection) => connection.messaged('x')],
    ['pings', (connection: Connection) => connection.pinged()],
    ['pongs', (connection: Connection) => connection.ponged('')],
  ])('%s beyond the limit end the connection', async (_, send) => {
    const connection = new TestConnection(5)
    connection.messaged('first')
    for (let i = 0; i < 4; i++) send(connection)
    expect(ends).toEqual([])
    pass(1_000)
    for (let i = 0; i < 5; i++) send(connection)
    expect(ends).toEqual([])
    const heard = connection.frames.length
    send(connection)
    await tick()
    expect(ends).toEqual([TOO_MANY])
    expect(connection.frames.length).toBe(heard)
  })

  test('are counted whatever the clock does', async () => {
    const connection = new TestConnection(5)
    for (let i = 0; i < 6; i++) {
      expect(ends).toEqual([])
      clock.wallMs = Ms(clock.wallMs + (i % 2 === 0 ? 120_000 : -120_000))
      connection.pinged()
    }
    await tick()
    expect(ends).toEqual([TOO_MANY])
  })

  test('are not bounded where only pings and pongs are', async () => {
    const connection = new TestConnection(Number.POSITIVE_INFINITY, 5)
    for (let i = 0; i < 100; i++) connection.messaged(`${i}`)
    for (let i = 0; i < 5; i++) connection.pinged()
    expect([connection.frames.length, ends]).toEqual([100, []])
    connection.ponged('')
    await tick()
    expect(ends).toEqual([TOO_MANY])
  })

  test('are not counted where there is no limit', () => {
    const connection = new TestConnection(Number.POSITIVE_INFINITY)
    for (let i = 0; i < 100; i++) connection.messaged(`${i}`)
    expect([connection.frames.length, ends]).toEqual([100, []])
  })
})

describe('a connection that met a limit', () => {
  test('ends in the next tick', async () => {
    const connection = new TestConnection(Number.POSITIVE_INFINITY)
    connection.refuseFrames()
    expect(ends).toEqual([])
    await tick()
    expect(ends).toEqual([TOO_MANY])
  })

  test('ends after the answers to earlier requests', async () => {
    const connection = new TestConnection(Number.POSITIVE_INFINITY)
    connection.request()
    connection.request()
    connection.refuseFrames()
    connection.answered()
    await tick()
    expect(ends).toEqual([])
    connection.answered()
    await tick()
    expect(ends).toEqual([TOO_MANY])
  })

  test('reads no more frames, and closes at once when too many of them come', async () => {
    const connection = new TestConnection(Number.POSITIVE_INFINITY)
    connection.refuseFrames()
    for (let i = 0; i < LATE_FRAMES_MAX; i++) connection.messaged('more')
    expect([ends, connection.frames]).toEqual([[], []])
    connection.messaged('more')
    expect([ends, connection.frames]).toEqual([['closed'], []])
  })
})

test('a frame that comes after the end does nothing', () => {
  const connection = new TestConnection(Number.POSITIVE_INFINITY)
  connection.messaged('before')
  connection.closed()
  connection.messaged('after')
  expect(connection.frames).toEqual(['before'])
})
