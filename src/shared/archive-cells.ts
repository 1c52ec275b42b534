/**
 * What the threads that query the archive need to know of it: three atomic cells. Writer of the state and
 * of the number: the archivist. Any history thread writes the number of an archive that it found damaged.
 */
const STATE = 0
const NUMBER = 1
const DAMAGED = 2
export const ARCHIVE_CELLS_BYTES = 12

export const ArchiveState = {
  /** Rows may be missing, so no query is answered. */
  BEHIND: 0,
  CURRENT: 1,
  /** It has all rows up to the archived positions, but takes no more of them for now. */
  STALLED: 2,
} as const
export type ArchiveState = (typeof ArchiveState)[keyof typeof ArchiveState]

export class ArchiveCells {
  readonly #cells: Int32Array

  /** `memory` is zeroed before its first use and has ARCHIVE_CELLS_BYTES. */
  constructor(memory = new SharedArrayBuffer(ARCHIVE_CELLS_BYTES)) {
    this.#cells = new Int32Array(memory)
  }

  get state(): ArchiveState {
    return Atomics.load(this.#cells, STATE) as ArchiveState
  }

  setState(state: ArchiveState): void {
    Atomics.store(this.#cells, STATE, state)
  }

  /** Of the archive's folder (archive/archive-folder.ts); 0 until this process has an archivist. */
  get number(): number {
    return Atomics.load(this.#cells, NUMBER)
  }

  setNumber(number: number): void {
    Atomics.store(this.#cells, NUMBER, number)
  }

  /** The last archive that a query found damaged; 0 while none did. */
  get damaged(): number {
    return Atomics.load(this.#cells, DAMAGED)
  }

  setDamaged(number: number): void {
    Atomics.store(this.#cells, DAMAGED, number)
  }
}
