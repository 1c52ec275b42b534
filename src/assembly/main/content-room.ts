/**
 * Whether the settings have room for what a data folder has. A start finds out as it recovers; before an exchange
 * gives up its present content for another, the other one is recovered on trial, by the code of a start.
 */
import { bookShape } from '../../agents/book-memory.ts'
import { withSetting } from '../../agents/recover.ts'
import { trialSteps } from '../../agents/snapshots.ts'
import { assetsMaxOf } from '../../base/limits.ts'
import { StartError } from '../../base/start-error.ts'
import { elapsedMs, type Time, tick } from '../../base/time.ts'
import type { Config } from '../../config/config.ts'
import type { Fact } from '../../control/facts.ts'
import { Registry } from '../../control/registry.ts'
import { ControlStore } from '../../journal/control-store.ts'
import { checkJournals, checkValuation } from './open-folder.ts'

/** Between two ticks of the event loop. */
const PIECE_MS = 5

/** Throws StartError when there is no room for the accounts or the assets; `of` names what has them. */
export function checkRoom({ accounts }: Config, registry: Registry, of: string): void {
  if (registry.accounts.length > accounts) {
    const least = registry.accounts.length
    throw new StartError(`--accounts must be at least ${least}, the accounts of ${of}.`)
  }
  const assetsMax = assetsMaxOf(accounts)
  if (registry.assets.length > assetsMax) {
    const room = `With --accounts ${accounts} there is room for ${assetsMax} assets`
    throw new StartError(`${room}, and ${of} has ${registry.assets.length}.`)
  }
}

/**
 * Rejects when a start with these settings on the folder's content, which nothing else uses, would be refused: with
 * StartError, which names the setting, or with what recovery throws. `of` names the content.
 */
export async function tryContent(
  config: Config,
  { folder, of }: { readonly folder: string; readonly of: string },
  time: Time,
): Promise<void> {
  const registry = registryOf(folder)
  checkJournals(folder, registry)
  checkValuation(config, registry)
  checkRoom(config, registry, of)
  const { symbols } = registry
  const steps = trialSteps({
    dataFolder: folder,
    symbols: () => symbols,
    accountsMax: config.accounts,
    idSalt: 0,
    shapeOf: () => bookShape(config),
    log: () => {},
  })
  try {
    for (let beganMs = elapsedMs(time); steps.next().done !== true; ) {
      if (elapsedMs(time) - beganMs < PIECE_MS) continue
      await tick(time)
      beganMs = elapsedMs(time)
    }
  } catch (error) {
    throw withSetting(error)
  } finally {
    steps.return()
  }
}

function registryOf(folder: string): Registry {
  const control = ControlStore.open(folder)
  try {
    const registry = new Registry()
    for (const fact of control.entries()) registry.apply(fact as Fact)
    return registry
  } finally {
    control.close()
  }
}
