/**
 * The clock of an embedded exchange. A program may move it a thousand times in a second: in its own process it
 * does so without an operators' action, which would be journaled for good.
 */
import { isDate } from 'node:util/types'
import { parseLength, parseMoment } from '../base/time-text.ts'
import { Ms } from '../base/units.ts'
import {
  type ClockWaits,
  LATEST_MS,
  SPEED_MAX,
  SPEED_MIN,
  type VirtualClock,
} from '../base/virtual-clock.ts'
import type { Operate } from './operate.ts'
import type { Length, Moment, VenueClock } from './options.ts'

export const clockHere = (ofExchange: () => VirtualClock): VenueClock => {
  const arrived = async (
    move: (clock: VirtualClock, waits: ClockWaits) => Promise<boolean>,
  ): Promise<number> => {
    const clock = ofExchange()
    const waits: ClockWaits = new Map()
    if (!(await move(clock, waits))) {
      throw new Error(`The clock was paused before it had arrived.${clock.waitedText(waits)}`)
    }
    return clock.time.nowMs()
  }
  return {
    now: () => ofExchange().time.nowMs(),
    pause: async () => ofExchange().pause(),
    resume: async () => ofExchange().resume(),
    speed: async (times) => ofExchange().setSpeed(speedOf(times)),
    step: (length) =>
      arrived((clock, waits) =>
        length === undefined ? clock.step(waits) : clock.advance(lengthOf(length, clock), waits),
      ),
    advance: (length) => arrived((clock, waits) => clock.advance(lengthOf(length, clock), waits)),
    advanceTo: (moment) =>
      arrived((clock, waits) => clock.advanceTo(momentOf(moment, clock), waits)),
  }
}

/** The clock of an exchange in a child process, or on the machine's time, which refuses. */
export function operatedClock(operate: Operate): VenueClock {
  const act = async (action: string, given = {}) => {
    await operate(action, given)
  }
  const move = async (action: string, given = {}) => {
    await act(action, given)
    const { rows } = await operate('clock-show', {})
    return Number(rows[0]?.ms)
  }
  return {
    now: () => {
      throw new Error('Only an exchange in this process shows its virtual clock at once.')
    },
    pause: () => act('clock-pause'),
    resume: () => act('clock-resume'),
    speed: (times) => act('clock-speed', { times }),
    step: (length) => move('clock-step', length === undefined ? {} : { length }),
    advance: (length) => move('clock-advance', { length }),
    advanceTo: (moment) =>
      move('clock-advance', { moment: isDate(moment) ? moment.toISOString() : moment }),
  }
}

function speedOf(times: number): number {
  if (times >= SPEED_MIN && times <= SPEED_MAX) return times
  throw new RangeError(`A speed is from ${SPEED_MIN} to ${SPEED_MAX}.`)
}

function lengthOf(length: Length, { time }: VirtualClock): number {
  const ms = typeof length === 'number' ? length : parseLength(length)
  if (ms !== undefined && ms >= 0 && time.nowMs() + ms <= LATEST_MS) return ms
  throw new RangeError(`${length} is no length of time, such as '1h', or leads behind 2099.`)
}

function momentOf(moment: Moment, { time }: VirtualClock): Ms {
  const ms = typeof moment === 'string' ? parseMoment(moment) : Number(moment)
  if (ms !== undefined && ms >= time.nowMs() && ms <= LATEST_MS) return Ms(ms)
  throw new RangeError(`${moment} is no moment to come, such as '2027-01-31T00:00:00Z'.`)
}
