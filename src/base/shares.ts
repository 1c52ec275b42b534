/**
 * A bound that accounts and operators share. An account may take any of it that is free, while one part remains for
 * operators, and another for accounts that have none of it: no account keeps others from their first.
 */
export interface Shares {
  readonly all: number
  /** What accounts leave to operators. */
  readonly operators: number
  /** What accounts that have some leave to those that have none. */
  readonly newcomers: number
}

/** A part for operators and one for newcomers, as fault rules have: a quarter and an eighth. */
export const sharesOf = (all: number): Shares => ({ all, operators: all / 4, newcomers: all / 8 })

/** Who takes more of a bound. */
export interface Taker {
  /** Whether an operator decided that it is taken. */
  readonly isOperators: boolean
  /** What it has already. */
  readonly has: number
}

/** Returns how much may be taken in all, once this taker has its part. */
export const roofOf = (
  { all, operators, newcomers }: Shares,
  { isOperators, has }: Taker,
): number => all - (isOperators ? 0 : operators) - (has > 0 ? newcomers : 0)

/** What holders have taken of a bound. One thread keeps it. */
export class SharedBound<Holder> {
  private readonly shares: Shares
  private readonly taken = new Map<Holder, number>()
  private all = 0

  constructor(all: number) {
    this.shares = sharesOf(all)
  }

  /** Whether there is room for so much more. Nothing always fits. */
  hasRoom(holder: Holder, amount: number, isOperators: boolean): boolean {
    const has = this.taken.get(holder) ?? 0
    return amount === 0 || this.all + amount <= roofOf(this.shares, { isOperators, has })
  }

  /** Notes that the holder has so much more; or less, below 0. */
  add(holder: Holder, amount: number): void {
    this.all += amount
    const has = (this.taken.get(holder) ?? 0) + amount
    if (has === 0) this.taken.delete(holder)
    else this.taken.set(holder, has)
  }
}
