/** Defects of aggregate trades, in streams and in the archive. */
import { AggregateView } from '../../src/core/views/aggregate-view.ts'
import { AggregateTradeFeed } from '../../src/gateway/streams/feeds/trade-feeds.ts'
import * as rule from '../../src/history/aggregate.ts'
import { type SimulatedDefect, within } from './defect.ts'

export const aggregateDefects: readonly SimulatedDefect[] = [
  ...within('aggregates', 6_000, {
    'gateway: each pair of an auction ends its aggregate': (planting) =>
      planting.method(AggregateTradeFeed, 'turnEnded', (usual) => (self) => {
        Reflect.set(self, 'isAuction', false)
        usual(self)
      }),
    'gateway: an aggregate waits for the next trade when its execution has ended': (planting) =>
      planting.method(AggregateTradeFeed, 'turnEnded', () => () => {}),
  }),
  ...within('aggregates', 12_000, {
    'gateway: a stream does not continue what the archive has open': (planting) =>
      planting.method(AggregateView, 'add', (usual) => (self, trade) => {
        if (!Reflect.get(self, 'isDue')) Reflect.set(self, 'open', undefined)
        return usual(self, trade)
      }),
    'archive: trades of several milliseconds are one aggregate': (planting) =>
      planting.member(
        rule,
        'joinsAggregate',
        () => (open, trade) =>
          open.takerOrderId === trade.takerOrderId && open.priceTicks === trade.priceTicks,
      ),
  }),
]
