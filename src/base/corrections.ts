/**
 * Corrections of a clock that was wrong. The time of blocks, the *ordering time*, never falls: after a correction it
 * runs on from the last stamp. The *shown time* is the ordering time less what was corrected. What was stamped by
 * the wrong clock is shown at the moment of the correction, so that shown times never fall either:
 *
 * ```
 *   shown │            ╱          a correction takes (from .. to] out of the ordering time
 *         │   ──────╱
 *         │ ╱
 *         └──┴────┴──── ordering
 *          from   to
 * ```
 *
 * Records have shown times, as they were known when they were written; base/corrections.ts brings them to what is
 * known now.
 */
import { Ms } from './units.ts'

/** Ordering times that are all shown at the first one. Several do not touch, and come in order. */
export interface Correction {
  readonly fromMs: number
  readonly toMs: number
}

/** Returns what all corrections take from the ordering time of new blocks, ms. */
export const correctedMs = (corrections: readonly Correction[]): number =>
  corrections.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)

/** Returns the shown time of an ordering time. */
export function shownMs(orderingMs: number, corrections: readonly Correction[]): Ms {
  let takenMs = 0
  for (const { fromMs, toMs } of corrections) {
    if (orderingMs > fromMs) takenMs += Math.min(orderingMs, toMs) - fromMs
  }
  return Ms(orderingMs - takenMs)
}

/** Returns the corrections with a further one, of shown times: `toMs` is the last journaled moment. */
export function withCorrection(
  corrections: readonly Correction[],
  { fromMs, toMs }: Correction,
): readonly Correction[] {
  let firstMs = fromMs
  const kept = corrections.filter((it) => {
    const isBefore = shownMs(it.fromMs, corrections) < fromMs
    if (isBefore) firstMs += it.toMs - it.fromMs
    return isBefore
  })
  return [...kept, { fromMs: firstMs, toMs: toMs + correctedMs(corrections) }]
}
