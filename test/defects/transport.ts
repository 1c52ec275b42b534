/** Defects of what carries commands and events: rings, matchers, journals, snapshots. */
import * as covered from '../../src/agents/covered.ts'
import { DeferredCommands } from '../../src/agents/deferred-commands.ts'
import type { MatcherOptions } from '../../src/agents/matcher.ts'
import * as matchers from '../../src/agents/matcher.ts'
import { Holds } from '../../src/core/ledger/holds.ts'
import { Details } from '../../src/core/matching/details.ts'
import { Engine } from '../../src/core/matching/engine.ts'
import { EngineOutput } from '../../src/core/matching/output.ts'
import * as sessionOrders from '../../src/core/matching/session-orders.ts'
import { BlockReader, BlockWriter } from '../../src/journal/block.ts'
import { WalWriter } from '../../src/journal/wal-writer.ts'
import { COMMAND_SLOT_BYTES } from '../../src/layout/records.gen.ts'
import { CommandRingProducer } from '../../src/ring/command-ring.ts'
import { Doorbell } from '../../src/ring/doorbell.ts'
import { EventRingReader, EventRingWriter } from '../../src/ring/event-ring.ts'
import { ReplyRingReader, ReplyRingWriter } from '../../src/ring/reply-ring.ts'
import { deferralBounds } from '../sim/world.ts'
import { type SimulatedDefect, within } from './defect.ts'
import { Extent, type Planting } from './planting.ts'

/** Matchers are made of other options. */
export function plantOptions(
  planting: Planting,
  changed: (options: MatcherOptions) => Partial<MatcherOptions>,
): void {
  planting.member(
    matchers,
    'Matcher',
    (Usual) =>
      class extends Usual {
        constructor(options: MatcherOptions) {
          super({ ...options, ...changed(options) })
        }
      },
  )
}

/** Something is done before a block is written to the journal. */
function plantBeforeAppend(planting: Planting, act: (options: MatcherOptions) => void): void {
  plantOptions(planting, (options) => {
    const { journal } = options
    return {
      journal: {
        get lastPosition() {
          return journal.lastPosition
        },
        get flushedPosition() {
          return journal.flushedPosition
        },
        append(block) {
          act(options)
          journal.append(block)
        },
        flush: () => journal.flush(),
        close: () => journal.close(),
      },
    }
  })
}

export const transportDefects: readonly SimulatedDefect[] = [
  ...within('pipeline', 500, {
    'ring: a full command ring takes one more': (planting) => {
      const claimed = new WeakMap<CommandRingProducer, number>()
      planting.method(CommandRingProducer, 'claim', (usual) => (self, count) => {
        const last = claimed.get(self) ?? 0
        const given = usual(self, count)
        const next = (last + COMMAND_SLOT_BYTES) % (self.slots * COMMAND_SLOT_BYTES)
        const at = given === -1 ? next : given
        claimed.set(self, at)
        return at
      })
    },
    'ring: an answer is delivered before the events that stand before it': (planting) =>
      planting.method(
        ReplyRingWriter,
        'write',
        (usual) => (self, _position, source, length) => usual(self, 0, source, length),
      ),
    'ring: an answer is delivered after events that stand after it': (planting) =>
      planting.method(
        ReplyRingWriter,
        'write',
        (usual) => (self, position, source, length) => usual(self, position + 1, source, length),
      ),
    'agents: a reordered flush, balances are settled before the block is written': (planting) =>
      plantBeforeAppend(planting, ({ holds }) => holds.settle(true)),
    'agents: events are published before the block is written': (planting) =>
      plantBeforeAppend(planting, ({ events, output }) => {
        events.write(output.events, output.eventsEnd)
        events.publish()
      }),
    'agents: a clock that steps back takes the journal with it': (planting) =>
      planting.method(
        Engine,
        'execute',
        (usual) =>
          (self, commands, at, timeMs, clockMs = timeMs) =>
            usual(self, commands, at, clockMs, clockMs),
      ),
    "agents: whether a command has expired is judged by the journal's time": (planting) =>
      planting.method(
        Engine,
        'execute',
        (usual) => (self, commands, at, timeMs) => usual(self, commands, at, timeMs, timeMs),
      ),
    'agents: a reader that sleeps is not rung': (planting) => {
      const silent = new WeakSet<Doorbell>()
      plantOptions(planting, ({ readerBells }) => {
        if (readerBells[0] !== undefined) silent.add(readerBells[0])
        return {}
      })
      planting.method(Doorbell, 'ring', (usual) => (self) => {
        if (!silent.has(self)) usual(self)
      })
    },
    'agents: the answer to a query goes to all gateways': (planting) =>
      planting.method(EngineOutput, 'hasNotice', () => (self) => self.repliesEnd > 0),
  }),
  ...within('venue', 18, {
    'ring: a reader that was overrun continues as if it had not been': (planting) =>
      planting.method(EventRingReader, 'poll', (usual) => (self, visit, limitBytes, until) => {
        const count = usual(self, visit, limitBytes, until)
        if (self.isOverrun) self.resume()
        return count
      }),
    'agents: a start forgets what the last one left unfinished': (planting) => {
      const start = new Extent()
      planting.getter(Engine, 'isUnfinished', (usual) => (self) => !start.isEntered && usual(self))
      planting.member(
        matchers,
        'Matcher',
        (Usual) =>
          new Proxy(Usual, {
            construct: (target, given: [MatcherOptions]) =>
              start.within(() => new target(...given)),
          }),
      )
    },
  }),
  ...within('pipeline', 3000, {
    'ring: replies are looked for before the events that they stand before': (planting) =>
      planting.method(ReplyRingReader, 'look', (usual) => (self, limitBytes) => {
        usual(self, limitBytes)
        return Number.POSITIVE_INFINITY
      }),
    'agents: events are published before the replies that stand before them': (planting) =>
      planting.method(EventRingWriter, 'write', (usual) => (self, source, length) => {
        usual(self, source, length)
        self.publish()
      }),
    'journal: a block does not name the one before': (planting) => {
      const first = new WeakMap<BlockWriter, number>()
      const reader = new BlockReader()
      planting.method(BlockWriter, 'seal', (usual) => (self, events, end, position, timeMs) => {
        reader.open(usual(self, events, end, position, timeMs), 'a block just sealed')
        const { matcher, epoch } = reader
        const previous = first.get(self) ?? reader.previous
        first.set(self, previous)
        const forgetful = new BlockWriter({ matcher, epoch, previous })
        return usual(forgetful, events, end, position, timeMs)
      })
    },
  }),
  ...within('pipeline', 2000, {
    'ring: a command is taken though the reply ring has no room': (planting) =>
      planting.method(ReplyRingWriter, 'hasRoom', () => () => true),
    'agents: other matchers may spend what is not flushed yet': (planting) =>
      planting.method(
        Holds,
        'settle',
        (usual) => (self, _flushed, timeMs) => usual(self, true, timeMs),
      ),
  }),
  ...within('pipeline', 6000, {
    'agents: what a killed session left open waits for no start': (planting) => {
      const start = new Extent()
      planting.member(
        sessionOrders,
        'sessionOwners',
        (usual) => (state) => start.within(() => usual(state)),
      )
      planting.method(Details, 'sorted', (usual) => (self) => (start.isEntered ? [] : usual(self)))
    },
  }),
  ...within('pipeline', 12_000, {
    'agents: a command passes an unfinished one of its own symbol': (planting) =>
      planting.method(DeferredCommands, 'block', () => () => {}),
    'agents: what waited is executed newest first, within an account and symbol too': (planting) =>
      planting.method(DeferredCommands, 'release', (usual) => (self, execute) => {
        const waiting: unknown[] = Reflect.get(self, 'waiting')
        waiting.reverse()
        usual(self, execute)
      }),
    'agents: a cancel and a paid order wait for what their account has on other symbols': (
      planting,
    ) => planting.method(Engine, 'lacksFunds', () => () => true),
  }),
  ...within('pipeline', [6_000, [28, 21]], {
    'agents: an order that lacks funds is refused before the cancel that would free them ends': (
      planting,
    ) => planting.method(Engine, 'lacksFunds', () => () => false),
  }),
  ...within('pipeline', 24_000, {
    'agents: one symbol defers without a bound': (planting) =>
      plantOptions(planting, () => ({ deferralBounds: { ...deferralBounds, bytes: 1 << 20 } })),
    'agents: one account defers without a bound': (planting) =>
      plantOptions(planting, () => ({
        deferralBounds: { ...deferralBounds, accountCommands: Number.POSITIVE_INFINITY },
      })),
    'agents: a held command is lost when an earlier one waits on': (planting) =>
      planting.method(DeferredCommands, 'release', (usual) => (self, execute) => {
        let isFirst = true
        usual(self, (commands, at) => {
          const isTaken = !isFirst || execute(commands, at)
          isFirst = false
          return isTaken
        })
      }),
  }),
  ...within('exchange', 16_000, {
    'agents: a snapshot forgets journals that have not grown since the last one': (planting) =>
      planting.member(covered, 'advanced', (usual) => (before, replayed, orderListId) => ({
        ...usual(before, replayed, orderListId),
        points: new Map(replayed.points),
      })),
  }),
  ...within('exchange', 36_000, {
    'journal: a lost flush, which is asked for and not made': (planting) =>
      planting.method(WalWriter, 'flush', () => () => {}),
  }),
  {
    name: 'journal: a flush that ends late is taken for one of what was written after it',
    simulator: 'exchange',
    steps: 15_000,
    // Those whose flushes run beside and leave committed blocks to a later one.
    seeds: [20, 30, 18, 56, 60, 2, 12, 40, 42, 48],
    plant: (planting) =>
      planting.method(WalWriter, 'beginFlush', (usual) => (self, ended) => {
        usual(self, (refusal) => {
          const unflushed: Set<number> = Reflect.get(self, '_unflushed')
          unflushed.clear()
          ended(refusal)
        })
      }),
  },
]
