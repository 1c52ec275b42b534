/** Snapshots against what the journals come to at their place. */
import { Snapshot } from '../../src/agents/snapshots.ts'
import { Balances } from '../../src/core/ledger/balances.ts'
import { EffectSums } from '../../src/core/ledger/effect-sums.ts'
import type { SymbolState } from '../../src/core/matching/symbol-state.ts'
import { stateHash } from '../../src/core/state-hash.ts'
import type { JournalPoint } from '../../src/journal/chain.ts'
import { SnapshotDamage, snapshotsIn } from '../../src/journal/snapshot.ts'
import { ImageReader, ImageWriter } from '../../src/layout/image.ts'
import type { AuditReplay } from './audit-replay.ts'

/** The snapshots that are whole, the oldest first, and one sentence for each that is not. */
export function openSnapshots(folder: string): { opened: Snapshot[]; damages: string[] } {
  const opened: Snapshot[] = []
  const damages: string[] = []
  for (const number of [...snapshotsIn(folder)].reverse()) {
    try {
      opened.push(new Snapshot(folder, number))
    } catch (error) {
      if (!(error instanceof SnapshotDamage)) throw error
      damages.push(error.message)
    }
  }
  return { opened, damages }
}

/**
 * How the snapshot differs from what was applied up to its place, in sentences; of one of an older layout only
 * the place is compared. `applied` are the last
 * blocks that were, by matcher.
 */
export function compareSnapshot(
  snapshot: Snapshot,
  replay: AuditReplay,
  applied: ReadonlyMap<number, JournalPoint>,
): string[] {
  const differences: string[] = []
  const differs = (what: string) =>
    differences.push(`Snapshot ${snapshot.number} has ${what} than the journals come to.`)
  const { events, orderListId, points } = snapshot.covered
  for (const [matcher, { position, checksum }] of points) {
    const last = applied.get(matcher)
    if (last?.position !== position || last.checksum !== checksum) {
      differs(`another block ${position} of journal-${matcher}`)
    }
  }
  if (!snapshot.isCurrent) return differences
  if (events !== replay.events) differs(`another number of events (${events})`)
  if (orderListId !== replay.lastOrderListId) differs('another last order list')
  const { symbols } = replay.options.data
  if (snapshot.symbolIds.some((id) => symbols[id] === undefined)) differs('other symbols')
  for (const spec of symbols) {
    const state = replay.emptyState(spec)
    snapshot.readSymbol(spec.id, state)
    if (hashOf(state) !== hashOf(replay.states[spec.id]!)) differs(`another book of ${spec.name}`)
  }
  const { accountsMax, assetsMax } = replay.options
  const sums = new EffectSums(accountsMax, assetsMax)
  snapshot.readLedger(sums)
  const expected = new EffectSums(accountsMax, assetsMax)
  expected.read(new ImageReader(imageOf(replay.sums)))
  // Earlier versions noted a change for each event, so some times are later than a block's sum has them.
  expected.takeLaterTimes(sums)
  if (Buffer.compare(imageOf(sums), imageOf(expected)) !== 0) differs('other balances')
  return differences
}

function hashOf(state: SymbolState): number {
  const nothing = new Balances(new SharedArrayBuffer(Balances.bytesFor(1, 1)), 1, 1)
  return stateHash([{ state }], nothing)
}

function imageOf(sums: EffectSums): Uint8Array {
  const image = new ImageWriter()
  sums.write(image)
  return image.bytes()
}
