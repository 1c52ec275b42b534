/** The list of own open orders, against a plain map of them. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { OrderRow } from '../../../src/console/trade/account-rows.ts'
import { keyOf, OpenOrderRows } from '../../../src/console/trade/open-order-rows.ts'

const STATUSES = ['NEW', 'PARTIALLY_FILLED', 'FILLED', 'CANCELED'] as const
const order = fc.record({
  symbol: fc.constantFrom('BTCUSDT', 'ETHUSDT'),
  orderId: fc.integer({ min: 1, max: 6 }),
  status: fc.constantFrom(...STATUSES),
  executedQty: fc.constantFrom('0', '1'),
})
/** An order's time never changes. */
const rowOf = (it: { readonly orderId: number }) =>
  ({ ...it, time: Math.floor(it.orderId / 2) }) as unknown as OrderRow

const isOpen = ({ status }: OrderRow) => status === 'NEW' || status === 'PARTIALLY_FILLED'
const byAge = (a: OrderRow, b: OrderRow) => b.time - a.time || b.orderId - a.orderId

test('the rows are the open orders, the newest first, whatever the order of events', () => {
  fc.assert(
    fc.property(fc.array(order), fc.array(order), (loaded, events) => {
      const rows = new OpenOrderRows()
      const twin = new Map<string, OrderRow>()
      for (const row of loaded.map(rowOf).filter(isOpen)) twin.set(keyOf(row), row)
      rows.load([...twin.values()])
      for (const row of events.map(rowOf)) {
        rows.take(row)
        if (isOpen(row)) twin.set(keyOf(row), row)
        else twin.delete(keyOf(row))
        const shown = [...rows.all()]
        expect(new Set(shown)).toEqual(new Set(twin.values()))
        expect(shown.map(({ time }) => time)).toEqual(
          [...twin.values()].sort(byAge).map(({ time }) => time),
        )
        for (const symbol of ['BTCUSDT', 'ETHUSDT']) {
          const own = [...twin.values()].filter((it) => it.symbol === symbol)
          expect(rows.count(symbol)).toBe(own.length)
        }
        expect(rows.keys.value.map((key) => rows.of(key))).toEqual(shown)
      }
    }),
  )
})
