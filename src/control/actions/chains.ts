/** Actions on the chains that carry money, and on the networks of coins. All are in force at once. */
import { int64 } from '../../base/int64.ts'
import { WIRE_DECIMALS } from '../../base/limits.ts'
import { Atoms, ChainId, NetworkId } from '../../base/units.ts'
import { isListedName, LISTED_NAME_RULE } from '../../market/listed-name.ts'
import {
  ADDRESS_FORMS,
  BLOCK_MS_MAX,
  BLOCK_MS_MIN,
  CHAINS_MAX,
  type ChainSpec,
  CONFIRMATIONS_MAX,
  NETWORKS_MAX,
  type NetworkAmount,
  type NetworkSpec,
} from '../../market/network.ts'
import {
  ActionError,
  type ActionParam,
  type ActionRow,
  type Arguments,
  flagText,
  readAmount,
  type TableRow,
} from '../action.ts'
import type { NetworkFact } from '../facts.ts'
import type { Registry } from '../registry.ts'
import { chainFact, networkFact, usualNetwork } from '../usual-networks.ts'
import { counted } from '../words.ts'
import { absent, assetOf, shown } from './named.ts'

const chainParam: ActionParam = {
  name: 'chain',
  kind: 'text',
  about: 'Name of the chain.',
  required: true,
}
const coinParam: ActionParam = {
  name: 'coin',
  kind: 'text',
  about: 'Name of the asset.',
  required: true,
}

/** By parameter: the amount that it sets. */
const amountFields = {
  'deposit-min': ['depositMin', 'A smaller deposit is not credited; 0: any is.'],
  fee: ['withdrawFee', 'What a withdrawal costs.'],
  'withdraw-min': ['withdrawMin', 'The least withdrawal.'],
  'withdraw-max': ['withdrawMax', 'The largest withdrawal.'],
  multiple: ['withdrawMultiple', 'Withdrawals are multiples of it.'],
  'day-max': ['withdrawDayMax', 'The most that an account withdraws in 24 hours; 0: any amount.'],
  'approval-above': ['approvalAbove', 'A larger withdrawal waits for your approval; 0: none does.'],
} as const satisfies Record<string, readonly [NetworkAmount, string]>
const textFields = {
  title: ['title', 'Shown as its name; the name of the chain when left out.'],
  'address-regex': ['addressRegex', 'Pattern of its addresses, from ^ to $.'],
  'memo-regex': ['memoRegex', 'Pattern of memos; "": there are none.'],
  'deposit-text': ['depositText', 'Shown to clients, as the reason of a suspension.'],
  'withdraw-text': ['withdrawText', 'The same of withdrawals.'],
} as const
const countFields = {
  confirmations: ['minConfirm', 'Blocks until a deposit is credited.'],
  'unlock-confirmations': ['unLockConfirm', 'Blocks until it may be withdrawn.'],
} as const
const flagFields = {
  deposits: ['depositEnabled', 'Whether it takes deposits.'],
  withdrawals: ['withdrawEnabled', 'Whether it takes withdrawals.'],
  default: ['isDefault', 'Whether requests without a network mean it; the first one of a coin is.'],
} as const

const paramsOf = (
  kind: ActionParam['kind'],
  fields: Readonly<Record<string, readonly [string, string]>>,
): readonly ActionParam[] =>
  Object.entries(fields).map(([name, [, about]]) => ({ name, kind, about }))

const settingParams = [
  ...paramsOf('text', textFields),
  ...paramsOf('integer', countFields),
  ...paramsOf('text', amountFields),
  ...paramsOf('flag', flagFields),
]
export const chainKeys = ['form', 'block-seconds', 'memo'] as const
export const networkKeys = settingParams.map(({ name }) => name)

export const chainActions: readonly ActionRow[] = [
  {
    name: 'chain-list',
    title: 'List a chain',
    group: 'wallet',
    role: 'admin',
    example: 'chain-list ETH --form ethereum --block-seconds 12',
    about: 'Lists a simulated chain, which makes blocks from now on. It stays as it was listed.',
    isImmediate: true,
    params: [
      { ...chainParam, about: 'Name of the new chain.' },
      {
        name: 'form',
        kind: 'text',
        about: 'What its addresses look like.',
        choices: ADDRESS_FORMS,
        required: true,
      },
      {
        name: 'block-seconds',
        kind: 'amount',
        about: `A block takes ${BLOCK_MS_MIN / 1_000} to ${BLOCK_MS_MAX / 1_000} seconds.`,
        required: true,
      },
      {
        name: 'memo',
        kind: 'flag',
        about: 'Whether all accounts share an address; off unless on.',
      },
    ],
    run: (args, { registry, nowMs }) => {
      const name = args.text('chain')
      if (!isListedName(name)) throw new ActionError(`chain must be ${LISTED_NAME_RULE}.`)
      if (registry.chains.some((chain) => chain.name === name)) {
        throw new ActionError(`The chain ${name} is listed already.`)
      }
      const id = ChainId(registry.chains.length)
      if (id >= CHAINS_MAX) throw new ActionError(`There is room for ${CHAINS_MAX} chains.`)
      const fact = chainFact({ id, name, ...blocksOf(args), genesisMs: nowMs })
      return { facts: [fact], said: `Chain ${name} is listed.` }
    },
  },
  {
    name: 'coin-network-list',
    title: 'List a network of a coin',
    group: 'wallet',
    role: 'admin',
    example: 'coin-network-list USDT ETH --confirmations 6 --fee 4',
    about: 'Has a chain carry an asset into and out of the exchange.',
    isImmediate: true,
    params: [coinParam, chainParam, ...settingParams],
    run: (args, { registry }) => {
      const { asset, chain, network } = placeOf(args, registry)
      if (network !== undefined) {
        throw new ActionError(`The network of ${asset.name} on ${chain.name} is listed already.`)
      }
      const id = NetworkId(registry.networks.length)
      if (id >= NETWORKS_MAX) throw new ActionError(`There is room for ${NETWORKS_MAX} networks.`)
      const isFirst = !registry.networks.some((it) => it.asset === asset.id)
      const listed = settingsOf(args, usualNetwork(id, asset.id, chain, isFirst))
      const facts = factsOf(listed, registry)
      return { facts, said: `${asset.name} moves on the chain ${chain.name}.` }
    },
  },
  {
    name: 'coin-network-set',
    title: 'Change a network of a coin',
    group: 'wallet',
    role: 'admin',
    example: 'coin-network-set USDT ETH --fee 2.5',
    about: 'Changes what deposits and withdrawals of an asset on a chain are like.',
    isImmediate: true,
    params: [coinParam, chainParam, ...settingParams],
    presentBy: ['coin', 'chain'],
    present: (args, { registry }) => settingTexts(networkOf(args, registry)),
    run: (args, { registry }) => {
      const network = networkOf(args, registry)
      const facts = factsOf(settingsOf(args, network), registry)
      return { facts, said: `The network of ${nameOf(network, registry)} is set.` }
    },
  },
  {
    name: 'coin-network-suspend',
    title: 'Suspend a network of a coin',
    group: 'wallet',
    role: 'support',
    example: 'coin-network-suspend USDT ETH --only withdrawals',
    about: 'Takes no deposits and no withdrawals of an asset on a chain until it is resumed.',
    isImmediate: true,
    params: [
      coinParam,
      chainParam,
      { name: 'only', kind: 'text', about: 'One of both.', choices: ['deposits', 'withdrawals'] },
      { name: 'text', kind: 'text', about: 'What clients are shown about it.' },
    ],
    previews: (args, { registry }) => {
      const does = `Suspend ${onlyOf(args)} of ${nameOf(networkOf(args, registry), registry)}`
      const note = 'What arrives meanwhile is credited once it is resumed.'
      return { does, note: onlyOf(args) === 'withdrawals' ? '' : note, yes: 'Suspend' }
    },
    run: (args, { registry }) => {
      const facts = [networkFact(suspended(args, networkOf(args, registry), true))]
      const name = nameOf(networkOf(args, registry), registry)
      return { facts, said: `${capital(onlyOf(args))} of ${name} are suspended.` }
    },
  },
  {
    name: 'coin-network-resume',
    title: 'Resume a network of a coin',
    group: 'wallet',
    role: 'support',
    example: 'coin-network-resume USDT ETH',
    about: 'Takes deposits and withdrawals of an asset on a chain again.',
    isImmediate: true,
    params: [
      coinParam,
      chainParam,
      { name: 'only', kind: 'text', about: 'One of both.', choices: ['deposits', 'withdrawals'] },
    ],
    run: (args, { registry }) => {
      const facts = [networkFact(suspended(args, networkOf(args, registry), false))]
      const name = nameOf(networkOf(args, registry), registry)
      return { facts, said: `${capital(onlyOf(args))} of ${name} are resumed.` }
    },
  },
  {
    name: 'coin-networks',
    title: 'Show networks of coins',
    group: 'wallet',
    role: 'watch',
    example: 'coin-networks USDT',
    about: 'Shows which chains carry which assets, and what deposits and withdrawals are like.',
    isImmediate: true,
    params: [{ name: 'coin', kind: 'text', about: 'Only of this asset.' }],
    run: (args, { registry }) => {
      const only = args.has('coin') ? assetOf(args, registry, 'coin').id : undefined
      const rows = registry.networks
        .filter(({ asset }) => only === undefined || asset === only)
        .map((network) => rowOf(network, registry))
      return { said: `${counted(rows.length, 'network')}.`, rows }
    },
  },
]

function blocksOf(args: Arguments): Pick<ChainSpec, 'addressForm' | 'blockMs' | 'hasMemo'> {
  const blockMs = Number(args.amount('block-seconds', 3))
  if (blockMs < BLOCK_MS_MIN || blockMs > BLOCK_MS_MAX) {
    throw new ActionError(
      `block-seconds must be ${BLOCK_MS_MIN / 1_000} to ${BLOCK_MS_MAX / 1_000}.`,
    )
  }
  const addressForm = args.read({ kind: 'choice', choices: ADDRESS_FORMS }, 'form')
  return { addressForm, blockMs, hasMemo: args.flag('memo', false) }
}

export function chainOf(args: Arguments, { chains }: Registry): ChainSpec {
  const name = args.text('chain')
  const chain = chains.find((row) => row.name === name)
  if (chain === undefined) throw new ActionError(absent('chain', name, chains))
  return chain
}

function placeOf(args: Arguments, registry: Registry) {
  const asset = assetOf(args, registry, 'coin')
  const chain = chainOf(args, registry)
  const network = registry.networks.find((row) => row.asset === asset.id && row.chain === chain.id)
  return { asset, chain, network }
}

export function networkOf(args: Arguments, registry: Registry): NetworkSpec {
  const { asset, chain, network } = placeOf(args, registry)
  if (network !== undefined) return network
  throw new ActionError(`${chain.name} does not carry ${asset.name} (coin-network-list).`)
}

/** As BTC on BTC. */
export const nameOf = ({ asset, chain }: NetworkSpec, { assets, chains }: Registry): string =>
  `${assets[asset]?.name} on ${chains[chain]?.name}`

/** What is not given stays. Throws ActionError for a network that cannot be. */
function settingsOf(args: Arguments, before: NetworkSpec): NetworkSpec {
  const given = <Field>(
    fields: Readonly<Record<string, readonly [string, string]>>,
    read: (name: string) => Field,
  ) =>
    Object.entries(fields)
      .filter(([name]) => args.has(name))
      .map(([name, [field]]) => [field, read(name)] as const)
  const confirmations = (name: string) => args.integer(name, 1, CONFIRMATIONS_MAX)
  const changes: Partial<NetworkSpec> = Object.fromEntries([
    ...given(textFields, (name) => args.text(name)),
    ...given(countFields, confirmations),
    ...given(amountFields, (name) => amountOf(args, name)),
    ...given(flagFields, (name) => args.flag(name, true)),
  ])
  const network = { ...before, ...changes }
  const unLockConfirm = Math.max(network.minConfirm, network.unLockConfirm)
  if (before.isDefault && !network.isDefault) {
    throw new ActionError('A coin has a default: make another of its networks the default.')
  }
  return args.has('unlock-confirmations') ? network : { ...network, unLockConfirm }
}

/** Zero, or above. */
const amountOf = (args: Arguments, name: string): Atoms =>
  /^0+(\.0*)?$/.test(args.text(name))
    ? Atoms(0)
    : Atoms(int64(readAmount(name, args.text(name), WIRE_DECIMALS)))

/** Returns the fact of the network, and of the one that was the coin's default if this one is now. */
function factsOf(network: NetworkSpec, { networks }: Registry): NetworkFact[] {
  const before = networks.find(
    ({ id, asset, isDefault }) => asset === network.asset && isDefault && id !== network.id,
  )
  const facts = [networkFact(network)]
  if (network.isDefault && before !== undefined) {
    facts.push(networkFact({ ...before, isDefault: false }))
  }
  return facts
}

const onlyOf = (args: Arguments): string =>
  args.has('only') ? args.text('only') : 'deposits and withdrawals'

function suspended(args: Arguments, network: NetworkSpec, isSuspended: boolean): NetworkSpec {
  const only = args.has('only') ? args.text('only') : undefined
  const text = isSuspended && args.has('text') ? args.text('text') : ''
  return {
    ...network,
    ...(only !== 'withdrawals' && { depositEnabled: !isSuspended, depositText: text }),
    ...(only !== 'deposits' && { withdrawEnabled: !isSuspended, withdrawText: text }),
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const settingTexts = (network: NetworkSpec): Record<string, string> => ({
  ...textsOf(textFields, (field) => network[field]),
  ...textsOf(countFields, (field) => String(network[field])),
  ...textsOf(amountFields, (field) => shown(BigInt(network[field]))),
  ...textsOf(flagFields, (field) => flagText(network[field])),
})

const textsOf = <Field>(
  fields: Readonly<Record<string, readonly [Field, string]>>,
  text: (field: Field) => string,
): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, [field]]) => [name, text(field)]))

function rowOf(network: NetworkSpec, { assets, chains }: Registry): TableRow {
  return {
    coin: assets[network.asset]!.name,
    chain: chains[network.chain]!.name,
    name: network.title,
    default: network.isDefault,
    deposits: network.depositEnabled,
    withdrawals: network.withdrawEnabled,
    confirmations: network.minConfirm,
    unlock: network.unLockConfirm,
    fee: shown(BigInt(network.withdrawFee)),
    least: shown(BigInt(network.withdrawMin)),
    largest: shown(BigInt(network.withdrawMax)),
    dayMax: shown(BigInt(network.withdrawDayMax)),
    approvalAbove: shown(BigInt(network.approvalAbove)),
  }
}
