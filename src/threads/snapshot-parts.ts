/** What the snapshots' worker is made of, whether it has a thread or shares an event loop. */
import { bookShape } from '../agents/book-memory.ts'
import { noteSealed, sealSegment } from '../agents/compactor.ts'
import { coveredByAll, type MadeSnapshot, type SnapshotOptions } from '../agents/snapshots.ts'
import { AssertionError } from '../base/assert.ts'
import { WalCells } from '../journal/wal-cells.ts'
import type { SymbolSpec } from '../market/listing.ts'
import type { ThreadReport, ThreadStart } from './thread-messages.ts'

type Report = (message: ThreadReport) => void

/** A sentence about the result. */
export type Attempt = { readonly said: string } | { readonly refused: string }

/** Options of a snapshot; `symbols` returns all that may have trades, by id. */
export const snapshotOptions = (
  { config, idSalt }: ThreadStart,
  symbols: () => readonly SymbolSpec[],
  report: Report,
): Omit<SnapshotOptions, 'goesOn'> => ({
  dataFolder: config.data,
  symbols,
  accountsMax: config.accounts,
  shapeOf: (spec) => bookShape(spec, config),
  idSalt,
  kept: config.snapshotsKept,
  log: (message) => report({ report: 'log', level: 'warn', fields: {}, message }),
})

/** Logs a snapshot that was made, if one was. */
export function attempted(made: MadeSnapshot | undefined, ms: number, report: Report): Attempt {
  if (made === undefined) return { said: 'There is nothing new to make a snapshot of.' }
  const { number: snapshot, covered, replayedEvents, bytes, reservedBytes } = made
  const seconds = Math.round(ms) / 1000
  const counts = { events: covered.events, replayedEvents, bytes, reservedBytes }
  const message = 'made a snapshot'
  report({ report: 'log', level: 'info', fields: { snapshot, ...counts, seconds }, message })
  return { said: `Snapshot ${snapshot} covers ${covered.events} events.` }
}

/** Logs why no snapshot was made. Throws the error again when it is a defect. */
export function refused(error: unknown, report: Report): Attempt {
  if (error instanceof AssertionError) throw error
  const { message: reason } = error as Error
  report({ report: 'log', level: 'warn', fields: { reason }, message: 'no snapshot was made' })
  return { refused: `No snapshot was made: ${reason}` }
}

/** Before the first snapshot, if old blocks leave the journals. */
export function noteSealedAtStart({ config, regions }: ThreadStart): void {
  if (config.journalKept !== 'snapshots') return
  for (const [matcher, memory] of regions.wals.entries()) {
    noteSealed(config.data, matcher, new WalCells(memory))
  }
}

/**
 * Moves blocks that all snapshots cover out of the journals, if they leave them: a file at each step. Logs
 * each file.
 */
export function* sealSteps(
  { config, regions }: ThreadStart,
  goesOn: () => boolean,
  report: Report,
): Generator<void, void, void> {
  if (config.journalKept !== 'snapshots') return
  try {
    for (const [matcher, { position }] of coveredByAll(config.data)) {
      const memory = regions.wals[matcher]
      // A journal of an earlier start, of a matcher that is no more, stays as it is.
      if (memory === undefined) continue
      const cells = new WalCells(memory)
      // The covered block itself stays: a start looks whether it is the one that was covered. An archivist
      // that is behind finds those before it in the files.
      const options = { dataFolder: config.data, matcher, cells, until: position - 1, goesOn }
      for (let run = sealSegment(options); run !== undefined; run = sealSegment(options)) {
        const message = 'moved old blocks out of a journal, to old-journals'
        report({ report: 'log', level: 'info', fields: { journal: matcher, ...run }, message })
        yield
      }
    }
  } catch (error) {
    if (error instanceof AssertionError) throw error
    const { message: reason } = error as Error
    report({ report: 'log', level: 'warn', fields: { reason }, message: 'no old block was moved' })
  }
}
