/**
 * Logs which limits caused bans: the text of a 418 names request weight, whatever the cause. One line
 * a minute and gateway at most, however many addresses are banned.
 */
/** The limiter that the banned address ran into. */
export type BanCause = 'requestWeight' | 'rawRequests' | 'orders'

export const BAN_LOG_MS = 60_000

export class BanLog {
  private readonly warn: (fields: object, message: string) => void
  private counts = noBans()
  /** The next line is due from here on. */
  private dueMs = 0

  constructor(warn: (fields: object, message: string) => void) {
    this.warn = warn
  }

  began(cause: BanCause): void {
    this.counts[cause] += 1
  }

  /** Called once a second. `nowMs` is monotonic. */
  tend(nowMs: number): void {
    const isQuiet = Object.values(this.counts).every((count) => count === 0)
    if (isQuiet || nowMs < this.dueMs) return
    this.dueMs = nowMs + BAN_LOG_MS
    this.warn({ bansBy: this.counts }, 'addresses were banned; these limits caused it')
    this.counts = noBans()
  }
}

const noBans = (): Record<BanCause, number> => ({ requestWeight: 0, rawRequests: 0, orders: 0 })
