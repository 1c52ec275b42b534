/** What an account has, valued at last prices. */
import { type Int64, int64 } from '../../base/int64.ts'
import { Conversion } from '../../market/conversion.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import type { BalanceRow, Context } from '../context.ts'

/** What libraries have an account valued in. */
export const VALUATION_COIN = 'BTC'

/** Returns atoms of the asset of that name, rounded down; 0 where no prices join the two. */
export function worthOf(
  context: Context,
  { asset, free, locked }: BalanceRow,
  name: string,
): Int64 {
  const atoms = BigInt(free) + BigInt(locked)
  const to = context.assets.find((candidate) => candidate.name === name)
  if (atoms === 0n || to === undefined) return 0
  const { symbols } = context
  const prices = { ticksOf: (id: SymbolSpec['id']) => context.tape(id).lastPriceTicks }
  const conversion = new Conversion(symbols, prices, asset.id, to.id)
  if (!conversion.find()) return 0
  return int64((atoms * conversion.numerator) / conversion.denominator)
}
