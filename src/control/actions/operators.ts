/** Actions on operators and on what they did. A token is shown once, by the action that makes it. */
import { fileFault } from '../../base/file-fault.ts'
import {
  type ActionContext,
  ActionError,
  type ActionParam,
  type Arguments,
  actionsOf,
  type Outcome,
  type TableRow,
} from '../action.ts'
import type { LoggedAction } from '../action-log.ts'
import type { OperatorFact } from '../facts.ts'
import {
  EARLIER_TOKENS_MAX,
  type EarlierToken,
  FAUCET,
  goodTokens,
  HOUSE_COUNTERPARTY,
  hashToken,
  LIQUIDITY,
  newToken,
  OPERATORS_MAX,
  OWNER,
  replacedToken,
  SCHEDULE,
} from '../operators.ts'
import { type Role, roles } from '../role.ts'
import { TOKEN_FILE } from '../token.ts'
import { counted } from '../words.ts'
import { pageOf, pageParams } from './pages.ts'

const operatorParam: ActionParam = {
  name: 'operator',
  kind: 'text',
  about: 'Name of the operator.',
  required: true,
}
/** How long the token of before is good beside the new one. */
const OVERLAP_MINUTES = 60
const OVERLAP_MINUTES_MAX = 7 * 24 * 60
const MINUTE_MS = 60_000
const RESERVED: readonly string[] = [
  ...[OWNER.name, LIQUIDITY.name, FAUCET.name, SCHEDULE.name, HOUSE_COUNTERPARTY.name],
]

export const operatorActions = actionsOf('operators', [
  {
    name: 'operator-add',
    title: "Create an operator's token",
    role: 'admin',
    example: 'operator-add carol support',
    about: 'Creates a token for an operator. The role says what the operator may do.',
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
    title: "End an operator's token",
    role: 'admin',
    example: 'operator-remove carol',
    about: 'Ends the token of an operator at once.',
    params: [operatorParam],
    previews: (args) => ({
      does: `Remove the operator ${args.text('operator')}`,
      note: 'The token ends at once, for good.',
      yes: 'Remove',
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
    name: 'token-rotate',
    title: 'Replace a token',
    role: 'admin',
    example: 'token-rotate carol --minutes 60',
    about:
      'Makes a new token in place of one that is good for a while still. Without an operator: that of the data folder, which stands in its file alone.',
    params: [
      { name: 'operator', kind: 'text', about: 'Name of the operator; the owner when left out.' },
      {
        name: 'minutes',
        kind: 'integer',
        about: `How long the token of before is good still, 0 to ${OVERLAP_MINUTES_MAX}; ${OVERLAP_MINUTES} when left out. 0 ends all earlier ones at once.`,
      },
    ],
    previews: (args, context) => {
      const { name, minutes } = rotationOf(args, context)
      const note = minutes === 0 ? 'All earlier ones end at once.' : untilText(context, minutes)
      return { does: `Make a new token for ${name}`, note, yes: 'Make it' }
    },
    run: (args, context) => rotate(args, context),
  },
  {
    name: 'operators',
    title: 'Show the operators',
    role: 'watch',
    example: 'operators',
    about: 'Shows the operators and their roles; never a token.',
    params: [],
    run: (_, { registry, view, time }) => {
      const row = (name: string, role: Role, earlier: readonly EarlierToken[]): TableRow => {
        const untilMs = Math.max(0, ...earlier.map((token) => token.untilMs))
        return { operator: name, role, earlierTokensUntil: untilMs === 0 ? '' : timeText(untilMs) }
      }
      const rows = [row(OWNER.name, OWNER.role, view.ownerToken.earlierTokens())]
      for (const { name, role, earlier } of registry.operators.values()) {
        rows.push(row(name, role, goodTokens(earlier, time.nowMs())))
      }
      return { said: `${counted(rows.length, 'operator')}.`, rows }
    },
  },
  {
    name: 'log',
    title: 'Show what operators changed',
    role: 'watch',
    example: 'log --limit 20',
    about: 'Shows the last actions that changed something, the newest first.',
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
])

interface Rotation {
  readonly name: string
  /** Undefined: the owner. */
  readonly operator: OperatorFact | undefined
  readonly minutes: number
  /** Tokens of before that are good now, besides the one that is replaced. */
  readonly earlier: readonly EarlierToken[]
}

function rotationOf(args: Arguments, { registry, view, time }: ActionContext): Rotation {
  const minutes = args.integer('minutes', 0, OVERLAP_MINUTES_MAX, OVERLAP_MINUTES)
  const name = args.text('operator', OWNER.name)
  if (name === OWNER.name) {
    return { name, operator: undefined, minutes, earlier: view.ownerToken.earlierTokens() }
  }
  const operator = registry.operators.get(name)
  if (operator === undefined) throw new ActionError(`There is no operator ${name}.`)
  return { name, operator, minutes, earlier: goodTokens(operator.earlier, time.nowMs()) }
}

/** The owner's new token is never in an answer: who reads its file may have it. */
function rotate(args: Arguments, context: ActionContext): Outcome {
  const { name, operator, minutes, earlier } = rotationOf(args, context)
  if (minutes > 0 && earlier.length >= EARLIER_TOKENS_MAX) {
    const firstMs = Math.min(...earlier.map(({ untilMs }) => untilMs))
    throw new ActionError(
      `${counted(earlier.length, 'earlier token')} of ${name} are good, the first until ${timeText(firstMs)}. --minutes 0 ends them all.`,
    )
  }
  const nowMs = context.time.nowMs()
  const untilMs = nowMs + minutes * MINUTE_MS
  const end = minutes === 0 ? 'All earlier ones have ended.' : untilText(context, minutes)
  if (operator === undefined) {
    const said = `The file ${TOKEN_FILE} of the data folder has the new token. ${end}`
    const report = async () => {
      try {
        context.view.ownerToken.rotate(untilMs)
      } catch (error) {
        const why = fileFault(error)
        throw new ActionError(`The token in ${TOKEN_FILE}, new or not, is in force: ${why}.`)
      }
      return said
    }
    return { said: '', report }
  }
  const token = newToken()
  const replaced = { tokenHash: operator.tokenHash, untilMs }
  const kept = minutes === 0 ? [] : replacedToken(operator.earlier, replaced, nowMs)
  return {
    facts: [{ ...operator, tokenHash: hashToken(token), earlier: kept }],
    said: `Operator ${name} has a new token, which is not shown again. ${end}`,
    rows: [{ operator: name, role: operator.role, token }],
  }
}

const timeText = (timeMs: number): string => new Date(timeMs).toISOString()
const untilText = ({ time }: ActionContext, minutes: number): string =>
  `The one before is good until ${timeText(time.nowMs() + minutes * MINUTE_MS)}.`

const rowOf = ({ number, timeMs, by, name, given }: LoggedAction): TableRow => ({
  number,
  time: new Date(timeMs).toISOString(),
  operator: by,
  action: name,
  arguments: Object.entries(given)
    .map(([param, text]) => `${param}=${text}`)
    .join(' '),
})
