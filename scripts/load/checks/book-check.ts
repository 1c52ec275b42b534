/**
 * One symbol's book, kept from a snapshot and the diffs that follow, which must follow each other; at
 * the end it must match a fresh snapshot.
 */
import { Findings } from './findings.ts'
import { type DepthDiff, type DepthSnapshot, LocalBook } from './local-book.ts'

/** Levels requested at the beginning, and compared at the end. */
const LEVELS_KEPT = 5_000
const LEVELS_COMPARED = 1_000
const ATTEMPTS = 40
const PAUSE_MS = 100
/** After so many pauses the stream has nothing more to send. */
const PAUSES_MAX = 100

/** Requests a snapshot of so many levels. */
type TakeSnapshot = (limit: number) => Promise<DepthSnapshot>

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS))

export class BookCheck {
  private readonly symbol: string
  private readonly take: TakeSnapshot
  private readonly findings: Findings
  private book: LocalBook | undefined = undefined
  /** Diffs since the snapshot was requested, until it is there; at the end, since it was begun. */
  private recent: DepthDiff[] | undefined = []
  /** Whether a diff has followed the snapshot: until then another may be taken. */
  private isJoined = false

  constructor(symbol: string, take: TakeSnapshot) {
    this.symbol = symbol
    this.take = take
    this.findings = new Findings(`the book of ${symbol} is what its diffs make of it`)
  }

  /** The middle of the best prices; undefined while there is none. */
  get middle(): number | undefined {
    return this.book?.middle
  }

  /** Begins with a snapshot, once the diffs are subscribed to. */
  async begin(): Promise<void> {
    this.recent ??= []
    for (let attempt = 1; ; attempt++) {
      const book = new LocalBook(await this.take(LEVELS_KEPT))
      const diffs: DepthDiff[] = this.recent
      const gap = diffs.map((diff) => book.apply(diff)).find((why) => why !== undefined)
      this.book = book
      this.isJoined = diffs.some(({ u }) => u === book.lastUpdateId)
      if (gap === undefined || attempt === ATTEMPTS) break
      await pause()
    }
    this.recent = undefined
  }

  diff(diff: DepthDiff): void {
    this.recent?.push(diff)
    if (this.book === undefined) return
    const wrong = this.book.apply(diff)
    if (wrong !== undefined && !this.isJoined) {
      // The snapshot came from a place that was behind the stream.
      this.book = undefined
      this.begin().catch(({ message }: Error) => this.findings.failed(message))
      return
    }
    this.isJoined = true
    this.findings.compared(wrong === undefined ? undefined : `${this.symbol}: ${wrong}`)
  }

  /** Compares with a fresh snapshot; others may continue trading meanwhile. */
  async end(): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const diffs: DepthDiff[] = []
      this.recent = diffs
      const fresh = new LocalBook(await this.take(LEVELS_COMPARED))
      for (let waited = 0; waited < PAUSES_MAX; waited++) {
        if (this.book !== undefined && this.book.lastUpdateId >= fresh.lastUpdateId) break
        await pause()
      }
      const gap = diffs.map((diff) => fresh.apply(diff)).find((why) => why !== undefined)
      if (gap !== undefined || this.book === undefined) continue
      const difference = this.book.differenceFrom(fresh, LEVELS_COMPARED)
      this.findings.compared(difference === undefined ? undefined : `${this.symbol}: ${difference}`)
      return
    }
    this.findings.failed(`${this.symbol}: no fresh snapshot that its diffs reach`)
  }

  results() {
    return [this.findings.result()]
  }
}
