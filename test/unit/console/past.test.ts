/** Filters of the past, and its files. */
import { expect, test } from 'vitest'
import { csvOf } from '../../../src/console/trade/csv.ts'
import { isWithin, NO_FILTER } from '../../../src/console/trade/past-filter.ts'

test('both days of a filter are in it, by the zone of the browser', () => {
  const at = (day: number, hour: number, minute = 0) =>
    new Date(2026, 0, day, hour, minute).getTime()
  const filter = { ...NO_FILTER, from: '2026-01-05', until: '2026-01-06' }
  const isIn = (timeMs: number) => isWithin(filter, timeMs, true, 'FILLED')
  expect([at(4, 23, 59), at(5, 0), at(6, 23, 59), at(7, 0)].map(isIn)).toEqual([
    ...[false, true, true, false],
  ])
  expect(isWithin({ ...NO_FILTER, from: 'yesterday' }, at(1, 0), true, '')).toBe(true)
})

test('a side and a status choose', () => {
  const isIn = (filter: object) => isWithin({ ...NO_FILTER, ...filter }, 0, true, 'FILLED')
  expect(isIn({ side: 'Buy', status: 'FILLED' })).toBe(true)
  expect(isIn({ side: 'Sell' })).toBe(false)
  expect(isIn({ status: 'CANCELED' })).toBe(false)
})

test('a file quotes what it must, and has no formula for a spreadsheet', () => {
  const rows = [
    ['1.5', 'a,b', 'say "x"'],
    ['-1', '=1+1', '-A1'],
  ]
  expect(csvOf(['a', 'b', 'c'], rows)).toBe('a,b,c\r\n1.5,"a,b","say ""x"""\r\n-1,\'=1+1,\'-A1\r\n')
})
