/**
 * The accounts of market making, opened by the operators' actions that open any account: each with a key,
 * and with funds in the assets that it needs. It changes no account that is open already, so an operator
 * may withdraw, freeze or revoke.
 */
import { readFileSync } from 'node:fs'
import { fileFault } from '../base/file-fault.ts'
import { writeWholeFile } from '../journal/whole-file.ts'
import type { AssetSpec } from '../market/listing.ts'
import type { ActionAnswer } from './action.ts'
import { shown } from './actions/named.ts'
import type { CommandExecutor } from './command-executor.ts'
import { fundsOf } from './house-funds.ts'
import { LIQUIDITY } from './operators.ts'
import type { Registry } from './registry.ts'

/** A key in the clear, as in the file that the operator may read. */
export interface LiquidityKeyRow {
  readonly account: string
  readonly apiKey: string
  readonly secretKey: string
}

export interface LiquidityAccount {
  readonly name: string
  readonly assets: readonly AssetSpec[]
}

export class LiquidityAccounts {
  private readonly executor: Pick<CommandExecutor, 'act'>
  private readonly registry: Registry
  private readonly file: string

  /** `file` holds the keys of earlier starts, and takes new ones. */
  constructor(executor: Pick<CommandExecutor, 'act'>, registry: Registry, file: string) {
    this.executor = executor
    this.registry = registry
    this.file = file
  }

  /** Returns the keys of earlier starts that still trade. Throws LiquidityKeysError. */
  keys(): readonly LiquidityKeyRow[] {
    return readKeys(this.file).filter((key) => this.trades(key))
  }

  /**
   * Opens, funds and gives a key to each account that lacks it. Returns one key of each account; none of
   * an account whose keys were all revoked. Rejects with ActionError, with LiquidityKeysError, and with RangeError
   * when there is no room for all of them: then it opens none.
   */
  async open(
    accounts: readonly LiquidityAccount[],
    accountsMax: number,
  ): Promise<readonly LiquidityKeyRow[]> {
    const missing = accounts.filter(({ name }) => accountId(this.registry, name) === undefined)
    if (this.registry.accounts.length + missing.length > accountsMax) {
      throw new RangeError(`there is no room for ${missing.length} more accounts (--accounts)`)
    }
    const known = readKeys(this.file)
    const keys: LiquidityKeyRow[] = []
    for (const account of accounts) {
      await this.fund(account)
      const own = known.filter((key) => key.account === account.name)
      if (own.length === 0) {
        const key = await this.createKey(account.name)
        known.push(key)
        writeWholeFile(this.file, `${JSON.stringify(known, undefined, 2)}\n`)
        keys.push(key)
        continue
      }
      const good = own.find((key) => this.trades(key))
      if (good !== undefined) keys.push(good)
    }
    return keys
  }

  /** Cancels the open orders of the accounts of these names that are open. Returns those that had any. */
  async cancelOrders(names: readonly string[]): Promise<readonly string[]> {
    const canceled: string[] = []
    for (const account of names) {
      if (accountId(this.registry, account) === undefined) continue
      const { rows } = await this.act('orders', { account })
      if (rows.length === 0) continue
      await this.act('cancel-orders', { account, all: 'on' })
      canceled.push(account)
    }
    return canceled
  }

  private trades({ apiKey }: LiquidityKeyRow): boolean {
    return this.registry.keys.get(apiKey)?.canTrade === true
  }

  private async fund({ name, assets }: LiquidityAccount): Promise<void> {
    const registry = this.registry
    if (accountId(registry, name) === undefined) await this.act('account-open', { account: name })
    const id = accountId(registry, name)!
    for (const asset of assets) {
      const isFunded = registry.deposits.some((it) => it.account === id && it.asset === asset.id)
      if (isFunded) continue
      const amount = shown(fundsOf(registry, asset))
      await this.act('deposit', { account: name, asset: asset.name, amount })
    }
  }

  private async createKey(account: string): Promise<LiquidityKeyRow> {
    const { rows } = await this.act('key-create', { account })
    const { apiKey, secretKey } = rows[0] as unknown as LiquidityKeyRow
    return { account, apiKey, secretKey }
  }

  private act(name: string, given: Readonly<Record<string, string>>): Promise<ActionAnswer> {
    return this.executor.act(name, given, LIQUIDITY)
  }
}

/** Why there are no keys, in a sentence for the operator. */
export class LiquidityKeysError extends Error {
  override readonly name = 'LiquidityKeysError'
}

function readKeys(file: string): LiquidityKeyRow[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new LiquidityKeysError(`${file} cannot be read: ${fileFault(error)}.`)
  }
  try {
    const rows: unknown = JSON.parse(text)
    if (Array.isArray(rows) && rows.every(isKeyRow)) return rows
  } catch {
    // Said below.
  }
  throw new LiquidityKeysError(
    `${file} is damaged: remove it, and a start gives the accounts of market makers new keys.`,
  )
}

export const isKeyRow = (row: unknown): row is LiquidityKeyRow =>
  ['account', 'apiKey', 'secretKey'].every(
    (name) => typeof (row as Record<string, unknown> | null)?.[name] === 'string',
  )

const accountId = (registry: Registry, name: string): number | undefined =>
  registry.accounts.find((row) => row?.name === name)?.id
