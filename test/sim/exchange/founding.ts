/** The simulated world, as operators would have left it in the control journal. */
import { AccountId, AssetId, Atoms, ChainId, Ms, NetworkId } from '../../../src/base/units.ts'
import type { Fact } from '../../../src/control/facts.ts'
import { chainFact, usualNetwork } from '../../../src/control/usual-networks.ts'
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

/** When all of it begins. */
export const START_MS = Ms(1_700_000_000_000)

/** Some dozen blocks to a seed. */
const chains = (
  [
    ['ETHER', 'ethereum', false, 100],
    ['MEMOS', 'tron', true, 150],
  ] as const
).map(([name, addressForm, hasMemo, blockMs], id) =>
  chainFact({ id: ChainId(id), name, addressForm, hasMemo, blockMs, genesisMs: START_MS }),
)

/** By asset and chain: RED and COIN, BLUE and COIN; on one chain some withdrawals wait for an operator. */
const networks = (
  [
    [0, 0, 40n],
    [2, 0, 40n],
    [1, 1, 0n],
    [2, 1, 0n],
  ] as const
).map(([asset, chain, approvalAbove], id) => ({
  ...usualNetwork(NetworkId(id), AssetId(asset), chains[chain]!, id < 3),
  minConfirm: 2,
  unLockConfirm: 3,
  depositMin: Atoms(5),
  withdrawFee: Atoms(3),
  approvalAbove: Atoms(approvalAbove),
}))

/** Account 2 is the master of 5 and 7. */
const MASTER = AccountId(2)
const subAccounts = [5, 7]

const world = (): Venue => ({
  symbols: ruledSymbols,
  chains,
  networks,
  exchange,
  deposits: foundingDeposits,
  accounts: accounts.map((it) => inFamily(bearable(it))),
  keys: accounts.slice(1).map(({ id }) => ({
    kind: 'HMAC',
    apiKey: apiKeyOf(id),
    secretKey: secretOf(id),
    account: id,
    canRead: true,
    canTrade: true,
    canWithdraw: true,
  })),
})

const inFamily = (account: AccountSpec): AccountSpec =>
  subAccounts.includes(account.id) ? { ...account, master: MASTER, openedMs: START_MS } : account

/** Operators may not ask for as much as the world's strangest accounts pay. */
function bearable(account: AccountSpec): AccountSpec {
  const { makerRate, takerRate, buyerRate, sellerRate } = account
  const bear = (rate: number) => Math.min(rate, RATE_BEARABLE)
  const rates = { makerRate: bear(makerRate), takerRate: bear(takerRate) }
  return { ...account, ...rates, buyerRate: bear(buyerRate), sellerRate: bear(sellerRate) }
}
