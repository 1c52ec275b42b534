/**
 * What the target reported of its rate limits, and until when it demanded a pause. Who honors
 * limits sends nothing meanwhile; arrivals of that time are left out, not made up for.
 */
import { type Answer, isLimit } from './target.ts'

const BANNED = 418
const TOO_MANY_ORDERS = -1015
const PAUSE_SECONDS = 1

export interface LimitReport {
  /** Responses with 429, and with 418. */
  readonly refused: number
  readonly banned: number
  /** First of them, ms after the start; undefined without any. */
  readonly firstMs: number | undefined
  /** In the target's words. */
  readonly said: string
}

export class LimitGate {
  private refused = 0
  private banned = 0
  private firstMs: number | undefined = undefined
  private said = ''
  private pausedUntilMs = Number.NEGATIVE_INFINITY

  /** Whether the answer is a limit's; `nowMs` is ms after the start. */
  note({ status, code, body, retryAfter }: Answer, nowMs: number): boolean {
    if (!isLimit(status) && code !== TOO_MANY_ORDERS) return false
    if (status === BANNED) this.banned++
    else this.refused++
    this.firstMs ??= nowMs
    this.said = String((body as { msg?: unknown } | null)?.msg ?? '')
    const untilMs = nowMs + 1000 * Math.max(PAUSE_SECONDS, retryAfter)
    this.pausedUntilMs = Math.max(this.pausedUntilMs, untilMs)
    return true
  }

  isPausedAt(nowMs: number): boolean {
    return nowMs < this.pausedUntilMs
  }

  report(): LimitReport {
    return {
      refused: this.refused,
      banned: this.banned,
      firstMs: this.firstMs,
      said: this.said,
    }
  }
}
