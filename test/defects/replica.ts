/** Defects of the way to the quorum, and of what waits for it. */
import type { Holds } from '../../src/core/ledger/holds.ts'
import type { JournalQuorum } from '../../src/journal/journal.ts'
import * as journals from '../../src/journal/journal.ts'
import * as quorums from '../model/plain-quorum.ts'
import { type Guards, PlainQuorum } from '../model/plain-quorum.ts'
import { FalseReplica } from '../sim/exchange/false-replica.ts'
import { type SimulatedDefect, within } from './defect.ts'
import type { Planting } from './planting.ts'
import { plantOptions } from './transport.ts'

/** Journals wait for the quorum in another way. */
function plantWait(
  planting: Planting,
  make: (quorum: JournalQuorum, matcher: number) => JournalQuorum['wait'],
): void {
  planting.member(
    journals,
    'openJournal',
    (usual) => (folder, matcher, durability, parts, quorum) => {
      const other = quorum && { offer: quorum.offer, wait: make(quorum, matcher) }
      return usual(folder, matcher, durability, parts, other)
    },
  )
}

export function plantGuards(planting: Planting, guards: Partial<Guards>): void {
  planting.member(
    quorums,
    'PlainQuorum',
    () =>
      class extends PlainQuorum {
        constructor() {
          super(guards)
        }
      },
  )
}

export const replicaDefects: readonly SimulatedDefect[] = [
  ...within('exchange', 12_000, {
    'replica: an acknowledgement before the quorum': (planting) =>
      plantWait(planting, () => () => {}),
    'replica: a retry doubles a block': (planting) => {
      plantGuards(planting, { chain: false })
      planting.method(FalseReplica, 'isThere', () => () => false)
    },
  }),
  ...within('exchange', 13_000, {
    'replica: another matcher spends a credit before its block is on the quorum': (planting) => {
      const holdsOf = new Map<number, Holds>()
      plantOptions(planting, ({ index, holds }) => {
        holdsOf.set(index, holds)
        return {}
      })
      plantWait(planting, (quorum, matcher) => (position) => {
        holdsOf.get(matcher)?.settle(true)
        quorum.wait(position)
      })
    },
  }),
  {
    name: 'replica: the fence is left out, so a stale leader writes',
    simulator: 'exchange',
    steps: 17_000,
    // In these a leader has no followers, and may be overtaken.
    seeds: [5, 6, 16, 17, 22, 32, 44, 49, 53, 71, 92, 102],
    plant: (planting) => plantGuards(planting, { fence: false }),
  },
]
