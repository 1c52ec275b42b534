/** The clock of an exchange whose time is virtual: from moment to moment, each done before the next. */
import { describe, expect, test } from 'vitest'
import { ManualClock, ManualTime } from '../../../src/base/manual-time.ts'
import {
  ACKNOWLEDGE_MS,
  HELD_MS_MAX,
  HELD_RUN_MS,
  PARTICIPANTS_MAX,
  type Participant,
  SWIFT_MS,
} from '../../../src/base/participants.ts'
import { pause, type Time } from '../../../src/base/time.ts'
import { AccountId, Ms } from '../../../src/base/units.ts'
import { VirtualClock } from '../../../src/base/virtual-clock.ts'

const START_MS = Ms(1_000_000)
const loop: Pick<Time, 'defer'> = { defer: (run) => void setImmediate(run) }

function begin(isPaused = true) {
  const wall = new ManualTime(new ManualClock(START_MS), loop)
  const time = new ManualTime(new ManualClock(START_MS), loop, wall)
  const busy = { isBusy: false }
  const clock = new VirtualClock(time, isPaused)
  clock.watch(busy)
  const ran: string[] = []
  const at = () => time.nowMs() - START_MS
  const note = (name: string) => () => void ran.push(`${name} ${at()}`)
  return { wall, time, clock, busy, ran, at, note }
}

/** Ticks of the event loop. */
async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve))
}

test('goes through every deadline in its order, each at its own moment', async () => {
  const { time, clock, ran, note } = begin()
  time.every(100, note('every'))
  time.after(250, note('late'))
  time.after(150, note('early'))
  time.after(200, note('canceled')).cancel()
  expect(await clock.advance(300)).toBe(true)
  expect(ran).toEqual(['every 100', 'early 150', 'every 200', 'late 250', 'every 300'])
  expect(time.nowMs()).toBe(START_MS + 300)
})

test('what a moment causes is done at that moment, over turns of the loop and timers that follow', async () => {
  const { time, clock, ran, note } = begin()
  time.after(10, async () => {
    for (let i = 0; i < 20; i++) await new Promise<void>((resolve) => time.defer(resolve))
    note('deferred')()
    await pause(time, 5)
    note('later')()
  })
  time.after(12, note('other'))
  await clock.advance(20)
  expect(ran).toEqual(['deferred 10', 'other 12', 'later 15'])
})

test('waits at a moment for work that is under way', async () => {
  const { time, clock, busy, ran, note } = begin()
  time.after(10, () => {
    busy.isBusy = true
  })
  time.after(11, note('next'))
  const moved = clock.advance(20)
  await turns(50)
  expect([ran, time.nowMs()]).toEqual([[], START_MS + 10])
  busy.isBusy = false
  await moved
  expect(ran).toEqual(['next 11'])
})

test('work that never ends holds up a moment for five seconds of the wall', async () => {
  const { wall, time, clock, busy, ran, note } = begin()
  time.after(10, () => {
    busy.isBusy = true
  })
  time.after(11, note('next'))
  const moved = clock.advance(12)
  for (let ms = 0; ms < 20_000 && ran.length === 0; ms += 500) {
    await turns(5)
    wall.advance(500)
  }
  expect([ran, wall.elapsedNs() / 1e9]).toEqual([['next 11'], 5.5])
  busy.isBusy = false
  expect(await moved).toBe(true)
})

test('steps to what is due next', async () => {
  const { time, clock, ran, note } = begin()
  time.after(70_000, note('a'))
  time.after(80_000, note('b'))
  await clock.step()
  expect([ran, clock.state().nextDueMs]).toEqual([['a 70000'], START_MS + 80_000])
  await clock.step()
  await clock.step()
  expect(clock.state()).toMatchObject({ nowMs: START_MS + 80_000, nextDueMs: undefined })
})

test('goes to a later moment, and not to one that has passed', async () => {
  const { clock, at } = begin()
  await clock.advanceTo(Ms(START_MS + 86_400_000))
  expect(at()).toBe(86_400_000)
  await clock.advanceTo(START_MS)
  expect(at()).toBe(86_400_000)
})

test('moves come one after another, and a pause ends those that are under way', async () => {
  const { time, clock, at } = begin()
  time.after(500, () => clock.pause())
  const moves = [clock.advance(300), clock.advance(300), clock.advance(300)]
  expect(clock.state().isMoving).toBe(true)
  expect(await Promise.all(moves)).toEqual([true, false, false])
  expect([at(), clock.state().isMoving]).toEqual([500, false])
  expect(await clock.advance(100)).toBe(true)
  expect(at()).toBe(600)
})

test('follows the wall N times as fast, and stands still while it is paused', async () => {
  const { wall, clock, at } = begin(false)
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 2) {
      wall.advance(2)
      await turns(6)
    }
  }
  await pass(10)
  expect(at()).toBe(10)
  clock.setSpeed(1_000)
  await pass(4)
  expect(at()).toBe(4_010)
  clock.pause()
  await pass(100)
  expect(at()).toBe(4_010)
  clock.resume()
  await pass(2)
  expect(at()).toBe(6_010)
})

test('a clock that follows the wall is on no way, and begins at a later moment of its journal', async () => {
  const { wall, clock, at } = begin(false)
  wall.advance(10)
  expect(clock.state().isMoving).toBe(false)
  await turns(6)
  clock.begin(Ms(START_MS + 5))
  expect(at()).toBe(10)
  clock.begin(Ms(START_MS + 86_400_000))
  expect(at()).toBe(86_400_000)
})

test('a clock that falls behind makes up for a tenth of a second', async () => {
  const { wall, at } = begin(false)
  wall.advance(60_000)
  await turns(6)
  expect(at()).toBe(100)
})

test('stands still for a participant until it has acknowledged each event', async () => {
  const { time, clock, ran, note } = begin()
  const participant = clock.participants.join(AccountId(1), () => {})!
  time.every(10, () => {
    note('event')()
    participant.sent()
  })
  const moved = clock.advance(25)
  await turns(20)
  expect([ran, clock.state().isHeld]).toEqual([['event 10'], true])
  // What it does before it acknowledges belongs to the moment.
  time.defer(note('placed'))
  participant.acknowledge(1)
  await turns(20)
  expect(ran).toEqual(['event 10', 'placed 10', 'event 20'])
  participant.acknowledge(1)
  expect(await moved).toBe(true)
})

test('a participant that takes too long takes part no more', async () => {
  const { wall, time, clock, ran, note } = begin()
  const late = clock.participants.join(AccountId(1), note('dropped'))!
  time.after(10, () => late.sent())
  const moved = clock.advance(20)
  await turns(20)
  wall.advance(ACKNOWLEDGE_MS - 1)
  await turns(20)
  expect(ran).toEqual([])
  wall.advance(1)
  expect(await moved).toBe(true)
  expect([ran, clock.state().participants]).toEqual([['dropped 10'], 0])
})

test('requests of accounts that take part are carried out in turns, one after another', async () => {
  const { wall, time, clock, ran, note } = begin()
  const { participants } = clock
  // They may join in any order.
  const second = participants.join(AccountId(2), note('second dropped'))!
  const first = participants.join(AccountId(1), note('first dropped'))!
  const others = AccountId(3)
  time.after(10, () => {
    first.sent()
    second.sent()
  })
  const moved = clock.advance(20)
  await turns(20)
  participants.carryOut(second.account, () => {
    note('second places')()
    // It fills the order of the first, which may do something about it.
    time.defer(() => first.sent())
  })
  participants.carryOut(second.account, note('second places again'))
  second.acknowledge(1)
  participants.carryOut(others, note('another'))
  await turns(20)
  expect(ran).toEqual(['another 10'])
  // It is not late while it waits for its turn.
  wall.advance(ACKNOWLEDGE_MS - 1)
  participants.carryOut(first.account, note('first places'))
  await turns(20)
  expect(ran.splice(0)).toEqual(['another 10', 'first places 10'])
  first.acknowledge(1)
  await turns(20)
  expect(ran).toEqual(['second places 10'])
  first.acknowledge(1)
  expect(await moved).toBe(true)
  expect(ran.splice(0)).toEqual(['second places 10', 'second places again 10'])
})

test('requests of a participant that leaves wait no more, nor does the clock once all do', async () => {
  const { time, clock, ran, note } = begin()
  const { participants } = clock
  const [first, second] = [1, 2].map((id) => participants.join(AccountId(id), note('dropped'))!)
  time.after(10, () => first!.sent())
  const moved = clock.advance(20)
  await turns(20)
  participants.carryOut(second!.account, note('second places'))
  await turns(20)
  second!.leave()
  expect(ran.splice(0)).toEqual(['second places 10'])
  participants.disband()
  first!.sent()
  expect(await moved).toBe(true)
  expect(clock.state()).toMatchObject({ participants: 0, isHeld: false })
})

test('a clock has so many participants at most', () => {
  const { participants } = begin().clock
  const join = (account: number) => participants.join(AccountId(account), () => {})
  const joined = Array.from({ length: PARTICIPANTS_MAX }, () => join(1))
  // An account leaves an eighth to those that do not take part.
  expect(joined.filter((it) => it !== undefined)).toHaveLength((PARTICIPANTS_MAX / 8) * 7)
  const others = Array.from({ length: PARTICIPANTS_MAX / 8 + 1 }, (_, at) => join(2 + at))
  expect(others.map((it) => it !== undefined).lastIndexOf(true)).toBe(PARTICIPANTS_MAX / 8 - 1)
  joined[0]!.leave()
  expect(join(1)).toBeUndefined()
  expect(join(99)).toBeDefined()
})

describe('an account that acknowledges slowly', () => {
  const slow = AccountId(7)
  /** A clock at an event of a participant each ms, for which it waits so long. */
  function holding() {
    const { wall, time, clock } = begin()
    const noted: string[] = []
    const note = (what: string) => (sentence: string) => void noted.push(`${what} ${sentence}`)
    clock.observe(() => 'slow', { info: note('info'), warn: note('warn') })
    let isOut = false
    let participant: Participant
    /** It joins again at once. */
    const join = () => {
      participant = clock.participants.join(slow, () => {
        isOut = true
        join()
      })!
    }
    join()
    time.every(1, () => participant.sent())
    const pass = async (ms: number) => {
      wall.advance(ms)
      await turns(12)
    }
    return {
      wall,
      clock,
      noted,
      pass,
      /** Whether it still takes part then. */
      wait: async (ms: number) => {
        isOut = false
        await pass(ms)
        if (!isOut) participant.acknowledge(1)
        await turns(12)
        return !isOut
      },
    }
  }

  test('has 60 s within ten minutes, then a second for each event, also when it joins again', async () => {
    const { clock, wait, pass, noted } = holding()
    const moved = clock.advance(100)
    await turns(12)
    for (let i = 0; i < 6; i++) expect(await wait(9_000)).toBe(true)
    // 54 s are gone.
    expect(await wait(5_999)).toBe(true)
    expect(await wait(SWIFT_MS)).toBe(false)
    expect(await wait(SWIFT_MS)).toBe(false)
    for (let i = 0; i < 10; i++) expect(await wait(SWIFT_MS - 1)).toBe(true)
    await pass(SWIFT_MS - 1)
    expect(clock.state()).toMatchObject({ isHeld: true, heldBy: ['slow'] })
    expect(noted).toEqual([
      'info The virtual clock waits for slow.',
      'warn slow held the virtual clock too long; it takes part no more.',
      'warn slow held the virtual clock too long; it takes part no more.',
    ])
    clock.pause()
    expect(await moved).toBe(false)
  })

  test('has 60 s again ten minutes later, and short waits count towards nothing', async () => {
    const { clock, wait, pass } = holding()
    const moved = clock.advance(1_000)
    await turns(12)
    for (let i = 0; i < 100; i++) expect(await wait(SWIFT_MS)).toBe(true)
    expect(clock.participants.patienceMs(slow)).toBe(ACKNOWLEDGE_MS)
    const longMs = SWIFT_MS + 1
    for (let i = 0; i < 59; i++) expect(await wait(longMs)).toBe(true)
    clock.participants.disband()
    expect(await moved).toBe(true)
    const patienceIn = async (ms: number) => {
      await pass(ms)
      return clock.participants.patienceMs(slow)
    }
    expect(await patienceIn(HELD_RUN_MS - 58 * longMs - 1)).toBe(SWIFT_MS)
    expect(await patienceIn(1)).toBe(HELD_MS_MAX - 58 * longMs)
    expect(await patienceIn(58 * longMs)).toBe(ACKNOWLEDGE_MS)
  })

  test('has no more time because its requests wait for the turns of others', async () => {
    const { wall, time, clock } = begin()
    const { participants } = clock
    let isOut = false
    const first = participants.join(AccountId(1), () => {})!
    const late = participants.join(slow, () => {
      isOut = true
    })!
    time.after(1, () => late.sent())
    const moved = clock.advance(2)
    await turns(6)
    for (let ms = 0; ms < ACKNOWLEDGE_MS - 500; ms += 500) {
      wall.advance(500)
      participants.carryOut(slow, () => {})
      await turns(6)
    }
    expect(isOut).toBe(false)
    wall.advance(500)
    expect(isOut).toBe(true)
    expect(await moved).toBe(true)
    first.leave()
  })

  test('is named by the move that waited for it', async () => {
    const { clock, wait } = holding()
    const waits = new Map()
    const moved = clock.advance(2, waits)
    await turns(12)
    await wait(3_000)
    await wait(2_000)
    expect([await moved, clock.waitedText(waits)]).toEqual([true, ' It waited 5 s for slow.'])
    expect(clock.waitedText(new Map([[slow, SWIFT_MS]]))).toBe('')
  })
})

test('fractions of milliseconds add up to whole ones', async () => {
  const { time, clock } = begin()
  const wake = async () => {
    for (let i = 0; i < 1_000; i++) await pause(time, 1 / 3)
  }
  void wake()
  await clock.advance(60_000)
  expect(time.nowMs()).toBe(START_MS + 60_000)
  expect(time.elapsedNs()).toBe(60_000_000_000)
})
