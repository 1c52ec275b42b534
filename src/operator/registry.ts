/**
 * What the facts of the control journal add up to: assets, symbols, accounts, keys, deposits, and
 * how often the exchange was started. Built at start by the main thread; handed on as plain values.
 */
import { type AccountSpec, type AssetSpec, type SymbolSpec, specifySymbol } from '#base/listing.ts'
import type { Fact, KeyFact, SymbolFact } from './facts.ts'

export class Registry {
  readonly assets: AssetSpec[] = []
  readonly symbols: SymbolSpec[] = []
  readonly accounts: AccountSpec[] = []
  readonly keys = new Map<string, KeyFact>()
  /** Sum of all deposits, by account and asset. */
  readonly deposits: { readonly account: number; readonly asset: number; atoms: bigint }[] = []
  epoch = 0

  apply(fact: Fact): void {
    switch (fact.fact) {
      case 'start':
        this.epoch = fact.epoch
        break
      case 'asset':
        this.assets[fact.id] = { id: fact.id, name: fact.name, decimals: fact.decimals }
        break
      case 'symbol':
        this.symbols[fact.id] = this.#symbol(fact)
        break
      case 'account': {
        const { fact: _, ...account } = fact
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
