/** Defects of phases, auctions and interruptions. */
import { SymbolStatus } from '../../../src/base/codes.ts'
import { Ticks } from '../../../src/base/units.ts'
import * as prices from '../../../src/core/matching/auction-price.ts'
import { Engine } from '../../../src/core/matching/engine.ts'
import { EventApplier } from '../../../src/core/matching/event-applier.ts'
import { Prevention } from '../../../src/core/matching/prevention.ts'
import { SymbolState } from '../../../src/core/matching/symbol-state.ts'
import { Uncrossing } from '../../../src/core/matching/uncrossing.ts'
import { AuctionUncrossed } from '../../../src/layout/accessors.gen.ts'
import * as recordBuffer from '../../../src/layout/record-buffer.ts'
import type { Defect } from './defect.ts'

export const phaseDefects: readonly Defect[] = [
  {
    name: 'core/matching: an order enters between the cut of an auction and its last trade',
    simulator: 'phases',
    steps: 6000,
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
    steps: 20_000,
    plant: (planting) => {
      let isPrevented = false
      planting.method(Prevention, 'preventResting', (usual) => (self, order, slot, ticks) => {
        isPrevented = true
        usual(self, order, slot, ticks)
      })
      planting.method(Uncrossing, 'meet', (usual) => (self, fills, prevention) => {
        isPrevented = false
        usual(self, fills, prevention)
        if (isPrevented && self.price() !== undefined) self.begin(SymbolStatus.TRADING)
      })
    },
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
