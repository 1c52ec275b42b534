/** Actions on accounts: who may trade, and at what rates. */
import { LIMIT_MAX } from '../../base/limits.ts'
import { AccountId } from '../../base/units.ts'
import { EMAIL_FORM, emailOf, isEmail, SUB_ACCOUNTS_MAX } from '../../market/families.ts'
import {
  type AccountLimits,
  type AccountSpec,
  EXCHANGE_ACCOUNT,
  usualAccount,
} from '../../market/listing.ts'
import type { LatencyReading } from '../../shared/account-latency.ts'
import {
  type ActionContext,
  ActionError,
  type ActionParam,
  type Arguments,
  actionsOf,
  type ExchangeView,
  flagText,
  type Outcome,
  type TableRow,
} from '../action.ts'
import type { AccountFact, Fact } from '../facts.ts'
import type { Registry } from '../registry.ts'
import { counted } from '../words.ts'
import { revokedKey } from './keys.ts'
import {
  accountFact,
  accountOf,
  openAccount,
  openAccountOf,
  openOrdersOn,
  rateText,
  shown,
  stayText,
  symbolNamed,
} from './named.ts'
import { hasUnderWay } from './wallet.ts'

const someAccount: ActionParam = {
  name: 'account',
  kind: 'text',
  about: 'Name or id of the account.',
}
const account: ActionParam = { ...someAccount, required: true }
const rateParams: readonly ActionParam[] = [
  { name: 'maker', kind: 'rate', about: 'Share that makers pay, such as 0.001.' },
  { name: 'taker', kind: 'rate', about: 'Share that takers pay.' },
  { name: 'buyer', kind: 'rate', about: 'Share that buyers pay on top.' },
  { name: 'seller', kind: 'rate', about: 'Share that sellers pay on top.' },
]
const GROUP_MAX = 2 ** 31 - 1
const tradeGroup: ActionParam = {
  name: 'trade-group',
  kind: 'integer',
  about: 'Accounts of one group do not trade with each other; -1 for none.',
}
const email: ActionParam = {
  name: 'email',
  kind: 'text',
  about: 'Its address for transfers; NAME@ringbook.invalid without one.',
}
const master: ActionParam = {
  name: 'master',
  kind: 'text',
  about: 'Name or id of the account whose sub-account it is.',
}

/** Those of AccountLimits that are numbers. */
const limitNames = {
  'orders-per-second': 'ordersPerSecond',
  'orders-per-day': 'ordersPerDay',
  weight: 'weight',
  sessions: 'sessions',
  'open-orders': 'openOrders',
} as const
const limitParams: readonly ActionParam[] = [
  {
    name: 'orders-per-second',
    kind: 'integer',
    about: 'Unfilled orders; 0 for as many as others.',
  },
  { name: 'orders-per-day', kind: 'integer', about: 'Unfilled orders; 0 for as many as others.' },
  {
    name: 'weight',
    kind: 'integer',
    about: "Weight a minute of signed requests, apart from the address's; 0 for none of its own.",
  },
  { name: 'sessions', kind: 'integer', about: 'Connections logged on at once; 0 for any number.' },
  {
    name: 'open-orders',
    kind: 'integer',
    about: 'On all symbols, in place of EXCHANGE_MAX_NUM_ORDERS; 0 for as many as others.',
  },
  { name: 'bans', kind: 'flag', about: 'off: orders refused for their number ban no address.' },
]
export const accountLimitNames = limitParams.map(({ name }) => name)

export const accountActions = actionsOf('accounts', [
  {
    name: 'account-open',
    title: 'Open an account',
    role: 'admin',
    example: 'account-open alice --maker 0.001 --taker 0.001',
    about: 'Opens an account, or a sub-account of another.',
    params: [
      { ...account, about: 'Name of the new account.' },
      ...rateParams,
      tradeGroup,
      master,
      email,
    ],
    run: (args, { registry, view, nowMs }) => {
      const name = freeName(args, 'account', registry)
      const id = AccountId(registry.accounts.length)
      if (id >= view.accountsMax) {
        throw new ActionError(`There is room for ${view.accountsMax} accounts (--accounts).`)
      }
      const opened = { ...usualAccount, id, name }
      const fact = accountFact(opened, {
        ...ratesOf(args, opened),
        ...groupOf(args, opened),
        ...(args.has('master') && { master: masterOf(args, registry).id, openedMs: nowMs }),
        ...emailChange(args, registry),
      })
      return { facts: [fact], said: `Account ${name} is open; its id is ${id}.` }
    },
  },
  {
    name: 'account-rename',
    title: 'Rename an account',
    role: 'admin',
    example: 'account-rename alice alice.smith',
    about: 'Renames an account; its id, keys and orders stay.',
    params: [account, { name: 'name', kind: 'text', about: 'The new name.', required: true }],
    run: (args, { registry }) => {
      const found = ofAClient(openAccountOf(args, registry))
      const name = freeName(args, 'name', registry)
      const facts = [accountFact(found, { name })]
      return { facts, said: `Account ${found.name} is ${name} from now on.` }
    },
  },
  {
    name: 'account-email',
    title: "Set an account's e-mail address",
    role: 'admin',
    example: 'account-email alice alice@example.com',
    about: 'Sets the address that names an account in transfers between sub-accounts.',
    params: [account, { ...email, required: true }],
    run: (args, { registry }) => {
      const found = ofAClient(openAccountOf(args, registry))
      const change = emailChange(args, registry, found)
      const said = `The address of ${found.name} is ${change.email}.`
      return { facts: [accountFact(found, change)], said }
    },
  },
  {
    name: 'account-close',
    title: 'Close an account',
    role: 'admin',
    example: 'account-close alice',
    about: 'Closes an account that owns nothing and awaits nothing, and revokes its keys.',
    params: [account],
    previews: (args, { registry }) => {
      const found = openAccountOf(args, registry)
      const keys = counted(keysOf(found, registry).length, 'key')
      return {
        does: `Close the account ${found.name} for good, and revoke its ${keys}`,
        note: 'It can never be opened again.',
        yes: 'Close account',
        typed: found.name,
      }
    },
    run: async (args, context) => {
      const { registry, view } = context
      const found = ofAClient(openAccountOf(args, registry))
      const subs = counted(openSubAccounts(found, registry), 'sub-account')
      if (!subs.startsWith('0')) throw new ActionError(`${found.name} still has ${subs}.`)
      if (await hasUnderWay(found.id, context)) {
        throw new ActionError(`${found.name} still has deposits or withdrawals under way.`)
      }
      for (const asset of registry.assets) {
        const { free, locked } = view.balance(found.id, asset.id)
        if (free + locked !== 0n) {
          const owned = shown(free + locked)
          throw new ActionError(`${found.name} still owns ${owned} ${asset.name}.`)
        }
      }
      const keys = keysOf(found, registry)
      const revoked: Fact[] = keys.map(revokedKey)
      const ended = { canTrade: false, frozen: true, closed: true }
      return {
        facts: [accountFact(found, ended), ...revoked],
        said: closedText(found.name, keys.length),
      }
    },
  },
  {
    name: 'account-freeze',
    title: 'Freeze an account, or end that',
    role: 'support',
    example: 'account-freeze alice --cancel-orders on',
    about:
      'Stops an account from placing and canceling orders, or lifts that. Its stops and pending ' +
      'legs expire when they trigger; its resting orders stay and may trade.',
    params: [
      account,
      { name: 'frozen', kind: 'flag', about: 'on (default) or off.' },
      { name: 'cancel-orders', kind: 'flag', about: 'on: cancels all its open orders too.' },
    ],
    previews: (args, { registry, view }, { changesNothing }) => {
      if (changesNothing) return undefined
      const found = openAccountOf(args, registry)
      if (!args.flag('frozen', true))
        return { does: `Unfreeze ${found.name}`, note: '', yes: 'Unfreeze' }
      const count = openOrdersOn(registry.symbols, registry, view, found)
      const orders = counted(count, 'open order')
      if (!args.flag('cancel-orders', false)) {
        return { does: `Freeze ${found.name}`, note: stayText(count, 'Its'), yes: 'Freeze' }
      }
      const does = `Freeze ${found.name}, and cancel its ${orders}`
      return { does, note: '', yes: 'Freeze and cancel', typed: found.name }
    },
    run: (args, { registry }) => {
      const found = ofAClient(openAccountOf(args, registry))
      const frozen = args.flag('frozen', true)
      const cancels = args.flag('cancel-orders', false)
      if (cancels && !frozen) throw new ActionError('cancel-orders goes with frozen on.')
      const isSame = found.frozen === frozen
      const facts = isSame ? [] : [accountFact(found, { frozen })]
      const said = `Account ${found.name} is ${frozen ? 'frozen' : 'no longer frozen'}`
      if (!cancels) return { facts, said: `${said}.`, changesNothing: isSame }
      return { facts, said: `${said}; its open orders are canceled.`, cancels: ordersOf(found.id) }
    },
  },
  {
    name: 'account-permissions',
    title: 'Set what an account may trade',
    role: 'admin',
    example: 'account-permissions alice --trade off',
    about: 'Sets what an account may trade.',
    params: [
      account,
      { name: 'trade', kind: 'flag', about: 'Whether it may place orders at all.' },
      { name: 'permissions', kind: 'list', about: 'Such as SPOT, which every symbol requires.' },
      { name: 'closed-symbols', kind: 'list', about: 'Names of symbols closed to it.' },
    ],
    presentBy: ['account'],
    present: (args, { registry }) => {
      const { canTrade, permissions, restrictedSymbols } = accountOf(args, registry)
      const closed = restrictedSymbols.map((id) => registry.symbols[id]!.name)
      return {
        trade: flagText(canTrade),
        permissions: permissions.join(','),
        'closed-symbols': closed.join(','),
      }
    },
    run: (args, { registry }) => {
      const found = openAccountOf(args, registry)
      const { canTrade, permissions, restrictedSymbols } = found
      const closed = (): readonly number[] =>
        args.list('closed-symbols').map((name) => symbolNamed(name, registry).id)
      const changes = {
        canTrade: args.flag('trade', canTrade),
        permissions: args.list('permissions', permissions),
        restrictedSymbols: args.has('closed-symbols') ? closed() : restrictedSymbols,
      }
      return {
        facts: [accountFact(found, changes)],
        said: `Permissions of ${found.name} are set.`,
      }
    },
  },
  {
    name: 'account-trade-group',
    title: 'Put an account into a trade group',
    role: 'admin',
    example: 'account-trade-group alice 7',
    about: 'Puts an account into a trade group.',
    params: [account, { ...tradeGroup, required: true }],
    run: (args, { registry }) => {
      const found = openAccountOf(args, registry)
      const changes = groupOf(args, found)
      const said = `The trade group of ${found.name} is ${changes.tradeGroupId}.`
      return { facts: [accountFact(found, changes)], said }
    },
  },
  {
    name: 'account-fees',
    title: "Set an account's commission rates",
    role: 'admin',
    example: 'account-fees alice --taker 0.0005',
    about: 'Sets the standard commission rates of an account.',
    params: [account, ...rateParams],
    presentBy: ['account'],
    present: (args, { registry }) => rateTexts(accountOf(args, registry)),
    run: (args, { registry }) => {
      const found = openAccountOf(args, registry)
      if (!rateParams.some(({ name }) => args.has(name))) {
        throw new ActionError(
          'account-fees needs at least one rate: maker, taker, buyer or seller.',
        )
      }
      const fact = accountFact(found, ratesOf(args, found))
      return { facts: [fact], said: `Rates of ${found.name} are set for trades from now on.` }
    },
  },
  {
    name: 'account-limits',
    title: "Set an account's own limits",
    role: 'admin',
    example: 'account-limits alice --orders-per-second 100 --bans off',
    about:
      "Sets an account's own limits, which its answers and headers show in place of the " +
      "exchange's. They hold where limits are on, and open orders always.",
    params: [account, ...limitParams],
    presentBy: ['account'],
    present: (args, { registry }) => limitTexts(accountOf(args, registry)),
    run: (args, { registry }) => {
      const found = ofAClient(openAccountOf(args, registry))
      if (!accountLimitNames.some((name) => args.has(name))) {
        throw new ActionError(
          `account-limits needs at least one of ${accountLimitNames.join(', ')}.`,
        )
      }
      const { limits: before, ...others } = found
      const limits = limitsOf(args, before)
      const facts = [accountFact(others, limits && { limits })]
      return { facts, said: `Limits of ${found.name} are set.` }
    },
  },
  {
    name: 'account-discount',
    title: 'Set whether an account pays in the discount asset',
    role: 'admin',
    example: 'account-discount alice on',
    about: 'Sets whether an account pays commissions in the discount asset.',
    params: [account, { name: 'discount', kind: 'flag', about: 'on (default) or off.' }],
    run: (args, { registry }) => {
      const found = openAccountOf(args, registry)
      const discountEnabled = args.flag('discount', true)
      const said = `The discount of ${found.name} is ${discountEnabled ? 'on' : 'off'}.`
      return { facts: [accountFact(found, { discountEnabled })], said }
    },
  },
  {
    name: 'accounts',
    title: 'Show the accounts',
    role: 'watch',
    example: 'accounts',
    about: 'Shows the accounts.',
    params: [],
    run: (_, { registry }) => ({
      said: `${counted(registry.accounts.length, 'account')}.`,
      rows: registry.accounts.map((row) => accountRow(row, registry)),
    }),
  },
  {
    name: 'latency',
    title: "Show how long accounts' orders take",
    role: 'watch',
    example: 'latency alice',
    about:
      'Shows how long timed orders took, of one account by stage, or in all of every account that was ' +
      'timed lately. Microseconds; percentiles are upper bounds.',
    params: [someAccount],
    run: latencyOf,
  },
  {
    name: 'balances',
    title: "Show an account's balances",
    role: 'watch',
    example: 'balances alice',
    about: 'Shows the balances of an account.',
    params: [account],
    run: (args, { registry, view }) => balancesOf(accountOf(args, registry), registry, view),
  },
])

const keysOf = ({ id }: AccountSpec, { keys }: Registry) =>
  [...keys.values()].filter(({ account }) => account === id)

function freeName(args: Arguments, param: string, { accounts }: Registry): string {
  const name = args.name(param)
  const isTaken = accounts.some((row) => row?.name === name)
  if (!isTaken && !/^[0-9]+$/.test(name)) return name
  throw new ActionError(`The name ${name} ${isTaken ? 'is taken' : 'would be read as an id'}.`)
}

const openSubAccounts = ({ id }: AccountSpec, { accounts, closedAccounts }: Registry): number =>
  accounts.filter((row) => row.master === id && !closedAccounts.has(row.id)).length

function masterOf(args: Arguments, registry: Registry): AccountSpec {
  const found = ofAClient(openAccount(args.text('master'), registry))
  if (found.master !== undefined) throw new ActionError(`${found.name} is a sub-account itself.`)
  if (registry.accounts.filter((row) => row.master === found.id).length < SUB_ACCOUNTS_MAX) {
    return found
  }
  throw new ActionError(`There is room for ${SUB_ACCOUNTS_MAX} sub-accounts of ${found.name}.`)
}

/** `whose` may keep its own. */
function emailChange(
  args: Arguments,
  { accounts }: Registry,
  whose?: AccountSpec,
): { readonly email?: string } {
  if (!args.has('email')) return {}
  const email = args.text('email')
  if (!isEmail(email)) throw new ActionError(`email must be ${EMAIL_FORM}.`)
  const other = accounts.find((row) => row.email === email && row.id !== whose?.id)
  if (other === undefined) return { email }
  throw new ActionError(`The account ${other.name} has the address ${email}.`)
}

/** The client order id of the cancels names the action. */
const ordersOf = (account: AccountId) => ({
  account,
  symbolId: undefined,
  clientOrderId: 'account-freeze',
})

function closedText(name: string, keys: number): string {
  const verb = keys === 1 ? 'is' : 'are'
  return `Account ${name} is closed; ${counted(keys, 'key')} ${verb} revoked.`
}

function ofAClient(found: AccountSpec): AccountSpec {
  if (found.id !== EXCHANGE_ACCOUNT) return found
  throw new ActionError("Account 0 is the exchange's own, and stays open.")
}

type Changes = Partial<Omit<AccountFact, 'fact' | 'id'>>

function ratesOf(args: Arguments, before: AccountSpec): Changes {
  return {
    makerRate: args.rate('maker', before.makerRate),
    takerRate: args.rate('taker', before.takerRate),
    buyerRate: args.rate('buyer', before.buyerRate),
    sellerRate: args.rate('seller', before.sellerRate),
  }
}

/** 0 takes a limit away. */
function limitsOf(args: Arguments, limits: AccountLimits = {}): AccountLimits | undefined {
  const numbers = Object.entries(limitNames).flatMap(([param, name]) => {
    const value = args.integer(param, 0, LIMIT_MAX, limits[name] ?? 0)
    return value === 0 ? [] : [[name, value] as const]
  })
  const bans = args.flag('bans', limits.bansNone !== true)
  if (numbers.length === 0 && bans) return undefined
  return { ...Object.fromEntries(numbers), ...(!bans && { bansNone: true }) }
}

function limitTexts({ limits = {} }: AccountSpec): Readonly<Record<string, string>> {
  const numbers = Object.entries(limitNames).map(([param, name]) => [param, `${limits[name] ?? 0}`])
  return { ...Object.fromEntries(numbers), bans: flagText(limits.bansNone !== true) }
}

const rateTexts = ({ makerRate, takerRate, buyerRate, sellerRate }: AccountSpec) => ({
  maker: rateText(makerRate),
  taker: rateText(takerRate),
  buyer: rateText(buyerRate),
  seller: rateText(sellerRate),
})

function groupOf(args: Arguments, before: AccountSpec): { readonly tradeGroupId: number } {
  return { tradeGroupId: args.integer('trade-group', -1, GROUP_MAX, before.tradeGroupId) }
}

function accountRow(row: AccountSpec, { accounts, closedAccounts }: Registry): TableRow {
  const state = row.frozen ? 'frozen' : row.canTrade ? 'open' : 'may not trade'
  return {
    id: row.id,
    account: row.name,
    state: closedAccounts.has(row.id) ? 'closed' : state,
    master: row.master === undefined ? '' : accounts[row.master]!.name,
    email: emailOf(row),
    maker: rateText(row.makerRate),
    taker: rateText(row.takerRate),
    group: row.tradeGroupId,
    discount: row.discountEnabled,
  }
}

function latencyOf(args: Arguments, { registry, view }: ActionContext): Outcome {
  const { latency } = view
  if (args.has('account')) {
    const found = accountOf(args, registry)
    const rows = latency.read(found.id).map((row) => ({ stage: row.name, ...latencyRow(row) }))
    return { said: `Stages of timed orders of ${found.name}, microseconds.`, rows }
  }
  const rows = latency.accounts().map((id) => {
    const inAll = latency.read(id).find(({ name }) => name === 'order')!
    return { account: registry.accounts[id]?.name ?? String(id), ...latencyRow(inAll) }
  })
  return { said: `Timed orders of ${counted(rows.length, 'account')}, microseconds.`, rows }
}

function latencyRow({ count, mean, p50, p90, p99, p999 }: LatencyReading): TableRow {
  const [meanUs, ...us] = [mean, p50, p90, p99, p999].map((ns) => Math.round(ns / 1_000))
  return { orders: count, mean: meanUs!, p50: us[0]!, p90: us[1]!, p99: us[2]!, p999: us[3]! }
}

function balancesOf(found: AccountSpec, registry: Registry, view: ExchangeView) {
  const rows: TableRow[] = registry.assets.map((asset) => {
    const { free, locked } = view.balance(found.id, asset.id)
    const outside = registry.externallyLocked(found.id, asset.id)
    return {
      asset: asset.name,
      free: shown(free),
      locked: shown(locked),
      lockedFromOutside: shown(outside),
    }
  })
  return { said: `Balances of ${found.name}.`, rows }
}
