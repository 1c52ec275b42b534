/** Recovers what was journaled: the newest snapshot, then each matcher the journals behind it. */
import { randomInt } from 'node:crypto'
import { Phase, type Regions } from '../../agents/memory.ts'
import type { ThreadStart } from '../../agents/messages.ts'
import { takeSnapshot } from '../../agents/recover.ts'
import type { Crew } from '../main/crew.ts'
import { checkMoney } from '../main/open-ledger.ts'
import { retentionOf } from '../main/retention-days.ts'
import type { Opened } from './open.ts'
import type { Reserved } from './reserve.ts'
import type { Starting } from './starting.ts'

export interface Recovered {
  /** Number of the snapshot that it began from; undefined without one. */
  readonly snapshot: number | undefined
  readonly recoveredEvents: number
  /** What workers of this start begin with. */
  readonly start: Omit<ThreadStart, 'index'>
  /** What one begins with in place of another that failed: the state of that moment. */
  readonly startNow: () => ThreadStart
}

/** Resolves when matchers hold what was journaled, and write. */
export async function recover(
  starting: Starting,
  opened: Opened,
  { regions, balances }: Reserved,
): Promise<Recovered> {
  const { config, folder, crew, member } = opened
  const { registry } = folder
  const { clock, log } = starting.parts
  clock?.observe((account) => registry.accounts[account]?.name ?? '', log)
  if (member?.isFollowing === true) registry.startGroups()
  const facts = () => factsFor(opened, regions)
  const first = facts()
  const chosen = takeSnapshot(first, balances, (sentence) => log.warn(sentence))
  if (chosen !== undefined) log.info(chosen, 'continues from a snapshot')
  const { snapshot } = chosen ?? {}
  const start = { ...first, snapshot: snapshot ?? 0 }
  const { recoveredEvents, walletAtoms } = await recoverMatchers(starting, crew, start)
  checkMoney(balances, registry, walletAtoms)
  starting.throwIfEnding()
  crew.checkpointer.begin({ ...start, index: 0 })
  await crew.checkpointer.waitFor('ready')
  folder.noteJournals(config.matchers)
  // Orders that sessions of the last start left open are canceled then.
  starting.phase.enter(Phase.RECOVERED)
  await Promise.all(crew.matchers.map((matcher) => matcher.waitFor('ready')))
  await makeMissed(starting, opened)
  starting.throwIfEnding()
  const startNow = () => ({ ...facts(), snapshot: 0, index: 0 })
  return { snapshot, recoveredEvents, start, startNow }
}

/** Returns what the matchers recovered. They write nothing before their release. */
async function recoverMatchers(
  { parts: { clock } }: Starting,
  { matchers }: Crew,
  start: Omit<ThreadStart, 'index'>,
): Promise<{ readonly recoveredEvents: number; readonly walletAtoms: readonly bigint[] }> {
  for (const [index, matcher] of matchers.entries()) matcher.begin({ ...start, index })
  const reports = await Promise.all(matchers.map((it) => it.waitFor('recovered')))
  let recoveredEvents = 0
  let walletAtoms: readonly bigint[] = []
  for (const report of reports) {
    if (report.report !== 'recovered') continue
    clock?.begin(report.journaledMs)
    recoveredEvents += report.events
    walletAtoms = report.walletAtoms ?? walletAtoms
  }
  return { recoveredEvents, walletAtoms }
}

/**
 * Makes the changes of schedules that were due while nothing ran, before any client is served. Each is in the
 * journals, with its auctions, before the next is noted: a kill loses none of them.
 */
async function makeMissed({ parts: { time } }: Starting, { folder, crew }: Opened): Promise<void> {
  for (;;) {
    const symbols = folder.noteDue(time.nowMs())
    if (symbols === undefined) return
    const changes = symbols.map((symbol) => ({ kind: 'symbol', symbol }) as const)
    await Promise.all(
      crew.matchers.map((it) => it.notify([{ kind: 'settle' }, ...changes, { kind: 'settle' }])),
    )
  }
}

/** What each worker begins with. */
function factsFor(
  { config, folder, member }: Opened,
  regions: Regions,
): Omit<ThreadStart, 'index' | 'snapshot'> {
  const { registry } = folder
  return {
    config,
    regions,
    epoch: registry.epoch,
    idSalt: randomInt(2 ** 32),
    assets: registry.assets,
    symbols: registry.symbols,
    matcherOf: registry.symbols.map(({ id }) => registry.ownerOf(id, config.matchers)),
    groups: registry.startedGroups,
    accounts: registry.accounts,
    exchange: registry.exchange,
    chains: registry.chains,
    networks: registry.networks,
    valuationAsset: registry.assets.find((asset) => asset?.name === config.valuationAsset),
    klines: registry.klines,
    retention: retentionOf(config, registry.isDemo),
    follows: member?.isFollowing === true,
    replica: member?.memory,
  }
}
