/**
 * What holdings cost and are worth, by average cost in each market's quote asset. Exact, in atoms of 10^-8; divisions
 * round down. Pure.
 */
import { ATOMS, multiplyAtoms, parseAtoms } from '../book/decimals.ts'
import type { MarketSymbol } from '../market/symbols.ts'
import type { FillRow } from './account-rows.ts'

const ONE = 10n ** BigInt(ATOMS)

type Assets = Pick<MarketSymbol, 'symbol' | 'baseAsset' | 'quoteAsset'>

/** What the fills of one market, the oldest first, have left. */
export interface Position {
  /** Units that were bought here and not sold here, and what they cost. */
  readonly units: bigint
  readonly cost: bigint
  /** What sales of such units gave beyond their cost. */
  readonly realized: bigint
}

export const NO_POSITION: Position = { units: 0n, cost: 0n, realized: 0n }

const atomsOf = (text: string): bigint => parseAtoms(text) ?? 0n

/** Fees in the market's own assets count; those in a third one do not. Units beyond the known ones are sold at no profit. */
export function withFill(position: Position, fill: FillRow, assets: Assets): Position {
  const { units, cost, realized } = position
  const feeIn = (asset: string) => (fill.commissionAsset === asset ? atomsOf(fill.commission) : 0n)
  const [quantity, paid] = [atomsOf(fill.qty), atomsOf(fill.quoteQty)]
  const [baseFee, quoteFee] = [feeIn(assets.baseAsset), feeIn(assets.quoteAsset)]
  if (fill.isBuyer) {
    return { units: units + quantity - baseFee, cost: cost + paid + quoteFee, realized }
  }
  const gone = quantity + baseFee
  const known = gone < units ? gone : units
  if (known === 0n) return position
  const costOfKnown = (cost * known) / units
  const gained = ((paid - quoteFee) * known) / gone
  return {
    units: units - known,
    cost: cost - costOfKnown,
    realized: realized + gained - costOfKnown,
  }
}

/** A market's part of what is held. */
export interface MarketProfit {
  readonly held: bigint
  /** What is held at a cost that is known, and at one that is not: deposited, or bought elsewhere or earlier. */
  readonly known: bigint
  readonly unknown: bigint
  /** The price at which the known units were bought; undefined without any. */
  readonly average: bigint | undefined
  readonly value: bigint
  readonly profit: bigint
  readonly realized: bigint
}

/** Profit of a holding at the market's last price. At most `left` of it is of this market: others have the rest. */
export function profitOf(
  { units, cost, realized }: Position,
  held: bigint,
  left: bigint,
  last: bigint,
): MarketProfit {
  const known = units < left ? units : left
  const costOfKnown = known === 0n ? 0n : (cost * known) / units
  return {
    held,
    known,
    unknown: held - known,
    realized,
    average: known === 0n ? undefined : (costOfKnown * ONE) / known,
    value: multiplyAtoms(held, last),
    profit: known === 0n ? 0n : multiplyAtoms(known, last) - costOfKnown,
  }
}

export type Conversion = (atoms: bigint) => bigint

/**
 * Returns for each asset how an amount of it is counted in another one, at last prices: by a market of both, or by two
 * markets over a third asset. Assets without such markets have none.
 */
export function conversionsInto(
  into: string,
  symbols: readonly Assets[],
  lastOf: (symbol: string) => string,
): ReadonlyMap<string, Conversion> {
  const found = new Map<string, Conversion>([[into, (atoms) => atoms]])
  for (const _hop of [1, 2]) {
    const before = new Map(found)
    for (const { symbol, baseAsset, quoteAsset } of symbols) {
      const last = atomsOf(lastOf(symbol))
      if (last === 0n) continue
      const [ofQuote, ofBase] = [before.get(quoteAsset), before.get(baseAsset)]
      if (ofQuote !== undefined && !found.has(baseAsset)) {
        found.set(baseAsset, (atoms) => ofQuote(multiplyAtoms(atoms, last)))
      }
      if (ofBase !== undefined && !found.has(quoteAsset)) {
        found.set(quoteAsset, (atoms) => ofBase((atoms * ONE) / last))
      }
    }
  }
  return found
}
