/** Defects of phases, auctions and interruptions. */
import { SymbolStatus } from '../../src/base/codes.ts'
import { Ticks } from '../../src/base/units.ts'
import * as prices from '../../src/core/matching/auction-price.ts'
import { Engine } from '../../src/core/matching/engine.ts'
import { EventApplier } from '../../src/core/matching/event-applier.ts'
import { OwnOrders } from '../../src/core/matching/own-orders.ts'
import { Phases } from '../../src/core/matching/phases.ts'
import { Prevention } from '../../src/core/matching/prevention.ts'
import { SymbolState } from '../../src/core/matching/symbol-state.ts'
import { Uncrossing } from '../../src/core/matching/uncrossing.ts'
import { AuctionUncrossed } from '../../src/layout/accessors.gen.ts'
import * as recordBuffer from '../../src/layout/record-buffer.ts'
import type { SimulatedDefect } from './defect.ts'

export const phaseDefects: readonly SimulatedDefect[] = [
  {
    name: 'core/matching: an order enters between the cut of an auction and its last trade',
    simulator: 'phases',
    steps: 30_000,
    plant: (planting) =>
      planting.getter(
        Engine,
        'isUnfinished',
        (usual) => (self) => self.state.auctionTicks === 0 && usual(self),
      ),
  },
  {
    name: 'core/matching: a match that is prevented moves the price of the auction',
    simulator: 'phases',
    steps: 50_000,
    plant: (planting) => {
      let isPrevented = false
      planting.method(Prevention, 'preventResting', (usual) => (self, order, slot, ticks) => {
        isPrevented = true
        usual(self, order, slot, ticks)
      })
      planting.method(Uncrossing, 'meet', (usual) => (self, fills, prevention) => {
        isPrevented = false
        usual(self, fills, prevention)
        const price = isPrevented ? self.price() : undefined
        if (price !== undefined) self.begin(price, SymbolStatus.TRADING, false)
      })
    },
  },
  {
    name: "core/matching: an order enters a call beside its owner's across",
    simulator: 'phases',
    steps: 20_000,
    plant: (planting) =>
      planting.method(OwnOrders, 'find', (usual) => (self, order, within) => {
        const isFound = usual(self, order, within)
        self.ids.length = 0
        return isFound
      }),
  },
  {
    name: "core/matching: an owner's orders that came to rest in the call are not looked for",
    simulator: 'phases',
    steps: 20_000,
    plant: (planting) => planting.method(OwnOrders, 'rested', () => () => {}),
  },
  {
    name: 'core/matching: an order that has traded nothing and does not rest stops the market',
    simulator: 'phases',
    steps: 20_000,
    plant: (planting) => planting.method(Phases, 'mayInterrupt', () => () => true),
  },
  {
    name: 'core/matching: a call forgets how often it was extended',
    simulator: 'phases',
    steps: 20_000,
    plant: (planting) =>
      planting.method(SymbolState, 'changePhase', (usual) => (self, change) => {
        usual(self, { ...change, extensions: 0 })
      }),
  },
  {
    name: "core/matching: an auction at a corridor's bound takes the free price",
    simulator: 'phases',
    steps: 20_000,
    plant: (planting) =>
      planting.method(Uncrossing, 'priceAt', (usual) => (self, priceTicks) => {
        return self.price() ?? usual(self, priceTicks)
      }),
  },
  {
    name: "core/matching: orders beyond a corridor's bound trade behind it",
    simulator: 'phases',
    steps: 20_000,
    plant: (planting) => planting.getter(Uncrossing, 'isBeyondBound', () => () => false),
  },
  {
    name: 'core/matching: one interruption more in an hour ends by itself',
    simulator: 'phases',
    steps: 100_000,
    plant: (planting) =>
      planting.method(
        SymbolState,
        'hasInterrupted',
        (usual) => (self, times, withinMs) => usual(self, times + 1, withinMs),
      ),
  },
  {
    name: 'core/matching: a call that waits for an operator is ended by a schedule',
    simulator: 'phases',
    steps: 20_000,
    plant: (planting) => planting.getter(Phases, 'isWaiting', () => () => false),
  },
  {
    name: 'core/matching: a stop acts in the call that its price began',
    simulator: 'phases',
    steps: 20_000,
    plant: (planting) =>
      planting.method(SymbolState, 'changePhase', (usual) => (self, change) => {
        const wasTrading = self.isTrading
        usual(self, change)
        // Within the execution of an order, whose prices have woken stops.
        if (change.endsMs !== 0 && wasTrading) self.isTrading = true
      }),
  },
  {
    name: 'core/matching: stops see no price of an auction',
    simulator: 'phases',
    steps: 20_000,
    plant: (planting) =>
      planting.method(SymbolState, 'tradedAt', (usual) => (self, priceTicks) => {
        if (self.auctionTicks === 0) usual(self, priceTicks)
      }),
  },
  {
    name: 'core/matching: an auction takes the middle of its prices, whatever the last one was',
    simulator: 'phases',
    steps: 20_000,
    plant: (planting) =>
      planting.member(prices, 'auctionPriceOf', (usual) => (bids, asks) => usual(bids, asks, 0)),
  },
  {
    name: 'core/matching: recovery forgets that trades of an auction are left',
    simulator: 'phases',
    steps: 20_000,
    plant: (planting) =>
      planting.method(EventApplier, 'apply', (usual) => (self, events, at) => {
        const isCut = recordBuffer.recordType(events, at) === AuctionUncrossed.type
        if (isCut) AuctionUncrossed.setPriceTicks(events, at, Ticks(0))
        usual(self, events, at)
      }),
  },
]
