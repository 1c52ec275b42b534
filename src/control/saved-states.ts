/**
 * The saved states of a sandbox, as operators' actions use them: their names and bounds, and what the exchange
 * continues from. Used on the main thread.
 */
import { existsSync, realpathSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { dateNow } from '../base/real-date.ts'
import { asStorageError } from '../journal/backup.ts'
import { copyBytes } from '../journal/content.ts'
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
  installState,
  isStateName,
  isStatePath,
  makeStatesFolder,
  NAME_FORM,
  removePartialStates,
  removeState,
  type SavedState,
  STATES_BYTES_MAX,
  STATES_MAX,
  type StateKind,
  stateAt,
  stateFolder,
  statesIn,
} from '../journal/states.ts'
import { ActionError, type RevertSockets, type States, StoppingError } from './action.ts'
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
  /** Left out where there are none. */
  readonly marks?: Marks | undefined
  /** Whether what pays withdrawals goes back with a state (assembly/main/chain-port.ts); it does when left out. */
  readonly isUndoable?: boolean
}

export type Marks = Pick<States, 'mark' | 'revert'>

export class SavedStates implements States {
  private readonly parts: SavedStatesParts
  /** States for a path, so far. */
  private placed = 0
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
    if (!isStateName(name)) throw new ActionError(`name must be ${NAME_FORM}.`)
    if (kind === 'fork') this.checkUndoable()
    const rows = this.rows()
    const same = rows.find((row) => row.name === name)
    if (same !== undefined) throw new ActionError(`There is a ${same.kind} ${name} already.`)
    if (rows.length >= STATES_MAX) {
      throw new ActionError(`There are ${STATES_MAX} states and forks: remove one first.`)
    }
    return this.roomFor(kind, name)
  }

  /** Its name is that of no state, so it counts as none. */
  folderForPath(target: string): string {
    if (existsSync(target)) throw new ActionError(`${target} exists already.`)
    const folder = path.dirname(target)
    const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
    if (!isFolder) throw new ActionError(`${folder} is no folder: make it first.`)
    // It might be taken for content, as journal-9 would.
    const [outer, inner] = [this.parts.dataFolder, folder].map((name) => `${realpathSync(name)}/`)
    if (inner!.startsWith(outer!)) throw new ActionError(`${target} lies within the data folder.`)
    return this.roomFor('state', `path-${++this.placed}.partial`)
  }

  async install(folder: string, target: string): Promise<void> {
    try {
      await installState(folder, target, dateNow())
    } catch (error) {
      throw asActionError(error)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  at(target: string): SavedState {
    try {
      return stateAt(target)
    } catch (error) {
      throw asActionError(error)
    }
  }

  private checkUndoable(): void {
    if (this.parts.isUndoable === false) throw new ActionError(OUTSIDE)
  }

  /** Throws ActionError when states and so many bytes more take too much. */
  private checkRoom(more: number): void {
    const bytes = this.rows().reduce((sum, row) => sum + row.bytes, 0)
    if (bytes + more <= STATES_BYTES_MAX) return
    const most = `${STATES_BYTES_MAX / 2 ** 30} GiB`
    throw new ActionError(`States and forks may take ${most} together: remove one first.`)
  }

  private roomFor(kind: StateKind, name: string): string {
    const { dataFolder } = this.parts
    this.checkRoom(copyBytes(dataFolder))
    makeStatesFolder(dataFolder, kind)
    return path.resolve(stateFolder(dataFolder, kind, name))
  }

  remove({ kind, name }: SavedState): void {
    try {
      removeState(this.parts.dataFolder, kind, name)
    } catch (error) {
      throw asActionError(error)
    }
  }

  load({ kind, name }: SavedState, action: ActionFact): Promise<void> {
    const { dataFolder } = this.parts
    if (kind === 'fork') {
      throw new ActionError(`${name} is a fork, on which another exchange may run: start it there.`)
    }
    const folder = isStatePath(name) ? name : stateFolder(dataFolder, kind, name)
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

  mark(): ReturnType<Marks['mark']> {
    const { dataFolder, marks } = this.parts
    if (marks === undefined) throw new ActionError(NO_MARKS)
    this.checkUndoable()
    if (this.isReplacing) throw new ActionError(LOADING)
    this.checkRoom(2 * copyBytes(dataFolder))
    return marks.mark()
  }

  async revert(mark: string, sockets: RevertSockets): Promise<string> {
    const { marks } = this.parts
    if (marks === undefined) throw new ActionError(NO_MARKS)
    return this.alone(() => marks.revert(mark, sockets))
  }

  /** Resolves when nothing is copied into the data folder any more. Nothing is loaded from now on. */
  async left(): Promise<void> {
    this.isClosed = true
    await this.staged
  }

  private replace(of: string, stage: () => Promise<void>): Promise<void> {
    const { dataFolder, tryContent, replace } = this.parts
    return this.alone(async () => {
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
    })
  }

  /** Nothing else is copied or replaced meanwhile. */
  private async alone<T>(action: () => Promise<T>): Promise<T> {
    this.checkUndoable()
    if (this.isClosed) throw new StoppingError()
    if (this.isReplacing) throw new ActionError(LOADING)
    if (this.parts.isCopying()) throw new ActionError('A copy is under way: load when it is made.')
    this.isReplacing = true
    try {
      return await action()
    } finally {
      this.isReplacing = false
    }
  }
}

const OUTSIDE =
  'Withdrawals are paid outside of the exchange, where nothing goes back with a state: none is loaded or forked.'
const LOADING = 'Another state is being loaded.'
const NO_MARKS = 'Only an exchange within a program (startExchange) has marks.'

const asActionError = (error: unknown): unknown =>
  error instanceof StorageError ? new ActionError(error.message) : error

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
