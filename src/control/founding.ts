/**
 * The first facts of an empty data folder: the demo or the exchange's own account, then what files list. All of
 * them are tried before any is journaled.
 */
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileFault } from '../base/file-fault.ts'
import { assetsMaxOf } from '../base/limits.ts'
import type { Config } from '../config/config.ts'
import { type ActionContext, ActionError, type ExchangeView } from './action.ts'
import { type DemoKey, demoFacts, exchangeAccount } from './demo.ts'
import { listAll, noPrices, readPrices } from './exchange-info.ts'
import type { Fact } from './facts.ts'
import { Registry } from './registry.ts'
import { readSeed } from './seed-file.ts'
import type { Vault } from './vault.ts'
import { counted } from './words.ts'

/** Bytes of the largest file that a seed may name: about four times what all its klines take. */
const FILE_BYTES_MAX = 8 * 1024 * 1024

export interface Founding {
  readonly facts: readonly Fact[]
  /** Keys of the demo's accounts, in the clear; undefined without a demo. */
  readonly demoKeys: readonly DemoKey[] | undefined
  /** A sentence about each file that was read. */
  readonly done: readonly string[]
  /** Sentences about what a file has and this exchange does not list. */
  readonly reports: readonly string[]
}

export type FoundingSettings = Pick<
  Config,
  'demo' | 'symbolsFrom' | 'pricesFrom' | 'seed' | 'accounts' | 'matchers'
>

type Moment = Pick<ActionContext, 'time' | 'nowMs'>

/** Rejects with ActionError, a sentence about a file that cannot be used. */
export async function foundingOf(
  settings: FoundingSettings,
  vault: Vault,
  moment: Moment,
): Promise<Founding> {
  const { demo, symbolsFrom, pricesFrom, seed, accounts } = settings
  const isDemo = demo === 'on' && seed === ''
  const begun = isDemo
    ? demoFacts(vault, moment.nowMs)
    : { facts: [exchangeAccount()], keys: undefined }
  const prices =
    pricesFrom === '' ? noPrices : await readWith('prices-from', pricesFrom, readPrices)
  const listed =
    symbolsFrom === ''
      ? { facts: begun.facts, reports: [] }
      : await readWith('symbols-from', symbolsFrom, (text) =>
          listAll(text, begun.facts, assetsMaxOf(accounts), prices),
        )
  const seeded =
    seed === ''
      ? listed.facts
      : await readWith('seed', seed, (text) =>
          seededOf(text, listed.facts, settings, vault, moment),
        )
  const count = seeded.filter(({ fact }) => fact === 'symbol').length
  const files = [symbolsFrom, seed].filter((file) => file !== '')
  const done =
    files.length === 0 ? [] : [`${counted(count, 'symbol')} listed (${files.join(', ')})`]
  return { facts: seeded, demoKeys: begun.keys, done, reports: listed.reports }
}

/** Returns the facts with those of the seed behind them. */
async function seededOf(
  text: string,
  before: readonly Fact[],
  { seed, matchers, accounts }: FoundingSettings,
  vault: Vault,
  moment: Moment,
): Promise<readonly Fact[]> {
  const registry = registryOf(before)
  // What lists, opens and funds reads no more of an exchange.
  const view = { matchers, accountsMax: accounts } as ExchangeView
  const context = { registry, vault, view, ...moment }
  const seeded = await readSeed(text, context, (name) => readBeside(seed, name))
  const facts = [...before, ...seeded]
  try {
    registryOf(facts)
  } catch (error) {
    throw error instanceof RangeError ? new ActionError(error.message) : error
  }
  return facts
}

/** Reads a file that the seed names, relative to it. Throws ActionError. */
function readBeside(seed: string, name: string): string {
  const file = path.resolve(path.dirname(seed), name)
  try {
    if (statSync(file).size > FILE_BYTES_MAX) throw new Error('it is too large')
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new ActionError(`${name} cannot be read: ${fileFault(error)}.`)
  }
}

function registryOf(facts: readonly Fact[]): Registry {
  const registry = new Registry()
  for (const fact of facts) registry.apply(fact)
  return registry
}

/** Reads the file of a setting. `read` throws ActionError with the reason. */
async function readWith<Value>(
  flag: string,
  file: string,
  read: (text: string) => Value | Promise<Value>,
): Promise<Value> {
  const refuse = (why: string): never => {
    throw new ActionError(`--${flag} ${file} cannot be used: ${why.replace(/\.$/, '')}.`)
  }
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    return refuse(fileFault(error))
  }
  try {
    return await read(text)
  } catch (error) {
    if (error instanceof ActionError) return refuse(error.message)
    throw error
  }
}
