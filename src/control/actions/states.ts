/** Actions on the states of the sandbox: they save, load and fork what the data folder holds. */
import { isStatePath, type SavedState, type StateKind } from '../../journal/states.ts'
import {
  type ActionContext,
  ActionError,
  type ActionParam,
  type Arguments,
  actionsOf,
  type Outcome,
  REVERT_SOCKETS,
  type RevertSockets,
  type States,
  type TableRow,
} from '../action.ts'
import { counted } from '../words.ts'
import { SANDBOX_OFF } from './faults.ts'

const nameParam: ActionParam = {
  name: 'name',
  kind: 'text',
  about: 'Its name: letters, digits, _ and -, at most 32.',
  required: true,
}
const nameOrPathParam: ActionParam = {
  ...nameParam,
  about: `${nameParam.about} Or the absolute path of a folder of its own.`,
}
const OWN_FOLDER = 'A state that was saved to a path is yours: remove its folder.'
const LOST = 'All connections end, and what happened since is gone.'

export const stateActions = actionsOf('sandbox', [
  {
    name: 'states',
    title: 'Show saved states and forks',
    role: 'watch',
    example: 'states',
    about: 'Shows the saved states and the forks of the sandbox, with their moments and sizes.',
    params: [],
    rowAction: { name: 'load', label: 'Load', takes: { name: 'name' } },
    run: (_, { view }) => {
      if (view.states === undefined) return { said: SANDBOX_OFF, rows: [] }
      const rows = view.states.rows().map(
        ({ kind, name, timeMs, bytes }): TableRow => ({
          name,
          kind,
          moment: new Date(timeMs).toISOString(),
          mebibytes: Math.ceil(bytes / 2 ** 20),
        }),
      )
      return { said: `${counted(rows.length, 'state')}.`, rows }
    },
  },
  {
    name: 'save',
    title: 'Save the present state',
    role: 'admin',
    example: 'save monday',
    about: 'Saves the present state of the sandbox, which load restores.',
    params: [nameOrPathParam],
    progressIn: 'backup',
    run: (args, context) => {
      const name = args.text('name')
      return isStatePath(name) ? savedTo(name, context) : copied('state', args, context)
    },
  },
  {
    name: 'fork',
    title: 'Copy the state for another exchange',
    role: 'admin',
    example: 'fork other',
    about: 'Copies the present state into a data folder for another exchange; this one continues.',
    params: [nameParam],
    progressIn: 'backup',
    run: (args, context) => copied('fork', args, context),
  },
  {
    name: 'load',
    title: 'Load a saved state',
    role: 'admin',
    example: 'load monday',
    about: 'Restores a saved state: ends all connections, and serves again within seconds.',
    params: [nameOrPathParam],
    previews: (args, { view }) => {
      const { name, timeMs } = named(args, view)
      const moment = new Date(timeMs).toISOString()
      return { does: `Load ${name}, the state of ${moment}`, note: LOST, yes: 'Load' }
    },
    run: (args, { view }) => {
      const states = statesOf(view)
      const state = named(args, view)
      return {
        said: '',
        report: async (action) => {
          await states.load(state, action)
          return `The state ${state.name} is loaded.`
        },
      }
    },
  },
  {
    name: 'reset',
    title: 'Go back to the first content',
    role: 'admin',
    example: 'reset',
    about: 'Restores the first content of the data folder: its seed, or the demo.',
    params: [],
    previews: () => ({ does: 'Reset to the first content', note: LOST, yes: 'Reset' }),
    run: (_, { view }) => {
      const states = statesOf(view)
      return {
        said: '',
        report: async (action) => {
          await states.reset(action)
          return 'The first content is loaded.'
        },
      }
    },
  },
  {
    name: 'mark',
    title: 'Mark the present moment',
    role: 'admin',
    example: 'mark',
    about: 'Prepares a second exchange at the present moment, to which revert goes back at once.',
    params: [],
    progressIn: 'backup',
    run: (_, { view }) => {
      const begun = statesOf(view).mark()
      if ('mark' in begun) {
        return { said: '', changesNothing: true, report: async () => marked(begun.mark) }
      }
      const copied = async () => marked(await begun.copied())
      return { said: '', backupTo: begun.folder, backupAs: 'fork', cutAt: begun.cut, copied }
    },
  },
  {
    name: 'revert',
    title: 'Go back to a mark',
    role: 'admin',
    example: 'revert 3f9a-1',
    about:
      'Goes back to a mark, which is used by that, and marks the moment again. Connections end, or are kept.',
    params: [
      { name: 'mark', kind: 'text', about: 'What mark returned.', required: true },
      {
        name: 'sockets',
        kind: 'text',
        about:
          'end the connections of clients (the default), or keep them, so that clients notice nothing.',
        choices: REVERT_SOCKETS,
      },
    ],
    previews: () => ({ does: 'Revert to the mark', note: LOST, yes: 'Revert' }),
    run: (args, { view }) => {
      const states = statesOf(view)
      const mark = args.text('mark')
      const sockets = args.text('sockets', 'end') as RevertSockets
      return { said: '', report: async () => marked(await states.revert(mark, sockets)) }
    },
  },
  {
    name: 'state-remove',
    title: 'Remove a saved state or fork',
    role: 'admin',
    example: 'state-remove monday',
    about: 'Removes a saved state, or a fork on which no exchange runs.',
    params: [nameParam],
    run: (args, { view }) => {
      const states = statesOf(view)
      if (isStatePath(args.text('name'))) throw new ActionError(OWN_FOLDER)
      const state = named(args, view)
      return {
        said: '',
        report: async () => {
          states.remove(state)
          return `The ${state.kind} ${state.name} is removed.`
        },
      }
    },
  },
])

const marked = (mark: string) => ({ said: `The mark is ${mark}.`, rows: [{ mark }] })

async function copied(kind: StateKind, args: Arguments, { view }: ActionContext): Promise<Outcome> {
  const states = statesOf(view)
  const backupTo = states.folderFor(kind, args.text('name'))
  return { said: '', backupTo, backupAs: kind }
}

/** The state is made whole in the data folder first. */
function savedTo(target: string, { view }: ActionContext): Outcome {
  const states = statesOf(view)
  const backupTo = states.folderForPath(target)
  const copied = async () => {
    await states.install(backupTo, target)
    return `The state is saved to ${target}.`
  }
  return { said: '', backupTo, backupAs: 'state', copied }
}

/** Throws ActionError when there is none of this name or path. */
function named(args: Arguments, view: ActionContext['view']): SavedState {
  const name = args.text('name')
  if (isStatePath(name)) return statesOf(view).at(name)
  const state = statesOf(view)
    .rows()
    .find((it) => it.name === name)
  if (state === undefined) throw new ActionError(`There is no state ${name}.`)
  return state
}

function statesOf({ states }: ActionContext['view']): States {
  if (states === undefined) throw new ActionError(SANDBOX_OFF)
  return states
}
