/**
 * When a rule of the sandbox touches what matches it. All gateways number its matches in one shared cell;
 * what happens to a match follows from the rule and the number alone, so the same order of matches gives the
 * same faults over any number of gateways. Chance is a hash of seed, name and number.
 *
 *   at 0   i32   matches
 *   at 4   i32   those that the rule touched
 *   at 8   i64   progress of rules with `times`: up to a match (upper half), how many are touched (lower half)
 *
 * Progress follows from the rule alone, so whatever a gateway writes there is true; it only saves other gateways, and
 * those that receive the rules again, the way from the first match.
 */
import {
  type AddressRange,
  isInRange,
  mappedAddress,
  parseAddressRanges,
} from '../base/address-range.ts'
import { type FaultRule, ruleText } from './fault-fields.ts'
import type { FaultRow } from './requests.ts'

export const FAULT_CELLS_BYTES = 16
const MATCHES = 0
const TOUCHED = 1
const PROGRESS = 1
/** The draws of one match. */
export const Draw = { CHANCE: 0, DELAY: 1, SECOND_DELAY: 2 } as const
/** Matches that are numbered: the cell has 31 bits. */
const NUMBERS_MAX = 2 ** 31 - 2

/** A rule in force, as all gateways have it. */
export interface PostedFault {
  readonly rule: FaultRule
  /** When it begins, in monotonic ms; left out for at once. */
  readonly fromMs?: number
  /** When it ends, likewise; Infinity for never. */
  readonly untilMs: number
  /** FAULT_CELLS_BYTES, of many writers: every gateway counts atomically. */
  readonly cells: SharedArrayBuffer
}

export class FaultTrigger {
  readonly rule: FaultRule
  private readonly fromMs: number
  private readonly untilMs: number
  private readonly cells: Int32Array
  private readonly progress: BigInt64Array
  private readonly addresses: readonly AddressRange[] | undefined
  private readonly firstTouched: (rule: FaultRule) => void
  /** Matches up to this number are counted in touched: those that the rule touches. */
  private counted = 0
  private touched = 0

  /** `firstTouched` is called by the one gateway that has the rule touch something first. */
  constructor(
    { rule, fromMs = 0, untilMs, cells }: PostedFault,
    firstTouched: (rule: FaultRule) => void = () => {},
  ) {
    this.rule = rule
    this.firstTouched = firstTouched
    this.fromMs = fromMs
    this.untilMs = untilMs
    this.cells = new Int32Array(cells)
    this.progress = new BigInt64Array(cells)
    if (rule.address !== undefined) this.addresses = parseAddressRanges(rule.address)
  }

  /** Whether the rule is for clients at this address, of 4 or 16 bytes. */
  isFrom(address: ArrayBuffer): boolean {
    const mapped = mappedAddress(new Uint8Array(address))
    return this.addresses?.some((range) => isInRange(mapped, range)) ?? true
  }

  /** Takes the next number for a match at this monotonic time. Returns it if the rule touches the match, else 0. */
  pull(elapsedMs: number): number {
    if (elapsedMs < this.fromMs || elapsedMs >= this.untilMs) return 0
    if (Atomics.load(this.cells, MATCHES) >= NUMBERS_MAX) return 0
    const number = Atomics.add(this.cells, MATCHES, 1) + 1
    if (!this.touches(number)) return 0
    if (Atomics.add(this.cells, TOUCHED, 1) === 0) this.firstTouched(this.rule)
    return number
  }

  /** Whether the rule touches the match of this number. */
  private touches(number: number): boolean {
    const { times } = this.rule
    if (times === undefined) return isTouched(this.rule, number)
    this.takeProgress(number)
    // Matches that other gateways numbered count, too.
    while (this.counted < number - 1 && this.touched < times) {
      if (isTouched(this.rule, ++this.counted)) this.touched++
    }
    const progress = (BigInt(this.counted) << 32n) | BigInt(this.touched)
    Atomics.store(this.progress, PROGRESS, progress)
    return this.touched < times && isTouched(this.rule, number)
  }

  /** Begins at the shared progress, where it is further and not beyond the match. */
  private takeProgress(number: number): void {
    const progress = Atomics.load(this.progress, PROGRESS)
    const counted = Number(progress >> 32n)
    if (counted <= this.counted || counted >= number) return
    this.counted = counted
    this.touched = Number(progress & 0xffff_ffffn)
  }
}

function isTouched(
  { after = 0, every = 1, chance = 1, seed = 1, name }: FaultRule,
  number: number,
) {
  if (number <= after || (number - after) % every !== 0) return false
  return chance === 1 || drawOf(seed, name, number, Draw.CHANCE) < chance
}

/** Returns a number from 0 up to 1 that follows from all of these, and from nothing else. */
export function drawOf(seed: number, name: string, number: number, draw: number): number {
  let hash = mixed(seed ^ 0x9e3779b9)
  for (let i = 0; i < name.length; i++) hash = mixed(hash ^ name.charCodeAt(i))
  hash = mixed(hash ^ number)
  return (mixed(hash ^ (draw + 1)) >>> 0) / 2 ** 32
}

/** The last steps of MurmurHash3, which spread every bit over all of them. */
function mixed(bits: number): number {
  let z = (bits + 0x9e3779b9) | 0
  z = Math.imul(z ^ (z >>> 16), 0x85ebca6b)
  z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35)
  return z ^ (z >>> 16)
}

/** Reads what lists show of a rule. */
export function faultRow({ rule, untilMs, cells }: PostedFault, elapsedMs: number): FaultRow {
  const counts = new Int32Array(cells)
  const touched = Atomics.load(counts, TOUCHED)
  const isSpent = rule.times !== undefined && touched >= rule.times
  return {
    name: rule.name,
    do: rule.do,
    rule: ruleText(rule),
    owner: rule.owner,
    matches: Atomics.load(counts, MATCHES),
    touched,
    isOver: isSpent || elapsedMs >= untilMs,
  }
}
