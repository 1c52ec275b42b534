/** The venue and the accounts that a program wants of its exchange, and their keys. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { CommandExecutor } from '../control/command-executor.ts'
import type { DemoKey } from '../control/demo.ts'
import { writeWholeFile } from '../journal/whole-file.ts'
import { DEMO_KEYS } from '../threads/open-folder.ts'
import type { ApiKey, ExchangeOptions } from './options.ts'

/** In the data folder: keys of accounts that programs asked for, as those of the demo. */
const KEY_FILE = 'embedded-keys.json'

type Executor = Pick<CommandExecutor, 'act'>

/** Lists the venue, and opens accounts that are not there. Resolves to all keys. Rejects with ActionError. */
export async function openAccounts(
  executor: Executor,
  folder: string,
  { venue, accounts = {} }: Pick<ExchangeOptions, 'venue' | 'accounts'>,
): Promise<Readonly<Record<string, ApiKey>>> {
  if (venue !== undefined) await executor.act('venue-apply', { venue })
  const file = path.join(folder, KEY_FILE)
  const own = [...readKeys(file)]
  for (const [account, funds] of Object.entries(accounts)) {
    if (own.some((key) => key.account === account)) continue
    own.push(await openAccount(executor, account, funds))
    writeWholeFile(file, JSON.stringify(own))
  }
  const keys = [...readKeys(path.join(folder, DEMO_KEYS)), ...own]
  return Object.fromEntries(
    keys.map(({ account, apiKey, secretKey }) => [account, { apiKey, secretKey }]),
  )
}

async function openAccount(
  executor: Executor,
  account: string,
  funds: Readonly<Record<string, string>>,
): Promise<DemoKey> {
  // The venue file may have opened it.
  const { rows: open } = await executor.act('accounts', {})
  if (!open.some((row) => row.account === account)) await executor.act('account-open', { account })
  for (const [asset, amount] of Object.entries(funds)) {
    await executor.act('deposit', { account, asset, amount })
  }
  const { rows } = await executor.act('key-create', { account })
  const [{ apiKey = '', secretKey = '' } = {}] = rows
  return { account, apiKey: String(apiKey), secretKey: String(secretKey) }
}

const readKeys = (file: string): readonly DemoKey[] =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
