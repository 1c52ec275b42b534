/** Actions on the rules of the sandbox, which are in the memory of the running exchange only. */
import {
  type FaultField,
  type FaultRule,
  faultEffects,
  faultFields,
} from '../../sandbox/fault-fields.ts'
import { FaultRuleError, leavesHandshakes, readFaultRule } from '../../sandbox/fault-rule.ts'
import type { FaultRow } from '../../sandbox/requests.ts'
import {
  type ActionContext,
  ActionError,
  type ActionParam,
  actionsOf,
  parseTables,
  type TableRow,
} from '../action.ts'
import { type FaultBook, isSame } from '../fault-book.ts'
import type { Registry } from '../registry.ts'
import { counted } from '../words.ts'
import { findAccount } from './named.ts'

const fieldNames = Object.keys(faultFields) as FaultField[]

/** A field of a rule as a parameter. */
function paramOf(name: FaultField): ActionParam {
  const field: { readonly about: string; readonly choices?: readonly string[] } = faultFields[name]
  const { about, choices } = field
  const isNeeded = name === 'name' || name === 'do'
  return {
    name,
    kind: 'text',
    about,
    ...(isNeeded && { required: true as const }),
    ...(choices !== undefined && { choices }),
  }
}

/** What removes the rules of operators and accounts alike. */
const ALL = 'all'

export const faultActions = actionsOf('sandbox', [
  {
    name: 'faults',
    title: 'Show the fault rules',
    role: 'watch',
    example: 'faults',
    about: 'Shows the fault rules of the sandbox, with what matched and what they touched.',
    params: [],
    rowAction: { name: 'fault-remove', label: 'Remove', takes: { name: 'name' } },
    run: (_, { view, registry }) => {
      const book = view.faults
      if (book === undefined) return { said: SANDBOX_OFF, rows: [] }
      const rows = faultReadings(book, registry).map(
        ({ isOver, ...row }): TableRow => ({ ...row, state: isOver ? 'over' : 'on' }),
      )
      return { said: `${counted(rows.length, 'rule')}.`, rows }
    },
  },
  {
    name: 'fault-add',
    title: 'Add or replace a fault rule',
    role: 'admin',
    example: 'fault-add lost unknown --operation placeOrder --every 3',
    about: 'Adds a fault rule to the sandbox, or replaces the one of its name.',
    params: fieldNames.map(paramOf),
    run: (args, { view, registry }) => {
      const book = bookOf(view.faults)
      const given = fieldNames.filter((name) => args.has(name))
      const rule = readRule(
        Object.fromEntries(given.map((name) => [name, args.text(name)])),
        registry,
      )
      return {
        said: '',
        report: () =>
          added(book, [rule], `The rule ${rule.name} is in force: ${faultEffects[rule.do].about}`),
      }
    },
  },
  {
    name: 'fault-remove',
    title: 'Remove a fault rule',
    role: 'admin',
    example: 'fault-remove lost',
    about: 'Removes a fault rule of the sandbox, or all.',
    params: [
      {
        name: 'name',
        kind: 'text',
        about: "Its name, of an account's own as alice/lost; or all.",
        required: true,
      },
    ],
    run: (args, { view, registry }) => {
      const book = bookOf(view.faults)
      const name = args.text('name')
      const removed = book.rows().filter((row) => name === ALL || shownName(row, registry) === name)
      if (name !== ALL && removed.length === 0) throw new ActionError(`There is no rule ${name}.`)
      return {
        said: '',
        report: async () => {
          await book.remove((rule) => removed.some((row) => isSame(rule, row)))
          return `${counted(removed.length, 'rule')} removed.`
        },
      }
    },
  },
  {
    name: 'faults-apply',
    title: 'Add the fault rules of a file',
    role: 'admin',
    example: 'faults-apply examples/faults/flaky-network.toml',
    about: 'Adds the fault rules of a file to the sandbox: all of them or none.',
    params: [
      {
        name: 'rules',
        kind: 'text',
        about:
          'The text of the file, TOML with a [[fault]] for each rule; @path reads it from a file.',
        required: true,
      },
    ],
    run: (args, { view, registry }) => {
      const book = bookOf(view.faults)
      const rules = readProfile(args.text('rules'), registry)
      const said = `${counted(rules.length, 'rule')} in force.`
      return { said: '', report: () => added(book, rules, said) }
    },
  },
])

/** Why an action of the sandbox is refused. */
export const SANDBOX_OFF = 'The sandbox is off (--sandbox on).'

function bookOf(book: ActionContext['view']['faults']): FaultBook {
  if (book === undefined) throw new ActionError(SANDBOX_OFF)
  return book
}

/** A rule as operators see it. */
export type FaultReading = Omit<FaultRow, 'owner'>

/** Returns the rules with the names that fault-remove takes: an account's own as `alice/lost`. */
export const faultReadings = (book: FaultBook, registry: Registry): readonly FaultReading[] =>
  book
    .rows()
    .map(({ owner, name, ...row }) => ({ name: shownName({ name, owner }, registry), ...row }))

/** The rule's name, behind that of the account that made it for itself. */
function shownName(row: Pick<FaultRow, 'name' | 'owner'>, registry: Registry): string {
  const owner = ownerName(row, registry)
  return owner === '' ? row.name : `${owner}/${row.name}`
}

/** Returns the name of the account that made the rule for itself; '' for an operator's. */
export function ownerName({ owner }: Pick<FaultRow, 'owner'>, { accounts }: Registry): string {
  return owner === undefined ? '' : (accounts[owner]?.name ?? String(owner))
}

const asActionError = (error: unknown): unknown =>
  error instanceof FaultRuleError ? new ActionError(error.message) : error

/** Throws ActionError. */
function readRule(given: Readonly<Record<string, unknown>>, registry: Registry): FaultRule {
  try {
    return readFaultRule(given, (text) => findAccount(text, registry)?.id)
  } catch (error) {
    throw asActionError(error)
  }
}

/** Resolves to the sentence once the rules are in force. Rejects with ActionError. */
async function added(book: FaultBook, rules: readonly FaultRule[], said: string): Promise<string> {
  try {
    await book.add(rules)
  } catch (error) {
    throw asActionError(error)
  }
  const names = rules.filter(leavesHandshakes).map(({ name }) => name)
  return names.length === 0 ? said : `${said} ${LEFT} ${names.join(', ')}.`
}

const LEFT = 'Handshakes of WebSockets and methods of streams are left as they are by'

/** Reads a file of rules. Throws ActionError with the number of the rule that is wrong. */
function readProfile(text: string, registry: Registry): readonly FaultRule[] {
  const { fault, ...others } = parseTables('file of rules', text)
  const [other] = Object.keys(others)
  if (other !== undefined) throw new ActionError(`The file has ${other} beside [[fault]] tables.`)
  if (!Array.isArray(fault) || fault.length === 0) {
    throw new ActionError('The file has no [[fault]] table.')
  }
  const rules = fault.map((table: Record<string, unknown>, at) => {
    try {
      return readRule(table, registry)
    } catch (error) {
      if (!(error instanceof ActionError)) throw error
      throw new ActionError(`[[fault]] ${at + 1}: ${error.message}`)
    }
  })
  const names = rules.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new ActionError(`Two rules have the name ${twice}.`)
  return rules
}
