/**
 * Compares the clock of this member's machine with those of the quorum's servers, each minute: `status` shows the
 * difference, and the majority decides about a step that this machine alone would doubt (clock-watch.ts).
 */
import { elapsedMsExactly, type Time, type Timer } from '../../base/time.ts'

/** Between two comparisons. */
const LOOK_MS = 60_000

export interface QuorumClocksParts {
  readonly time: Time
  /** One for each server. */
  readonly urls: readonly string[]
  /** Returns a server's clock, ms; rejects when it does not answer. */
  readonly read: (url: string) => Promise<number>
  /** This machine's clock. */
  readonly machineMs: () => number
  /** The largest difference that agrees. */
  readonly agreesMs: number
}

export class QuorumClocks {
  private readonly parts: QuorumClocksParts
  private readonly timer: Timer
  private _aheadMs: number | undefined = undefined

  constructor(parts: QuorumClocksParts) {
    this.parts = parts
    this.timer = parts.time.every(LOOK_MS, () => void this.look())
    void this.look()
  }

  /** By how much this machine is ahead of the server in the middle; undefined when none answers. */
  get aheadMs(): number | undefined {
    return this._aheadMs
  }

  stop(): void {
    this.timer.cancel()
  }

  /** Resolves to whether most servers, also of those that do not answer, have the time of this machine. */
  async agrees(): Promise<boolean> {
    const { urls, agreesMs } = this.parts
    const differences = await this.look()
    const same = differences.filter((ms) => Math.abs(ms) <= agreesMs)
    return same.length * 2 > urls.length
  }

  private async look(): Promise<readonly number[]> {
    const read = await Promise.all(this.parts.urls.map((url) => this.compare(url)))
    const known = read.filter((ms) => ms !== undefined).sort((a, b) => a - b)
    const middle = known[known.length >> 1]
    this._aheadMs = middle === undefined ? undefined : Math.round(middle)
    return known
  }

  private async compare(url: string): Promise<number | undefined> {
    const { time, read, machineMs } = this.parts
    const sentMs = elapsedMsExactly(time)
    try {
      const serverMs = await read(url)
      const wayMs = (elapsedMsExactly(time) - sentMs) / 2
      return machineMs() - serverMs - wayMs
    } catch {
      return undefined
    }
  }
}
