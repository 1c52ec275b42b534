/** Waiting orders are found by account and by client order id, whatever came and went. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packClientOrderId } from '../../../../src/base/client-order-id.ts'
import { Details } from '../../../../src/core/matching/details.ts'
import { Waiting } from '../../../../src/core/matching/waiting.ts'

const step = fc.record({
  act: fc.constantFrom('add', 'add', 'remove', 'rename'),
  account: fc.integer({ min: 0, max: 3 }),
  name: fc.integer({ min: 0, max: 30 }),
  pick: fc.nat(),
})

test('as a list of them would be', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300, size: 'max' }), (steps) => {
      const details = new Details()
      const waiting = new Waiting(details, steps.length)
      const words = new Int32Array(8)
      let plain: { row: number; account: number; name: number }[] = []
      for (const [index, { act, account, name, pick }] of steps.entries()) {
        packClientOrderId(`order-${name}`, words, 0)
        const chosen = plain[pick % plain.length]
        const isTaken = (owner: number) =>
          plain.some((order) => order.account === owner && order.name === name)
        if (act === 'add' && !isTaken(account)) {
          const row = details.add(index + 1)
          details.account[row] = account
          details.setClientOrderId(row, words, 0)
          waiting.add(row)
          plain.push({ row, account, name })
        } else if (act === 'remove' && chosen !== undefined) {
          waiting.remove(chosen.row)
          details.remove(chosen.row)
          plain = plain.filter((order) => order !== chosen)
        } else if (act === 'rename' && chosen !== undefined && !isTaken(chosen.account)) {
          waiting.rename(chosen.row, words, 0)
          chosen.name = name
        }
        packClientOrderId(`order-${name}`, words, 0)
        for (const owner of [0, 1, 2, 3]) {
          const own = plain.filter((order) => order.account === owner)
          const rows: number[] = []
          let row = waiting.newestOfAccount(owner)
          for (; row !== 0; row = waiting.olderOfAccount(row)) rows.push(row)
          expect(rows).toEqual(own.map((order) => order.row).reverse())
          const named = own.find((order) => order.name === name)
          expect(waiting.findClientOrder(owner, words, 0)).toBe(named?.row ?? 0)
        }
        expect(waiting.count).toBe(plain.length)
      }
    }),
    { numRuns: 60 },
  )
})
