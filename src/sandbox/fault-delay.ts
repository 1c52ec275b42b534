/** How long a rule of the sandbox delays what it touches: fixed, drawn, or as delays were recorded. */
import { DELAY_MS_MAX, type FaultRule } from './fault-fields.ts'
import { Draw, drawOf } from './fault-trigger.ts'

/** One bucket of recorded delays: `count` of them took more than the bucket before, up to `ms`. */
interface DelayBucket {
  readonly ms: number
  readonly count: number
}

/** Reads `5:120 10:300 200:3`. Returns undefined for another text, and where nothing was counted. */
export function readHistogram(text: string): readonly DelayBucket[] | undefined {
  const buckets: DelayBucket[] = []
  for (const word of text.trim().split(/[\s,]+/)) {
    const [, ms, count] = BUCKET.exec(word) ?? []
    if (ms === undefined || Number(ms) > DELAY_MS_MAX) return undefined
    if (Number(ms) <= (buckets.at(-1)?.ms ?? -1)) return undefined
    buckets.push({ ms: Number(ms), count: Number(count) })
  }
  return buckets.some(({ count }) => count > 0) ? buckets : undefined
}
const BUCKET = /^([0-9]{1,5}):([0-9]{1,12})$/

/** Returns the ms for which the rule delays the match of this number, whole. */
export function delayOf(rule: FaultRule, number: number): number {
  const { ms = 0, spread = 'fixed', most = DELAY_MS_MAX, sigma = 0.5, seed = 1, name } = rule
  const draw = drawOf(seed, name, number, Draw.DELAY)
  if (spread === 'fixed') return ms
  if (spread === 'uniform') return Math.floor(ms + draw * (most - ms + 1))
  if (spread === 'recorded') return Math.min(most, recordedDelay(rule, draw))
  // Box and Muller: two even draws make one of the normal distribution.
  const other = drawOf(seed, name, number, Draw.SECOND_DELAY)
  const normal = Math.sqrt(-2 * Math.log(1 - draw)) * Math.cos(2 * Math.PI * other)
  return Math.min(most, Math.round(ms * Math.exp(sigma * normal)))
}

/** Buckets by rule, read once, with what all of them count. */
const histograms = new WeakMap<
  FaultRule,
  { readonly buckets: readonly DelayBucket[]; readonly total: number }
>()

/** Draws a bucket as often as it was counted, and evenly between its bounds. */
function recordedDelay(rule: FaultRule, draw: number): number {
  let histogram = histograms.get(rule)
  if (histogram === undefined) {
    const buckets = readHistogram(rule.histogram ?? '') ?? []
    histogram = { buckets, total: buckets.reduce((sum, { count }) => sum + count, 0) }
    histograms.set(rule, histogram)
  }
  let left = draw * histogram.total
  let belowMs = 0
  for (const { ms, count } of histogram.buckets) {
    if (left < count) return Math.round(belowMs + (left / count) * (ms - belowMs))
    left -= count
    belowMs = ms
  }
  return belowMs
}
