/** Puts one account of the sandbox back to what it was given, by facts as any that move money. */
import { pause } from '../../base/time.ts'
import { type AccountSpec, EXCHANGE_ACCOUNT } from '../../market/listing.ts'
import { type ActionContext, ActionError, type Arguments, actionsOf } from '../action.ts'
import type { Fact } from '../facts.ts'
import { counted } from '../words.ts'
import { SANDBOX_OFF } from './faults.ts'
import { openAccountOf } from './named.ts'

/** Looks whether what orders locked is free again, and the time between them. */
const LOOKS = 400
const LOOK_MS = 5

export const accountResetActions = actionsOf('sandbox', [
  {
    name: 'reset-account',
    title: 'Put an account back to what it was given',
    role: 'admin',
    example: 'reset-account alice',
    about: "Cancels an account's orders, and puts its balances back to what it was given.",
    params: [
      { name: 'account', kind: 'text', about: 'Name or id of the account.', required: true },
    ],
    previews: (args, context) => {
      const { id, name } = resettable(args, context)
      const { registry, view } = context
      const count = registry.symbols.reduce((sum, it) => sum + view.openOrders(it.id, id), 0)
      return {
        does: `Reset ${name}, which has ${counted(count, 'open order')}`,
        note: 'Its balances become its deposits less its withdrawals. Its history stays.',
        yes: 'Reset',
      }
    },
    run: (args, context) => {
      const account = resettable(args, context)
      return {
        said: `${account.name} has no open orders, and what it was given.`,
        cancels: { account: account.id, symbolId: undefined, clientOrderId: 'reset-account' },
        settles: () => factsOf(account, context),
      }
    },
  },
])

function resettable(args: Arguments, { registry, view }: ActionContext): AccountSpec {
  if (view.states === undefined) throw new ActionError(SANDBOX_OFF)
  const account = openAccountOf(args, registry)
  if (account.id !== EXCHANGE_ACCOUNT) return account
  throw new ActionError('The account of the exchange has what it earned, and was given nothing.')
}

/**
 * Resolves to the difference in each asset, once what canceled orders locked is free. What a trade moves at the same
 * time counts as behind the reset: differences add up.
 */
async function factsOf(account: AccountSpec, context: ActionContext): Promise<readonly Fact[]> {
  const { registry, time, nowMs: timeMs } = context
  const isLocked = () => registry.assets.some(({ id }) => lockedByOrders(account, id, context) > 0n)
  for (let looks = 0; isLocked(); looks++) {
    if (looks === LOOKS) {
      throw new ActionError(`${account.name} keeps placing orders: stop its client first.`)
    }
    await pause(time.wall, LOOK_MS)
  }
  return registry.assets.flatMap(({ id, name }) => {
    const atoms = difference(account, id, context)
    if (atoms === 0n) return []
    if (atoms > registry.roomFor(id)) throw new ActionError(`There is no room for so much ${name}.`)
    const fact = atoms > 0n ? ('deposit' as const) : ('withdrawal' as const)
    const moved = String(atoms > 0n ? atoms : -atoms)
    return [{ fact, account: account.id, asset: id, atoms: moved, timeMs, reset: true as const }]
  })
}

type AssetIdOf = Parameters<ActionContext['view']['balance']>[1]

const lockedByOrders = ({ id }: AccountSpec, asset: AssetIdOf, { registry, view }: ActionContext) =>
  view.balance(id, asset).locked - registry.externallyLocked(id, asset)

/** What is locked from outside stays. */
function difference({ id }: AccountSpec, asset: AssetIdOf, { registry, view }: ActionContext) {
  const { free, locked } = view.balance(id, asset)
  const wanted = registry.given(id, asset) - locked
  return (wanted > 0n ? wanted : 0n) - free
}
