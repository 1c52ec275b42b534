/**
 * Price × quantity in atoms of the quote asset, for one symbol. One tick × one lot is a fraction of
 * atoms in lowest terms. Where it is not whole, amounts are rounded, and the function's name says how.
 */
import { ORDER_ATOMS_MAX, TICK_LOT_PARTS_MAX, WIRE_DECIMALS } from './limits.ts'
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

/** The most quote atoms that one order may move: up to it every intermediate product is exact. */
export const quoteAtomsMaxOf = ({
  tickLotParts,
}: Pick<NotionalUnits, 'tickLotParts'>): QuoteAtoms =>
  QuoteAtoms(tickLotParts === 1 ? ORDER_ATOMS_MAX : Math.floor(ORDER_ATOMS_MAX / tickLotParts) - 1)

/** Returns the base atoms that lots are: exact up to ORDER_ATOMS_MAX, and past it still larger. */
export const baseAtomsOf = (lots: Lots, atomsPerLot: number): BaseAtoms =>
  BaseAtoms(lots * atomsPerLot)

export class Notional {
  readonly #atomsPerTickLot: number
  readonly #tickLotParts: number

  constructor({ atomsPerTickLot, tickLotParts }: NotionalUnits) {
    this.#atomsPerTickLot = atomsPerTickLot
    this.#tickLotParts = tickLotParts
  }

  /** Whether every amount is a whole number of atoms, so that `down` and `up` agree. */
  get isExact(): boolean {
    return this.#tickLotParts === 1
  }

  /**
   * Rounds down: the amount that a fill pays. Exact up to the symbol's quoteAtomsMaxOf. A larger
   * result is still larger than every bound, so callers compare before they use it.
   */
  down(ticks: Ticks, lots: Lots): QuoteAtoms {
    const parts = ticks * lots * this.#atomsPerTickLot
    return QuoteAtoms(this.isExact ? parts : quotient(parts, this.#tickLotParts))
  }

  /** Rounds up: the amount that an order holds. As exact as `down`. */
  up(ticks: Ticks, lots: Lots): QuoteAtoms {
    const parts = ticks * lots * this.#atomsPerTickLot
    return QuoteAtoms(
      this.isExact ? parts : quotient(parts + this.#tickLotParts - 1, this.#tickLotParts),
    )
  }

  /** Returns the most lots that `atoms` (at most the symbol's quoteAtomsMaxOf) buy at a price above 0. */
  lotsFor(atoms: Atoms, ticks: Ticks): Lots {
    return Lots(quotient(atoms * this.#tickLotParts, ticks * this.#atomsPerTickLot))
  }
}

/** Divides exact numbers and rounds down. Plain division may round up to the next whole number. */
const quotient = (amount: number, divisor: number): number =>
  (amount - (amount % divisor)) / divisor

const greatestCommonDivisor = (a: bigint, b: bigint): bigint =>
  b === 0n ? a : greatestCommonDivisor(b, a % b)
