/**
 * What other threads need to know of the archive: five atomic cells. Writer of the state, the number and the
 * beats: the indexer. Any history thread writes the number of an archive that it found damaged, and any gateway
 * counts how often it found a query that waited for long.
 */
const STATE = 0
const NUMBER = 1
const DAMAGED = 2
const BEATS = 3
const HURRIES = 4
export const ARCHIVE_CELLS_BYTES = 20

export const ArchiveState = {
  /** Rows may be missing, so no query is answered. */
  BEHIND: 0,
  CURRENT: 1,
  /** It has all rows up to the archived positions, but takes no more of them for now. */
  STALLED: 2,
  /** Behind, and not worked on for now. */
  WAITING: 3,
} as const
export type ArchiveState = (typeof ArchiveState)[keyof typeof ArchiveState]

export class ArchiveCells {
  private readonly cells: Int32Array

  /** `memory` is zeroed before its first use and has ARCHIVE_CELLS_BYTES. */
  constructor(memory = new SharedArrayBuffer(ARCHIVE_CELLS_BYTES)) {
    this.cells = new Int32Array(memory)
  }

  get state(): ArchiveState {
    return Atomics.load(this.cells, STATE) as ArchiveState
  }

  setState(state: ArchiveState): void {
    Atomics.store(this.cells, STATE, state)
  }

  /** Whether the indexer pauses after a failure. */
  get isPaused(): boolean {
    const { state } = this
    return state === ArchiveState.STALLED || state === ArchiveState.WAITING
  }

  /** Number of the archive's folder (archive/archive-folder.ts); 0 until this process has an indexer. */
  get number(): number {
    return Atomics.load(this.cells, NUMBER)
  }

  setNumber(number: number): void {
    Atomics.store(this.cells, NUMBER, number)
  }

  /** The last archive that a query found damaged; 0 while none did. */
  get damaged(): number {
    return Atomics.load(this.cells, DAMAGED)
  }

  setDamaged(number: number): void {
    Atomics.store(this.cells, DAMAGED, number)
  }

  /** Changes while the indexer's thread is alive. */
  get beats(): number {
    return Atomics.load(this.cells, BEATS)
  }

  beat(): void {
    Atomics.add(this.cells, BEATS, 1)
  }

  /** Changes while a query has waited for long. */
  get hurries(): number {
    return Atomics.load(this.cells, HURRIES)
  }

  hurry(): void {
    Atomics.add(this.cells, HURRIES, 1)
  }
}
