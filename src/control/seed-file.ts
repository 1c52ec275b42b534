/**
 * A seed file: a venue file with balances and keys of its accounts, klines, and orders that rest in the books. It is
 * carried out once, on an empty data folder, as actions are; its orders are placed once the exchange runs.
 */

import { isTable, type Table } from '../base/cold-input.ts'
import type { AccountId } from '../base/units.ts'
import { type ActionContext, ActionError, type ActionRow, Arguments } from './action.ts'
import { keyActions } from './actions/keys.ts'
import { moneyActions } from './actions/money.ts'
import type { DemoKey } from './demo.ts'
import type { Fact, KeyFact, SeedOrder } from './facts.ts'
import { type FileBeside, SeedKlines } from './seed-klines.ts'
import {
  checkKeys,
  parseVenue,
  plainValue,
  refusedAt,
  Trial,
  tablesIn,
  venueInto,
  venueSections,
} from './venue-file.ts'

export const seedSections = [...venueSections, 'orders', 'klines'] as const
/** Fields of an account, beside those of a venue file. */
export const seedAccountKeys = ['balances', 'keys'] as const
const keyRightsKeys = [
  ...['kind', 'public-key', 'read', 'trade', 'withdraw', 'withdraw-to', 'addresses'],
] as const
export const seedKeyKeys = ['api-key', 'secret-key', ...keyRightsKeys] as const
/** As the parameters of `POST /api/v3/order`. */
export const seedOrderKeys = [
  ...['account', 'symbol', 'side', 'type', 'timeInForce', 'quantity', 'quoteOrderQty', 'price'],
  ...['newClientOrderId', 'strategyId', 'strategyType', 'stopPrice', 'trailingDelta'],
  ...['icebergQty', 'selfTradePreventionMode', 'pegPriceType', 'pegOffsetType', 'pegOffsetValue'],
] as const
const SECRET = /^[\x21-\x7e]{1,256}$/
/** Placing them takes a few seconds. */
export const SEED_ORDERS_MAX = 10_000

const keyCreate = keyActions.find(({ name }) => name === 'key-create')!
const deposit = moneyActions.find(({ name }) => name === 'deposit')!

/** Returns the facts of the seed, its orders in the last one. Rejects with ActionError. */
export async function readSeed(
  text: string,
  context: ActionContext,
  readFile: FileBeside,
): Promise<readonly Fact[]> {
  const {
    orders = [],
    klines = [],
    accounts = {},
    ...venue
  } = parseVenue('seed file', text, seedSections)
  const seeded = tablesIn('accounts', accounts)
  const plain = seeded.map(([name, { balances: _, keys: __, ...account }]) => [name, account])
  const trial = new Trial(context)
  await venueInto(trial, { ...venue, accounts: Object.fromEntries(plain) })
  const seed = new Seed(trial.context)
  for (const [name, { balances = {}, keys = [] }] of seeded) {
    await seed.fund(name, balances)
    await seed.giveKeys(name, keys)
  }
  seed.show(klines, readFile)
  seed.place(orders)
  return [...trial.facts, ...seed.facts]
}

/** Returns the HMAC keys of a seed that `readSeed` takes. */
export function keysOfSeed(text: string): readonly DemoKey[] {
  const { accounts = {} } = parseVenue('seed file', text, seedSections)
  return tablesIn('accounts', accounts).flatMap(([account, { keys = [] }]) =>
    tables(`accounts.${account}.keys`, keys)
      .filter((table) => 'secret-key' in table)
      .map((table) => {
        return { account, apiKey: String(table['api-key']), secretKey: String(table['secret-key']) }
      }),
  )
}

class Seed {
  readonly facts: Fact[] = []
  private readonly context: ActionContext
  private readonly apiKeys = new Set<string>()
  /** By account, symbol and client order id: a start that ended between orders knows them by these. */
  private readonly orderIds = new Set<string>()

  /** With the accounts and symbols of the seed. */
  constructor(context: ActionContext) {
    this.context = context
  }

  async fund(account: string, balances: unknown): Promise<void> {
    const where = `accounts.${account}.balances`
    if (!isTable(balances)) throw new ActionError(`${where} must be a table.`)
    for (const [asset, amount] of Object.entries(balances)) {
      const given = { account, asset, amount: plainValue(amount) }
      this.facts.push(...(await this.run(deposit, given, `${where}.${asset}`)))
    }
  }

  async giveKeys(account: string, keys: unknown): Promise<void> {
    for (const [at, table] of tables(`accounts.${account}.keys`, keys).entries()) {
      const where = `accounts.${account}.keys ${at + 1}`
      checkKeys(where, table, seedKeyKeys)
      const { 'api-key': apiKey, 'secret-key': secretKey, ...rights } = table
      const [made] = await this.run(keyCreate, { account, ...rights }, where)
      this.facts.push(this.keyFact(where, made as KeyFact, apiKey, secretKey))
    }
  }

  private keyFact(where: string, made: KeyFact, apiKey: unknown, secretKey: unknown): KeyFact {
    if (typeof apiKey !== 'string') throw new ActionError(`${where}: api-key must be text.`)
    if (this.apiKeys.has(apiKey)) throw new ActionError(`${where}: another key has its api-key.`)
    this.apiKeys.add(apiKey)
    if (made.kind !== 'HMAC') {
      if (secretKey === undefined) return { ...made, apiKey }
      throw new ActionError(`${where}: a key of kind ${made.kind} has no secret-key.`)
    }
    if (typeof secretKey !== 'string' || !SECRET.test(secretKey)) {
      throw new ActionError(`${where}: secret-key must be 1 to 256 printable characters.`)
    }
    return { ...made, apiKey, sealedSecret: this.context.vault.seal(secretKey, apiKey) }
  }

  show(given: unknown, readFile: FileBeside): void {
    const { registry, nowMs } = this.context
    const klines = new SeedKlines(registry.symbols, readFile, nowMs)
    for (const [at, table] of tables('klines', given).entries()) {
      this.facts.push(klines.fact(`klines ${at + 1}`, table))
    }
  }

  place(given: unknown): void {
    const rows = tables('orders', given)
    if (rows.length > SEED_ORDERS_MAX) {
      throw new ActionError(`A seed has at most ${SEED_ORDERS_MAX} orders.`)
    }
    if (rows.length === 0) return
    const orders = rows.map((table, at) => this.order(`orders ${at + 1}`, table, at))
    this.facts.push({ fact: 'seed', orders })
  }

  /** A LIMIT order, good till canceled, unless it says otherwise. */
  private order(where: string, table: Table, at: number): SeedOrder {
    checkKeys(where, table, seedOrderKeys)
    const { account, ...params } = table
    const named = Object.entries(params).map(([name, value]) => [name, plainValue(value)] as const)
    const wrong = named.find(([, value]) => typeof value !== 'string')
    if (wrong !== undefined)
      throw new ActionError(`${where}: ${wrong[0]} must be text or a number.`)
    const { type = 'LIMIT', ...texts } = Object.fromEntries(named) as Record<string, string>
    const usual = { newClientOrderId: `seed-${at + 1}`, type }
    const tif = type === 'LIMIT' ? { timeInForce: 'GTC' } : {}
    const { symbol } = texts
    if (!this.context.registry.symbols.some(({ name }) => name === symbol)) {
      throw new ActionError(`${where}: there is no symbol ${symbol}.`)
    }
    const order = {
      account: this.accountId(where, account),
      params: { ...usual, ...tif, ...texts },
    }
    const id = `${order.account} ${symbol} ${order.params.newClientOrderId}`
    if (this.orderIds.has(id)) {
      throw new ActionError(`${where}: another order of the account has its newClientOrderId.`)
    }
    this.orderIds.add(id)
    return order
  }

  private accountId(where: string, account: unknown): AccountId {
    const found = this.context.registry.accounts.find(({ name }) => name === account)
    if (found !== undefined) return found.id
    throw new ActionError(`${where}: there is no account ${String(account)}.`)
  }

  /** Returns the action's facts. */
  private async run(row: ActionRow, given: Table, where: string): Promise<readonly Fact[]> {
    const { facts = [] } = await refusedAt(where, async () =>
      row.run(new Arguments(row, given), this.context),
    )
    return facts
  }
}

function tables(where: string, value: unknown): readonly Table[] {
  if (Array.isArray(value) && value.every(isTable)) return value
  throw new ActionError(`${where} must be an array of tables.`)
}
