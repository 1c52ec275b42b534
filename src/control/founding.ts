/** The first facts of an empty data folder: the demo or the exchange's own account, and what files list. */
import { readFileSync } from 'node:fs'
import { fileFault } from '../base/file-fault.ts'
import { assetsMaxOf } from '../base/limits.ts'
import type { Ms } from '../base/units.ts'
import type { Config } from '../config/config.ts'
import { ActionError } from './action.ts'
import { type DemoKey, demoFacts, exchangeAccount } from './demo.ts'
import { listAll } from './exchange-info.ts'
import type { Fact } from './facts.ts'
import type { Vault } from './vault.ts'
import { counted } from './words.ts'

export interface Founding {
  readonly facts: readonly Fact[]
  /** Keys of the demo's accounts, in the clear; undefined without a demo. */
  readonly demoKeys: readonly DemoKey[] | undefined
  /** A sentence about each file that was read. */
  readonly done: readonly string[]
  /** Sentences about what a file has and this exchange does not list. */
  readonly reports: readonly string[]
}

export type FoundingSettings = Pick<Config, 'demo' | 'symbolsFrom' | 'accounts'>

/** Throws ActionError with a sentence about a file that cannot be used. */
export function foundingOf(settings: FoundingSettings, vault: Vault, timeMs: Ms): Founding {
  const { demo, symbolsFrom, accounts } = settings
  const { facts, keys } = demo === 'on' ? demoFacts(vault, timeMs) : plainFacts()
  if (symbolsFrom === '') return { facts, demoKeys: keys, done: [], reports: [] }
  const listed = readWith('symbols-from', symbolsFrom, (text) =>
    listAll(text, facts, assetsMaxOf(accounts)),
  )
  const done = [`${counted(listed.symbols, 'symbol')} of ${symbolsFrom} listed`]
  return { facts: listed.facts, demoKeys: keys, done, reports: listed.reports }
}

const plainFacts = (): { facts: readonly Fact[]; keys?: undefined } => ({
  facts: [exchangeAccount()],
})

/** Reads the file of a setting. `read` throws ActionError with the reason, without a full stop. */
function readWith<Value>(flag: string, path: string, read: (text: string) => Value): Value {
  const refuse = (why: string): never => {
    throw new ActionError(`--${flag} ${path} cannot be used: ${why}.`)
  }
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    return refuse(fileFault(error))
  }
  try {
    return read(text)
  } catch (error) {
    if (error instanceof ActionError) return refuse(error.message)
    throw error
  }
}
