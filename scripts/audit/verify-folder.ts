/** What `verify-journal` finds, from the pages of files to what the journals come to. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { claimDataFolder } from '../../src/assembly/main/exclusive.ts'
import { JournalDamage } from '../../src/journal/block.ts'
import { StorageError } from '../../src/journal/environment.ts'
import { UsageError } from '../command-line/usage-error.ts'
import { readDataFolder } from './data-folder.ts'
import { auditFiles, auditPages } from './folder-audit.ts'
import { type AuditReport, auditJournals } from './journal-audit.ts'
import { checkpointedBlocks } from './left-journal.ts'

export interface VerifyOptions {
  readonly folder: string
  /** The exchange's settings (`--accounts`, `--orders-per-symbol`), or more. */
  readonly accountsMax: number
  readonly ordersMax: number
  /** Called with the number of blocks, then for each that was read; each is read twice. */
  readonly begun: (blocks: number) => void
  readonly advanced: () => void
}

export interface Verified {
  /** Figures, in sentences. */
  readonly lines: readonly string[]
  readonly findings: readonly string[]
  /** What is missing that a start makes again, and nothing proves that it was ever there. */
  readonly notes: readonly string[]
}

/** Rejects with UsageError, StartError or the file system's error; damage is a finding. */
export async function verifyFolder(options: VerifyOptions): Promise<Verified> {
  const { folder, accountsMax, ordersMax, begun, advanced } = options
  if (!existsSync(path.join(folder, 'control'))) {
    throw new UsageError(`${folder} is not a data folder: it has no control journal.`)
  }
  const claim = await claimDataFolder(folder)
  try {
    const damages = auditPages(folder)
    if (damages.length > 0) return { lines: [], findings: damages, notes: [] }
    const data = readDataFolder(folder)
    const blocks = checkpointedBlocks(folder)
    begun([...blocks.values()].reduce((sum, count) => sum + count, 0))
    const report = auditJournals({ data, accountsMax, ordersMax, advanced })
    const { findings, notes } = auditFiles(data)
    return { lines: linesOf(report), findings: [...report.findings, ...findings], notes }
  } catch (error) {
    if (!(error instanceof StorageError || error instanceof JournalDamage)) throw error
    return { lines: [], findings: [error.message], notes: [] }
  } finally {
    claim.close()
  }
}

function linesOf({ journals, events, hash, snapshots, findings }: AuditReport): readonly string[] {
  const lines = journals.map(
    ({ matcher, blocks, checkpointed, records }) =>
      `journal-${matcher}: ${blocks} whole blocks (${Math.max(0, blocks - checkpointed)} of them ` +
      `only in the write-ahead log), ${records} events`,
  )
  if (findings.length > 0) return lines
  return [
    ...lines,
    `${events} events applied, state hash ${hash}, deposits are balances and commissions`,
    `snapshots that agree: ${snapshots.join(', ') || 'there are none'}`,
  ]
}
