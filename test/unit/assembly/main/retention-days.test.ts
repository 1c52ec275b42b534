import { expect, test } from 'vitest'
import { keepEverything } from '../../../../src/archive/retention.ts'
import { retentionOf } from '../../../../src/assembly/main/retention-days.ts'
import { parseConfig } from '../../../../src/config/config.ts'

const settings = (...flags: string[]) => parseConfig(flags, {}, () => '').config!
const week = { publicTradeDays: 7, secondBarDays: 7, orderDays: 7 }

test('a demo keeps a week, a venue everything, and so does a clock that is moved', () => {
  expect(retentionOf(settings(), true)).toEqual(week)
  const virtual = settings('--sandbox', 'on', '--clock', 'virtual')
  expect(retentionOf(virtual, true)).toEqual(keepEverything)
  expect(retentionOf(settings(), false)).toEqual(keepEverything)
  expect(retentionOf(settings('--keep-order-days', 'demo'), true)).toEqual(week)
})

test('what a setting says holds for both', () => {
  const told = settings('--keep-order-days', '0', '--keep-public-trade-days=30')
  expect(retentionOf(told, true)).toEqual({ ...week, orderDays: 0, publicTradeDays: 30 })
  expect(retentionOf(told, false)).toEqual({ ...keepEverything, publicTradeDays: 30 })
})
