/**
 * Price × quantity in atoms of the quote asset, for one symbol. One tick × one lot is a fraction of
 * atoms in lowest terms. Where it is not whole, amounts are rounded, and the function's name states how.
 */
import { int64, product } from './int64.ts'
import { TICK_LOT_PARTS_MAX, WIRE_DECIMALS } from './limits.ts'
import { type Atoms, BaseAtoms, Lots, QuoteAtoms, type Ticks } from './units.ts'

/** One tick × one lot: `atomsPerTickLot / tickLotParts` quote atoms. */
export interface NotionalUnits {
  readonly atomsPerTickLot: number
  /** 1 when every amount is a whole number of atoms. */
  readonly tickLotParts: number
}

/**
 * Returns the fraction for a tick and a lot in 10^-8 of quote and base; undefined when it is finer
 * than TICK_LOT_PARTS_MAX allows.
 */
export function notionalUnits(tickUnits: number, lotUnits: number): NotionalUnits | undefined {
  const product = BigInt(tickUnits) * BigInt(lotUnits)
  const atom = 10n ** BigInt(WIRE_DECIMALS)
  const divisor = greatestCommonDivisor(product, atom)
  const tickLotParts = Number(atom / divisor)
  if (tickLotParts > TICK_LOT_PARTS_MAX) return undefined
  return { atomsPerTickLot: Number(product / divisor), tickLotParts }
}

/** More lots than any book offers. */
const LOTS_EXACT_MAX = BigInt(Number.MAX_SAFE_INTEGER)
/** Products up to this are exact numbers, and stay so while less than an atom is added to round up. */
const EXACT_PARTS_MAX = Number.MAX_SAFE_INTEGER - TICK_LOT_PARTS_MAX

/** Returns the base atoms that lots are; past 64 bits too. */
export const baseAtomsOf = (lots: Lots, atomsPerLot: number): BaseAtoms =>
  BaseAtoms(product(lots, atomsPerLot))

export class Notional {
  private readonly atomsPerTickLot: number
  private readonly tickLotParts: number

  constructor({ atomsPerTickLot, tickLotParts }: NotionalUnits) {
    this.atomsPerTickLot = atomsPerTickLot
    this.tickLotParts = tickLotParts
  }

  /** Whether every amount is a whole number of atoms, so that `down` and `up` agree. */
  get isExact(): boolean {
    return this.tickLotParts === 1
  }

  /** Rounds down: the amount that a fill pays. It may pass 64 bits: callers compare before they use it. */
  down(ticks: Ticks, lots: Lots): QuoteAtoms {
    const parts = ticks * lots * this.atomsPerTickLot
    if (parts > EXACT_PARTS_MAX) return this.wide(ticks, lots, 0)
    return QuoteAtoms(this.isExact ? parts : quotient(parts, this.tickLotParts))
  }

  /** Rounds up: the amount that an order holds. */
  up(ticks: Ticks, lots: Lots): QuoteAtoms {
    const parts = ticks * lots * this.atomsPerTickLot
    if (parts > EXACT_PARTS_MAX) return this.wide(ticks, lots, this.tickLotParts - 1)
    return QuoteAtoms(
      this.isExact ? parts : quotient(parts + this.tickLotParts - 1, this.tickLotParts),
    )
  }

  /** Returns the most lots that `atoms` buy at a price above 0; 2^53 - 1 for any more. */
  lotsFor(atoms: Atoms, ticks: Ticks): Lots {
    const divisor = ticks * this.atomsPerTickLot
    if (typeof atoms === 'number' && divisor <= Number.MAX_SAFE_INTEGER) {
      const parts = atoms * this.tickLotParts
      if (parts <= Number.MAX_SAFE_INTEGER) return Lots(quotient(parts, divisor))
    }
    const lots =
      (BigInt(atoms) * BigInt(this.tickLotParts)) / (BigInt(ticks) * BigInt(this.atomsPerTickLot))
    return Lots(Number(lots < LOTS_EXACT_MAX ? lots : LOTS_EXACT_MAX))
  }

  private wide(ticks: Ticks, lots: Lots, add: number): QuoteAtoms {
    const parts = BigInt(ticks) * BigInt(lots) * BigInt(this.atomsPerTickLot)
    return QuoteAtoms(int64((parts + BigInt(add)) / BigInt(this.tickLotParts)))
  }
}

/** Divides exact numbers and rounds down. Plain division may round up to the next whole number. */
const quotient = (amount: number, divisor: number): number =>
  (amount - (amount % divisor)) / divisor

const greatestCommonDivisor = (a: bigint, b: bigint): bigint =>
  b === 0n ? a : greatestCommonDivisor(b, a % b)
