/** Actions that move money into, out of and within accounts. */
import { WIRE_DECIMALS } from '../../base/limits.ts'
import type { AccountSpec } from '../../market/listing.ts'
import {
  type ActionContext,
  ActionError,
  type ActionParam,
  type Arguments,
  actionsOf,
} from '../action.ts'
import { accountOf, amountText, assetOf, notEnough, openAccountOf, shown } from './named.ts'

const movement: readonly ActionParam[] = [
  { name: 'account', kind: 'text', about: 'Name or id of the account.', required: true },
  { name: 'asset', kind: 'text', about: 'Name of the asset.', required: true },
  { name: 'amount', kind: 'amount', about: 'How much, as a decimal.', required: true },
]
/** A withdrawal of more than one part in so many of all there is of the asset is large. */
const LARGE_SHARE = 10n
const CATEGORY = /^[\w .-]{1,64}$/

export const moneyActions = actionsOf('money', [
  {
    name: 'deposit',
    title: 'Credit an account',
    role: 'admin',
    example: 'deposit alice USDT 10000',
    about: 'Credits an account.',
    params: movement,
    run: (args, context) => {
      const account = openAccountOf(args, context.registry)
      const { fact, text } = movementOf(args, account, context)
      const said = `${account.name} was credited with ${text}.`
      return { facts: [{ fact: 'deposit', ...fact }], said }
    },
  },
  {
    name: 'distribute',
    title: 'Credit an account in a category',
    role: 'admin',
    example: 'distribute alice USDT 5 rebate',
    about: 'Credits an account in a category, such as rebate.',
    params: [
      ...movement,
      { name: 'category', kind: 'text', about: 'The category, such as rebate.', required: true },
    ],
    run: (args, context) => {
      const category = args.text('category')
      if (!CATEGORY.test(category)) {
        throw new ActionError('category must be letters, digits, spaces, _ . and -, at most 64.')
      }
      const account = openAccountOf(args, context.registry)
      const { fact, text } = movementOf(args, account, context)
      const said = `${account.name} was given ${text} as ${category}.`
      return { facts: [{ fact: 'deposit', ...fact, category }], said }
    },
  },
  {
    name: 'withdraw',
    title: 'Debit an account',
    role: 'admin',
    example: 'withdraw alice USDT 10000',
    about: 'Debits the free balance of an account.',
    params: [
      ...movement,
      {
        name: 'yes',
        kind: 'flag',
        about: 'Confirms more than half of what is free, or than a tenth of all of the asset.',
      },
    ],
    previews: (args, context) => {
      const account = accountOf(args, context.registry)
      const { fact, asset } = movementOf(args, account, context)
      const { free, locked } = context.view.balance(account.id, asset.id)
      const atoms = BigInt(fact.atoms)
      if (atoms > free) throw new ActionError(notEnough(account.name, free, asset.name))
      const isLarge = 2n * atoms > free || LARGE_SHARE * atoms > context.view.total(asset.id)
      return {
        does: `Withdraw ${amountText(atoms)} ${asset.name} from ${account.name}`,
        note: `It keeps ${amountText(free - atoms)} free and ${amountText(locked)} locked.`,
        yes: 'Withdraw',
        ...(isLarge && { typed: account.name, needsYes: true as const }),
      }
    },
    run: (args, context) => {
      const account = accountOf(args, context.registry)
      const { fact, text } = movementOf(args, account, context)
      const said = `${account.name} withdrew ${text}.`
      return { facts: [{ fact: 'withdrawal', ...fact }], said }
    },
  },
  {
    name: 'lock',
    title: 'Lock balance for an external system',
    role: 'admin',
    example: 'lock alice USDT 100',
    about: 'Locks free balance of an account for an external system.',
    params: movement,
    run: (args, context) => {
      const account = accountOf(args, context.registry)
      const { fact, text } = movementOf(args, account, context)
      return { facts: [{ fact: 'lock', ...fact }], said: `${text} of ${account.name} is locked.` }
    },
  },
  {
    name: 'unlock',
    title: 'Unlock such balance',
    role: 'admin',
    example: 'unlock alice USDT 100',
    about: 'Unlocks balance that was locked for an external system.',
    params: movement,
    run: (args, context) => {
      const account = accountOf(args, context.registry)
      const { fact, text, asset } = movementOf(args, account, context)
      const locked = context.registry.externallyLocked(account.id, asset.id)
      if (BigInt(fact.atoms) > locked) {
        const most = shown(locked)
        throw new ActionError(
          `Only ${most} ${asset.name} of ${account.name} is locked from outside.`,
        )
      }
      const back = { ...fact, atoms: `-${fact.atoms}` }
      return { facts: [{ fact: 'lock', ...back }], said: `${text} of ${account.name} is unlocked.` }
    },
  },
])

function movementOf(args: Arguments, { id }: AccountSpec, { registry, nowMs }: ActionContext) {
  const asset = assetOf(args, registry)
  const atoms = args.amount('amount', WIRE_DECIMALS)
  const fact = { account: id, asset: asset.id, atoms: atoms.toString(), timeMs: nowMs }
  return { fact, asset, text: `${shown(atoms)} ${asset.name}` }
}
