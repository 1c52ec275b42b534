/** How much market makers and the counterparty receive at once. */
import { WIRE_DECIMALS } from '../base/limits.ts'
import type { AssetSpec } from '../market/listing.ts'
import type { Registry } from './registry.ts'

/** Units of each asset that an account receives; at most this share of the room that there is. */
const FUNDS_UNITS = 10_000_000n
const ROOM_SHARE = 64n
const ROOM_ATOMS = 2n ** 62n

/** Returns the atoms that such an account receives at once; leaves room for other accounts. */
export function fundsOf(registry: Pick<Registry, 'deposited'>, { id }: AssetSpec): bigint {
  const wanted = FUNDS_UNITS * 10n ** BigInt(WIRE_DECIMALS)
  const room = (ROOM_ATOMS - registry.deposited(id)) / ROOM_SHARE
  return wanted < room ? wanted : room
}
