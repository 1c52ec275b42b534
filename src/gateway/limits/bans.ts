/**
 * Bans of addresses that continue after refusals, and their ends: each ban is twice as
 * long as the one before, up to three days. An offender is forgotten three days after its last ban.
 *
 *   cell  i64: tag of the address in bits 48-62, end in seconds in bits 8-47, bans before in bits 0-7
 *
 * Written by every gateway, by compare-and-swap.
 */
import { Ms } from '../../base/units.ts'

const LONGEST_SECONDS = 3 * 24 * 60 * 60
const TAG_SHIFT = 48n
const END_SHIFT = 8n
const END_MASK = (1n << 40n) - 1n
const LEVEL_MASK = (1n << END_SHIFT) - 1n
/** More doublings than from one second to the longest ban. */
const LEVEL_MAX = 20

/** Bits of the tag, which tells successive owners of a row apart. */
export const TAG_BITS = 15

export class Bans {
  private readonly cells: BigInt64Array
  private readonly firstSeconds: number

  /** `firstSeconds` is the length of the first ban. */
  constructor(cells: BigInt64Array, firstSeconds: number) {
    this.cells = cells
    this.firstSeconds = firstSeconds
  }

  /** Returns the end of the last ban of the tag's owner, ms; 0 when it never had one. */
  endsMs(at: number, tag: number): Ms {
    const cell = Atomics.load(this.cells, at)
    return Ms(tagOf(cell) === tag ? endOf(cell) * 1000 : 0)
  }

  /** Begins a ban, unless one is on. Returns its end, ms, a whole second. */
  begin(at: number, tag: number, nowMs: Ms): Ms {
    const now = Math.ceil(nowMs / 1000)
    for (;;) {
      const cell = Atomics.load(this.cells, at)
      const isKnown = tagOf(cell) === tag && cell !== 0n
      const lastEnd = isKnown ? endOf(cell) : 0
      if (lastEnd * 1000 > nowMs) return Ms(lastEnd * 1000)
      const level = now - lastEnd <= LONGEST_SECONDS ? Math.min(levelOf(cell) + 1, LEVEL_MAX) : 0
      const end = now + Math.min(this.firstSeconds * 2 ** level, LONGEST_SECONDS)
      const next = cellOf(tag, end, level)
      if (Atomics.compareExchange(this.cells, at, cell, next) === cell) return Ms(end * 1000)
    }
  }
}

const tagOf = (cell: bigint): number => Number(cell >> TAG_SHIFT)
const endOf = (cell: bigint): number => Number((cell >> END_SHIFT) & END_MASK)
const levelOf = (cell: bigint): number => Number(cell & LEVEL_MASK)
const cellOf = (tag: number, end: number, level: number): bigint =>
  (BigInt(tag) << TAG_SHIFT) | (BigInt(end) << END_SHIFT) | BigInt(level)
