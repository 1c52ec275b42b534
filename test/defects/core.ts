/** Defects of the arithmetic: base, layout, core. */

import { Side } from '../../src/base/codes.ts'
import * as fixed from '../../src/base/fixed.ts'
import * as int64 from '../../src/base/int64.ts'
import type { Clock } from '../../src/base/time.ts'
import * as clocks from '../../src/base/time.ts'
import { Lots, QuoteAtoms, Ticks } from '../../src/base/units.ts'
import { Book } from '../../src/core/book/book.ts'
import { Balances } from '../../src/core/ledger/balances.ts'
import * as effects from '../../src/core/ledger/effects.ts'
import * as admissions from '../../src/core/matching/admission.ts'
import { Admission, usualBounds } from '../../src/core/matching/admission.ts'
import { BulkCancel, selectsAll } from '../../src/core/matching/bulk-cancel.ts'
import { Engine } from '../../src/core/matching/engine.ts'
import { EventApplier } from '../../src/core/matching/event-applier.ts'
import { EventWriter } from '../../src/core/matching/event-writer.ts'
import { ExecutionQueue } from '../../src/core/matching/execution-queue.ts'
import { Executions } from '../../src/core/matching/executions.ts'
import { OpenPages } from '../../src/core/matching/open-pages.ts'
import { EngineOutput } from '../../src/core/matching/output.ts'
import { Reach } from '../../src/core/matching/reach.ts'
import { ReplyWriter } from '../../src/core/matching/reply-writer.ts'
import { SymbolState } from '../../src/core/matching/symbol-state.ts'
import { DepthView } from '../../src/core/views/depth.ts'
import { DepthDiff } from '../../src/core/views/depth-diff.ts'
import { Tape } from '../../src/core/views/tape.ts'
import {
  BookEnd,
  CancelOrder,
  QueryBook,
  QuoteResult,
  Trade,
} from '../../src/layout/accessors.gen.ts'
import * as recordBuffer from '../../src/layout/record-buffer.ts'
import { recordType } from '../../src/layout/record-buffer.ts'
import { type SimulatedDefect, within } from './defect.ts'
import { Extent } from './planting.ts'

const amountWords = new Int32Array(2)

export const coreDefects: readonly SimulatedDefect[] = [
  ...within('simulation', 3000, {
    'base: commissions are rounded down': (planting) =>
      planting.member(
        fixed,
        'multiplyDivideHalfUp',
        () => (amount, numerator, denominator) =>
          Number((BigInt(amount) * BigInt(numerator)) / BigInt(denominator)),
      ),
  }),
  ...within('simulation', 2000, {
    'base: a carry between the words of a balance is forgotten': (planting) =>
      planting.member(int64, 'addInt64', () => (words, at, amount) => {
        int64.writeInt64(amountWords, 0, amount)
        words[at] = words[at]! + amountWords[0]!
        words[at + 1] = words[at + 1]! + amountWords[1]!
      }),
    'core/ledger: recovery forgets the price improvement of a buyer': (planting) =>
      planting.member(effects, 'applyEffects', (usual) => (events, at, spec, sink) => {
        if (recordBuffer.recordType(events, at) !== Trade.type) {
          usual(events, at, spec, sink)
          return
        }
        const atoms = Trade.buyerReleasedAtoms(events, at)
        Trade.setBuyerReleasedAtoms(events, at, QuoteAtoms(0))
        usual(events, at, spec, sink)
        Trade.setBuyerReleasedAtoms(events, at, atoms)
      }),
    'core/matching: price improvement is not released': (planting) =>
      planting.method(
        SymbolState,
        'freedByTaker',
        (usual) => (self, order, lots, quoteAtoms) =>
          QuoteAtoms(order.isMarketType ? usual(self, order, lots, quoteAtoms) : 0),
      ),
    'core/matching: a maker keeps locked what it held only for rounding': (planting) =>
      planting.method(SymbolState, 'freedByMaker', () => () => QuoteAtoms(0)),
    'core/matching: a prevented match tells of all that the taker has left': (planting) =>
      planting.method(
        EventWriter,
        'prevented',
        (usual) => (self, order, slot, ticks, groupId, _lots, makerLots, transfer) =>
          usual(self, order, slot, ticks, groupId, order.leftLots, makerLots, transfer),
      ),
    'core/matching: recovery forgets the hidden quantity of icebergs': (planting) =>
      planting.method(SymbolState, 'recoverRest', (usual) => (self, order, shownLots) => {
        if (order.slot !== 0) self.details.hiddenLots.set(order.slot, Lots(0))
        usual(self, order, shownLots)
      }),
    'core/matching: a page of open orders that is full says that it is the last': (planting) =>
      planting.method(OpenPages, 'visit', (usual) => (self, page, visitor) => {
        let count = 0
        const isWhole = usual(self, page, (slot) => {
          count++
          visitor(slot)
        })
        return isWhole || count === page.limit
      }),
    'core/matching: the end of a session cancels all orders of the account': (planting) =>
      planting.method(
        BulkCancel,
        'begin',
        (usual) => (self, account, _selects, idWords, idAt) =>
          usual(self, account, selectsAll, idWords, idAt),
      ),
    "core/matching: a cancel expires by the journal's time": (planting) =>
      planting.method(
        Engine,
        'execute',
        (usual) => (self, commands, at, timeMs, clockMs) =>
          recordBuffer.recordType(commands, at) === CancelOrder.type
            ? usual(self, commands, at, timeMs, timeMs)
            : usual(self, commands, at, timeMs, clockMs),
      ),
    'core/matching: an order may meet any number of others in one turn': (planting) =>
      planting.method(Reach, 'isExceededBy', () => () => false),
  }),
  ...within('venue', 18, {
    'base: durations are measured by the wall clock': (planting) =>
      planting.member(clocks, 'elapsedMs', () => (clock) => (clock as Clock).nowMs()),
    'core/matching: a level shows more lots than its sum holds': (planting) =>
      planting.member(
        admissions,
        'Admission',
        (Usual) =>
          class extends Usual {
            constructor(...[options, ...others]: ConstructorParameters<typeof Usual>) {
              const bounds = { ...(options.bounds ?? usualBounds), levelLotsMax: Number.MAX_VALUE }
              super({ ...options, bounds }, ...others)
            }
          },
      ),
    'core/matching: a cancel of all orders goes in one batch': (planting) => {
      const cancels = new Extent()
      planting.method(
        BulkCancel,
        'begin',
        (usual) =>
          (...given) =>
            cancels.within(() => usual(...given)),
      )
      planting.getter(
        EventWriter,
        'isBatchFull',
        (usual) => (self) => !cancels.isEntered && usual(self),
      )
    },
    'core/matching: stops that one trade wakes take their turns in one batch': (planting) => {
      const consequences = new Extent()
      planting.method(
        Executions,
        'run',
        (usual) => (self) => consequences.within(() => usual(self)),
      )
      planting.getter(
        EventWriter,
        'isBatchFull',
        (usual) => (self) => !consequences.isEntered && usual(self),
      )
    },
  }),
  ...within('pipeline', 500, {
    'layout: the length of a large record is cut off': (planting) =>
      planting.member(
        recordBuffer,
        'recordLength',
        (usual) => (buffer, at) => usual(buffer, at) & 0xff,
      ),
    'core/ledger: a lost hold, which is asked for and not taken': (planting) =>
      planting.method(
        Balances,
        'hold',
        () => (self, account, asset, atoms) => self.available(account, asset) >= atoms,
      ),
    'core/ledger: what was promised is not given back once it is flushed': (planting) =>
      planting.method(Balances, 'settle', (usual) => (self, account, asset, free, locked, held) => {
        if (free !== 0 || locked !== 0) usual(self, account, asset, free, locked, held)
      }),
    'core/matching: a piece of a book begins at the level where the last one ended': (planting) =>
      planting.method(
        Book,
        'forEachLevel',
        (usual) =>
          (self, side, visit, afterTicks = Ticks(0), limit) =>
            usual(
              self,
              side,
              visit,
              Ticks(afterTicks === 0 ? 0 : afterTicks + (side === Side.BUY ? 1 : -1)),
              limit,
            ),
      ),
    'core/matching: a piece of a book says that it is the last': (planting) =>
      planting.member(BookEnd, 'setIsWhole', (usual) => (buffer, at) => usual(buffer, at, 1)),
    'core/views: a diff begins one update late': (planting) =>
      planting.method(DepthDiff, 'takeChanges', (usual) => (self) => {
        const changes = usual(self)
        return changes && { ...changes, firstUpdateId: changes.firstUpdateId + 1 }
      }),
  }),
  ...within('pipeline', 9000, {
    'core/matching: the result of a quote may find no room': (planting) =>
      planting.method(
        EngineOutput,
        'hasNotice',
        (usual) => (self) => recordType(self.replies, 0) !== QuoteResult.type && usual(self),
      ),
  }),
  ...within('pipeline', 6000, {
    'core/matching: a kill loses the rest of a cascade': (planting) => {
      const recovery = new Extent()
      planting.method(
        EventApplier,
        'apply',
        (usual) => (self, events, at) => recovery.within(() => usual(self, events, at)),
      )
      planting.method(ExecutionQueue, 'woke', (usual) => (self, orderId) => {
        if (!recovery.isEntered) usual(self, orderId)
      })
    },
  }),
  ...within('simulation', [6000, [35, 5, 10, 12]], {
    'core/matching: the stop of a frozen account works': (planting) => {
      const consequences = new Extent()
      planting.method(
        Executions,
        'run',
        (usual) => (self) => consequences.within(() => usual(self)),
      )
      planting.method(
        Admission,
        'judgeAccount',
        (usual) => (self, account) => (consequences.isEntered ? 0 : usual(self, account)),
      )
    },
  }),
  ...within('venue', 1, {
    'core/matching: a book is answered in one piece': (planting) =>
      planting.method(ReplyWriter, 'bookPiece', (usual) => (self, commands, at) => {
        QueryBook.setLimit(commands, at, 1_000_000)
        usual(self, commands, at)
      }),
  }),
  ...within('pipeline', 3000, {
    'core/views: trades that gateway and history both know are taken twice': (planting) =>
      planting.getter(Tape, 'lastTradeId', (usual) => (self) => usual(self) - 1),
  }),
  ...within('pipeline', 12_000, {
    'core/views: a change beyond the loaded part of a book is applied': (planting) =>
      planting.method(
        DepthView,
        'isLoaded',
        (usual) => (self, side, priceTicks) =>
          side !== self.nextPiece.side || usual(self, side, priceTicks),
      ),
  }),
]
