/**
 * What the browser's address has used of its request weight, as answers report it. Reads wait once half of it is
 * used, so that orders never do, and while the exchange has asked for a pause.
 */
import { serverNowMs } from './server-clock.ts'

/** The share of the weight that reads leave to orders. */
const READS_SHARE = 0.5
const MINUTE_MS = 60_000
/** A wait is looked at again this often: another tab may have used the weight. */
const LOOK_MS = 1_000

export interface Weight {
  /** In the minute that the last answer was of, and the most that a minute allows; 0 when unlimited. */
  readonly used: number
  readonly limit: number
  /** Why reads wait now; '' while they need not. */
  readonly readsWait: string
}

let weight: Weight = { used: 0, limit: 0, readsWait: '' }
let minute = 0
let pausedUntilMs = 0
let changed: (weight: Weight) => void = () => {}

/** The page of the documents, which sends requests too, shows nothing of it. */
export function watchWeight(listener: (weight: Weight) => void): void {
  changed = listener
}

function change(part: Partial<Weight>): void {
  weight = { ...weight, ...part }
  changed(weight)
}

export function noteWeight(used: number, limit = weight.limit): void {
  minute = Math.floor(serverNowMs() / MINUTE_MS)
  change({ used, limit })
}

/** The exchange has refused for its limits, and demanded a pause. */
export function notePause(lengthMs: number): void {
  pausedUntilMs = Math.max(pausedUntilMs, performance.now() + lengthMs)
}

/** Returns how much is left of the pause that the exchange demands, ms; 0 outside one. */
export const pauseMs = (): number => Math.max(0, pausedUntilMs - performance.now())

function reasonToWait(isShared: boolean): string {
  const pausedMs = pauseMs()
  if (pausedMs > 0) {
    return `The exchange's limits refuse requests of this address for ${Math.ceil(pausedMs / 1_000)} s more.`
  }
  const isThisMinute = Math.floor(serverNowMs() / MINUTE_MS) === minute
  const isHalf = weight.limit > 0 && weight.used >= READS_SHARE * weight.limit
  if (!isShared || !isThisMinute || !isHalf) return ''
  return 'Half of the request weight of this address is used: what is read waits for the next minute.'
}

/** Resolves once a read may be sent; one for an order, which is not `shared`, waits for pauses alone. */
export async function roomToRead(isShared = true): Promise<void> {
  for (;;) {
    const reason = reasonToWait(isShared)
    if (isShared || reason !== '') change({ readsWait: reason })
    if (reason === '') return
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
