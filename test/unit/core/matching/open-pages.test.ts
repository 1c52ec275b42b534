import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  readOrderState,
  readQueryEnd,
  writeQueryOpenOrders,
} from '../../../../scripts/layout/codecs.gen.ts'
import { Prng } from '../../../../src/base/prng.ts'
import { AccountId, OrderId, SymbolId } from '../../../../src/base/units.ts'
import { OrderState, QueryEnd, QueryOpenOrders } from '../../../../src/layout/accessors.gen.ts'
import { RecordBuffer, recordLength, recordType } from '../../../../src/layout/record-buffer.ts'
import { Tape } from './tape.ts'

const ACCOUNTS = [1, 2] as const
const ORDERS_MAX = 400

/** One page; where the next one begins, if one does. */
function page(tape: Tape, account: AccountId, limit: number, after: number, until: number) {
  const command = RecordBuffer.allocate(QueryOpenOrders.bytes)
  const asked = { symbolId: SymbolId(0), gateway: 0, correlation: 0, account }
  writeQueryOpenOrders(command, 0, {
    ...asked,
    limit,
    afterOrderId: OrderId(after),
    untilOrderId: OrderId(until),
  })
  const { output } = tape
  output.reset()
  tape.engine.execute(command, 0, tape.nowMs)
  const ids: number[] = []
  let end = readQueryEnd(RecordBuffer.allocate(QueryEnd.bytes), 0)
  for (let at = 0; at < output.repliesEnd; at += recordLength(output.replies, at)) {
    const type = recordType(output.replies, at)
    if (type === OrderState.type) ids.push(readOrderState(output.replies, at).orderId)
    if (type === QueryEnd.type) end = readQueryEnd(output.replies, at)
  }
  return { ids, isWhole: end.isWhole === 1, until: end.untilOrderId }
}

/** Several queries at once, page by page, while orders come and go. */
test('an order that stays open is on one page exactly, and pages have open orders only', () => {
  const seed = fc.integer({ min: 0, max: 2 ** 31 })
  const limits = fc.constantFrom(1, 3, 17, 100, 1000)
  fc.assert(
    fc.property(seed, limits, fc.integer({ min: 1, max: 7 }), (number, limit, queryCount) => {
      const prng = new Prng(number)
      const tape = new Tape({}, { ordersMax: 1024 })
      const open = new Map(ACCOUNTS.map((account) => [account, new Set<number>()]))
      let newest = 0
      const change = () => {
        const account = prng.pick(ACCOUNTS)
        const ids = open.get(account)!
        if (ids.size > 0 && prng.chance(0.3)) {
          const id = prng.pick([...ids])
          tape.run(`${account} cancel ${id}`)
          ids.delete(id)
        } else {
          tape.run(`${account} BUY 1 @ ${1 + prng.below(50)}`)
          ids.add(++newest)
        }
      }
      for (let i = prng.below(ORDERS_MAX); i > 0; i--) change()
      const queries = Array.from({ length: queryCount }, () => {
        const account = prng.pick(ACCOUNTS)
        const always = new Set(open.get(account)!)
        return { account, always, told: [] as number[], until: 0, isWhole: false }
      })
      while (queries.some(({ isWhole }) => !isWhole)) {
        const query = prng.pick(queries.filter(({ isWhole }) => !isWhole))
        const { account, told } = query
        const answer = page(tape, AccountId(account), limit, told.at(-1) ?? 0, query.until)
        for (const id of answer.ids) expect(open.get(account)!.has(id)).toBe(true)
        if (!answer.isWhole) expect(answer.ids).toHaveLength(limit)
        told.push(...answer.ids)
        Object.assign(query, { until: answer.until, isWhole: answer.isWhole })
        for (let i = prng.below(3); i > 0; i--) change()
        for (const it of queries) {
          for (const id of it.always) if (!open.get(it.account)!.has(id)) it.always.delete(id)
          if (it.isWhole && it.always.size > 0) {
            for (const id of it.always) expect(it.told).toContain(id)
            it.always.clear()
          }
        }
      }
      for (const { told } of queries) expect(told).toEqual([...new Set(told)].sort((a, b) => a - b))
    }),
    { numRuns: 30 },
  )
})
