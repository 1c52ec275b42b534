/**
 * Whatever is sent to the operations that trade, each request is answered once or sends one command,
 * whose numbers the engine can bear (trading-request.ts).
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type SentCommand, tapeTrade, trader } from '../../../bench/workloads/fake-context.ts'
import { readPlaceOrder, readPlaceOrderList } from '../../../scripts/layout/codecs.gen.ts'
import { orderListOperations } from '../../../src/api/operations/order-lists.ts'
import { tradingOperations } from '../../../src/api/operations/trading.ts'
import { isDetailed, isStopType, paysPending, typeOf } from '../../../src/base/codes.ts'
import { Ticks } from '../../../src/base/units.ts'
import { PlaceOrder, PlaceOrderList, ReplaceOrder } from '../../../src/layout/accessors.gen.ts'
import type { SymbolSpec } from '../../../src/market/listing.ts'
import { send } from '../../protocol/fake-responder.ts'
import { specialContext } from '../../protocol/special-symbols.ts'
import { tradingRequest } from './trading-request.ts'

function expectBearable({ type, buffer }: SentCommand): void {
  if (type === PlaceOrder.type || type === ReplaceOrder.type) {
    const order = readPlaceOrder(buffer, 0)
    const { stopTicks, icebergLots, trailingDelta, strategyType, pegPriceType } = order
    const extras = [stopTicks, icebergLots, trailingDelta, strategyType, pegPriceType]
    const hasMore = order.strategyId > 0 || extras.some((extra) => extra > 0)
    if (hasMore || isStopType(typeOf(order.terms))) expect(isDetailed(order.terms)).toBe(true)
    expect(order.lots > 0).not.toBe(order.quoteAtoms > 0)
    expect(order.icebergLots === 0 || order.icebergLots < order.lots).toBe(true)
    expect(Number.isSafeInteger(order.priceTicks * order.lots)).toBe(true)
  }
  if (type === PlaceOrderList.type) {
    const list = readPlaceOrderList(buffer, 0)
    for (const terms of [list.terms1, list.terms2]) expect(isDetailed(terms)).toBe(true)
    expect(list.lots1).toBeGreaterThan(0)
    expect(list.lots2 === 0).toBe(paysPending(list.kind))
  }
}

describe('requests that trade', () => {
  const commanding = new Set<string>()

  test('are answered once, or send commands', () => {
    fc.assert(
      fc.property(tradingRequest, ({ id, query }) => {
        const context = specialContext()
        const [{ base }] = context.symbols as readonly [SymbolSpec]
        context.groups = [
          { base, symbols: context.symbols.map(({ id }) => id), account: trader.id },
        ]
        for (const { id: symbolId } of context.symbols) {
          context.tape(symbolId).seed([tapeTrade(Ticks(8_000))])
        }
        const { answer } = send(context, id, query)
        const waits = context.sent.length > 0
        expect(answer === undefined).toBe(waits)
        if (answer !== undefined) expect(() => JSON.parse(answer.body) as unknown).not.toThrow()
        for (const command of context.sent) expectBearable(command)
        if (waits) commanding.add(id)
      }),
      { numRuns: 5_000 },
    )
    const silent = ['testOrder', 'testRoutedOrder', 'myFilters', 'myAllocations']
    const expected = [...tradingOperations, ...orderListOperations].map(({ id }) => id)
    expect([...commanding].sort()).toEqual(expected.filter((id) => !silent.includes(id)).sort())
  })
})
