/**
 * When a gateway shows its commands to matchers, and rings for them: late enough that many share a
 * flush, and never too late.
 */

import { beforeEach, expect, test, vi } from 'vitest'
import { Pump, type Pumped } from '../../../../src/gateway/engine-link/pump.ts'
import {
  CommandRingConsumer,
  CommandRingProducer,
  commandRingBytes,
} from '../../../../src/ring/command-ring.ts'
import { DOORBELL_BYTES, Doorbell } from '../../../../src/ring/doorbell.ts'
import { countersBytes, readCounters, ThreadCounters } from '../../../../src/shared/counters.ts'
import { FakedTime } from '../../../fixtures/faked-time.ts'

const ASLEEP = 1
const MATCHERS = 2

/** A cell of each bell: the gateway's first. */
const cells = new Int32Array(new SharedArrayBuffer((1 + MATCHERS) * DOORBELL_BYTES))
const cellOf = (bell: number) => (bell * DOORBELL_BYTES) >> 2
const bells = Array.from(
  { length: 1 + MATCHERS },
  (_, bell) => new Doorbell(cells.buffer as SharedArrayBuffer, bell * DOORBELL_BYTES),
)

/** Runs when the pump polls; returns how many records it took. */
let onPoll: () => number
let hasWork: boolean
let ticksPerCommand: number
let heldTicks: () => number
let producers: CommandRingProducer[]
let consumers: CommandRingConsumer[]
let pump: Pump

const pumped: Pumped = {
  poll: () => onPoll(),
  hasWork: () => hasWork,
  get ticksPerCommand() {
    return ticksPerCommand
  },
}
const tick = () => new Promise((resolve) => setImmediate(resolve))
const layMatchersDown = () => {
  for (let bell = 1; bell <= MATCHERS; bell++) cells[cellOf(bell)] = ASLEEP
}
const areRung = () =>
  Array.from({ length: MATCHERS }, (_, matcher) => cells[cellOf(matcher + 1)] !== ASLEEP)
const seen = () => consumers.map((consumer) => consumer.available())
const isGatewayAsleep = () => cells[cellOf(0)] === ASLEEP

function send(matcher: number): void {
  const producer = producers[matcher]!
  producer.claim()
  producer.commit()
  pump.sent()
}

beforeEach(() => {
  onPoll = () => 0
  hasWork = false
  ticksPerCommand = 0
  const rings = Array.from({ length: MATCHERS }, () => new SharedArrayBuffer(commandRingBytes(64)))
  producers = rings.map((memory) => new CommandRingProducer(memory))
  consumers = rings.map((memory) => new CommandRingConsumer(memory))
  const [own, ...others] = bells as [Doorbell, ...Doorbell[]]
  const lines = producers.map((ring, matcher) => ({ ring, bell: others[matcher]! }))
  const memory = new SharedArrayBuffer(countersBytes(1, 1))
  const isHeld = ({ name }: { name: string }) => name === 'commandsPaced'
  heldTicks = () => readCounters(memory, 1, 1).find(isHeld)!.value
  const counters = ThreadCounters.ofGateway(memory, 0)
  pump = new Pump(own, lines, counters, new FakedTime())
  layMatchersDown()
  pump.start(pumped)
  return () => {
    vi.restoreAllMocks()
    pump.stop()
  }
})

test('all that was sent before a tick is seen and rung for at its beginning', async () => {
  let atPoll: unknown
  onPoll = () => {
    atPoll ??= { seen: seen(), rung: areRung() }
    return 0
  }
  for (const matcher of [0, 1, 1]) send(matcher)
  expect([seen(), areRung()]).toEqual([
    [0, 0],
    [false, false],
  ])
  await tick()
  expect(atPoll).toEqual({ seen: [1, 2], rung: [true, true] })
})

test('who was sent nothing is not woken', async () => {
  for (let i = 0; i < 5; i++) await tick()
  expect(areRung()).toEqual([false, false])
  send(1)
  await tick()
  expect(areRung()).toEqual([false, true])
})

test('many commands do not wait for the tick', () => {
  for (let sent = 1; sent < 32; sent++) send(0)
  expect([seen(), areRung()]).toEqual([
    [0, 0],
    [false, false],
  ])
  send(1)
  expect([seen(), areRung()]).toEqual([
    [31, 1],
    [true, true],
  ])
})

test('while many come together, all that come in a row of ticks are published together', async () => {
  const sendMany = (count: number) => {
    for (let i = 0; i < count; i++) send(0)
  }
  sendMany(8)
  await tick()
  expect(seen()).toEqual([8, 0])
  for (const count of [2, 1, 1]) {
    sendMany(count)
    await tick()
    expect(seen()).toEqual([8, 0])
  }
  await tick()
  expect(seen()).toEqual([12, 0])
  sendMany(1)
  await tick()
  expect(seen()).toEqual([13, 0])
})

test('a gateway does not fall asleep over what it keeps back', async () => {
  for (let i = 0; i < 8; i++) send(0)
  await tick()
  for (let ticks = 0; ticks < 10; ticks++) {
    send(0)
    await tick()
    expect([seen(), isGatewayAsleep()]).toEqual([[8, 0], false])
  }
  while (!isGatewayAsleep()) await tick()
  expect(seen()).toEqual([18, 0])
})

test('what is sent while records are read is rung for before the gateway falls asleep', async () => {
  let polls = 0
  onPoll = () => {
    polls++
    layMatchersDown()
    send(0)
    return 0
  }
  while (!isGatewayAsleep()) await tick()
  expect([seen(), areRung()]).toEqual([
    [polls, 0],
    [true, false],
  ])
})

test('while frames are far behind, matchers see a command for each so many ticks', async () => {
  hasWork = true
  ticksPerCommand = 2
  for (let sent = 0; sent < 7; sent++) send(0)
  for (let ticks = 1; ticks < 14; ticks++) {
    await tick()
    expect(seen()).toEqual([0, 0])
  }
  await tick()
  expect([seen(), areRung(), heldTicks()]).toEqual([[7, 0], [true, false], 13])
  // One that comes later than that does not wait.
  await tick()
  send(1)
  await tick()
  expect(seen()).toEqual([7, 1])
  for (let sent = 0; sent < 40; sent++) send(0)
  expect(seen()).toEqual([7, 1])
})

test('commands that waited for frames are seen once those have left, or the gateway stops', async () => {
  hasWork = true
  ticksPerCommand = 1
  for (let sent = 0; sent < 40; sent++) send(0)
  await tick()
  expect(seen()).toEqual([0, 0])
  ticksPerCommand = 0
  await tick()
  expect(seen()).toEqual([40, 0])
  ticksPerCommand = 1
  for (let sent = 0; sent < 5; sent++) send(0)
  await tick()
  expect(seen()).toEqual([40, 0])
  pump.stop()
  expect(seen()).toEqual([45, 0])
})

test('a gateway that sleeps is awake for what it sent, and rings', async () => {
  while (!isGatewayAsleep()) await tick()
  send(0)
  expect([isGatewayAsleep(), areRung()]).toEqual([false, [false, false]])
  await tick()
  expect(areRung()).toEqual([true, false])
})

test('records that a bell was rung for are read without waiting for a tick', async () => {
  while (!isGatewayAsleep()) await tick()
  const ticks = vi.spyOn(globalThis, 'setImmediate')
  const ticksAtPoll = new Promise((resolve) => {
    onPoll = () => {
      resolve(ticks.mock.calls.length)
      return 1
    }
  })
  bells[0]!.ring()
  expect(await ticksAtPoll).toBe(0)
})

test('an error at a bell is thrown as that of any tick', async () => {
  while (!isGatewayAsleep()) await tick()
  onPoll = () => {
    throw new Error('a record of no kind')
  }
  const ticks = vi.spyOn(globalThis, 'setImmediate')
  const tickWithError = new Promise<() => void>((resolve) => {
    ticks.mockImplementation((run) => {
      resolve(run as () => void)
      return {} as NodeJS.Immediate
    })
  })
  bells[0]!.ring()
  expect(await tickWithError).toThrow('a record of no kind')
})

test('a tick without work is the last one before sleep', async () => {
  const taken = [1, 1, 0]
  onPoll = () => taken.shift() ?? 0
  for (const isAsleep of [false, false, true]) {
    await tick()
    expect(isGatewayAsleep()).toBe(isAsleep)
  }
})

test('a gateway with records to read does not fall asleep', async () => {
  hasWork = true
  for (let i = 0; i < 5; i++) await tick()
  expect(isGatewayAsleep()).toBe(false)
})

test('what was sent before a stop is seen, and so is what is sent after it', () => {
  send(0)
  pump.stop()
  expect(seen()).toEqual([1, 0])
  send(1)
  expect([seen(), areRung()]).toEqual([
    [1, 1],
    [true, true],
  ])
})
