/** What of an exchange is in no journal and returns to a mark: listen keys, use of limits, and rules of the sandbox. */

import type { Regions } from '../../agents/memory.ts'
import type { FaultBook } from '../../control/fault-book.ts'
import { copyLimits } from '../../gateway/limits/rate-limits.ts'
import type { PostedFault } from '../../sandbox/fault-trigger.ts'

export interface MarkedMemory extends Pick<Regions, 'listenKeys' | 'limits'> {
  /** Fault rules with their counts. */
  readonly faults: readonly PostedFault[]
}

/** Returns a copy, in which no socket is open. */
export function copyMemory(
  { listenKeys, limits }: Pick<Regions, 'listenKeys' | 'limits'>,
  faults: Pick<FaultBook, 'copies'> | undefined,
): MarkedMemory {
  const copies = {
    listenKeys: new SharedArrayBuffer(listenKeys.byteLength),
    limits: new SharedArrayBuffer(limits.byteLength),
    faults: faults?.copies() ?? [],
  }
  fillMemory(copies, { listenKeys, limits })
  return copies
}

/** Both regions have the same sizes. */
export function fillMemory(
  to: Pick<Regions, 'listenKeys' | 'limits'>,
  from: Pick<Regions, 'listenKeys' | 'limits'>,
): void {
  new Uint8Array(to.listenKeys).set(new Uint8Array(from.listenKeys))
  copyLimits(to.limits, from.limits)
}

export function isSameMemory(one: MarkedMemory, other: MarkedMemory): boolean {
  const others = bytesOf(other)
  const rules = ({ faults }: MarkedMemory) =>
    JSON.stringify(faults.map(({ rule, fromMs, untilMs }) => [rule, fromMs, untilMs]))
  if (rules(one) !== rules(other)) return false
  return bytesOf(one).every((bytes, at) => bytes.equals(others[at]!))
}

const bytesOf = ({ listenKeys, limits, faults }: MarkedMemory): readonly Buffer[] =>
  [listenKeys, limits, ...faults.map(({ cells }) => cells)].map((cells) => Buffer.from(cells))
