/**
 * An exchange in a process of its own, set up as a test says: the facts stand in the control journal
 * of its data folder before it is started, as an operator would have left them.
 */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { SelfTradePrevention, SymbolStatus } from '#base/codes.ts'
import { type FilterSpec, usualAccount } from '#base/listing.ts'
import { ControlStore } from '#journal/control-store.ts'
import { exchangeAccount } from '#operator/demo.ts'
import type { AccountFact, ExchangeFact, Fact, SymbolFact } from '#operator/facts.ts'
import { Vault } from '#operator/vault.ts'
import { type DemoKey, ExchangeProcess } from './exchange-process.ts'

export interface StagedSymbol extends Partial<Omit<SymbolFact, 'fact' | 'id' | 'filters'>> {
  readonly name: string
  /** Beside PRICE_FILTER and LOT_SIZE, or instead of them. */
  readonly filters?: readonly FilterSpec[]
}

export interface StagedAccount extends Partial<Omit<AccountFact, 'fact' | 'id' | 'name'>> {
  /** Whole units by asset. */
  readonly funds?: Readonly<Record<string, number>>
  /** What its key may do; everything when left out. */
  readonly key?: { readonly canRead: boolean; readonly canTrade: boolean }
}

export interface Stage {
  readonly assets: readonly string[]
  /** Of every asset's atoms; 8 when left out. */
  readonly decimals?: number
  /** The first asset against the second unless they say otherwise; each takes every STP mode. */
  readonly symbols: readonly StagedSymbol[]
  readonly exchange?: Partial<Omit<ExchangeFact, 'fact'>>
  /** By name; each has a key, found by that name in `ExchangeProcess.keys`. */
  readonly accounts: Readonly<Record<string, StagedAccount>>
}

export const priceFilter: FilterSpec = {
  filterType: 'PRICE_FILTER',
  minPrice: '0.01000000',
  maxPrice: '1000000.00000000',
  tickSize: '0.01000000',
}

export const lotSize: FilterSpec = {
  filterType: 'LOT_SIZE',
  minQty: '0.00001000',
  maxQty: '9000.00000000',
  stepSize: '0.00001000',
}

/** Its data folder is filled; nothing runs yet. Flags are those of the exchange. */
export async function stageExchange(
  stage: Stage,
  flags: readonly string[] = [],
): Promise<ExchangeProcess> {
  const exchange = await ExchangeProcess.prepare(flags)
  const vault = Vault.open(path.join(exchange.data, 'secret.key'), true)
  const names = Object.keys(stage.accounts)
  const keys = names.map(keyOf)
  writeFileSync(path.join(exchange.data, 'demo-keys.json'), JSON.stringify(keys))
  const control = ControlStore.open(exchange.data)
  control.appendAll(factsOf(stage, keys, vault))
  control.close()
  return exchange
}

const keyOf = (account: string, index: number): DemoKey => ({
  account,
  apiKey: `${account}${index}`.padEnd(64, 'K'),
  secretKey: `${account}${index}`.padEnd(64, 's'),
})

function factsOf(stage: Stage, keys: readonly DemoKey[], vault: Vault): Fact[] {
  const { decimals = 8 } = stage
  const facts: Fact[] = [exchangeAccount()]
  stage.assets.forEach((name, id) => {
    facts.push({ fact: 'asset', id, name, decimals })
  })
  stage.symbols.forEach((symbol, id) => {
    facts.push(symbolFact(stage, symbol, id))
  })
  if (stage.exchange !== undefined) {
    const plain = { filters: [], discountAsset: '', discountRate: 0 }
    facts.push({ fact: 'exchange', ...plain, ...stage.exchange })
  }
  Object.entries(stage.accounts).forEach(([name, account], index) => {
    const { funds = {}, key = { canRead: true, canTrade: true }, ...rest } = account
    const id = index + 1
    facts.push({ fact: 'account', ...usualAccount, ...rest, id, name })
    const { apiKey, secretKey } = keys[index] as DemoKey
    const sealedSecret = vault.seal(secretKey, apiKey)
    facts.push({ fact: 'key', kind: 'HMAC', account: id, apiKey, sealedSecret, ...key })
    for (const [asset, units] of Object.entries(funds)) {
      const atoms = String(BigInt(units) * 10n ** BigInt(decimals))
      facts.push({
        fact: 'deposit',
        account: id,
        asset: stage.assets.indexOf(asset),
        atoms,
        timeMs: 0,
      })
    }
  })
  return facts
}

function symbolFact(stage: Stage, symbol: StagedSymbol, id: number): SymbolFact {
  const [base, quote] = stage.assets as [string, string]
  const given = symbol.filters ?? []
  const usual = [priceFilter, lotSize].filter(
    ({ filterType }) => !given.some((filter) => filter.filterType === filterType),
  )
  return {
    fact: 'symbol',
    id,
    base,
    quote,
    status: SymbolStatus.TRADING,
    preventionModes: Object.values(SelfTradePrevention),
    preventionDefault: SelfTradePrevention.EXPIRE_MAKER,
    ...symbol,
    filters: [...usual, ...given],
  }
}
