/** The methods of an embedded exchange that save, load and fork its state: operators' actions. */
import path from 'node:path'
import { type Time, tick } from '../base/time.ts'
import { accountKeys } from './embedded-accounts.ts'
import type { Operate, Operated } from './operate.ts'
import type {
  ApiKey,
  EmbeddedExchange,
  ExchangeOptions,
  VenueRevert,
  VenueState,
} from './options.ts'
import type { Networks } from './venue-network.ts'

/** Starts an exchange of the same kind on a fork's folder. */
export type StartFork = (folder: string) => Promise<EmbeddedExchange>

/** The options of a fork: it has the venue, the accounts and their keys already. `nowMs` is the virtual time, if any. */
export function forkOptions(
  { venue, state: _, accounts: __, port: ___, clock: ____, settings = {}, ...own }: ExchangeOptions,
  folder: string,
  nowMs: number | undefined,
): ExchangeOptions {
  const { clock: _____, ...others } = settings
  return {
    ...own,
    folder,
    settings: venue === undefined ? others : { ...others, demo: false },
    ...(nowMs !== undefined && { clock: { at: nowMs } }),
  }
}

/** A path is from where the program is, which may not be where the exchange is. */
const folderOf = (nameOrPath: string): string =>
  /[\\/]/.test(nameOrPath) ? path.resolve(nameOrPath) : nameOrPath

/** Ticks of the event loop: one reads the end of a connection, the next ones make it known. */
const TURNS = 8

const markOf = ({ rows }: Operated): string => String(rows[0]!.mark)

/** Where an exchange runs: what ends it, and what starts another. */
export interface VenueEnds {
  readonly close: () => Promise<void>
  readonly startFork: StartFork
  readonly networks: Networks
  /** The machine's. */
  readonly time: Pick<Time, 'defer'>
}

export class VenueStates {
  private readonly operate: Operate
  private readonly folder: string
  private readonly accounts: Record<string, ApiKey>
  private readonly startFork: StartFork
  private readonly time: Pick<Time, 'defer'>
  private readonly forks = new Set<EmbeddedExchange>()
  private forked = 0

  /** `accounts` are the keys that the program sees; a load changes them. `time` is the machine's. */
  constructor(
    operate: Operate,
    folder: string,
    accounts: Record<string, ApiKey>,
    { startFork, time }: Pick<VenueEnds, 'startFork' | 'time'>,
  ) {
    this.operate = operate
    this.folder = folder
    this.accounts = accounts
    this.startFork = startFork
    this.time = time
  }

  async save(nameOrPath: string): Promise<void> {
    await this.operate('save', { name: folderOf(nameOrPath) })
  }

  async list(): Promise<readonly VenueState[]> {
    return (await this.operate('states', {})).rows as unknown as readonly VenueState[]
  }

  async remove(name: string): Promise<void> {
    await this.operate('state-remove', { name })
  }

  async load(nameOrPath: string): Promise<void> {
    await this.operate('load', { name: folderOf(nameOrPath) })
    this.readKeys()
  }

  async reset(): Promise<void> {
    await this.operate('reset', {})
    this.readKeys()
  }

  async mark(): Promise<string> {
    return markOf(await this.operate('mark', {}))
  }

  async revert(mark: string, how: VenueRevert): Promise<string> {
    const answer = await this.operate('revert', { mark, ...how })
    // Clients of this process, such as the pool of fetch, learn that their idle connections have ended.
    for (let turn = 0; turn < TURNS; turn++) await tick(this.time)
    this.readKeys()
    return markOf(answer)
  }

  /** Resolves to an exchange that closes with this one, or before. */
  async fork(): Promise<EmbeddedExchange> {
    const name = await this.newName()
    await this.operate('fork', { name })
    const other = await this.startFork(`${this.folder}/forks/${name}`)
    const close = async () => {
      await other.close()
      if (this.forks.delete(fork)) await this.remove(name)
    }
    const fork = { ...other, close, [Symbol.asyncDispose]: close }
    this.forks.add(fork)
    return fork
  }

  /** Call it before the folder goes. */
  async closeForks(): Promise<void> {
    for (const fork of this.forks) await fork.close()
  }

  /** A folder that stays may have forks of an earlier start. */
  private async newName(): Promise<string> {
    const names = new Set((await this.list()).map(({ name }) => name))
    do this.forked++
    while (names.has(`fork-${this.forked}`))
    return `fork-${this.forked}`
  }

  private readKeys(): void {
    for (const name of Object.keys(this.accounts)) delete this.accounts[name]
    Object.assign(this.accounts, accountKeys(this.folder))
  }
}
