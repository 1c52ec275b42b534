/**
 * What an operator looks for first, in three ranks: whether the exchange is well, what is due, and what is not as by
 * default. Made of one reading and the samples before it.
 */

import type { Figures } from '../../admin-api/readings.ts'
import { quantile, type Sample, together } from './figure-history.ts'
import { mostOf } from './figures.ts'
import { ageText, bytesText, countText, durationText, RATE, shareText } from './texts.ts'

export type Level = 'good' | 'warn' | 'bad'

/** One answer to whether it is well. */
export interface Sign {
  readonly id: string
  readonly name: string
  readonly value: string
  /** What the value is judged by. */
  readonly beside: string
  readonly level: Level
}

/** What a person has to do, or what comes by itself. */
export interface DueRow {
  /** Seconds from now; 0 for what is due already. */
  readonly seconds: number
  readonly what: string
  /** The command that does something about it; '' for none. */
  readonly command: string
}

/** What is not as by default. */
export interface Difference {
  readonly what: string
  readonly value: string
  readonly usual: string
}

const DAY = 86_400
/** Samples that the quantile is taken of. */
const MINUTE = 60
const READER_AGE_MS_MAX = 60_000
const BACKUP_DAYS = { due: 1, warn: 7 } as const
const CERTIFICATE_DAYS = { due: 30, warn: 14, bad: 3 } as const
/** A reserve that is reached later is no matter of today. */
const RESERVE_DAYS_DUE = 30
const SCHEDULES_SHOWN = 5

export function signsOf(figures: Figures, samples: readonly Sample[]): readonly Sign[] {
  return [...trafficSigns(figures, samples), diskSign(figures), readerSign(figures)].concat(
    backupSign(figures),
    certificateSign(figures),
  )
}

function trafficSigns(figures: Figures, samples: readonly Sample[]): Sign[] {
  const newest = samples.findLast(({ isKept }) => !isKept)
  const rate = (of: (sample: Sample) => number) => (newest === undefined ? '–' : RATE(of(newest)))
  const { isTimed } = figures
  const p99 = isTimed ? p99Of(samples.slice(-MINUTE)) : undefined
  return [
    sign(
      'orders',
      'Orders',
      rate(({ orders }) => orders),
      `${rate(({ trades }) => trades)} trades`,
    ),
    sign(
      ...(['p99', '99 % of orders within'] as const),
      p99 === undefined ? '–' : durationText(p99),
      isTimed ? 'in the last minute' : 'not timed: --metrics off',
    ),
    sign(
      ...(['refused', 'Refused', rate(({ refused }) => refused)] as const),
      `of ${rate(({ requests }) => requests)} requests`,
    ),
  ]
}

const sign = (
  id: string,
  name: string,
  value: string,
  beside: string,
  level: Level = 'good',
): Sign => ({ id, name, value, beside, level })

function p99Of(samples: readonly Sample[]): number | undefined {
  const all = samples.flatMap(({ histograms }) => histograms.get('order') ?? [])
  return all.length === 0 ? undefined : quantile(together(all), 0.99)
}

function diskSign({ disk }: Figures): Sign {
  const { freeBytes, totalBytes, level, isRefusing, storeBytes, storeBytesAnHour } = disk
  const grows = storeBytesAnHour < 0 ? '' : `, +${bytesText(storeBytesAnHour)}/h`
  return sign(
    ...(['disk', 'Disk free', shareText(freeBytes / Math.max(1, totalBytes))] as const),
    `store ${bytesText(storeBytes)}${grows}`,
    isRefusing || level === 2 ? 'bad' : level === 1 ? 'warn' : 'good',
  )
}

function readerSign({ stores }: Figures): Sign {
  const ageMs = mostOf(stores, 'readerAgeMs')
  const isHeld = ageMs > READER_AGE_MS_MAX
  const beside = isHeld ? 'its store grows' : 'of a store'
  return sign('reader', 'Oldest reader', ageText(ageMs / 1_000), beside, isHeld ? 'warn' : 'good')
}

function backupSign({ backupMs, timeMs }: Figures): Sign {
  if (backupMs === 0) return sign('backup', 'Backup', 'None', 'of this data folder', 'warn')
  const seconds = secondsBetween(backupMs, timeMs)
  const level = seconds > BACKUP_DAYS.warn * DAY ? 'warn' : 'good'
  return sign('backup', 'Backup', ageText(seconds), 'ago', level)
}

function certificateSign({ certificateEndMs, timeMs }: Figures): Sign {
  const name = 'Certificate ends'
  if (certificateEndMs === undefined)
    return sign('certificate', name, '–', 'clients connect by http')
  const seconds = secondsBetween(timeMs, certificateEndMs)
  const { bad, warn } = CERTIFICATE_DAYS
  const level = seconds <= bad * DAY ? 'bad' : seconds <= warn * DAY ? 'warn' : 'good'
  const value = seconds === 0 ? 'Ended' : `in ${ageText(seconds)}`
  return sign('certificate', name, value, 'of clients’ connections', level)
}

const secondsBetween = (fromMs: number, toMs: number): number =>
  Math.max(0, Math.round((toMs - fromMs) / 1_000))

/** What is due first comes first. */
export function dueOf(figures: Figures): readonly DueRow[] {
  const { symbols } = figures
  const waiting = symbols.names.filter((_, id) => symbols.counters.waitsForOperator?.[id] === 1)
  const calls = waiting.map((name) =>
    due(0, `The call of ${name} lasts until it is ended`, 'resume'),
  )
  const all = [...calls, ...walletDue(figures), ...careDue(figures), ...comingByItself(figures)]
  return all.sort((a, b) => a.seconds - b.seconds)
}

const due = (seconds: number, what: string, command = ''): DueRow => ({ seconds, what, command })

function walletDue({ wallet }: Figures): DueRow[] {
  const { withdrawalsWaiting = 0, chainsStopped = 0, assetsOwed = 0 } = wallet
  const rows = [
    [withdrawalsWaiting, 'Withdrawals that wait for you', 'withdrawals'],
    [chainsStopped, 'Chains that are stopped', 'chain-resume'],
    [assetsOwed, 'Assets of which accounts owe deposits', 'funds-proof'],
  ] as const
  return rows
    .filter(([count]) => count > 0)
    .map(([count, what, command]) => due(0, `${what}: ${count}`, command))
}

function careDue(figures: Figures): DueRow[] {
  const { timeMs, certificateEndMs, backupMs, disk } = figures
  const backupAge = secondsBetween(backupMs, timeMs)
  const ends = certificateEndMs === undefined ? undefined : secondsBetween(timeMs, certificateEndMs)
  const left = reserveSeconds(disk)
  return [
    ...(backupMs === 0 ? [due(0, 'The first backup', 'backup')] : []),
    ...(backupMs > 0 && backupAge > BACKUP_DAYS.due * DAY
      ? [due(0, 'A backup: the last one is older than a day', 'backup')]
      : []),
    ...(ends !== undefined && ends <= CERTIFICATE_DAYS.due * DAY
      ? [due(ends, 'The certificate ends', 'reload')]
      : []),
    ...(left !== undefined && left <= RESERVE_DAYS_DUE * DAY
      ? [due(left, 'Only the reserve of the disk is left, at the growth of the whole disk')]
      : []),
  ]
}

/** Undefined without growth. */
function reserveSeconds({ freeBytes, reserveBytes, bytesAnHour }: Figures['disk']) {
  if (bytesAnHour <= 0) return undefined
  return Math.round((Math.max(0, freeBytes - reserveBytes) / bytesAnHour) * 3_600)
}

function comingByItself({ timeMs, schedules, snapshots, snapshotMinutes }: Figures): DueRow[] {
  const changes = schedules.flatMap(({ name, next }) =>
    next === undefined
      ? []
      : [due(secondsBetween(timeMs, next.timeMs), `${name}: ${next.status}`, 'schedule-next')],
  )
  const newest = snapshots[0]
  const nextMs = (newest?.timeMs ?? Number.NaN) + snapshotMinutes * 60_000
  const isComing = snapshotMinutes > 0 && newest !== undefined
  return [
    ...changes.sort((a, b) => a.seconds - b.seconds).slice(0, SCHEDULES_SHOWN),
    ...(isComing ? [due(secondsBetween(timeMs, nextMs), 'The next snapshot', 'snapshot')] : []),
  ]
}

/** What operators changed comes first, then settings. */
export function differencesOf(figures: Figures): readonly Difference[] {
  const { symbols, schedules, faults = [], clock, settings } = figures
  const still = symbols.statuses.filter((status) => status !== 'TRADING').length
  const held = schedules.reduce((sum, schedule) => sum + schedule.held, 0)
  const rules = faults.filter(({ isOver }) => !isOver).length
  const differs = (what: string, count: number, usual = '0') =>
    count === 0 ? [] : [{ what, value: countText(count), usual }]
  return [
    ...differs('symbols that do not trade', still),
    ...differs('symbols held by an operator', held),
    ...differs('fault rules in force', rules),
    ...(clock?.isPaused === true
      ? [{ what: 'virtual clock', value: 'paused', usual: 'runs' }]
      : []),
    ...(clock !== undefined && clock.speed !== 1
      ? [{ what: 'speed of the clock', value: `${clock.speed} ×`, usual: '1 ×' }]
      : []),
    ...settings.map(({ flag, value, usual }) => ({
      what: `--${flag}`,
      value: value === '' ? 'none' : value,
      usual: usual === '' ? 'none' : usual,
    })),
  ]
}
