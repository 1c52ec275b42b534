import { expect, test } from 'vitest'
import { ManualClock, ManualTime } from '../../../src/base/manual-time.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import { Ms } from '../../../src/base/units.ts'
import { DOORBELL_BYTES, Doorbell, wakeHere } from '../../../src/ring/doorbell.ts'

const time = new RealTime()
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

test('with work there is no sleep, and no message is left', () => {
  const { sleeper, isAsleep } = bells()
  expect(sleeper.sleepAsync(busy)).toBeUndefined()
  sleeper.sleep(busy, 10_000, time)
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
  const sleep = sleeper.sleepAsync(idle)?.then(() => {
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
  })
  await sleep
})

test('a blocking sleep that was rung while it looked for work ends at once', () => {
  const { sleeper, ringer, isAsleep } = bells()
  sleeper.sleep(
    () => {
      ringer.ring()
      return false
    },
    30_000,
    time,
  )
  expect(isAsleep()).toBe(false)
})

test('sleep ends by itself, and is not announced any more', async () => {
  const { sleeper, isAsleep } = bells()
  sleeper.sleep(idle, 1, time)
  expect(isAsleep()).toBe(false)
  await sleeper.sleepAtMost(1, idle, time)
  expect(isAsleep()).toBe(false)
})

test('one waiter serves until it is woken, however often the loop is woken otherwise', async () => {
  const { sleeper, ringer, isAsleep } = bells()
  const first = sleeper.sleepAsync(idle)
  sleeper.awake()
  expect(isAsleep()).toBe(false)
  expect(sleeper.sleepAsync(busy)).toBeUndefined()
  const second = sleeper.sleepAsync(idle)
  expect(second).toBe(first)
  ringer.ring()
  await second
  const third = sleeper.sleepAsync(idle)
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

/** A sleep of a second at most, in a time that stands still. */
function boundedSleep() {
  const standing = new ManualTime(new ManualClock(Ms(0)), time)
  let wakes = 0
  const { sleeper, ...others } = bells()
  const sleep = () => {
    void sleeper.sleepAtMost(1_000, idle, standing)!.then(() => wakes++)
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  return { ...others, sleep, standing, turn, wakes: () => wakes }
}

test('a bounded sleep goes by the time that it is given', async () => {
  const { sleep, standing, turn, wakes, isAsleep } = boundedSleep()
  sleep()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect([wakes(), isAsleep()]).toEqual([0, true])
  standing.advance(1_000)
  await turn()
  expect([wakes(), isAsleep()]).toEqual([1, false])
})

test('bounded sleeps that end by themselves leave nothing behind', async () => {
  const { sleep, standing, turn, wakes, ringer } = boundedSleep()
  for (let sleeps = 0; sleeps < 3; sleeps++) {
    sleep()
    standing.advance(1_000)
    await turn()
  }
  expect([wakes(), standing.timerCount]).toEqual([3, 0])
  sleep()
  expect(standing.timerCount).toBe(1)
  ringer.ring()
  await expect.poll(wakes).toBe(4)
  expect(standing.timerCount).toBe(0)
})

test('where ringers share the loop of the sleeper, it wakes before the loop turns', async () => {
  const memory = new SharedArrayBuffer(DOORBELL_BYTES)
  wakeHere(memory)
  const [sleeper, ringer] = [new Doorbell(memory), new Doorbell(memory)]
  for (let wakes = 0; wakes < 3; wakes++) {
    let isAwake = false
    void sleeper.sleepAsync(idle)!.then(() => {
      isAwake = true
    })
    ringer.ring()
    // Two steps of promises, and no task.
    await Promise.resolve().then(() => {})
    expect(isAwake).toBe(true)
  }
  expect(sleeper.sleepAsync(busy)).toBeUndefined()
  const left = sleeper.sleepAsync(idle)
  sleeper.leave()
  await left
})
