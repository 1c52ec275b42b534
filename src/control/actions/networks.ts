/** Actions on the networks between clients and an exchange within a program (docs/embedding.md). */
import {
  type ActionContext,
  ActionError,
  type ActionParam,
  type Arguments,
  actionsOf,
  type Networks,
  type TableRow,
} from '../action.ts'
import { counted } from '../words.ts'

const network: ActionParam = {
  name: 'network',
  kind: 'integer',
  about: 'Its port.',
  required: true,
}
const conditions: ActionParam = {
  name: 'conditions',
  kind: 'text',
  about: 'JSON of what it does, as {"down": {"ms": 20}}.',
}
const PORT_MAX = 65_535

export const networkActions = actionsOf('sandbox', [
  {
    name: 'networks',
    title: 'Show networks',
    role: 'watch',
    example: 'networks',
    about: 'Shows the networks between clients and this exchange, with their open connections.',
    params: [],
    rowAction: { name: 'network-remove', label: 'Remove', takes: { network: 'network' } },
    run: (_, { view }) => {
      const rows = view.networks?.rows() ?? []
      return { said: `${counted(rows.length, 'network')}.`, rows }
    },
  },
  {
    name: 'network-add',
    title: 'Add a network',
    role: 'admin',
    example: `network-add '{"down":{"ms":20}}'`,
    about: 'Opens a network to this exchange, on its own port: clients of it have its conditions.',
    params: [conditions],
    run: (args, context) =>
      changed(context, async (networks) => {
        const added = await networks.add(args.has('conditions') ? args.json('conditions') : {})
        const row = added.reading()
        return { said: `The network is at ${row.url}.`, rows: [row] }
      }),
  },
  {
    name: 'network-set',
    title: 'Change a network',
    role: 'admin',
    example: `network-set 41591 '{"connect":"refuse"}'`,
    about: 'Replaces all conditions of a network, for open connections too.',
    params: [network, { ...conditions, required: true }],
    run: (args, context) =>
      changed(context, async (networks) => {
        await networks.set(portOf(args), args.json('conditions'))
        return `The network ${portOf(args)} has these conditions.`
      }),
  },
  {
    name: 'network-reset',
    title: 'Reset the connections of a network',
    role: 'admin',
    example: 'network-reset 41591',
    about: 'Resets all open connections of a network.',
    params: [network],
    run: (args, context) =>
      changed(context, async (networks) => {
        networks.reset(portOf(args))
        return `The connections of the network ${portOf(args)} are reset.`
      }),
  },
  {
    name: 'network-remove',
    title: 'Remove a network',
    role: 'admin',
    example: 'network-remove 41591',
    about: 'Closes a network: its connections are reset, and its port is free.',
    params: [network],
    run: (args, context) =>
      changed(context, async (networks) => {
        await networks.remove(portOf(args))
        return `The network ${portOf(args)} is removed.`
      }),
  },
])

const portOf = (args: Arguments): number => args.integer('network', 1, PORT_MAX)

type Said = string | { readonly said: string; readonly rows: readonly TableRow[] }

/** Throws ActionError where there are no networks. */
function changed({ view }: ActionContext, change: (networks: Networks) => Promise<Said>) {
  const { networks } = view
  if (networks === undefined) {
    throw new ActionError('Only an exchange within a program (startExchange) has networks.')
  }
  const report = async () => {
    try {
      return await change(networks)
    } catch (error) {
      throw new ActionError((error as Error).message)
    }
  }
  return { said: '', report }
}
