/** What an account has, valued at last prices. */
import { type Int64, int64 } from '../../base/int64.ts'
import { Conversion } from '../../market/conversion.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import type { BalanceRow, Context } from '../context.ts'

/** Returns atoms of the asset of that name, rounded down; 0 where no prices join the two. */
export function worthOf(
  context: Context,
  { asset, free, locked }: BalanceRow,
  name: string,
): Int64 {
  const to = context.assets.find((candidate) => candidate.name === name)
  if (to === undefined) return 0
  const { symbols } = context
  const prices = { ticksOf: (id: SymbolSpec['id']) => context.tape(id).lastPriceTicks }
  const conversion = new Conversion(symbols, prices, asset.id, to.id)
  if (!conversion.find()) return 0
  const atoms = BigInt(free) + BigInt(locked)
  return int64((atoms * conversion.numerator) / conversion.denominator)
}
