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
import { type SimulatedDefect, within } from './defect.ts'

export const phaseDefects: readonly SimulatedDefect[] = [
  ...within('phases', 30_000, {
    'core/matching: an order enters between the cut of an auction and its last trade': (planting) =>
      planting.getter(
        Engine,
        'isUnfinished',
        (usual) => (self) => self.state.auctionTicks === 0 && usual(self),
      ),
  }),
  ...within('phases', 50_000, {
    'core/matching: a match that is prevented moves the price of the auction': (planting) => {
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
  }),
  ...within('phases', 20_000, {
    "core/matching: an order enters a call beside its owner's across": (planting) =>
      planting.method(OwnOrders, 'find', (usual) => (self, order, within) => {
        const isFound = usual(self, order, within)
        self.ids.length = 0
        return isFound
      }),
    "core/matching: an owner's orders that came to rest in the call are not looked for": (
      planting,
    ) => planting.method(OwnOrders, 'rested', () => () => {}),
    'core/matching: an order that has traded nothing and does not rest stops the market': (
      planting,
    ) => planting.method(Phases, 'mayInterrupt', () => () => true),
    'core/matching: a call forgets how often it was extended': (planting) =>
      planting.method(SymbolState, 'changePhase', (usual) => (self, change) => {
        usual(self, { ...change, extensions: 0 })
      }),
    "core/matching: an auction at a corridor's bound takes the free price": (planting) =>
      planting.method(Uncrossing, 'priceAt', (usual) => (self, priceTicks) => {
        return self.price() ?? usual(self, priceTicks)
      }),
    "core/matching: orders beyond a corridor's bound trade behind it": (planting) =>
      planting.getter(Uncrossing, 'isBeyondBound', () => () => false),
    'core/matching: a call that waits for an operator is ended by a schedule': (planting) =>
      planting.getter(Phases, 'isWaiting', () => () => false),
    'core/matching: a stop acts in the call that its price began': (planting) =>
      planting.method(SymbolState, 'changePhase', (usual) => (self, change) => {
        const wasTrading = self.isTrading
        usual(self, change)
        // Within the execution of an order, whose prices have woken stops.
        if (change.endsMs !== 0 && wasTrading) self.isTrading = true
      }),
    'core/matching: stops see no price of an auction': (planting) =>
      planting.method(SymbolState, 'tradedAt', (usual) => (self, priceTicks) => {
        if (self.auctionTicks === 0) usual(self, priceTicks)
      }),
    'core/matching: an auction takes the middle of its prices, whatever the last one was': (
      planting,
    ) => planting.member(prices, 'auctionPriceOf', (usual) => (bids, asks) => usual(bids, asks, 0)),
    'core/matching: recovery forgets that trades of an auction are left': (planting) =>
      planting.method(EventApplier, 'apply', (usual) => (self, events, at) => {
        const isCut = recordBuffer.recordType(events, at) === AuctionUncrossed.type
        if (isCut) AuctionUncrossed.setPriceTicks(events, at, Ticks(0))
        usual(self, events, at)
      }),
  }),
  ...within('phases', 100_000, {
    'core/matching: one interruption more in an hour ends by itself': (planting) =>
      planting.method(
        SymbolState,
        'hasInterrupted',
        (usual) => (self, times, withinMs) => usual(self, times + 1, withinMs),
      ),
  }),
]
