/** Takes a data folder: claims it, finishes what a kill interrupted, begins an empty one with a backup (--seed-from), and makes it private. */
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { finishReplacing } from '../../journal/replacing.ts'
import { hasFacts, restoreBackup } from '../../journal/restore.ts'
import { removeMarks } from '../../journal/states.ts'
import { type Claim, claimDataFolder } from './exclusive.ts'
import { makePrivate } from './private-folder.ts'

/** Resolves to the claim, which the caller closes. Rejects with StartError and StorageError. */
export async function takeFolder(config: Config, log: Logger): Promise<Claim> {
  const warn = (sentence: string) => log.warn(sentence)
  const claim = await claimDataFolder(config.data, warn)
  try {
    if (finishReplacing(config.data)) log.info('finished the loading of a state')
    removeMarks(config.data)
    seedFolder(config, log)
    makePrivate(config.data, warn)
    return claim
  } catch (error) {
    claim.close()
    throw error
  }
}

/** Leaves a folder with a control journal as it is, so the setting may stay. Throws StorageError. */
export function seedFolder(
  { data, seedFrom }: Pick<Config, 'data' | 'seedFrom'>,
  log: Logger,
): void {
  if (seedFrom === '' || hasFacts(data)) return
  const { blocks } = restoreBackup(seedFrom, data)
  log.info({ from: seedFrom, blocks }, 'seeded the data folder from a backup')
}
