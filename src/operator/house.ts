/**
 * The accounts of house liquidity, opened by the same acts as anybody's: each with a key, and with funds
 * in the assets that it needs. What is there already is left as it is, so an operator may withdraw,
 * freeze or revoke.
 */
import { WIRE_DECIMALS } from '../base/limits.ts'
import type { AssetSpec } from '../market/listing.ts'
import { shown } from './acts/named.ts'
import type { Clerk } from './clerk.ts'
import type { Registry } from './registry.ts'

/** A key in the clear, as it stands in the file that the operator may read. */
export interface HouseKeyRow {
  readonly account: string
  readonly apiKey: string
  readonly secretKey: string
}

export interface HouseAccount {
  readonly name: string
  readonly assets: readonly AssetSpec[]
}

/** Units of each asset that an account is given; no more than this share of what there is room for. */
const FUNDS_UNITS = 10_000_000n
const ROOM_SHARE = 64n
const ROOM_ATOMS = 2n ** 62n

/**
 * Opens what is missing. `known` are the keys of earlier starts; a new one is handed to `keep`. Answers
 * one key for each account; none for one whose keys were all revoked. Rejects with ActError.
 */
export async function openHouse(
  clerk: Pick<Clerk, 'act'>,
  registry: Registry,
  accounts: readonly HouseAccount[],
  known: readonly HouseKeyRow[],
  keep: (key: HouseKeyRow) => void,
): Promise<readonly HouseKeyRow[]> {
  const keys: HouseKeyRow[] = []
  for (const { name, assets } of accounts) {
    if (accountId(registry, name) === undefined) await clerk.act('account-open', { account: name })
    const id = accountId(registry, name)!
    for (const asset of assets) {
      const isGiven = registry.deposits.some((it) => it.account === id && it.asset === asset.id)
      if (isGiven) continue
      const amount = shown(fundsOf(registry, asset))
      await clerk.act('deposit', { account: name, asset: asset.name, amount })
    }
    const own = known.filter((key) => key.account === name)
    if (own.length === 0) {
      const { rows } = await clerk.act('key-create', { account: name })
      const { apiKey, secretKey } = rows[0] as unknown as HouseKeyRow
      const key = { account: name, apiKey, secretKey }
      keep(key)
      keys.push(key)
      continue
    }
    const good = own.find(({ apiKey }) => registry.keys.get(apiKey)?.canTrade === true)
    if (good !== undefined) keys.push(good)
  }
  return keys
}

const accountId = (registry: Registry, name: string): number | undefined =>
  registry.accounts.find((row) => row?.name === name)?.id

/** Atoms; so that there is always room for somebody else's. */
function fundsOf(registry: Registry, { id }: AssetSpec): bigint {
  const wanted = FUNDS_UNITS * 10n ** BigInt(WIRE_DECIMALS)
  const room = (ROOM_ATOMS - registry.deposited(id)) / ROOM_SHARE
  return wanted < room ? wanted : room
}
