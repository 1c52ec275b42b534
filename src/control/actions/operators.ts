/** Actions on operators and on what they did. A token is shown once, by the action that makes it. */
import { ActionError, type ActionParam, type ActionRow, type TableRow } from '../action.ts'
import type { LoggedAction } from '../action-log.ts'
import {
  FAUCET,
  HOUSE_COUNTERPARTY,
  hashToken,
  LIQUIDITY,
  newToken,
  OPERATORS_MAX,
  OWNER,
  SCHEDULE,
} from '../operators.ts'
import { roles } from '../role.ts'
import { counted } from '../words.ts'
import { pageOf, pageParams } from './pages.ts'

const operatorParam: ActionParam = {
  name: 'operator',
  kind: 'text',
  about: 'Name of the operator.',
  required: true,
}
const RESERVED: readonly string[] = [
  ...[OWNER.name, LIQUIDITY.name, FAUCET.name, SCHEDULE.name, HOUSE_COUNTERPARTY.name],
]

export const operatorActions: readonly ActionRow[] = [
  {
    name: 'operator-add',
    group: 'operators',
    role: 'admin',
    example: 'operator-add carol support',
    about: 'Creates a token for an operator. The role says what the operator may do.',
    isImmediate: true,
    params: [
      operatorParam,
      {
        name: 'role',
        kind: 'text',
        about: 'What the operator may do; each role includes the ones before it.',
        choices: roles,
        required: true,
      },
    ],
    run: (args, { registry }) => {
      const name = args.name('operator')
      const role = roles.find((it) => it === args.text('role'))!
      if (RESERVED.includes(name) || registry.operators.has(name)) {
        throw new ActionError(`The name ${name} is taken.`)
      }
      if (registry.operators.size >= OPERATORS_MAX) {
        throw new ActionError(`There is room for ${OPERATORS_MAX} operators.`)
      }
      const token = newToken()
      return {
        facts: [{ fact: 'operator', name, role, tokenHash: hashToken(token) }],
        said: `Operator ${name} has the role ${role}. The token is not shown again.`,
        rows: [{ operator: name, role, token }],
      }
    },
  },
  {
    name: 'operator-remove',
    group: 'operators',
    role: 'admin',
    example: 'operator-remove carol',
    about: 'Ends the token of an operator at once.',
    isImmediate: true,
    params: [operatorParam],
    previews: (args) => ({
      does: `Remove the operator ${args.text('operator')}`,
      ...{ note: 'The token ends at once, for good.', yes: 'Remove' },
    }),
    run: (args, { registry }) => {
      const name = args.text('operator')
      const operator = registry.operators.get(name)
      if (operator === undefined) throw new ActionError(`There is no operator ${name}.`)
      const facts = [{ fact: 'operator' as const, name, role: operator.role, tokenHash: '' }]
      return { facts, said: `Operator ${name} is removed.` }
    },
  },
  {
    name: 'operators',
    group: 'operators',
    role: 'watch',
    example: 'operators',
    about: 'Shows the operators and their roles; never a token.',
    isImmediate: true,
    params: [],
    run: (_, { registry }) => {
      const rows = [OWNER, ...registry.operators.values()].map(({ name, role }) => {
        return { operator: name, role }
      })
      return { said: `${counted(rows.length, 'operator')}.`, rows }
    },
  },
  {
    name: 'log',
    group: 'operators',
    role: 'watch',
    example: 'log --limit 20',
    about: 'Shows the last actions that changed something, the newest first.',
    isImmediate: true,
    params: pageParams,
    run: (args, { registry }) => {
      const { limit, after } = pageOf(args, 1)
      const actions = registry.log.newest(limit, after[0])
      const said = `${counted(actions.length, 'action')}, the newest first.`
      const last = actions.at(-1)
      const rows = actions.map(rowOf)
      return actions.length === limit && last !== undefined
        ? { said, rows, more: String(last.number) }
        : { said, rows }
    },
  },
]

const rowOf = ({ number, timeMs, by, name, given }: LoggedAction): TableRow => ({
  number,
  time: new Date(timeMs).toISOString(),
  operator: by,
  action: name,
  arguments: Object.entries(given)
    .map(([param, text]) => `${param}=${text}`)
    .join(' '),
})
