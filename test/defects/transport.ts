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
import type { SimulatedDefect } from './defect.ts'
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
  {
    name: 'ring: a full command ring takes one more',
    simulator: 'pipeline',
    steps: 500,
    plant: (planting) => {
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
  },
  {
    name: 'ring: a reader that was overrun continues as if it had not been',
    simulator: 'venue',
    steps: 18,
    plant: (planting) =>
      planting.method(EventRingReader, 'poll', (usual) => (self, visit, limitBytes, until) => {
        const count = usual(self, visit, limitBytes, until)
        if (self.isOverrun) self.resume()
        return count
      }),
  },
  {
    name: 'ring: an answer is delivered before the events that stand before it',
    simulator: 'pipeline',
    steps: 500,
    plant: (planting) =>
      planting.method(
        ReplyRingWriter,
        'write',
        (usual) => (self, _position, source, length) => usual(self, 0, source, length),
      ),
  },
  {
    name: 'ring: an answer is delivered after events that stand after it',
    simulator: 'pipeline',
    steps: 500,
    plant: (planting) =>
      planting.method(
        ReplyRingWriter,
        'write',
        (usual) => (self, position, source, length) => usual(self, position + 1, source, length),
      ),
  },
  {
    name: 'ring: replies are looked for before the events that they stand before',
    simulator: 'pipeline',
    steps: 3000,
    plant: (planting) =>
      planting.method(ReplyRingReader, 'look', (usual) => (self, limitBytes) => {
        usual(self, limitBytes)
        return Number.POSITIVE_INFINITY
      }),
  },
  {
    name: 'ring: a command is taken though the reply ring has no room',
    simulator: 'pipeline',
    steps: 2000,
    plant: (planting) => planting.method(ReplyRingWriter, 'hasRoom', () => () => true),
  },
  {
    name: 'agents: events are published before the replies that stand before them',
    simulator: 'pipeline',
    steps: 3000,
    plant: (planting) =>
      planting.method(EventRingWriter, 'write', (usual) => (self, source, length) => {
        usual(self, source, length)
        self.publish()
      }),
  },
  {
    name: 'agents: a reordered flush, balances are settled before the block is written',
    simulator: 'pipeline',
    steps: 500,
    plant: (planting) => plantBeforeAppend(planting, ({ holds }) => holds.settle(true)),
  },
  {
    name: 'agents: other matchers may spend what is not flushed yet',
    simulator: 'pipeline',
    steps: 2000,
    plant: (planting) =>
      planting.method(
        Holds,
        'settle',
        (usual) => (self, _flushed, timeMs) => usual(self, true, timeMs),
      ),
  },
  {
    name: 'agents: events are published before the block is written',
    simulator: 'pipeline',
    steps: 500,
    plant: (planting) =>
      plantBeforeAppend(planting, ({ events, output }) => {
        events.write(output.events, output.eventsEnd)
        events.publish()
      }),
  },
  {
    name: 'agents: what a killed session left open waits for no start',
    simulator: 'pipeline',
    steps: 6000,
    plant: (planting) => {
      const start = new Extent()
      planting.member(
        sessionOrders,
        'sessionOwners',
        (usual) => (state) => start.within(() => usual(state)),
      )
      planting.method(Details, 'sorted', (usual) => (self) => (start.isEntered ? [] : usual(self)))
    },
  },
  {
    name: 'agents: a clock that steps back takes the journal with it',
    simulator: 'pipeline',
    steps: 500,
    plant: (planting) =>
      planting.method(
        Engine,
        'execute',
        (usual) =>
          (self, commands, at, timeMs, clockMs = timeMs) =>
            usual(self, commands, at, clockMs, clockMs),
      ),
  },
  {
    name: "agents: whether a command has expired is judged by the journal's time",
    simulator: 'pipeline',
    steps: 500,
    plant: (planting) =>
      planting.method(
        Engine,
        'execute',
        (usual) => (self, commands, at, timeMs) => usual(self, commands, at, timeMs, timeMs),
      ),
  },
  {
    name: 'agents: a reader that sleeps is not rung',
    simulator: 'pipeline',
    steps: 500,
    plant: (planting) => {
      const silent = new WeakSet<Doorbell>()
      plantOptions(planting, ({ readerBells }) => {
        if (readerBells[0] !== undefined) silent.add(readerBells[0])
        return {}
      })
      planting.method(Doorbell, 'ring', (usual) => (self) => {
        if (!silent.has(self)) usual(self)
      })
    },
  },
  {
    name: 'agents: the answer to a query goes to all gateways',
    simulator: 'pipeline',
    steps: 500,
    plant: (planting) =>
      planting.method(EngineOutput, 'hasNotice', () => (self) => self.repliesEnd > 0),
  },
  {
    name: 'agents: a command passes an unfinished one of its own symbol',
    simulator: 'pipeline',
    steps: 12_000,
    plant: (planting) => planting.method(DeferredCommands, 'block', () => () => {}),
  },
  {
    name: 'agents: what waited is executed newest first, within an account and symbol too',
    simulator: 'pipeline',
    steps: 12_000,
    plant: (planting) =>
      planting.method(DeferredCommands, 'release', (usual) => (self, execute) => {
        const waiting: unknown[] = Reflect.get(self, 'waiting')
        waiting.reverse()
        usual(self, execute)
      }),
  },
  {
    name: 'agents: an order that lacks funds is refused before the cancel that would free them ends',
    simulator: 'pipeline',
    steps: 6_000,
    seeds: [28, 21],
    plant: (planting) => planting.method(Engine, 'lacksFunds', () => () => false),
  },
  {
    name: 'agents: a cancel and a paid order wait for what their account has on other symbols',
    simulator: 'pipeline',
    steps: 12_000,
    plant: (planting) => planting.method(Engine, 'lacksFunds', () => () => true),
  },
  {
    name: 'agents: one symbol defers without a bound',
    simulator: 'pipeline',
    steps: 24_000,
    plant: (planting) =>
      plantOptions(planting, () => ({ deferralBounds: { ...deferralBounds, bytes: 1 << 20 } })),
  },
  {
    name: 'agents: one account defers without a bound',
    simulator: 'pipeline',
    steps: 24_000,
    plant: (planting) =>
      plantOptions(planting, () => ({
        deferralBounds: { ...deferralBounds, accountCommands: Number.POSITIVE_INFINITY },
      })),
  },
  {
    name: 'agents: a held command is lost when an earlier one waits on',
    simulator: 'pipeline',
    steps: 24_000,
    plant: (planting) =>
      planting.method(DeferredCommands, 'release', (usual) => (self, execute) => {
        let isFirst = true
        usual(self, (commands, at) => {
          const isTaken = !isFirst || execute(commands, at)
          isFirst = false
          return isTaken
        })
      }),
  },
  {
    name: 'agents: a start forgets what the last one left unfinished',
    simulator: 'venue',
    steps: 18,
    plant: (planting) => {
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
  },
  {
    name: 'agents: a snapshot forgets journals that have not grown since the last one',
    simulator: 'exchange',
    steps: 16_000,
    plant: (planting) =>
      planting.member(covered, 'advanced', (usual) => (before, replayed, orderListId) => ({
        ...usual(before, replayed, orderListId),
        points: new Map(replayed.points),
      })),
  },
  {
    name: 'journal: a block does not name the one before',
    simulator: 'pipeline',
    steps: 3000,
    plant: (planting) => {
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
  },
  {
    name: 'journal: a lost flush, which is asked for and not made',
    simulator: 'exchange',
    steps: 36_000,
    plant: (planting) => planting.method(WalWriter, 'flush', () => () => {}),
  },
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
