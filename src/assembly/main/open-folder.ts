/**
 * Opens a data folder: the control journal with operators' facts, the key that encrypts API secrets, and
 * the write-ahead logs that the last run left. Used once, on the main thread.
 */

import path from 'node:path'
import type { Logger } from 'pino'
import { archivedBlocks } from '../../archive/archive-witness.ts'
import { StartError } from '../../base/start-error.ts'
import type { Time } from '../../base/time.ts'
import { Ms } from '../../base/units.ts'
import { type Config, settings } from '../../config/config.ts'
import { ActionError } from '../../control/action.ts'
import { type Fact, isMarked } from '../../control/facts.ts'
import { type Founding, foundingOf } from '../../control/founding.ts'
import { keySpecOf } from '../../control/keys.ts'
import { SCHEDULE } from '../../control/operators.ts'
import { Registry } from '../../control/registry.ts'
import { dueFacts } from '../../control/schedule/transitions.ts'
import { Vault } from '../../control/vault.ts'
import { counted } from '../../control/words.ts'
import { JOURNAL_LAYOUT } from '../../journal/block.ts'
import { type BeforeAppend, ControlStore } from '../../journal/control-store.ts'
import { storeCorrections } from '../../journal/corrections.ts'
import { journalFolder, LmdbStore } from '../../journal/lmdb-store.ts'
import {
  hasBlocks,
  lastBlockMs,
  missingJournals,
  proveJournals,
  recoverWals,
} from '../../journal/recovery.ts'
import { writeWholeFile } from '../../journal/whole-file.ts'
import type { KeySpec } from '../../market/key-spec.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { pastFacts } from './demo-past.ts'

/** The file in the data folder that holds the keys of the demo's accounts. */
export const DEMO_KEYS = 'demo-keys.json'
const LOST_SENTENCE =
  'The control journal is empty, but orders were journaled: it was lost, so nothing is started.'

/** The lead of a quorum that has what the folder lacked. */
export interface Lead {
  readonly epoch: number
  /** Brings facts to the quorum. */
  readonly before: BeforeAppend
}

export interface OpenedFolder {
  readonly control: ControlStore
  readonly registry: Registry
  readonly vault: Vault
  readonly keys: readonly KeySpec[]
  /** Notes the number of journals, before a new one is written. */
  noteJournals(count: number): void
  /**
   * Notes what schedules have due first of what is not made. Returns the symbols that it changes; undefined when
   * nothing is due.
   */
  noteDue(nowMs: Ms): readonly SymbolSpec[] | undefined
}

/**
 * Applies the control journal; writes the first facts of an empty one. Notes this start. Checkpoints the blocks
 * of the journals' write-ahead logs once no journal is missing. `begun` is called with the last journaled moment
 * before anything is noted; 0 for an empty folder. `hasPast`: charts of a new demo begin with one. Rejects with
 * StartError.
 */
export async function openFolder(
  config: Config,
  time: Time,
  log: Logger,
  begun: (lastMs: Ms) => void,
  lead?: Lead,
  hasPast = false,
): Promise<OpenedFolder> {
  const { data } = config
  const control = ControlStore.open(data, { before: lead?.before })
  const facts = [...control.entries()] as Fact[]
  if (control.markFault !== undefined && isMarked(facts)) {
    log.warn(`${control.markFault} It is written again from the control journal.`)
  }
  const registry = new Registry()
  for (const fact of facts) registry.apply(fact)
  storeCorrections(data, registry.corrections)
  if (lead === undefined) checkJournals(data, registry)
  else createJournals(data, registry)
  proveJournals(data)
  const blocks = recoverWals(data, {
    archived: archivedBlocks(data),
    gaveUp: (sentence, isDoubtful) => log[isDoubtful ? 'warn' : 'info'](sentence),
  })
  if (blocks > 0) log.info({ blocks }, movedText(blocks))
  begun(lastMomentOf(data, registry))
  const isNew = facts.length === 0
  if (isNew && hasBlocks(data)) throw new StartError(LOST_SENTENCE)
  const vault = Vault.open(path.join(data, 'secret.key'), isNew)
  const note = (...added: readonly Fact[]) => {
    control.appendAll(added)
    for (const fact of added) registry.apply(fact)
  }
  if (isNew) {
    const first = await found(config, vault, time, log)
    note(...first, ...(hasPast ? pastFacts(config, first, time.nowMs()) : []))
  }
  checkValuation(config, registry, log)
  const epoch = lead?.epoch ?? registry.epoch + 1
  const began = { fact: 'start', epoch, timeMs: time.nowMs(), layout: JOURNAL_LAYOUT } as const
  note(lead === undefined ? began : { ...began, ...placesOf(registry, config.matchers) })
  const keys = [...registry.keys.values()].map((key) => keySpecOf(key, vault))
  const noteJournals = (count: number) => {
    if (count > registry.journals) note({ fact: 'journals', count })
  }
  const noteDue = (timeMs: Ms) => {
    const due = dueFacts(registry, timeMs)
    if (due.length === 0) return undefined
    const action = { fact: 'act', name: 'schedule-run', by: SCHEDULE.name, timeMs } as const
    note(...due, { ...action, given: {} })
    return due.flatMap(({ symbols }) => symbols.map((id) => registry.symbols[id]!))
  }
  return { control, registry, vault, keys, noteJournals, noteDue }
}

/** What followers need to know: they run as many matchers, which own the same symbols. */
export const placesOf = (registry: Registry, matchers: number) => ({
  matchers,
  owners: registry.symbols.map(({ id }) => registry.matcherOf(id, matchers)),
})

/** Opens the folder of a member that follows, which notes nothing itself. */
export function openFollower(
  config: Config,
  log: Logger,
  begun: (lastMs: Ms) => void,
): OpenedFolder {
  const control = ControlStore.open(config.data)
  const registry = new Registry()
  for (const fact of control.entries()) registry.apply(fact as Fact)
  storeCorrections(config.data, registry.corrections)
  createJournals(config.data, registry)
  begun(lastMomentOf(config.data, registry))
  const vault = Vault.open(path.join(config.data, 'secret.key'), false)
  checkValuation(config, registry, log)
  const keys = [...registry.keys.values()].map((key) => keySpecOf(key, vault))
  return { control, registry, vault, keys, noteJournals: () => {}, noteDue: () => undefined }
}

/**
 * Returns the first facts. Writes the demo's keys before them: a crash between the two leaves keys without
 * accounts. Rejects with StartError for a file that cannot be used.
 */
async function found(
  config: Config,
  vault: Vault,
  time: Time,
  log: Logger,
): Promise<readonly Fact[]> {
  const { facts, demoKeys, done, reports } = await founding(config, vault, time)
  for (const report of reports) log.warn(report)
  for (const sentence of done) log.info(sentence)
  if (demoKeys === undefined) return facts
  const text = `${JSON.stringify(demoKeys, undefined, 2)}\n`
  writeWholeFile(path.join(config.data, DEMO_KEYS), text)
  return facts
}

async function founding(config: Config, vault: Vault, time: Time): Promise<Founding> {
  try {
    return await foundingOf(config, vault, { time, nowMs: time.nowMs() })
  } catch (error) {
    throw error instanceof ActionError ? new StartError(error.message) : error
  }
}

/**
 * Throws StartError when the setting names an asset that a venue with assets does not list. The default
 * is not the operator's choice, so it only warns.
 */
export function checkValuation(
  { valuationAsset }: Config,
  { assets }: Registry,
  log?: Pick<Logger, 'warn'>,
): void {
  const names = assets.map(({ name }) => name)
  if (names.length === 0 || names.includes(valuationAsset)) return
  if (valuationAsset !== settings.valuationAsset.default) {
    const listed = `The listed assets are ${names.join(', ')}.`
    throw new StartError(`--valuation-asset ${valuationAsset} is not listed. ${listed}`)
  }
  log?.warn(`trading volumes are not counted: ${valuationAsset} is not listed (--valuation-asset)`)
}

/** The last moment that the folder's journals have, as it is shown; 0 without one. */
const lastMomentOf = (data: string, { lastMs }: Registry): Ms =>
  Ms(Math.max(lastMs, lastBlockMs(data)))

const movedText = (blocks: number): string =>
  `moved ${counted(blocks, 'block')} from the journals' write-ahead logs into LMDB`

/** A journal without blocks is not on the quorum. */
function createJournals(data: string, { journals }: Registry): void {
  for (const matcher of missingJournals(data, journals)) {
    new LmdbStore(journalFolder(data, matcher)).close()
  }
}

/** Throws StartError when a journal is missing, or its file is empty. */
export function checkJournals(data: string, { journals }: Registry): void {
  const [missing] = missingJournals(data, journals)
  if (missing === undefined) return
  const sentence =
    'is no longer there, and what it held would be lost, so nothing is started. ' +
    'Put a whole copy of it in its place, or restore a backup (ringbook restore).'
  throw new StartError(`journal-${missing} of ${data} ${sentence}`)
}
