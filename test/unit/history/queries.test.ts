/** Every query of the table reaches what carries it out, and is counted while it is under way. */
import { describe, expect, test } from 'vitest'
import { btcusdt } from '../../../bench/workloads/fake-context.ts'
import { AccountId, OrderId, SymbolId } from '../../../src/base/units.ts'
import { CountedHistory } from '../../../src/gateway/engine-link/counted-history.ts'
import { historyNames, historyQueries, isListName } from '../../../src/history/queries.ts'

const form = { encoding: 'JSON', spec: btcusdt, microseconds: false } as const
const echo = historyQueries(async (name, query, form) => ({ name, query, form }))

describe.each(historyNames)('%s', (name) => {
  test('is carried out under its name', async () => {
    const query = { account: AccountId(1) }
    expect(await echo[name](query as never)).toEqual({ name, query, form: undefined })
  })

  test('is counted until it has a result', async () => {
    const waiting: ((result?: unknown) => void)[] = []
    const run = () => new Promise((resolve) => waiting.push(resolve))
    const counted = new CountedHistory(historyQueries(run))
    const { queries } = counted
    const asked: Promise<unknown>[] = [queries[name]({} as never)]
    if (isListName(name)) asked.push(queries.list(name, {} as never, form))
    for (const [index, result] of asked.entries()) {
      expect(counted.count).toBe(asked.length - index)
      waiting[index]!()
      await result
    }
    expect(counted.count).toBe(0)
  })
})

test('a list carries how it is rendered', async () => {
  const query = { symbolId: SymbolId(0), limit: 1 }
  expect(await echo.list('publicTrades', query, form)).toEqual({
    name: 'publicTrades',
    query,
    form,
  })
})

test('a query that fails is counted no more', async () => {
  const counted = new CountedHistory(historyQueries(() => Promise.reject(new Error('behind'))))
  await expect(
    counted.queries.order({ account: AccountId(1), symbolId: SymbolId(0), orderId: OrderId(1) }),
  ).rejects.toThrow()
  expect(counted.count).toBe(0)
})
