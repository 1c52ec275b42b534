/**
 * How blocks of earlier layouts are read. A journal keeps each block as it was written; its reader converts
 * the records, in separate memory, to those of schema.ts. So nothing on a disk or on a quorum is rewritten,
 * and no crash can leave a conversion half done (docs/journal.md).
 *
 * A change of layout adds a step here, from a file that gives the older layout in numbers: it must not follow
 * the schema when that changes again. test/e2e/layouts.test.ts compares what a folder of each older layout
 * answers with what the build that wrote it answered.
 */
import { convertLayout3 } from './from-layout-3.ts'
import { convertLayout6 } from './from-layout-6.ts'
import { convertLayout8 } from './from-layout-8.ts'
import { RecordBuffer } from './record-buffer.ts'

/** The oldest layout that is read. */
export const OLDEST_LAYOUT = 3

/**
 * Writes the records in bytes [start .. end) of `from` as those of the next layout into `to`, from `start` on.
 * Returns where they end. `to` has twice the bytes of `from`.
 */
type Step = (from: RecordBuffer, start: number, end: number, to: RecordBuffer) => number

/** By layout, from OLDEST_LAYOUT on: the step to the next; none where records stayed as they were. */
const steps: Readonly<Record<number, Step | undefined>> = {
  3: convertLayout3,
  // Layout 5 has other files: write-ahead logs by another name, sealed segments with a head.
  4: undefined,
  // Layout 6 has more: phases, auctions and their trades.
  5: undefined,
  // In layout 7 a block's time may run ahead of its records' times, by the clock's correction. Heads say what
  // was flushed before them, and LMDB has a note of the write-ahead log. PhaseChanged has more.
  6: convertLayout6,
  // Layout 8 has more: countdowns and protections.
  7: undefined,
  8: convertLayout8,
  // Layout 10 has more: the wallet.
  9: undefined,
}

/** The layout of schema.ts. It rises when records or files change so that older readers cannot read them. */
export const JOURNAL_LAYOUT = OLDEST_LAYOUT + Object.keys(steps).length

export const isReadLayout = (layout: number): boolean =>
  layout >= OLDEST_LAYOUT && layout <= JOURNAL_LAYOUT

/**
 * Returns records of an earlier layout that is read, bytes [start .. end), as those of JOURNAL_LAYOUT, from
 * `start` on, and where they end.
 */
export function convertRecords(
  layout: number,
  records: RecordBuffer,
  start: number,
  end: number,
): { readonly records: RecordBuffer; readonly end: number } {
  let now = { records, end }
  for (let older = layout; older < JOURNAL_LAYOUT; older++) {
    const step = steps[older]
    if (step === undefined) continue
    const to = RecordBuffer.allocate(now.end * 2)
    now = { records: to, end: step(now.records, start, now.end, to) }
  }
  return now
}
