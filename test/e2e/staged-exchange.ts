/**
 * An exchange in a separate process, set up by a test: the facts stand in the control journal
 * of its data folder before it is started, as an operator would have left them.
 */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { ExchangeClock } from '../../scripts/exchange/exchange-clock.ts'
import { type DemoKey, ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SelfTradePrevention, SymbolStatus } from '../../src/base/codes.ts'
import { AccountId, AssetId, Ms, SymbolId } from '../../src/base/units.ts'
import { exchangeAccount } from '../../src/control/demo.ts'
import type {
  AccountFact,
  ExchangeFact,
  Fact,
  KeyFact,
  SymbolFact,
} from '../../src/control/facts.ts'
import { Vault } from '../../src/control/vault.ts'
import { ControlStore } from '../../src/journal/control-store.ts'
import type { FilterSpec } from '../../src/market/filter-spec.ts'
import { usualAccount } from '../../src/market/listing.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'

export interface StagedSymbol extends Partial<Omit<SymbolFact, 'fact' | 'id' | 'filters'>> {
  readonly name: string
  /** Beside PRICE_FILTER and LOT_SIZE, or instead of them. */
  readonly filters?: readonly FilterSpec[]
}

export interface StagedAccount extends Partial<Omit<AccountFact, 'fact' | 'id' | 'name'>> {
  /** Whole units by asset. */
  readonly funds?: Readonly<Record<string, number>>
  /** HMAC, and may do everything, unless this differs. */
  readonly key?: Partial<Pick<KeyFact, 'kind' | 'canRead' | 'canTrade' | 'use' | 'addresses'>>
}

export interface Stage {
  readonly assets: readonly string[]
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

/** Its data folder is filled; nothing runs yet. Flags are those of the exchange, few threads by default. */
export async function stageExchange(
  stage: Stage,
  flags: readonly string[] = FEW_THREADS,
  clock?: ExchangeClock,
): Promise<ExchangeProcess> {
  const exchange = await ExchangeProcess.prepare(flags, clock)
  const vault = Vault.open(path.join(exchange.data, 'secret.key'), true)
  const keys = Object.entries(stage.accounts).map(keyOf)
  writeFileSync(path.join(exchange.data, 'demo-keys.json'), JSON.stringify(keys))
  const control = ControlStore.open(exchange.data)
  control.appendAll(factsOf(stage, keys, vault))
  control.close()
  return exchange
}

/** A key as its owner has it, and its public half if there is one. */
interface StagedKey extends DemoKey {
  readonly publicKey?: string
}

function keyOf([account, { key }]: [string, StagedAccount], index: number): StagedKey {
  const name = `${account}${index}`
  const apiKey = name.padEnd(64, 'K')
  const kind = key?.kind ?? 'HMAC'
  if (kind === 'HMAC') return { account, apiKey, secretKey: name.padEnd(64, 's') }
  const pair =
    kind === 'RSA'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ed25519')
  const pem = (half: KeyObject, type: 'pkcs8' | 'spki') =>
    half.export({ type, format: 'pem' }) as string
  const secretKey = pem(pair.privateKey, 'pkcs8')
  return { account, apiKey, secretKey, publicKey: pem(pair.publicKey, 'spki') }
}

function keyFact(
  account: AccountId,
  key: StagedKey,
  more: StagedAccount['key'],
  vault: Vault,
): KeyFact {
  const { apiKey, secretKey, publicKey } = key
  const { kind = 'HMAC', ...rest } = more ?? {}
  const rights = { fact: 'key', account, apiKey, canRead: true, canTrade: true, ...rest } as const
  return kind === 'HMAC'
    ? { ...rights, kind, sealedSecret: vault.seal(secretKey, apiKey) }
    : { ...rights, kind, publicKey: publicKey as string }
}

function factsOf(stage: Stage, keys: readonly StagedKey[], vault: Vault): Fact[] {
  const facts: Fact[] = [exchangeAccount()]
  stage.assets.forEach((name, id) => {
    facts.push({ fact: 'asset', id: AssetId(id), name })
  })
  stage.symbols.forEach((symbol, id) => {
    facts.push(symbolFact(stage, symbol, id))
  })
  if (stage.exchange !== undefined) {
    const plain = { filters: [], discountAsset: '', discountRate: 0 }
    facts.push({ fact: 'exchange', ...plain, ...stage.exchange })
  }
  Object.entries(stage.accounts).forEach(([name, account], index) => {
    const { funds = {}, key, ...rest } = account
    const id = index + 1
    facts.push({ fact: 'account', ...usualAccount, ...rest, id: AccountId(id), name })
    facts.push(keyFact(AccountId(id), keys[index] as StagedKey, key, vault))
    for (const [asset, units] of Object.entries(funds)) {
      const atoms = String(BigInt(units) * 10n ** 8n)
      facts.push({
        fact: 'deposit',
        account: AccountId(id),
        asset: AssetId(stage.assets.indexOf(asset)),
        atoms,
        timeMs: Ms(0),
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
    id: SymbolId(id),
    base,
    quote,
    status: SymbolStatus.TRADING,
    preventionModes: Object.values(SelfTradePrevention),
    preventionDefault: SelfTradePrevention.EXPIRE_MAKER,
    ...symbol,
    filters: [...usual, ...given],
  }
}
