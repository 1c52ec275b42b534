/** How fast a number of bytes grows, by its samples of the last day. */

/** One a minute, for a day. */
const SAMPLES_MAX = 1_440
const HOUR_MS = 3_600_000
/** A rate over less time would follow every burst. */
const SPAN_MS_MIN = 600_000

export class Growth {
  private readonly samples: (readonly [elapsedMs: number, bytes: number])[] = []

  add(elapsedMs: number, bytes: number): void {
    this.samples.push([elapsedMs, bytes])
    if (this.samples.length > SAMPLES_MAX) this.samples.shift()
  }

  /** Bytes, 0 when it shrinks; -1 while the samples span less than ten minutes. */
  get anHour(): number {
    const [firstMs = 0, firstBytes = 0] = this.samples[0] ?? []
    const [lastMs = 0, lastBytes = 0] = this.samples.at(-1) ?? []
    if (lastMs - firstMs < SPAN_MS_MIN) return -1
    return Math.max(0, ((lastBytes - firstBytes) / (lastMs - firstMs)) * HOUR_MS)
  }
}
