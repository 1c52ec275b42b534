/** Begins an empty data folder with a backup of another member (--seed-from). */
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { restoreBackup } from '../journal/backup.ts'

/** Leaves a folder with a control journal as it is, so the setting may stay. Throws StorageError. */
export function seedFolder({ data, seedFrom }: Config, log: Pick<Logger, 'info'>): void {
  if (seedFrom === '' || existsSync(path.join(data, 'control'))) return
  const { blocks } = restoreBackup(seedFrom, data)
  log.info({ from: seedFrom, blocks }, 'seeded the data folder from a backup')
}
