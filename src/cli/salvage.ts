/** The action that lets an exchange start again without what its write-ahead logs have lost. */
import { existsSync } from 'node:fs'
import { blocksInSnapshots, removeSnapshotsBehind } from '../agents/snapshots.ts'
import { archivedBlocks, readArchived } from '../archive/archive-witness.ts'
import { RealTime } from '../base/real-time.ts'
import { ActionError, type Arguments } from '../control/action.ts'
import type { ActionFact, Fact } from '../control/facts.ts'
import { Registry } from '../control/registry.ts'
import { counted } from '../control/words.ts'
import { JournalDamage } from '../journal/block.ts'
import { ControlStore } from '../journal/control-store.ts'
import { inUseText, lockFolder } from '../journal/folder-lock.ts'
import {
  findLost,
  giveUpLost,
  type LostBlocks,
  type LostEntries,
  lostEntries,
} from '../journal/salvage.ts'
import type { LocalAction } from './local-action.ts'

/** Ids that are printed. */
const IDS_MAX = 50

export const salvage: LocalAction = {
  name: 'salvage',
  group: 'exchange',
  example: 'salvage --data ./data',
  about:
    'Says what journals have lost of what was flushed; with --yes true the folder starts without it.',
  isImmediate: true,
  params: [
    { name: 'yes', kind: 'flag', about: 'Gives up what is lost, and notes that in the journal.' },
  ],
  run: (args, { data }) => salvageFolder(data, args),
}

function salvageFolder(data: string, args: Arguments): string {
  if (!existsSync(data)) throw new ActionError(`There is no data folder ${data}.`)
  const lock = process.platform === 'linux' ? lockFolder(data) : undefined
  try {
    if (lock?.isTaken) throw new ActionError(inUseText(data))
    return salvaged(data, args.flag('yes', false))
  } catch (error) {
    if (!(error instanceof JournalDamage)) throw error
    throw new ActionError(
      `${error.message} Salvage helps with write-ahead logs alone: restore a backup.`,
    )
  } finally {
    lock?.close()
  }
}

function salvaged(data: string, isWanted: boolean): string {
  const lost = findLost(data, {
    archived: archivedBlocks(data),
    snapshots: blocksInSnapshots(data),
  })
  if (lost.length === 0) return 'No journal has lost blocks: nothing to salvage.\n'
  if (lost.some(({ log }) => log.isMembers)) {
    throw new ActionError(
      'The folder is that of a member of a quorum: start it as one, and the quorum gives it what it lost.',
    )
  }
  const control = ControlStore.open(data)
  try {
    const registry = new Registry()
    for (const fact of control.entries()) registry.apply(fact as Fact)
    const entries = lostEntries(data, lost)
    readArchived(data, entries)
    const text = lost.map(textOf).join('') + entriesText(entries, registry)
    if (!isWanted)
      return `${text}Nothing was changed. To start without this: ringbook salvage --yes true\n`
    control.append(factOf(lost))
    removeSnapshotsBehind(data, new Map(lost.map(({ log }) => [log.matcher, log.end.position])))
    giveUpLost(data, lost)
    return `${text}Given up, and noted in the control journal. The folder starts again.\n`
  } finally {
    control.close()
  }
}

const textOf = ({ log, damage, blocks, readable }: LostBlocks): string =>
  `${damage}\n` +
  `journal-${log.matcher} would end with block ${log.end.position}, without ${counted(blocks, 'block')}; ` +
  `${counted(readable, 'block')} of these can still be read.\n`

/** Only of what the blocks that can be read, and the archive, tell: there may be more. */
function entriesText({ orders, trades }: LostEntries, registry: Registry): string {
  const all = [...orders.values()]
  const accounts = [...new Set(all.map(({ account }) => account))].sort((a, b) => a - b)
  const names = accounts.map((id) => registry.accounts[id]?.name ?? String(id))
  const ids = all
    .slice(0, IDS_MAX)
    .map(({ symbolId, orderId }) => `${registry.symbols[symbolId]?.name ?? symbolId} ${orderId}`)
  const more = all.length - ids.length
  const lines = [
    `Known of what is lost: ${counted(all.length, 'order')}, ${counted(trades.size, 'trade')}.`,
    ...(names.length > 0 ? [`Accounts: ${names.join(', ')}.`] : []),
    ...(ids.length > 0 ? [`Orders: ${ids.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`] : []),
  ]
  return `${lines.join('\n')}\n`
}

function factOf(lost: readonly LostBlocks[]): ActionFact {
  const given = Object.fromEntries(
    lost.map(({ log, blocks }) => [
      `journal-${log.matcher}`,
      `ends with block ${log.end.position}, ${counted(blocks, 'block')} lost`,
    ]),
  )
  return { fact: 'act', name: 'salvage', by: 'salvage', timeMs: new RealTime().nowMs(), given }
}
