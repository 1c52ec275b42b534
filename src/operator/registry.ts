/**
 * What the facts of the control journal add up to: assets, symbols, accounts, keys, deposits, and
 * how often the exchange was started. Built at start by the main thread; handed on as plain values.
 */

import { exchangeBounds } from '#base/filter-bounds.ts'
import {
  ASSET_DECIMALS_MAX,
  ASSETS_MAX,
  RATE_MAX,
  SYMBOLS_MAX,
  WIRE_DECIMALS,
} from '#base/limits.ts'
import {
  type AccountSpec,
  type AssetSpec,
  type ExchangeSpec,
  plainExchange,
  type SymbolSpec,
  specifySymbol,
} from '#base/listing.ts'
import type { Fact, KeyFact, SymbolFact } from './facts.ts'

export class Registry {
  readonly assets: AssetSpec[] = []
  readonly symbols: SymbolSpec[] = []
  readonly accounts: AccountSpec[] = []
  readonly keys = new Map<string, KeyFact>()
  /** Sum of all deposits, by account and asset. */
  readonly deposits: { readonly account: number; readonly asset: number; atoms: bigint }[] = []
  exchange: ExchangeSpec = plainExchange
  epoch = 0

  /** Throws RangeError for a fact that the exchange has no room for or cannot represent. */
  apply(fact: Fact): void {
    switch (fact.fact) {
      case 'start':
        this.epoch = fact.epoch
        break
      case 'asset':
        bound('asset', fact.id, ASSETS_MAX)
        if (fact.decimals < WIRE_DECIMALS || fact.decimals > ASSET_DECIMALS_MAX) {
          throw new RangeError(`asset ${fact.name} has ${fact.decimals} decimals`)
        }
        this.assets[fact.id] = { id: fact.id, name: fact.name, decimals: fact.decimals }
        break
      case 'symbol':
        bound('symbol', fact.id, SYMBOLS_MAX)
        this.symbols[fact.id] = this.#symbol(fact)
        break
      case 'exchange': {
        const { filters, discountAsset, discountRate } = fact
        const refuse = (why: string): never => {
          throw new RangeError(`the exchange's filters are refused: ${why}`)
        }
        exchangeBounds(filters, refuse)
        const discountAssetId = discountAsset === '' ? -1 : this.assetNamed(discountAsset).id
        this.exchange = { filters, discountAssetId, discountRate }
        break
      }
      case 'account': {
        const { fact: _, ...account } = fact
        const highest = Math.max(
          account.makerRate + Math.max(account.buyerRate, account.sellerRate),
          account.takerRate + Math.max(account.buyerRate, account.sellerRate),
        )
        if (highest > RATE_MAX) throw new RangeError(`account ${fact.name} pays over half`)
        this.accounts[fact.id] = account
        break
      }
      case 'key':
        this.keys.set(fact.apiKey, fact)
        break
      case 'deposit':
        this.#deposit(fact.account, fact.asset, BigInt(fact.atoms))
        break
    }
  }

  assetNamed(name: string): AssetSpec {
    const asset = this.assets.find((candidate) => candidate?.name === name)
    if (asset === undefined) throw new RangeError(`asset ${name} is not listed`)
    return asset
  }

  #symbol(fact: SymbolFact): SymbolSpec {
    const { fact: _, base, quote, ...listing } = fact
    return specifySymbol({
      ...listing,
      base: this.assetNamed(base),
      quote: this.assetNamed(quote),
    })
  }

  #deposit(account: number, asset: number, atoms: bigint): void {
    const row = this.deposits.find((it) => it.account === account && it.asset === asset)
    if (row === undefined) this.deposits.push({ account, asset, atoms })
    else row.atoms += atoms
  }
}

function bound(what: string, id: number, max: number): void {
  if (id >= max) throw new RangeError(`there is room for ${max} ${what}s, not for another`)
}
