/** The facts of the simulated world, as operators would have left them in the control journal. */
import { AccountId, AssetId, Ms } from '../../../src/base/units.ts'
import type { Fact } from '../../../src/control/facts.ts'
import type { Vault } from '../../../src/control/vault.ts'
import { type AccountSpec, noFees } from '../../../src/market/listing.ts'
import { accounts, deposits, exchange, symbols } from '../world.ts'

/** Amounts that all accounts together can have once each. */
const ATOMS_BEARABLE = 2n ** 59n
/** A tenth. */
const RATE_BEARABLE = 10_000_000

export const foundingDeposits = deposits.map(
  ([account, asset, atoms]) =>
    [account, asset, atoms < ATOMS_BEARABLE ? atoms : ATOMS_BEARABLE] as const,
)

export const apiKeyOf = (account: number): string => String(account).repeat(64)
export const secretOf = (account: number): string => `secret${account}`.padEnd(64, 's')

export function foundingFacts(vault: Vault): readonly Fact[] {
  const assets = new Map(
    symbols.flatMap(({ base, quote }) => [base, quote]).map((it) => [it.id, it]),
  )
  const ordered = [...assets.values()].sort((a, b) => a.id - b.id)
  return [
    ...ordered.map((asset) => ({ fact: 'asset', ...asset }) as const),
    ...symbols.map((spec): Fact => {
      const { id, name, status, filters, preventionModes, preventionDefault, features } = spec
      const { fees = noFees } = spec
      const names = { base: spec.base.name, quote: spec.quote.name }
      const rules = { status, filters, preventionModes, preventionDefault, features, fees }
      return { fact: 'symbol', id, name, ...names, ...rules }
    }),
    {
      fact: 'exchange',
      filters: exchange.filters,
      discountAsset: ordered[exchange.discountAssetId]!.name,
      discountRate: exchange.discountRate,
    },
    ...accounts.map((account): Fact => ({ fact: 'account', ...account, ...bearable(account) })),
    ...accounts.slice(1).map(({ id }): Fact => {
      const apiKey = apiKeyOf(id)
      const sealedSecret = vault.seal(secretOf(id), apiKey)
      const rights = { account: id, canRead: true, canTrade: true }
      return { fact: 'key', kind: 'HMAC', apiKey, sealedSecret, ...rights }
    }),
    ...foundingDeposits.map(([account, asset, atoms]): Fact => {
      return {
        fact: 'deposit',
        account: AccountId(account),
        asset: AssetId(asset),
        atoms: String(atoms),
        timeMs: Ms(0),
      }
    }),
  ]
}

/** Operators may not ask for as much as the world's strangest accounts pay. */
function bearable({ makerRate, takerRate, buyerRate, sellerRate }: AccountSpec) {
  const bear = (rate: number) => Math.min(rate, RATE_BEARABLE)
  return {
    makerRate: bear(makerRate),
    takerRate: bear(takerRate),
    buyerRate: bear(buyerRate),
    sellerRate: bear(sellerRate),
  }
}
