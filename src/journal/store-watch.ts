/**
 * Watches an environment from the thread that writes it: the size of its file, what is free in it, how fast
 * it grows, and how long a reader has held one state. Pages of a held state cannot be used again.
 */
import { type EnvironmentFigures, PAGE_BYTES, StorageError } from './environment.ts'

export interface StoreReading {
  readonly fileBytes: number
  /** Pages that are set aside but were never written do not count. */
  readonly freeBytes: number
  readonly freeEntries: number
  /** How long the oldest reader has held its state; 0 without readers. */
  readonly readerAgeMs: number
  /** By the last hour, or the time since the first look. */
  readonly growthBytesPerHour: number
}

export interface StoreWatchOptions {
  /** For the log. */
  readonly name: string
  readonly figures: () => EnvironmentFigures
  readonly note: (reading: StoreReading) => void
  readonly warn: (sentence: string) => void
}

const LOOK_MS = 5_000
const SAMPLE_MS = 60_000
const HOUR_MS = 3_600_000
/** Growth within less is a start's. */
const GROWTH_MS_MIN = 5 * SAMPLE_MS
/** Far above what a query takes (READ_MS_MAX of the archive). */
const READER_AGE_MS_MAX = 60_000

export class StoreWatch {
  readonly #options: StoreWatchOptions
  /** A size each minute, of the last hour. */
  readonly #samples: { readonly atMs: number; readonly fileBytes: number }[] = []
  #lookedMs = Number.NEGATIVE_INFINITY
  #oldestReader: number | undefined
  #heldSinceMs = 0
  #hasWarned = false

  constructor(options: StoreWatchOptions) {
    this.#options = options
  }

  /** To be called often, by a steady clock; looks every five seconds. */
  look(nowMs: number): void {
    if (nowMs - this.#lookedMs < LOOK_MS) return
    this.#lookedMs = nowMs
    try {
      this.#note(nowMs, this.#options.figures())
    } catch (error) {
      // A store that cannot be read fails where it is used; its figures are no reason to stop.
      if (!(error instanceof StorageError)) throw error
    }
  }

  #note(nowMs: number, figures: EnvironmentFigures): void {
    const { fileBytes, freePages, freeEntries, oldestReader } = figures
    if (oldestReader !== this.#oldestReader) {
      this.#oldestReader = oldestReader
      this.#heldSinceMs = nowMs
      this.#hasWarned = false
    }
    const readerAgeMs = oldestReader === undefined ? 0 : nowMs - this.#heldSinceMs
    this.#options.note({
      ...{
        fileBytes,
        freeEntries,
        readerAgeMs,
        freeBytes: Math.min(fileBytes, freePages * PAGE_BYTES),
      },
      growthBytesPerHour: this.#growth(nowMs, fileBytes),
    })
    this.#warnOf(readerAgeMs)
  }

  #growth(nowMs: number, fileBytes: number): number {
    const samples = this.#samples
    if (nowMs - (samples.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY) >= SAMPLE_MS) {
      samples.push({ atMs: nowMs, fileBytes })
      while (nowMs - samples[0]!.atMs > HOUR_MS) samples.shift()
    }
    const first = samples[0]!
    const ms = nowMs - first.atMs
    return ms < GROWTH_MS_MIN ? 0 : ((fileBytes - first.fileBytes) * HOUR_MS) / ms
  }

  #warnOf(readerAgeMs: number): void {
    if (readerAgeMs < READER_AGE_MS_MAX || this.#hasWarned) return
    this.#hasWarned = true
    const seconds = Math.round(readerAgeMs / 1_000)
    this.#options.warn(
      `A reader of ${this.#options.name} has held one state for ${seconds} s: the file grows until it ends.`,
    )
  }
}
