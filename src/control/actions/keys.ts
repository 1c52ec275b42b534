/** Actions on API keys. A secret is shown once, by the action that makes it. */
import { parseAddressRanges } from '../../base/address-range.ts'
import { GRANTED_ACCOUNTS_MAX } from '../../base/limits.ts'
import { isRevoked } from '../../market/key-spec.ts'
import { ActionError, type ActionParam, type Arguments, actionsOf } from '../action.ts'
import type { KeyFact } from '../facts.ts'
import { isWithdrawTo, keyText, WITHDRAW_TO_RULE } from '../keys.ts'
import type { Registry } from '../registry.ts'
import { counted } from '../words.ts'
import { accountNamed, accountOf, openAccountOf } from './named.ts'

const someAccount: ActionParam = {
  name: 'account',
  kind: 'text',
  about: 'Name or id of the account.',
}
const account: ActionParam = { ...someAccount, required: true }

const withdrawParam: ActionParam = {
  name: 'withdraw',
  kind: 'flag',
  about: 'Whether it may withdraw; off unless it is on.',
}
const withdrawToParam: ActionParam = {
  name: 'withdraw-to',
  kind: 'list',
  about: 'Addresses that it may withdraw to, as ADDRESS or ADDRESS:MEMO; any when left out.',
}

export const keyActions = actionsOf('keys', [
  {
    name: 'key-create',
    title: 'Create an API key',
    role: 'admin',
    example: 'key-create alice --addresses 10.0.0.0/8',
    about: 'Creates an API key. The secret of an HMAC key is shown this once.',
    params: [
      account,
      {
        name: 'kind',
        kind: 'text',
        about: "HMAC when left out. CUSTODIAL and CREDIT_LINE keys can't be used yet.",
        choices: ['HMAC', 'RSA', 'ED25519', 'CUSTODIAL', 'CREDIT_LINE'],
      },
      { name: 'public-key', kind: 'text', about: 'PEM of the owner; @path reads it from a file.' },
      { name: 'read', kind: 'flag', about: 'Whether it may read; on unless it is off.' },
      { name: 'trade', kind: 'flag', about: 'Whether it may trade; on unless it is off.' },
      withdrawParam,
      withdrawToParam,
      { name: 'addresses', kind: 'text', about: 'Addresses that may use it: 10.0.0.0/8, ::1.' },
    ],
    run: (args, { registry, vault, nowMs }) => {
      const owner = openAccountOf(args, registry)
      const apiKey = keyText()
      const rights = {
        account: owner.id,
        apiKey,
        ...rightsOf(args),
        ...withdrawalsOf(args),
        createdMs: nowMs,
      }
      const kind = args.text('kind', 'HMAC')
      const shown = { account: owner.name, kind, apiKey }
      const said = `A key of ${owner.name} is made.`
      if (kind === 'RSA' || kind === 'ED25519') {
        if (!args.has('public-key'))
          throw new ActionError(`A key of kind ${kind} needs public-key.`)
        const publicKey = `${args.text('public-key').trim()}\n`
        if (publicKey.startsWith('-----BEGIN') && !PEM.test(publicKey)) {
          throw new ActionError('public-key must be one PEM, and nothing else.')
        }
        return { facts: [{ fact: 'key', kind, publicKey, ...rights }], said, rows: [shown] }
      }
      if (args.has('public-key')) throw new ActionError(`A key of kind ${kind} has no public-key.`)
      const secretKey = keyText()
      const sealedSecret = vault.seal(secretKey, apiKey)
      return {
        facts: [{ fact: 'key', kind: 'HMAC', sealedSecret, ...rights, ...useOf(kind) }],
        said: `${said} Its secret is not shown again.`,
        rows: [{ ...shown, secretKey }],
      }
    },
  },
  {
    name: 'key-grant',
    title: "Let an API key read other accounts' reports",
    role: 'admin',
    example: 'key-grant API_KEY --accounts alice,bob',
    about:
      'Sets which accounts, beside its own, the drop copy of an API key has the reports of. ' +
      'Its drop copies end, and may be subscribed to again.',
    params: [
      { name: 'key', kind: 'text', about: 'The API key.', required: true },
      {
        name: 'accounts',
        kind: 'list',
        about: `Names or ids, at most ${GRANTED_ACCOUNTS_MAX}; without any, its own alone.`,
      },
    ],
    run: (args, { registry }) => {
      const key = usableKey(args, registry)
      if (!key.canRead) throw new ActionError('The API key may not read.')
      const named = args.list('accounts', [])
      const ids = named.map((name) => accountNamed(name, registry).id)
      const granted = [...new Set(ids)].filter((id) => id !== key.account)
      if (granted.length > GRANTED_ACCOUNTS_MAX) {
        throw new ActionError(`A key is granted at most ${GRANTED_ACCOUNTS_MAX} accounts.`)
      }
      const { granted: _, ...others } = key
      const fact = granted.length === 0 ? others : { ...others, granted }
      const owner = nameOf(key.account, registry)
      const reads = counted(granted.length, 'other account')
      return { facts: [fact], said: `A key of ${owner} reads the reports of ${reads}.` }
    },
  },
  {
    name: 'key-withdrawals',
    title: 'Set whether an API key may withdraw',
    role: 'admin',
    example: 'key-withdrawals API_KEY --withdraw on',
    about:
      'Sets whether an API key may withdraw, and to which addresses. What is not given is off, and any.',
    params: [
      { name: 'key', kind: 'text', about: 'The API key.', required: true },
      withdrawParam,
      withdrawToParam,
    ],
    run: (args, { registry }) => {
      const { canWithdraw: _, withdrawTo: __, ...key } = usableKey(args, registry)
      const withdrawals = withdrawalsOf(args)
      const { canWithdraw, withdrawTo } = withdrawals
      const may = canWithdraw ? 'may withdraw' : 'may not withdraw'
      const to = withdrawTo === undefined ? '' : ` to ${counted(withdrawTo.length, 'address')}`
      const said = `A key of ${nameOf(key.account, registry)} ${may}${to}.`
      return { facts: [{ ...key, ...withdrawals }], said }
    },
  },
  {
    name: 'key-revoke',
    title: 'Revoke an API key',
    role: 'support',
    example: 'key-revoke API_KEY',
    about:
      'Revokes an API key. Its requests are refused; its sessions, its subscriptions and the ' +
      "account's listen key end.",
    params: [{ name: 'key', kind: 'text', about: 'The API key.', required: true }],
    previews: (args, { registry }) => {
      const { account, apiKey } = registry.keys.get(args.text('key'))!
      const does = `Revoke the key ${apiKey.slice(0, 8)}… of ${nameOf(account, registry)} for good`
      return { does, note: 'Its sessions and streams end.', yes: 'Revoke' }
    },
    run: (args, { registry }) => {
      const key = usableKey(args, registry)
      const facts = [revokedKey(key)]
      return { facts, said: `A key of ${nameOf(key.account, registry)} is revoked.` }
    },
  },
  {
    name: 'keys',
    title: 'Show API keys',
    role: 'watch',
    example: 'keys alice',
    about: 'Shows the API keys, of one account or of all; never a secret.',
    params: [someAccount],
    rowAction: { name: 'key-revoke', label: 'Revoke', takes: { key: 'apiKey' } },
    run: (args, { registry }) => {
      const only = args.has('account') ? accountOf(args, registry).id : undefined
      const keys = [...registry.keys.values()].filter(
        (key) => only === undefined || key.account === only,
      )
      const rows = keys.map((key) => ({
        account: nameOf(key.account, registry),
        kind: kindOf(key),
        apiKey: key.apiKey,
        may: isRevoked(key) || !isOfExchange(key) ? 'nothing' : mayOf(key),
        from: key.addresses ?? 'anywhere',
        withdrawsTo: key.withdrawTo?.join(', ') ?? (key.canWithdraw ? 'anywhere' : ''),
        grants: (key.granted ?? []).map((id) => nameOf(id, registry)).join(', '),
      }))
      return { said: `${counted(rows.length, 'key')}.`, rows }
    },
  },
])

/** Returns the fact that revokes the key. */
export const revokedKey = ({ canWithdraw: _, withdrawTo: __, ...key }: KeyFact): KeyFact => ({
  ...key,
  canRead: false,
  canTrade: false,
})

function usableKey(args: Arguments, registry: Registry): KeyFact {
  const key = registry.keys.get(args.text('key'))
  if (key === undefined) throw new ActionError('There is no such API key.')
  if (isRevoked(key)) throw new ActionError('The API key is revoked already.')
  return key
}

/** With nothing before or behind it, which each fact of the key would carry. */
const PEM = /^-----BEGIN [A-Z ]{1,32}-----[A-Za-z0-9+/=\s]{1,4096}-----END [A-Z ]{1,32}-----\n$/

/** Each request of the key is compared with all of them. */
const KEY_RANGES_MAX = 256

function rightsOf(args: Arguments): Pick<KeyFact, 'canRead' | 'canTrade' | 'addresses'> {
  const canRead = args.flag('read', true)
  const canTrade = args.flag('trade', true)
  if (!canRead && !canTrade) throw new ActionError('A key must be able to read or to trade.')
  if (!args.has('addresses')) return { canRead, canTrade }
  const addresses = args.text('addresses')
  const ranges = parseAddressRanges(addresses)
  if (!ranges?.length) {
    throw new ActionError('addresses must be addresses and ranges with commas, 10.0.0.0/8, ::1.')
  }
  if (ranges.length > KEY_RANGES_MAX) {
    throw new ActionError(`A key has at most ${KEY_RANGES_MAX} addresses and ranges.`)
  }
  return { canRead, canTrade, addresses }
}

function withdrawalsOf(args: Arguments): Pick<KeyFact, 'canWithdraw' | 'withdrawTo'> {
  if (!args.flag('withdraw', false)) {
    if (args.has('withdraw-to')) throw new ActionError('withdraw-to needs withdraw (on).')
    return {}
  }
  if (!args.has('withdraw-to')) return { canWithdraw: true }
  const withdrawTo = args.list('withdraw-to')
  if (!isWithdrawTo(withdrawTo)) throw new ActionError(`withdraw-to must be ${WITHDRAW_TO_RULE}.`)
  return { canWithdraw: true, withdrawTo }
}

/** Keys of a custodian and of a credit line sign by HMAC, for endpoints that the exchange lacks. */
const useOf = (kind: string): Pick<KeyFact, 'use'> =>
  kind === 'CUSTODIAL' || kind === 'CREDIT_LINE' ? { use: kind } : {}

const isOfExchange = ({ use = 'EXCHANGE' }: KeyFact): boolean => use === 'EXCHANGE'
const kindOf = ({ kind, use = 'EXCHANGE' }: KeyFact): string => (use === 'EXCHANGE' ? kind : use)
const mayOf = ({ canRead, canTrade, canWithdraw }: KeyFact): string =>
  [canRead ? 'read' : '', canTrade ? 'trade' : '', canWithdraw ? 'withdraw' : '']
    .filter((right) => right !== '')
    .join(', ')
const nameOf = (id: number, { accounts }: Registry): string => accounts[id]?.name ?? String(id)
