/** Makes a scenario's actors act: on accounts of the key file, at the target's symbols. */
import { Prng } from '../../src/base/prng.ts'
import { UsageError } from '../command-line/usage-error.ts'
import { AccountOrders } from './account-orders.ts'
import { type Actor, actorOf, type Place } from './actors.ts'
import type { OrderNotes } from './checks/order-check.ts'
import type { AccountKey } from './keys.ts'
import type { ActorPlan } from './scenario.ts'

interface Role {
  readonly share: number
  /** One for each account; they take turns. */
  readonly actors: readonly Actor[]
  turn: number
}

export class Cast {
  private readonly ordersByAccount: ReadonlyMap<string, AccountOrders>
  private readonly roles: readonly Role[]
  private readonly shares: number
  private readonly prng: Prng

  /** `prefix` begins every client order id. Throws UsageError for an account that has no key. */
  constructor(
    plans: readonly ActorPlan[],
    keys: readonly AccountKey[],
    places: readonly Place[],
    check: OrderNotes,
    prefix: string,
    seed: number,
  ) {
    let ids = 0
    const nextId = () => `${prefix}${++ids}`
    const used = keysOf(plans, keys)
    this.ordersByAccount = new Map(
      used.map((key) => [key.account, new AccountOrders(key, check, nextId)]),
    )
    this.prng = new Prng(seed)
    this.roles = plans.map((plan, index) => {
      const own = keysOf([plan], keys)
      const actors = own.map((key, place) => {
        const prng = new Prng(seed + 1_000 * (index + 1) + place)
        return actorOf(plan, this.ordersByAccount.get(key.account)!, places, prng)
      })
      return { share: plan.share, actors, turn: 0 }
    })
    this.shares = plans.reduce((sum, { share }) => sum + share, 0)
  }

  get accountOrders(): readonly AccountOrders[] {
    return [...this.ordersByAccount.values()]
  }

  ordersOf(account: string): AccountOrders | undefined {
    return this.ordersByAccount.get(account)
  }

  /** The actor of the next arrival. */
  pick(): Actor {
    let at = this.prng.unit() * this.shares
    const role = this.roles.find(({ share }) => {
      at -= share
      return at < 0
    })
    const { actors, turn } = role ?? this.roles.at(-1)!
    if (role !== undefined) role.turn = (turn + 1) % actors.length
    return actors[turn]!
  }
}

/** The keys of the accounts that the plans name, each once. Throws UsageError. */
export function keysOf(
  plans: readonly ActorPlan[],
  keys: readonly AccountKey[],
): readonly AccountKey[] {
  const used = new Set<AccountKey>()
  for (const { accounts } of plans) {
    if (accounts.length === 0) for (const key of keys) used.add(key)
    for (const account of accounts) {
      const key =
        typeof account === 'number'
          ? keys[(account - 1) % keys.length]
          : keys.find((it) => it.account === account)
      if (key === undefined) throw new UsageError(`The key file has no account ${account}.`)
      used.add(key)
    }
  }
  return [...used]
}
