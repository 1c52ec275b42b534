/** Actions on the states of the sandbox: they save, load and fork what the data folder holds. */
import type { SavedState, StateKind } from '../../journal/states.ts'
import {
  type ActionContext,
  ActionError,
  type ActionParam,
  type ActionRow,
  type Arguments,
  type Outcome,
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
const LOST = 'All connections end, and what happened since is gone.'

export const stateActions: readonly ActionRow[] = [
  {
    name: 'states',
    group: 'sandbox',
    role: 'watch',
    example: 'states',
    about: 'Shows the saved states and the forks of the sandbox, with their moments and sizes.',
    isImmediate: true,
    params: [],
    rowAction: { name: 'load', label: 'Load', takes: { name: 'name' } },
    run: (_, { view }) => {
      if (view.states === undefined) return { said: SANDBOX_OFF, rows: [] }
      const rows = view.states.rows().map(
        ({ kind, name, timeMs, bytes }): TableRow => ({
          ...{ name, kind, moment: new Date(timeMs).toISOString() },
          mebibytes: Math.ceil(bytes / 2 ** 20),
        }),
      )
      return { said: `${counted(rows.length, 'state')}.`, rows }
    },
  },
  {
    name: 'save',
    group: 'sandbox',
    role: 'admin',
    example: 'save monday',
    about: 'Saves the present state of the sandbox, which load restores.',
    isImmediate: true,
    params: [nameParam],
    progressIn: 'backup',
    run: (args, context) => copied('state', args, context),
  },
  {
    name: 'fork',
    group: 'sandbox',
    role: 'admin',
    example: 'fork other',
    about: 'Copies the present state into a data folder for another exchange; this one continues.',
    isImmediate: true,
    params: [nameParam],
    progressIn: 'backup',
    run: (args, context) => copied('fork', args, context),
  },
  {
    name: 'load',
    group: 'sandbox',
    role: 'admin',
    example: 'load monday',
    about: 'Restores a saved state: ends all connections, and serves again within seconds.',
    isImmediate: true,
    params: [nameParam],
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
    group: 'sandbox',
    role: 'admin',
    example: 'reset',
    about: 'Restores the first content of the data folder: its seed, or the demo.',
    isImmediate: true,
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
    name: 'state-remove',
    group: 'sandbox',
    role: 'admin',
    example: 'state-remove monday',
    about: 'Removes a saved state, or a fork on which no exchange runs.',
    isImmediate: true,
    params: [nameParam],
    run: (args, { view }) => {
      const states = statesOf(view)
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
]

async function copied(kind: StateKind, args: Arguments, { view }: ActionContext): Promise<Outcome> {
  const states = statesOf(view)
  const backupTo = states.folderFor(kind, args.text('name'))
  return { said: '', backupTo, backupAs: kind }
}

/** Throws ActionError when there is none of this name. */
function named(args: Arguments, view: ActionContext['view']): SavedState {
  const name = args.text('name')
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
