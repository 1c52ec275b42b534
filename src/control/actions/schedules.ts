/** Actions on schedules of statuses, and on the place of one symbol in its schedule (docs/phases.md). */
import { SymbolStatus } from '../../base/codes.ts'
import { didYouMean, oneOf } from '../../base/cold-input.ts'
import { Ms, type SymbolId } from '../../base/units.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import {
  type ActionContext,
  ActionError,
  type ActionParam,
  type Arguments,
  actionsOf,
  type Outcome,
  type TableRow,
} from '../action.ts'
import type { HeldFact, ScheduleFact } from '../facts.ts'
import type { Registry } from '../registry.ts'
import {
  dateOf,
  dateText,
  HOLIDAYS_MAX,
  isTimeZone,
  type OwnDays,
  PHASES_PER_DAY_MAX,
  Schedule,
  type ScheduledPhase,
  type ScheduleSpec,
  statusNames,
  weekdays,
} from '../schedule/schedule.ts'
import { dueFacts, transitionFact } from '../schedule/transitions.ts'
import { counted } from '../words.ts'
import { listedSymbolOf, symbolFact, symbolNamed, symbolParam } from './named.ts'

const NEXT_MAX = 200
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6]
const NEXT_USUAL = 12
const TIME = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?(?: +|=)([A-Z_]+)$/
/** What a schedule may set: a halt is an operator's. */
const scheduled = statusNames.filter((name) => name !== 'HALT')

const nameParam: ActionParam = {
  name: 'schedule',
  kind: 'text',
  about: 'Name of the schedule.',
  required: true,
}

export const scheduleActions = actionsOf('market', [
  {
    name: 'schedule-set',
    title: 'Set a schedule',
    role: 'admin',
    example: 'schedule-set day --all --phases 09:00=TRADING,17:30=END_OF_DAY',
    about:
      'Sets the times at which symbols change their status, and brings them to the present one.',
    presentBy: ['schedule'],
    params: [
      nameParam,
      {
        name: 'symbols',
        kind: 'list',
        about: 'Names of symbols; each is in one schedule at most.',
      },
      { name: 'all', kind: 'flag', about: 'Stands for all symbols that are listed now.' },
      { name: 'zone', kind: 'text', about: 'Time zone of the times, such as Europe/Berlin; UTC.' },
      {
        name: 'days',
        kind: 'list',
        about:
          'Weekdays, such as MON-FRI,SUN; every day. One with times has these instead of the usual ones: "FRI 09:00=TRADING 17:00=END_OF_DAY".',
      },
      { name: 'phases', kind: 'list', about: 'Times and statuses, such as 09:00=TRADING.' },
      {
        name: 'holidays',
        kind: 'list',
        about:
          'Dates without a change, such as 2026-12-25, or with other changes than usual: "2026-12-24 09:00=TRADING 14:00=END_OF_DAY".',
      },
    ],
    present: (args, { registry }) => {
      const { spec } = registry.schedules.named(args.text('schedule')) ?? {}
      if (spec === undefined) return {}
      return {
        symbols: namesOfSymbols(spec.symbols, registry),
        zone: spec.timeZone,
        days: daysText(spec),
        phases: spec.phases.map(phaseText).join(','),
        holidays: holidaysText(spec),
      }
    },
    previews: (args, _, { rows = [], facts = [] }) => {
      const changed = facts.flatMap((fact) => (fact.fact === 'transition' ? fact.symbols : []))
      const now = changed.length === 0 ? '' : ` ${counted(changed.length, 'symbol')} change now.`
      const note = `${counted(rows.length, 'coming change')} shown.${now}`
      return { does: `Set the schedule ${args.text('schedule')}`, note, yes: 'Set' }
    },
    run: setSchedule,
  },
  {
    name: 'schedule-show',
    title: 'Show the schedules',
    role: 'watch',
    example: 'schedule-show',
    about: 'Shows the schedules, and when each changes next.',
    params: [],
    rowAction: { name: 'schedule-next', label: 'Coming', takes: { schedule: 'schedule' } },
    run: (_, { registry, nowMs }) => ({
      said: `${counted(registry.schedules.all.length, 'schedule')}.`,
      rows: registry.schedules.all.map((schedule) => showSchedule(schedule, registry, nowMs)),
    }),
  },
  {
    name: 'schedule-next',
    title: 'Show the next changes of a schedule',
    role: 'watch',
    example: 'schedule-next day --limit 20',
    about: 'Shows the coming changes of a schedule.',
    params: [
      nameParam,
      { name: 'limit', kind: 'integer', about: `Changes; ${NEXT_USUAL}, at most ${NEXT_MAX}.` },
    ],
    run: (args, { registry, nowMs }) => {
      const limit = args.integer('limit', 1, NEXT_MAX, NEXT_USUAL)
      const schedule = scheduleOf(args, registry)
      const rows = comingRows(schedule, nowMs, limit)
      return { said: `${counted(rows.length, 'coming change')} of ${schedule.spec.name}.`, rows }
    },
  },
  {
    name: 'schedule-run',
    title: 'Make changes that are due',
    role: 'admin',
    example: 'schedule-run',
    about: 'Makes the changes of schedules that are due; the exchange does so by itself.',
    params: [],
    run: (_, { registry, nowMs }) => {
      const facts = dueFacts(registry, nowMs)
      if (facts.length === 0) return { said: 'No change is due.', changesNothing: true }
      const texts = facts.map(
        ({ schedule, status, symbols }) =>
          `${schedule}: ${counted(symbols.length, 'symbol')} to ${statusNames[status]}`,
      )
      return { facts, said: `${texts.join('; ')}.` }
    },
  },
  {
    name: 'phase-hold',
    title: 'Hold a symbol in its status',
    role: 'support',
    example: 'phase-hold BTCUSDT',
    about: 'Holds a symbol in its status: its schedule passes it by.',
    params: [symbolParam],
    run: (args, { registry }) => {
      const spec = listedSymbolOf(args, registry)
      if (registry.schedules.isHeld(spec.id)) {
        return { said: `${spec.name} is held already.`, changesNothing: true }
      }
      const held = heldFact(spec, true, Ms(registry.schedules.aheadOf(spec.id)))
      return { facts: [held], said: `${spec.name} is held: ${statusOf(spec)}.` }
    },
  },
  {
    name: 'phase-release',
    title: 'End a hold',
    role: 'support',
    example: 'phase-release BTCUSDT',
    about: 'Ends a hold, and brings the symbol to the present status of its schedule.',
    params: [symbolParam],
    run: releaseSymbol,
  },
  {
    name: 'phase-advance',
    title: 'Make the next change of a symbol now',
    role: 'admin',
    example: 'phase-advance BTCUSDT',
    about: 'Makes the next change of a symbol now: of its schedule, or else of a business day.',
    params: [symbolParam],
    previews: (args, context) => {
      const { spec, status } = nextFor(args, context)
      const does = `Set ${spec.name} from ${statusOf(spec)} to ${statusNames[status]}`
      return { does, note: '', yes: 'Advance' }
    },
    run: (args, context) => {
      const { spec, status, dueMs } = nextFor(args, context)
      const isHeld = context.registry.schedules.isHeld(spec.id)
      return {
        facts: [symbolFact(spec, { status }), heldFact(spec, isHeld, dueMs)],
        said: `${spec.name} is ${statusNames[status]}.`,
      }
    },
  },
  {
    name: 'schedule-remove',
    title: 'Remove a schedule',
    role: 'admin',
    example: 'schedule-remove day',
    about: 'Removes a schedule. Its symbols stay as they are.',
    params: [nameParam],
    previews: (args, { registry }) => {
      const { spec } = scheduleOf(args, registry)
      const note = `Its ${counted(spec.symbols.length, 'symbol')} stay as they are.`
      return { does: `Remove the schedule ${spec.name}`, note, yes: 'Remove' }
    },
    run: (args, { registry, nowMs }) => {
      const { spec } = scheduleOf(args, registry)
      const { ownDays: _, ...usual } = spec
      const fact: ScheduleFact = { fact: 'schedule', ...usual, phases: [], fromMs: nowMs }
      return { facts: [fact], said: `The schedule ${spec.name} is removed.` }
    },
  },
])

/** The order of a business day, for symbols without a schedule. */
const DAY: readonly SymbolStatus[] = [
  SymbolStatus.PRE_TRADING,
  SymbolStatus.AUCTION_MATCH,
  SymbolStatus.TRADING,
  SymbolStatus.POST_TRADING,
  SymbolStatus.END_OF_DAY,
]

const statusOf = ({ status }: SymbolSpec): string => statusNames[status]!

export const heldFact = ({ id }: SymbolSpec, held: boolean, aheadMs = Ms(0)): HeldFact => ({
  fact: 'held',
  symbol: id,
  held,
  aheadMs,
})

function scheduleOf(args: Arguments, { schedules }: Registry): Schedule {
  const name = args.text('schedule')
  const schedule = schedules.named(name)
  if (schedule !== undefined) return schedule
  const names = schedules.all.map(({ spec }) => spec.name)
  throw new ActionError(`There is no schedule ${name}.${didYouMean(name, names)}`)
}

function setSchedule(args: Arguments, { registry, nowMs }: ActionContext): Outcome {
  const spec = specOf(args, registry)
  const schedule = new Schedule(spec)
  const set: ScheduleFact = { fact: 'schedule', ...spec, fromMs: nowMs }
  const rows = comingRows(schedule, nowMs, NEXT_USUAL)
  const said = `The schedule ${spec.name} is set.`
  const present = schedule.lastUntil(nowMs)
  if (present === undefined) return { facts: [set], rows, said }
  const reaches = (symbol: SymbolSpec) => registry.schedules.isReached(symbol)
  const changed = transitionFact(registry, spec.name, spec.symbols, present, reaches)
  return { facts: [set, changed], rows, said }
}

/** What is not given stays as it is. */
function specOf(args: Arguments, registry: Registry): ScheduleSpec {
  const name = args.name('schedule')
  const before = registry.schedules.named(name)?.spec
  const timeZone = args.text('zone', before?.timeZone ?? 'UTC')
  if (!isTimeZone(timeZone)) {
    throw new ActionError(`zone must be a time zone such as Europe/Berlin, not ${timeZone}.`)
  }
  const phases = args.has('phases')
    ? phasesOf('phases', args.list('phases'))
    : (before?.phases ?? [])
  const days = args.has('days') ? daysOf(args.list('days')) : presentDays(before)
  const isEmpty = phases.length === 0 && (days.ownDays === undefined || days.days.length > 0)
  if (isEmpty) throw new ActionError('A schedule needs phases ("09:00 TRADING").')
  return {
    name,
    symbols: symbolsOf(name, args, registry) ?? before?.symbols ?? [],
    timeZone,
    ...days,
    phases,
    ...(args.has('holidays') ? holidaysOf(args.list('holidays')) : unusualOf(before)),
  }
}

type Unusual = Pick<ScheduleSpec, 'holidays' | 'halfDays'>
const unusualOf = ({ holidays, halfDays }: Unusual = { holidays: [] }): Unusual => ({
  holidays,
  ...(halfDays && { halfDays }),
})

function symbolsOf(
  name: string,
  args: Arguments,
  registry: Registry,
): readonly SymbolId[] | undefined {
  const isAll = args.flag('all', false)
  if (isAll && args.has('symbols')) {
    throw new ActionError('schedule-set takes symbols or "all", not both.')
  }
  if (!isAll && !args.has('symbols')) return undefined
  const named = isAll
    ? registry.symbols
    : args.list('symbols').map((it) => symbolNamed(it, registry))
  const specs = [...new Set(named)].filter(({ id }) => !registry.delistedSymbols.has(id))
  for (const { id, name: symbol } of specs) {
    const other = registry.schedules.ofSymbol(id)?.spec.name ?? name
    if (other !== name) throw new ActionError(`${symbol} is in the schedule ${other}.`)
  }
  return specs.map(({ id }) => id)
}

/** `where` is the parameter that has the texts. */
function phasesOf(where: string, texts: readonly string[]): readonly ScheduledPhase[] {
  if (texts.length > PHASES_PER_DAY_MAX) {
    throw new ActionError(`A schedule has at most ${PHASES_PER_DAY_MAX} phases a day.`)
  }
  const phases = texts.map((text) => phaseOf(where, text))
  phases.forEach(({ seconds }, at) => {
    if (at > 0 && seconds <= phases[at - 1]!.seconds) {
      throw new ActionError(`${where} must be in the order of their times: ${texts[at]}.`)
    }
  })
  return phases
}

function phaseOf(where: string, text: string): ScheduledPhase {
  const [, hours, minutes, seconds = '0', status = ''] = TIME.exec(text) ?? []
  if (hours === undefined) throw new ActionError(`${where}: "${text}" is not like "09:00 TRADING".`)
  if (!scheduled.includes(status as (typeof scheduled)[number])) {
    throw new ActionError(`${where}: ${status} is not a status to schedule: ${oneOf(scheduled)}.`)
  }
  return {
    seconds: Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds),
    status: SymbolStatus[status as keyof typeof SymbolStatus],
  }
}

function phaseText({ seconds, status }: ScheduledPhase): string {
  const time = new Date(seconds * 1_000).toISOString().slice('1970-01-01T'.length, -'.000Z'.length)
  return `${time.replace(/:00$/, '')} ${statusNames[status]}`
}

type Days = Pick<ScheduleSpec, 'days' | 'ownDays'>
const presentDays = ({ days, ownDays }: Days = { days: EVERY_DAY }): Days => ({
  days,
  ...(ownDays && { ownDays }),
})

/** `MON-THU,FRI 09:00=TRADING 17:00=END_OF_DAY` → weekdays with the usual times, and those with their own. */
function daysOf(texts: readonly string[]): Days {
  const named = new Set<number>()
  const usual: number[] = []
  const ownDays: OwnDays[] = []
  for (const text of texts) {
    const [range = '', ...times] = text.trim().split(/ +/)
    const days = weekdaysIn(range).filter((day) => times.length > 0 || !usual.includes(day))
    if (days.some((day) => named.has(day))) throw new ActionError(`days: ${range} comes twice.`)
    for (const day of days) named.add(day)
    if (times.length === 0) usual.push(...days)
    else ownDays.push({ days, phases: phasesOf('days', times) })
  }
  if (named.size === 0) throw new ActionError('days must name a weekday.')
  return { days: usual.sort((a, b) => a - b), ...(ownDays.length > 0 && { ownDays }) }
}

/** `MON-FRI` → numbers of weekdays. A range may pass the end of the week. */
function weekdaysIn(range: string): readonly number[] {
  const numberOf = (text: string): number => {
    const day = weekdays.indexOf(text.toUpperCase() as (typeof weekdays)[number])
    if (day < 0) throw new ActionError(`days: ${text} must be ${oneOf([...weekdays])}.`)
    return day
  }
  const [first = '', last = first] = range.split('-')
  const [from, to] = [numberOf(first), numberOf(last)]
  return Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, at) => (from + at) % 7)
}

function daysText({ days, ownDays = [] }: Days): string {
  const namesOfDays = (of: readonly number[]) => of.map((day) => weekdays[day]!)
  const own = ownDays.flatMap(({ days: its, phases }) =>
    namesOfDays(its).map((day) => [day, ...phases.map(timesText)].join(' ')),
  )
  return [...namesOfDays(days), ...own].join(',')
}

const timesText = (phase: ScheduledPhase): string => phaseText(phase).replace(' ', '=')

/** Each text is a date, and, of a half day, behind it its times and statuses: `14:00=END_OF_DAY`. */
function holidaysOf(texts: readonly string[]): Unusual {
  if (texts.length > HOLIDAYS_MAX) {
    throw new ActionError(`A schedule has at most ${HOLIDAYS_MAX} holidays.`)
  }
  const phasesByDate = new Map<number, readonly ScheduledPhase[]>()
  for (const text of texts) {
    const [day = '', ...times] = text.trim().split(/ +/)
    const date = dateOf(day)
    if (date === undefined) throw new ActionError(`holidays: ${day} is not like 2026-12-25.`)
    const phases = phasesOf('holidays', times)
    const other = phasesByDate.get(date)
    if (other !== undefined && other.length + phases.length > 0) {
      throw new ActionError(`holidays: ${day} comes twice.`)
    }
    phasesByDate.set(date, phases)
  }
  const days = [...phasesByDate].map(([date, phases]) => ({ date, phases }))
  days.sort((a, b) => a.date - b.date)
  const halfDays = days.filter(({ phases }) => phases.length > 0)
  const holidays = days.filter(({ phases }) => phases.length === 0).map(({ date }) => date)
  return { holidays, ...(halfDays.length > 0 && { halfDays }) }
}

const holidaysText = ({ holidays, halfDays = [] }: Unusual): string =>
  [...holidays.map((date) => ({ date, phases: [] })), ...halfDays]
    .sort((a, b) => a.date - b.date)
    .map(({ date, phases }) => [dateText(date), ...phases.map(timesText)].join(' '))
    .join(',')

const namesOfSymbols = (ids: readonly SymbolId[], { symbols }: Registry): string =>
  ids.map((id) => symbols[id]!.name).join(',')

const timeText = (ms: number): string => new Date(ms).toISOString()

function comingRows(schedule: Schedule, nowMs: Ms, limit: number): readonly TableRow[] {
  const rows: TableRow[] = []
  for (const { dueMs, status, date } of schedule.after(nowMs)) {
    rows.push({ time: timeText(dueMs), day: dateText(date), status: statusNames[status]! })
    if (rows.length === limit) break
  }
  return rows
}

function showSchedule(schedule: Schedule, registry: Registry, nowMs: Ms): TableRow {
  const { name, symbols, timeZone, phases, holidays, halfDays = [] } = schedule.spec
  const [next] = schedule.after(nowMs)
  const held = symbols.filter((id) => registry.schedules.isHeld(id))
  return {
    schedule: name,
    symbols: namesOfSymbols(symbols, registry),
    held: namesOfSymbols(held, registry),
    zone: timeZone,
    days: daysText(schedule.spec),
    phases: phases.map(phaseText).join(', '),
    holidays: holidays.length,
    halfDays: halfDays.length,
    next: next === undefined ? '' : `${timeText(next.dueMs)} ${statusNames[next.status]}`,
  }
}

function releaseSymbol(args: Arguments, { registry, nowMs }: ActionContext): Outcome {
  const spec = listedSymbolOf(args, registry)
  if (!registry.schedules.isHeld(spec.id)) {
    return { said: `${spec.name} is not held.`, changesNothing: true }
  }
  // By the clock: what was made ahead of its time is over with the hold.
  const due = registry.schedules.ofSymbol(spec.id)?.lastUntil(nowMs)
  const present = due?.status ?? spec.status
  const status = registry.schedules.isStopped(spec) ? spec.status : present
  const facts = status === spec.status ? [] : [symbolFact(spec, { status })]
  const said = `${spec.name} is released: ${statusNames[status]}.`
  return { facts: [heldFact(spec, false), ...facts], said }
}

interface Next {
  readonly spec: SymbolSpec
  readonly status: SymbolStatus
  /** 0 where no schedule has it. */
  readonly dueMs: Ms
}

function nextFor(args: Arguments, { registry }: ActionContext): Next {
  const spec = listedSymbolOf(args, registry)
  if (registry.schedules.isStopped(spec)) {
    throw new ActionError(`${spec.name} is ${statusOf(spec)}: resume it, or set its status.`)
  }
  if (registry.schedules.ofSymbol(spec.id) !== undefined) {
    const next = registry.schedules.nextOf(spec.id)
    if (next === undefined) throw new ActionError(`No change of ${spec.name} is to come.`)
    return { spec, status: next.status, dueMs: next.dueMs }
  }
  const status = DAY[(DAY.indexOf(spec.status) + 1) % DAY.length]!
  return { spec, status, dueMs: Ms(0) }
}
