/** The methods of an embedded exchange that save, load and fork its state: operators' actions. */
import { accountKeys } from './embedded-accounts.ts'
import type { Operate } from './operate.ts'
import type { ApiKey, EmbeddedExchange, ExchangeOptions } from './options.ts'

/** Starts an exchange of the same kind on a fork's folder. */
export type StartFork = (folder: string) => Promise<EmbeddedExchange>

/** The options of a fork: it has the venue, the accounts and their keys already. */
export function forkOptions(options: ExchangeOptions, folder: string): ExchangeOptions {
  const { venue, accounts: _, port: __, ...own } = options
  const settings = venue === undefined ? own.settings : { ...own.settings, demo: false }
  return { ...own, folder, ...(settings && { settings }) }
}

export class VenueStates {
  private readonly operate: Operate
  private readonly folder: string
  private readonly accounts: Record<string, ApiKey>
  private readonly startFork: StartFork
  private readonly forks = new Set<EmbeddedExchange>()
  private forked = 0

  /** `accounts` are the keys that the program sees; a load changes them. */
  constructor(
    operate: Operate,
    folder: string,
    accounts: Record<string, ApiKey>,
    startFork: StartFork,
  ) {
    this.operate = operate
    this.folder = folder
    this.accounts = accounts
    this.startFork = startFork
  }

  async save(name: string): Promise<void> {
    await this.operate('save', { name })
  }

  async load(name: string): Promise<void> {
    await this.operate('load', { name })
    this.readKeys()
  }

  async reset(): Promise<void> {
    await this.operate('reset', {})
    this.readKeys()
  }

  /** Resolves to an exchange that closes with this one, or before. */
  async fork(): Promise<EmbeddedExchange> {
    const name = await this.newName()
    await this.operate('fork', { name })
    const other = await this.startFork(`${this.folder}/forks/${name}`)
    const close = async () => {
      await other.close()
      if (this.forks.delete(fork)) await this.operate('state-remove', { name })
    }
    const fork = { ...other, close }
    this.forks.add(fork)
    return fork
  }

  /** Before the folder goes. */
  async closeForks(): Promise<void> {
    for (const fork of this.forks) await fork.close()
  }

  /** A folder that stays may have forks of an earlier start. */
  private async newName(): Promise<string> {
    const { rows } = await this.operate('states', {})
    const names = new Set(rows.map(({ name }) => name))
    do this.forked++
    while (names.has(`fork-${this.forked}`))
    return `fork-${this.forked}`
  }

  private readKeys(): void {
    for (const name of Object.keys(this.accounts)) delete this.accounts[name]
    Object.assign(this.accounts, accountKeys(this.folder))
  }
}
