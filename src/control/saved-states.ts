/**
 * The saved states of a sandbox, as operators' actions use them: their names and bounds, and what the exchange
 * continues from. Used on the main thread.
 */
import path from 'node:path'
import { asStorageError } from '../journal/backup.ts'
import type { ControlStore } from '../journal/control-store.ts'
import { StorageError } from '../journal/environment.ts'
import {
  discardStage,
  replaceContent,
  stagedFolder,
  stageFacts,
  stageState,
} from '../journal/replacing.ts'
import {
  isStateName,
  makeStatesFolder,
  NAME_FORM,
  removePartialStates,
  removeState,
  type SavedState,
  STATES_BYTES_MAX,
  STATES_MAX,
  type StateKind,
  stateBytes,
  stateFolder,
  statesIn,
} from '../journal/states.ts'
import { ActionError, type States } from './action.ts'
import type { ActionFact, Fact, KeyFact } from './facts.ts'

export interface SavedStatesParts {
  readonly dataFolder: string
  readonly control: Pick<ControlStore, 'entries'>
  /** Whether a copy of the data folder is being made. */
  readonly isCopying: () => boolean
  /** Rejects, with a sentence, when the exchange could not start on the content of a folder; `of` names it. */
  readonly tryContent: (content: { readonly folder: string; readonly of: string }) => Promise<void>
  /**
   * Ends all connections and stops the exchange, calls `swap`, and resolves when another exchange serves clients in
   * its place.
   */
  readonly replace: (swap: () => void) => Promise<void>
}

export class SavedStates implements States {
  private readonly parts: SavedStatesParts
  private isReplacing = false
  private isClosed = false
  private staged: Promise<unknown> = Promise.resolve()

  constructor(parts: SavedStatesParts) {
    this.parts = parts
    removePartialStates(parts.dataFolder)
  }

  rows(): readonly SavedState[] {
    return statesIn(this.parts.dataFolder)
  }

  folderFor(kind: StateKind, name: string): string {
    const { dataFolder } = this.parts
    if (!isStateName(name)) throw new ActionError(`name must be ${NAME_FORM}.`)
    const rows = this.rows()
    const same = rows.find((row) => row.name === name)
    if (same !== undefined) throw new ActionError(`There is a ${same.kind} ${name} already.`)
    if (rows.length >= STATES_MAX) {
      throw new ActionError(`There are ${STATES_MAX} states and forks: remove one first.`)
    }
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0)
    if (bytes + stateBytes(dataFolder) > STATES_BYTES_MAX) {
      const most = `${STATES_BYTES_MAX / 2 ** 30} GiB`
      throw new ActionError(`States and forks may take ${most} together: remove one first.`)
    }
    makeStatesFolder(dataFolder, kind)
    return path.resolve(stateFolder(dataFolder, kind, name))
  }

  remove({ kind, name }: SavedState): void {
    try {
      removeState(this.parts.dataFolder, kind, name)
    } catch (error) {
      throw error instanceof StorageError ? new ActionError(error.message) : error
    }
  }

  load({ kind, name }: SavedState, action: ActionFact): Promise<void> {
    const { dataFolder } = this.parts
    if (kind === 'fork') {
      throw new ActionError(`${name} is a fork, on which another exchange may run: start it there.`)
    }
    const folder = stateFolder(dataFolder, kind, name)
    return this.replace(`the state ${name}`, () => stageState(dataFolder, folder, action))
  }

  reset(action: ActionFact): Promise<void> {
    const { dataFolder, control } = this.parts
    return this.replace('the first content', async () => {
      const facts = firstFacts([...control.entries()] as Fact[])
      const keys = new Set(facts.filter(isKey).map(({ apiKey }) => apiKey))
      stageFacts(dataFolder, [...facts, action], (apiKey) => keys.has(apiKey))
    })
  }

  /** Resolves when nothing is copied into the data folder any more. Nothing is loaded from now on. */
  async left(): Promise<void> {
    this.isClosed = true
    await this.staged
  }

  private async replace(of: string, stage: () => Promise<void>): Promise<void> {
    const { dataFolder, isCopying, tryContent, replace } = this.parts
    if (this.isClosed) throw new ActionError('The exchange is stopping.')
    if (this.isReplacing) throw new ActionError('Another state is being loaded.')
    if (isCopying()) throw new ActionError('A copy is under way: load when it is made.')
    this.isReplacing = true
    try {
      const staged = stage()
        .catch((error) => {
          throw asStorageError(dataFolder, error)
        })
        .then(() => tryContent({ folder: stagedFolder(dataFolder), of }))
        .catch((error: Error) => {
          discardStage(dataFolder)
          throw new ActionError(error.message)
        })
      this.staged = staged.catch(() => {})
      await staged
      await replace(() => replaceContent(dataFolder))
    } finally {
      this.isReplacing = false
    }
  }
}

const isKey = (fact: Fact): fact is KeyFact => fact.fact === 'key'

/**
 * Returns the facts that the folder began with: up to the mark of its first content, or else up to the first start.
 * Without journals there is no start to continue from, and orders of a seed are placed again.
 */
export function firstFacts(facts: readonly Fact[]): readonly Fact[] {
  const marked = facts.findLastIndex(({ fact }) => fact === 'first')
  const end = marked >= 0 ? marked + 1 : facts.findIndex(({ fact }) => fact === 'start')
  return facts.slice(0, end).filter(isOfContent)
}

const isOfContent = (fact: Fact): boolean =>
  fact.fact !== 'start' &&
  fact.fact !== 'journals' &&
  (fact.fact !== 'seed' || fact.orders.length > 0)
