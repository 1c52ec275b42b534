import { expect, test } from 'vitest'
import { DOORBELL_BYTES, Doorbell } from '../../../src/ring/doorbell.ts'

const idle = () => false
const busy = () => true

function bells() {
  const memory = new SharedArrayBuffer(DOORBELL_BYTES * 2)
  const state = new Int32Array(memory, DOORBELL_BYTES, 1)
  return {
    sleeper: new Doorbell(memory, DOORBELL_BYTES),
    ringer: new Doorbell(memory, DOORBELL_BYTES),
    other: new Doorbell(memory, 0),
    isAsleep: () => state[0] === 1,
  }
}

test('with work there is no sleep, and no announcement is left', () => {
  const { sleeper, isAsleep } = bells()
  expect(sleeper.sleepAsync(busy)).toBeUndefined()
  sleeper.sleep(busy, 10_000)
  expect(isAsleep()).toBe(false)
})

test('sleep is announced before work is looked for', () => {
  const { sleeper, isAsleep } = bells()
  let announced = false
  sleeper.sleepAsync(() => {
    announced = isAsleep()
    return true
  })
  expect(announced).toBe(true)
})

test('a ring wakes the sleeper of its own bell', async () => {
  const { sleeper, ringer, other, isAsleep } = bells()
  let awake = false
  const sleep = sleeper.sleepAsync(idle, 30_000)?.then(() => {
    awake = true
  })
  other.ring()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect([awake, isAsleep()]).toEqual([false, true])
  ringer.ring()
  await sleep
  expect(isAsleep()).toBe(false)
})

test('a ring while work was being looked for is not lost', async () => {
  const { sleeper, ringer } = bells()
  const sleep = sleeper.sleepAsync(() => {
    ringer.ring()
    return false
  }, 30_000)
  await sleep
})

test('a blocking sleep that was rung while it looked for work ends at once', () => {
  const { sleeper, ringer, isAsleep } = bells()
  sleeper.sleep(() => {
    ringer.ring()
    return false
  }, 30_000)
  expect(isAsleep()).toBe(false)
})

test('sleep ends by itself, and is not announced any more', async () => {
  const { sleeper, isAsleep } = bells()
  sleeper.sleep(idle, 1)
  expect(isAsleep()).toBe(false)
  await sleeper.sleepAsync(idle, 1)
  expect(isAsleep()).toBe(false)
})

test('one waiter serves until it is woken, however often the loop is woken otherwise', async () => {
  const { sleeper, ringer, isAsleep } = bells()
  const first = sleeper.sleepAsync(idle, 30_000)
  sleeper.awake()
  expect(isAsleep()).toBe(false)
  expect(sleeper.sleepAsync(busy)).toBeUndefined()
  const second = sleeper.sleepAsync(idle, 30_000)
  expect(second).toBe(first)
  ringer.ring()
  await second
  const third = sleeper.sleepAsync(idle, 30_000)
  expect(third).not.toBe(first)
  ringer.ring()
  await third
})

test('without a timeout a sleeper is woken by a ring, and by leaving', async () => {
  const { sleeper, ringer, isAsleep } = bells()
  const rung = sleeper.sleepAsync(idle)
  ringer.ring()
  await rung
  const left = sleeper.sleepAsync(idle)
  expect(isAsleep()).toBe(true)
  sleeper.leave()
  await left
  expect(isAsleep()).toBe(false)
})

test('leaving where none sleeps does nothing', () => {
  const { sleeper, isAsleep } = bells()
  sleeper.leave()
  expect(isAsleep()).toBe(false)
})

test('ringing who is awake does nothing', () => {
  const { ringer, isAsleep } = bells()
  ringer.ring()
  ringer.ring()
  expect(isAsleep()).toBe(false)
})
