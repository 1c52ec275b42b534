/** What the operator's first screen makes of a reading. */
import { expect, test } from 'vitest'
import type { Figures } from '../../../src/admin-api/readings.ts'
import { differencesOf, dueOf, signsOf } from '../../../src/console/operator/ranks.ts'
import { nothing } from './figures.ts'

const DAY_MS = 86_400_000
const NOW_MS = 100 * DAY_MS
const at = (changes: Partial<Figures>): Figures => ({
  ...nothing,
  timeMs: NOW_MS,
  backupMs: NOW_MS,
  ...changes,
})
const signOf = (id: string, changes: Partial<Figures>) =>
  signsOf(at(changes), []).find((sign) => sign.id === id)!
const disk = nothing.disk

test('a sign is judged by what an operator should do about it, equality at its bound included', () => {
  const level = (id: string, changes: Partial<Figures>) => signOf(id, changes).level
  expect(level('disk', {})).toBe('good')
  expect(level('disk', { disk: { ...disk, level: 1 } })).toBe('warn')
  expect(level('disk', { disk: { ...disk, level: 2 } })).toBe('bad')
  expect(level('disk', { disk: { ...disk, isRefusing: true } })).toBe('bad')
  expect(level('reader', { stores: [{ readerAgeMs: 60_000 }] })).toBe('good')
  expect(level('reader', { stores: [{}, { readerAgeMs: 60_001 }] })).toBe('warn')
  expect(level('backup', { backupMs: 0 })).toBe('warn')
  expect(level('backup', { backupMs: NOW_MS - 7 * DAY_MS })).toBe('good')
  expect(level('backup', { backupMs: NOW_MS - 7 * DAY_MS - 1_000 })).toBe('warn')
  const ends = (days: number) => level('certificate', { certificateEndMs: NOW_MS + days * DAY_MS })
  expect([15, 14, 4, 3, 0, -1].map(ends)).toEqual(['good', 'warn', 'warn', 'bad', 'bad', 'bad'])
})

test('the store says its own growth', () => {
  const grown = { ...disk, bytesAnHour: 2 ** 40, storeBytes: 2 ** 20, storeBytesAnHour: 2 ** 10 }
  expect(signOf('disk', { disk: grown }).beside).toBe('store 1 MiB, +1 KiB/h')
  expect(signOf('disk', {}).beside).toBe('store 0.000977 KiB')
})

test('nothing is due where all is done; what is due first comes first', () => {
  expect(dueOf(at({}))).toEqual([])
  const rows = dueOf(
    at({
      backupMs: NOW_MS - DAY_MS - 1_000,
      certificateEndMs: NOW_MS + 30 * DAY_MS,
      disk: { ...disk, freeBytes: 49, reserveBytes: 1, bytesAnHour: 1 },
      schedules: [
        { name: 'day', timeZone: 'UTC', symbols: 1, held: 0 },
        {
          name: 'night',
          timeZone: 'UTC',
          symbols: 1,
          held: 0,
          next: { timeMs: NOW_MS + 5_000, status: 'BREAK' },
        },
      ],
      symbols: {
        names: ['A', 'B'],
        statuses: ['TRADING', 'TRADING'],
        groups: [],
        refusals: [0, 0],
        counters: { waitsForOperator: [0, 1] },
      },
      snapshotMinutes: 15,
      snapshots: [{ number: 1, timeMs: NOW_MS, bytes: 1 }],
    }),
  )
  expect(rows.map(({ seconds, command }) => [seconds, command])).toEqual([
    [0, 'resume'],
    [0, 'backup'],
    [5, 'schedule-next'],
    [900, 'snapshot'],
    [172_800, ''],
    [2_592_000, 'reload'],
  ])
  expect(dueOf(at({ certificateEndMs: NOW_MS + 30 * DAY_MS + 1_000 }))).toEqual([])
})

test('what differs is what operators changed, then settings', () => {
  expect(differencesOf(at({}))).toEqual([])
  const faults = [true, false].map((isOver, at) => ({
    name: `rule ${at}`,
    do: 'delay',
    rule: '',
    matches: 0,
    touched: 0,
    isOver,
  }))
  const rows = differencesOf(
    at({
      faults,
      clock: {
        nowMs: 0,
        isPaused: true,
        speed: 60,
        isMoving: false,
        participants: 0,
        isHeld: false,
        heldBy: [],
      },
      symbols: { names: ['A'], statuses: ['HALT'], groups: [], counters: {}, refusals: [0] },
      settings: [{ flag: 'alerts', value: '/etc/alerts.toml', usual: '' }],
    }),
  )
  expect(rows.map(({ what, value, usual }) => `${what}: ${value}, ${usual}`)).toEqual([
    'symbols that do not trade: 1, 0',
    'fault rules in force: 1, 0',
    'virtual clock: paused, runs',
    'speed of the clock: 60 ×, 1 ×',
    '--alerts: /etc/alerts.toml, none',
  ])
})

test('what waits in the wallet is due, counted, and so are chains that are stopped and deposits that are owed', () => {
  expect(dueOf(at({ wallet: { withdrawalsWaiting: 0, withdrawalsProcessing: 3 } }))).toEqual([])
  const wallet = { withdrawalsWaiting: 2, chainsStopped: 1, assetsOwed: 3 }
  expect(dueOf(at({ wallet })).map(({ what, command }) => `${what}, ${command}`)).toEqual([
    'Withdrawals that wait for you: 2, withdrawals',
    'Chains that are stopped: 1, chain-resume',
    'Assets of which accounts owe deposits: 3, funds-proof',
  ])
})
