/** Receipts of own orders: what is kept of them, and how they are spread. */
import { expect, test } from 'vitest'
import {
  distribution,
  quantile,
  RECEIPTS_MAX,
  type Receipt,
  readReceipt,
  withReceipt,
} from '../../../src/console/trade/receipts.ts'

const stagesOf = (total: number) => ({
  parse: 1,
  ring: 2,
  match: 3,
  journal: 4,
  publish: 5,
  answer: total - 15,
  total,
})
const receiptOf = (total: number, orderId: number) =>
  readReceipt(stagesOf(total), 'BUY LIMIT', { orderId })

test('a receipt names the time of each stage', () => {
  expect(receiptOf(100, 7)).toEqual({
    what: 'BUY LIMIT',
    orderId: 7,
    totalNs: 100,
    stages: { parse: 1, ring: 2, match: 3, journal: 4, publish: 5, answer: 85 },
  })
})

test('the last thousand are kept, and their spread counts each of them once', () => {
  let receipts: readonly Receipt[] = []
  for (let id = 1; id <= RECEIPTS_MAX + 500; id++) {
    receipts = withReceipt(receipts, receiptOf(1_000 * id, id))
  }
  expect(RECEIPTS_MAX).toBe(1_000)
  expect(receipts.map(({ orderId }) => orderId)).toEqual(
    Array.from({ length: RECEIPTS_MAX }, (_, index) => index + 501),
  )
  const bins = distribution(receipts)
  expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(RECEIPTS_MAX)
  expect(bins[0]!.count).toBeGreaterThan(0)
  expect(bins.at(-1)!.count).toBeGreaterThan(0)
  expect([0.5, 0.99, 1].map((share) => quantile(receipts, share))).toEqual([
    ...[1_000_000, 1_490_000, 1_500_000],
  ])
})

test('nothing is spread without receipts', () => {
  expect([distribution([]), quantile([], 0.5)]).toEqual([[], 0])
})
