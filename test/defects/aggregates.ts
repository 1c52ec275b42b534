/** Defects of aggregate trades, in streams and in the archive. */
import { AggregateView } from '../../src/core/views/aggregate-view.ts'
import { AggregateTradeFeed } from '../../src/gateway/streams/feeds/trade-feeds.ts'
import * as rule from '../../src/history/aggregate.ts'
import type { SimulatedDefect } from './defect.ts'

export const aggregateDefects: readonly SimulatedDefect[] = [
  {
    name: 'gateway: each pair of an auction ends its aggregate',
    simulator: 'aggregates',
    steps: 6_000,
    plant: (planting) =>
      planting.method(AggregateTradeFeed, 'turnEnded', (usual) => (self) => {
        Reflect.set(self, 'isAuction', false)
        usual(self)
      }),
  },
  {
    name: 'gateway: a stream does not continue what the archive has open',
    simulator: 'aggregates',
    steps: 12_000,
    plant: (planting) =>
      planting.method(AggregateView, 'add', (usual) => (self, trade) => {
        if (!Reflect.get(self, 'isDue')) Reflect.set(self, 'open', undefined)
        return usual(self, trade)
      }),
  },
  {
    name: 'gateway: an aggregate waits for the next trade when its execution has ended',
    simulator: 'aggregates',
    steps: 6_000,
    plant: (planting) => planting.method(AggregateTradeFeed, 'turnEnded', () => () => {}),
  },
  {
    name: 'archive: trades of several milliseconds are one aggregate',
    simulator: 'aggregates',
    steps: 12_000,
    plant: (planting) =>
      planting.member(
        rule,
        'joinsAggregate',
        () => (open, trade) =>
          open.takerOrderId === trade.takerOrderId && open.priceTicks === trade.priceTicks,
      ),
  },
]
