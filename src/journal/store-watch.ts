/**
 * Watches an environment from the thread that writes it: the size of its file, what is free in it, and how
 * long a reader has held one state. Pages of a held state cannot be used again.
 */
import { type EnvironmentFigures, PAGE_BYTES, StorageError } from './environment.ts'

export interface StoreReading {
  readonly fileBytes: number
  /** Pages that are set aside but were never written do not count. */
  readonly freeBytes: number
  readonly freeEntries: number
  /** How long the oldest reader has held its state; 0 without readers. */
  readonly readerAgeMs: number
}

export interface StoreWatchOptions {
  /** For the log. */
  readonly name: string
  readonly figures: () => EnvironmentFigures
  readonly note: (reading: StoreReading) => void
  readonly warn: (sentence: string) => void
}

const LOOK_MS = 5_000
/** Far above what a query takes (READ_MS_MAX of the archive). */
const READER_AGE_MS_MAX = 60_000

export class StoreWatch {
  private readonly options: StoreWatchOptions
  private lookedMs = Number.NEGATIVE_INFINITY
  private oldestReader: number | undefined = undefined
  private heldSinceMs = 0
  private hasWarned = false

  constructor(options: StoreWatchOptions) {
    this.options = options
  }

  /** Call it often, by a steady clock; looks every five seconds. */
  look(nowMs: number): void {
    if (nowMs - this.lookedMs < LOOK_MS) return
    this.lookedMs = nowMs
    try {
      this.note(nowMs, this.options.figures())
    } catch (error) {
      // A store that cannot be read fails where it is used; its figures are no reason to stop.
      if (!(error instanceof StorageError)) throw error
    }
  }

  private note(nowMs: number, figures: EnvironmentFigures): void {
    const { fileBytes, freePages, freeEntries, oldestReader } = figures
    if (oldestReader !== this.oldestReader) {
      this.oldestReader = oldestReader
      this.heldSinceMs = nowMs
      this.hasWarned = false
    }
    const readerAgeMs = oldestReader === undefined ? 0 : nowMs - this.heldSinceMs
    const freeBytes = Math.min(fileBytes, freePages * PAGE_BYTES)
    this.options.note({ fileBytes, freeEntries, readerAgeMs, freeBytes })
    this.warnOf(readerAgeMs)
  }

  private warnOf(readerAgeMs: number): void {
    if (readerAgeMs < READER_AGE_MS_MAX || this.hasWarned) return
    this.hasWarned = true
    const seconds = Math.round(readerAgeMs / 1_000)
    this.options.warn(
      `A reader of ${this.options.name} has held one state for ${seconds} s: the file grows until it ends.`,
    )
  }
}
