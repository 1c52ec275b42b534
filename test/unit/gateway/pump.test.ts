/** When a gateway rings its matchers: late enough that many commands share a flush, and never too late. */
import { beforeEach, expect, test } from 'vitest'
import { Pump, type Pumped } from '#gateway/pump.ts'
import { countersBytes, ThreadCounters } from '#ring/counters.ts'
import { DOORBELL_BYTES, Doorbell } from '#ring/doorbell.ts'

const ASLEEP = 1
const MATCHERS = 2

/** A cell of each bell: the gateway's first. */
const cells = new Int32Array(new SharedArrayBuffer((1 + MATCHERS) * DOORBELL_BYTES))
const cellOf = (bell: number) => (bell * DOORBELL_BYTES) >> 2
const bells = Array.from(
  { length: 1 + MATCHERS },
  (_, bell) => new Doorbell(cells.buffer as SharedArrayBuffer, bell * DOORBELL_BYTES),
)

/** Runs when the pump polls; says how many records it took. */
let onPoll: () => number
let hasWork: boolean
let pump: Pump

const pumped: Pumped = { poll: () => onPoll(), hasWork: () => hasWork }
const turn = () => new Promise((resolve) => setImmediate(resolve))
const layMatchersDown = () => {
  for (let bell = 1; bell <= MATCHERS; bell++) cells[cellOf(bell)] = ASLEEP
}
const areRung = () =>
  Array.from({ length: MATCHERS }, (_, matcher) => cells[cellOf(matcher + 1)] !== ASLEEP)
const isGatewayAsleep = () => cells[cellOf(0)] === ASLEEP

beforeEach(() => {
  onPoll = () => 0
  hasWork = false
  const [own, ...matchers] = bells as [Doorbell, ...Doorbell[]]
  const counters = ThreadCounters.ofGateway(new SharedArrayBuffer(countersBytes(1, 1)), 0)
  pump = new Pump(pumped, own, matchers, counters)
  layMatchersDown()
  pump.start()
  return () => pump.stop()
})

test('all that was sent before a turn is rung for at its beginning', async () => {
  let rungAtPoll: boolean[] = []
  onPoll = () => {
    rungAtPoll = areRung()
    return 0
  }
  for (let i = 0; i < 3; i++) pump.sent()
  expect(areRung()).toEqual([false, false])
  await turn()
  expect(rungAtPoll).toEqual([true, true])
})

test('who sent nothing wakes nobody', async () => {
  for (let i = 0; i < 5; i++) await turn()
  expect(areRung()).toEqual([false, false])
})

test('many commands do not wait for the turn', () => {
  let sent = 0
  while (!areRung().includes(true) && sent < 1000) {
    pump.sent()
    sent++
  }
  expect([sent, areRung()]).toEqual([32, [true, true]])
})

test('what is sent while records are read is rung for before the gateway falls asleep', async () => {
  let polls = 0
  onPoll = () => {
    polls++
    layMatchersDown()
    pump.sent()
    return 0
  }
  while (!isGatewayAsleep()) await turn()
  expect(polls).toBeGreaterThan(0)
  expect(areRung()).toEqual([true, true])
})

test('a gateway that sleeps is awake for what it sent, and rings', async () => {
  while (!isGatewayAsleep()) await turn()
  pump.sent()
  expect([isGatewayAsleep(), areRung()]).toEqual([false, [false, false]])
  await turn()
  expect(areRung()).toEqual([true, true])
})

test('a gateway with records to read does not fall asleep', async () => {
  hasWork = true
  for (let i = 0; i < 5; i++) await turn()
  expect(isGatewayAsleep()).toBe(false)
})
