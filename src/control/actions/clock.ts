/** Actions on the virtual clock, which every client meets: operators alone move it. */
import { parseLength } from '../../base/time-text.ts'
import type { Ms } from '../../base/units.ts'
import {
  type ClockWaits,
  LATEST_MS,
  SPEED_MAX,
  SPEED_MIN,
  type VirtualClock,
} from '../../base/virtual-clock.ts'
import {
  ActionError,
  type ActionParam,
  type Arguments,
  actionsOf,
  type Outcome,
  type TableRow,
} from '../action.ts'

const length: ActionParam = {
  name: 'length',
  kind: 'text',
  about: 'A length of time: ms, or as 90s, 1h, 1d12h.',
}
const moment: ActionParam = {
  name: 'moment',
  kind: 'text',
  about: 'A moment with its offset, as 2027-01-31T12:00:00Z or 2027-01-31, or ms since 1970.',
}

const shared = { role: 'admin' } as const

export const clockActions = actionsOf('sandbox', [
  {
    ...shared,
    name: 'clock-show',
    title: 'Show the virtual clock',
    role: 'watch',
    example: 'clock-show',
    about: 'Shows the virtual clock: the time, whether it runs, how fast, and for whom it waits.',
    params: [],
    run: (_, { view }) =>
      view.clock === undefined
        ? { said: REAL, rows: [] }
        : { said: sentenceOf(view.clock), rows: rowsOf(view.clock) },
  },
  {
    ...shared,
    name: 'clock-pause',
    title: 'Pause the virtual clock',
    example: 'clock-pause',
    about: 'Pauses the virtual clock; a move that is under way ends.',
    params: [],
    run: (_, { view }) => changed(clockOf(view.clock), (clock) => clock.pause()),
  },
  {
    ...shared,
    name: 'clock-resume',
    title: 'Resume the virtual clock',
    example: 'clock-resume',
    about: "Resumes the virtual clock: it follows the machine's time at its speed.",
    params: [],
    run: (_, { view }) => changed(clockOf(view.clock), (clock) => clock.resume()),
  },
  {
    ...shared,
    name: 'clock-speed',
    title: 'Set the speed of the virtual clock',
    example: 'clock-speed 60',
    about: 'Sets how many times as fast as the machine the virtual clock runs; it may be paused.',
    params: [
      {
        name: 'times',
        kind: 'text',
        about: `From ${SPEED_MIN} to ${SPEED_MAX}; as fast as the machine can, if that is less.`,
        required: true,
      },
    ],
    run: (args, { view }) => {
      const times = args.read({ kind: 'number', min: SPEED_MIN, max: SPEED_MAX }, 'times')
      return changed(clockOf(view.clock), (clock) => clock.setSpeed(times))
    },
  },
  {
    ...shared,
    name: 'clock-step',
    title: 'Move the clock to what is due next',
    example: 'clock-step',
    about: 'Moves the virtual clock to the next moment at which anything is due, or by a length.',
    params: [length],
    run: (args, { view }) => {
      const clock = clockOf(view.clock)
      const ms = args.has('length') ? lengthOf(args, clock) : undefined
      return moved(clock, (waits) =>
        ms === undefined ? clock.step(waits) : clock.advance(ms, waits),
      )
    },
  },
  {
    ...shared,
    name: 'clock-advance',
    title: 'Move the clock forward',
    example: 'clock-advance 1h',
    about:
      'Moves the virtual clock by a length or to a moment, through everything that is due meanwhile.',
    params: [
      { ...length, about: `${length.about} Or --moment.` },
      { ...moment, about: `${moment.about} Instead of a length.` },
    ],
    run: (args, { view }) => {
      const clock = clockOf(view.clock)
      if (args.has('length') === args.has('moment')) {
        throw new ActionError('clock-advance takes a length, or --moment.')
      }
      if (args.has('length')) {
        const ms = lengthOf(args, clock)
        return moved(clock, (waits) => clock.advance(ms, waits))
      }
      const toMs = momentOf(args, clock)
      return moved(clock, (waits) => clock.advanceTo(toMs, waits))
    },
  },
])

const REAL = "The clock is the machine's (--clock virtual)."

function clockOf(clock: VirtualClock | undefined): VirtualClock {
  if (clock === undefined) throw new ActionError(REAL)
  return clock
}

const changed = (clock: VirtualClock, change: (clock: VirtualClock) => void): Outcome => ({
  said: '',
  report: async () => {
    change(clock)
    return sentenceOf(clock)
  },
})

/** The action ends when the move does: others wait for it no longer than they must. */
const moved = (clock: VirtualClock, move: (waits: ClockWaits) => Promise<boolean>): Outcome => ({
  said: '',
  report: async () => {
    const waits: ClockWaits = new Map()
    const hasArrived = await move(waits)
    const said = `${sentenceOf(clock)}${clock.waitedText(waits)}`
    if (hasArrived) return said
    throw new ActionError(`The clock was paused before it had arrived. ${said}`)
  },
})

/** Returns a sentence about how it is now. */
function sentenceOf(clock: VirtualClock): string {
  const { nowMs, isPaused, speed } = clock.state()
  const how = isPaused ? 'It stands still' : `It runs ${speed} times as fast as the machine`
  return `It is ${new Date(nowMs).toISOString()}. ${how}.`
}

function rowsOf(clock: VirtualClock): readonly TableRow[] {
  const { nowMs, isPaused, speed, isMoving, isHeld, nextDueMs, participants, heldBy } =
    clock.state()
  const state = isHeld ? 'waits for a participant' : isMoving ? 'moving' : 'running'
  return [
    {
      time: new Date(nowMs).toISOString(),
      ms: nowMs,
      state: isPaused && !isMoving ? 'paused' : state,
      speed,
      next: nextDueMs === undefined ? '' : new Date(nextDueMs).toISOString(),
      participants,
      heldBy: heldBy.join(', '),
    },
  ]
}

function lengthOf(args: Arguments, { time }: VirtualClock): number {
  const ms = parseLength(args.text('length'))
  if (ms === undefined) throw new ActionError('length must be ms, or as 90s, 1h or 1d12h.')
  if (time.nowMs() + ms > LATEST_MS) throw new ActionError(TOO_LATE)
  return ms
}

function momentOf(args: Arguments, { time }: VirtualClock): Ms {
  const toMs = args.read({ kind: 'moment' }, 'moment')
  if (toMs > LATEST_MS) throw new ActionError(TOO_LATE)
  if (toMs < time.nowMs()) throw new ActionError('Time goes forwards: that moment has passed.')
  return toMs
}

const TOO_LATE = 'The clock goes to the end of 2099 at most.'
