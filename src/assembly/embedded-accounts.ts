/** The venue and the accounts that a program wants of its exchange, and their keys. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { numberText } from '../base/fixed.ts'
import { StartError } from '../base/start-error.ts'
import { Turns } from '../base/turns.ts'
import type { DemoKey } from '../control/demo.ts'
import { isKeyRow } from '../control/liquidity-accounts.ts'
import { keysOfSeed } from '../control/seed-file.ts'
import { writeWholeFile } from '../journal/whole-file.ts'
import { DEMO_KEYS } from './main/open-folder.ts'
import type { Operate } from './operate.ts'
import type { ApiKey, EmbeddedExchange, ExchangeOptions, Funds, NewAccount } from './options.ts'
import type { Succession } from './succession.ts'

/** In the data folder: keys of accounts that programs opened, as those of the demo. */
const KEY_FILE = 'embedded-keys.json'

/**
 * Lists the venue, and opens accounts that are not there. Resolves to all keys. Rejects with ActionError. What the
 * venue has from the next start on comes into force by another start in the same place.
 */
export async function openAccounts(
  operate: Operate,
  folder: string,
  { venue, accounts = {}, settings = {} }: Pick<ExchangeOptions, 'venue' | 'accounts' | 'settings'>,
  succession: Pick<Succession, 'replace'>,
): Promise<Record<string, ApiKey>> {
  if (venue !== undefined) {
    const { rows } = await operate('venue-apply', { venue })
    if (rows.some(({ place }) => String(place).startsWith('sors.')))
      await succession.replace(() => {})
  }
  const known = new Set(ownKeys(folder).map((key) => key.account))
  if (settings.seed !== undefined) await keepSeedKeys(operate, folder, settings.seed)
  for (const [name, account] of Object.entries(accounts)) {
    if (!known.has(name)) await openAccount(operate, folder, name, account)
  }
  return accountKeys(folder)
}

/** Keeps those that read and trade. Only the first start reads a seed; later ones have its keys from the file. */
async function keepSeedKeys(operate: Operate, folder: string, seed: string): Promise<void> {
  const file = path.join(folder, KEY_FILE)
  if (existsSync(file) || !existsSync(seed)) return
  const { rows } = await operate('keys', {})
  const keys = keysOfSeed(readFileSync(seed, 'utf8'))
  const made = keys.filter(({ apiKey }) =>
    rows.some((row) => row.apiKey === apiKey && String(row.may).startsWith('read, trade')),
  )
  writeWholeFile(file, JSON.stringify(made))
}

/** Returns the keys of the data folder by account. Throws StartError for a file that is no list of keys. */
export function accountKeys(folder: string): Record<string, ApiKey> {
  const keys = [...readKeys(path.join(folder, DEMO_KEYS)), ...ownKeys(folder)]
  return Object.fromEntries(
    keys.map(({ account, apiKey, secretKey }) => [account, { apiKey, secretKey }]),
  )
}

/** Returns the method that opens and credits accounts, one after another, and adds their keys to `accounts`. */
export function venueAccount(
  operate: Operate,
  folder: string,
  accounts: Record<string, ApiKey>,
): EmbeddedExchange['account'] {
  const turns = new Turns()
  const open = async (name: string, account: NewAccount) => {
    const known = accounts[name]
    if (known !== undefined) {
      await equip(operate, name, account)
      if (account.withdraw !== undefined) {
        await operate('key-withdrawals', { key: known.apiKey, ...withdrawalsOf(account) })
      }
      return known
    }
    const { apiKey, secretKey } = await openAccount(operate, folder, name, account)
    const key = { apiKey, secretKey }
    accounts[name] = key
    return key
  }
  return (name, account = {}) => turns.run(() => open(name, account))
}

async function openAccount(
  operate: Operate,
  folder: string,
  account: string,
  given: NewAccount,
): Promise<DemoKey> {
  // Before anything is changed.
  amountsOf(given)
  // The venue file may have opened it.
  const { rows: open } = await operate('accounts', {})
  const isOpen = open.some((row) => row.account === account)
  const { master } = given
  if (!isOpen) await operate('account-open', { account, ...(master && { master }) })
  await equip(operate, account, given)
  const { rows } = await operate('key-create', { account, ...withdrawalsOf(given) })
  const [{ apiKey = '', secretKey = '' } = {}] = rows
  const key = { account, apiKey: String(apiKey), secretKey: String(secretKey) }
  writeWholeFile(path.join(folder, KEY_FILE), JSON.stringify([...ownKeys(folder), key]))
  return key
}

const withdrawalsOf = ({ withdraw = false }: NewAccount) => ({
  withdraw: withdraw !== false,
  ...(typeof withdraw !== 'boolean' && { 'withdraw-to': withdraw }),
})

/** Sets the limits and the address of an account, and credits it. Rejects with RangeError for another master. */
async function equip(operate: Operate, account: string, given: NewAccount): Promise<void> {
  const amounts = Object.entries(amountsOf(given))
  const { limits, master, email } = given
  if (master !== undefined) {
    const { rows } = await operate('accounts', {})
    if (rows.some((row) => row.account === account && row.master !== master)) {
      throw new RangeError(`${account} is open, and no sub-account of ${master}.`)
    }
  }
  if (email !== undefined) await operate('account-email', { account, email })
  if (limits !== undefined) await operate('account-limits', { account, ...limits })
  for (const [asset, amount] of amounts) await operate('deposit', { account, asset, amount })
}

/** Returns amounts as decimals, without those of nothing. Throws RangeError. */
const amountsOf = ({
  limits: _,
  master: __,
  email: ___,
  withdraw: ____,
  ...funds
}: NewAccount): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries<string | number>(funds as Funds)
      .map(([asset, amount]) => [asset, decimalText(amount)] as const)
      .filter(([asset, amount]) => {
        if (!DECIMAL.test(amount)) throw new RangeError(`${amount} is no amount of ${asset}.`)
        return /[1-9]/.test(amount)
      }),
  )

const DECIMAL = /^\d+(\.\d+)?$/

/** Returns an amount as a decimal. Throws RangeError. */
export function decimalText(amount: string | number): string {
  if (typeof amount === 'string') return amount
  if (amount >= 0 && Number.isFinite(amount)) return numberText(amount)
  throw new RangeError(`${amount} is no amount: it must be a number from 0 on.`)
}

const ownKeys = (folder: string): readonly DemoKey[] => readKeys(path.join(folder, KEY_FILE))

function readKeys(file: string): readonly DemoKey[] {
  if (!existsSync(file)) return []
  try {
    const rows: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (Array.isArray(rows) && rows.every(isKeyRow)) return rows
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new StartError(
    `${file} is not a list of keys. Put a whole copy of it in its place, or remove it: ` +
      'its keys stay good, but a start returns them no longer.',
  )
}
