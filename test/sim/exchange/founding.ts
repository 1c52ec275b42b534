/** The simulated world, as operators would have left it in the control journal. */
import { AccountId, AssetId } from '../../../src/base/units.ts'
import type { Fact } from '../../../src/control/facts.ts'
import type { Vault } from '../../../src/control/vault.ts'
import type { AccountSpec } from '../../../src/market/listing.ts'
import { factsOf, foundVenue, type Venue } from '../../fixtures/venue-facts.ts'
import { accounts, deposits, exchange, ruledSymbols } from '../world.ts'

/** Amounts that all accounts together can have once each. */
const ATOMS_BEARABLE = 2n ** 59n
/** A tenth. */
const RATE_BEARABLE = 10_000_000

export const foundingDeposits = deposits.map(
  ([account, asset, atoms]) =>
    [AccountId(account), AssetId(asset), atoms < ATOMS_BEARABLE ? atoms : ATOMS_BEARABLE] as const,
)

export const apiKeyOf = (account: number): string => String(account).repeat(64)
export const secretOf = (account: number): string => `secret${account}`.padEnd(64, 's')

export const foundingFacts = (vault: Vault): readonly Fact[] => factsOf(world(), vault)

export const foundWorld = (dataFolder: string): void => foundVenue(dataFolder, world())

const world = (): Venue => ({
  symbols: ruledSymbols,
  exchange,
  deposits: foundingDeposits,
  accounts: accounts.map(bearable),
  keys: accounts.slice(1).map(({ id }) => ({
    kind: 'HMAC',
    apiKey: apiKeyOf(id),
    secretKey: secretOf(id),
    account: id,
    canRead: true,
    canTrade: true,
  })),
})

/** Operators may not ask for as much as the world's strangest accounts pay. */
function bearable(account: AccountSpec): AccountSpec {
  const { makerRate, takerRate, buyerRate, sellerRate } = account
  const bear = (rate: number) => Math.min(rate, RATE_BEARABLE)
  const rates = { makerRate: bear(makerRate), takerRate: bear(takerRate) }
  return { ...account, ...rates, buyerRate: bear(buyerRate), sellerRate: bear(sellerRate) }
}
