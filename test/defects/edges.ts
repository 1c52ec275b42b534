/** Defects of what stands around the matchers: archive, api, gateway, operator, threads. */

import * as recovery from '../../src/agents/recover.ts'
import { Fault } from '../../src/api/errors.ts'
import * as drafts from '../../src/api/handlers/order-draft.ts'
import { ExecutionReporter } from '../../src/api/rows/execution-reports.ts'
import { PlacedOrder } from '../../src/api/rows/placed-order.ts'
import { MarketProjection } from '../../src/archive/market-projection.ts'
import {
  DETAILED,
  packTerms,
  preventionOf,
  sideOf,
  TimeInForce,
  typeOf,
} from '../../src/base/codes.ts'
import { SymbolId } from '../../src/base/units.ts'
import { Registry } from '../../src/control/registry.ts'
import { Balances } from '../../src/core/ledger/balances.ts'
import { DepthView } from '../../src/core/views/depth.ts'
import * as bookLoaders from '../../src/gateway/engine-link/book-loader.ts'
import { BookLoader } from '../../src/gateway/engine-link/book-loader.ts'
import { Trade } from '../../src/layout/accessors.gen.ts'
import { recordType } from '../../src/layout/record-buffer.ts'
import { type SimulatedDefect, within } from './defect.ts'

export const edgeDefects: readonly SimulatedDefect[] = [
  ...within('exchange', 6000, {
    'archive: trades are not in the history of their symbol': (planting) =>
      planting.method(MarketProjection, 'traded', () => () => {}),
  }),
  ...within('exchange', 4000, {
    'api: an answer tells of the last fill alone': (planting) =>
      planting.method(PlacedOrder, 'add', (usual) => (self, buffer, at) => {
        if (recordType(buffer, at) !== Trade.type) {
          usual(self, buffer, at)
          return
        }
        const lots = Trade.takerFilledLots(buffer, at)
        Trade.setTakerFilledLots(buffer, at, Trade.tradeLots(buffer, at))
        usual(self, buffer, at)
        Trade.setTakerFilledLots(buffer, at, lots)
      }),
  }),
  ...within('exchange', 1000, {
    'api: a command carries another time in force than was asked for': (planting) =>
      planting.member(drafts, 'draftOrder', (usual) => (request, context) => {
        const draft = usual(request, context)
        if (draft instanceof Fault) return draft
        const { terms } = draft
        const plain = packTerms(sideOf(terms), typeOf(terms), TimeInForce.GTC, preventionOf(terms))
        return { ...draft, terms: plain | (terms & DETAILED) }
      }),
  }),
  ...within('exchange', 9000, {
    'gateway: the makers of a trade are not told of it': (planting) =>
      planting.method(ExecutionReporter, 'read', (usual) => (self, buffer, at) => {
        usual(self, buffer, at)
        self.makerOwner = -1
      }),
    'control: what was withdrawn is there again after a start': (planting) =>
      planting.method(
        Registry,
        'apply',
        (usual) => (self, fact) =>
          usual(
            self,
            fact.fact === 'withdrawal' ? { ...fact, atoms: String(-BigInt(fact.atoms)) } : fact,
          ),
      ),
    'threads: a start takes symbols from a snapshot, and no balances': (planting) =>
      planting.member(
        recovery,
        'takeSnapshot',
        (usual) =>
          (start, { accountsMax, assetsMax }, log) => {
            const memory = new SharedArrayBuffer(Balances.bytesFor(accountsMax, assetsMax))
            return usual(start, new Balances(memory, accountsMax, assetsMax), log)
          },
      ),
  }),
  ...within('exchange', 60_000, {
    'gateway: the depth of a reader that missed events continues as if it had not': (planting) =>
      planting.method(DepthView, 'invalidate', () => () => {}),
  }),
  ...within('venue', 1, {
    'gateway: all books of a matcher are asked for at once': (planting) =>
      planting.member(
        bookLoaders,
        'BookLoader',
        (Usual) =>
          class extends Usual {
            private readonly loaderOf: () => BookLoader

            constructor(...given: ConstructorParameters<typeof Usual>) {
              super(...given)
              this.loaderOf = () => new Usual(...given)
            }

            override load(symbolId: number): Promise<void> {
              return this.loaderOf().load(SymbolId(symbolId))
            }
          },
      ),
  }),
  ...within('venue', 18, {
    'gateway: a book that was loaded once is not loaded again': (planting) => {
      const loaded = new WeakMap<BookLoader, Map<number, Promise<void>>>()
      planting.method(BookLoader, 'load', (usual) => (self, symbolId) => {
        const loads = loaded.get(self) ?? new Map<number, Promise<void>>()
        loaded.set(self, loads)
        const load = loads.get(symbolId) ?? usual(self, symbolId)
        loads.set(symbolId, load)
        return load
      })
    },
  }),
]
