/**
 * Chains that carry money into and out of the exchange, and networks: what an asset's deposits and withdrawals are
 * like on one chain. Plain values, decided by the control journal and handed to every thread.
 */
import type { AssetId, Atoms, ChainId, Ms, NetworkId } from '../base/units.ts'
import { addressPattern } from './address-pattern.ts'
import { isListedName } from './listed-name.ts'

/** How a chain writes addresses and ids of transactions. */
export const ADDRESS_FORMS = ['bitcoin', 'ethereum', 'tron', 'solana'] as const
export type AddressForm = (typeof ADDRESS_FORMS)[number]

export const CHAINS_MAX = 64
export const NETWORKS_MAX = 1024
export const BLOCK_MS_MIN = 100
export const BLOCK_MS_MAX = 24 * 60 * 60 * 1000
export const CONFIRMATIONS_MAX = 10_000
export const NETWORK_TEXT_CHARS_MAX = 128

export interface ChainSpec {
  readonly id: ChainId
  /** `network` of the protocol: ETH. */
  readonly name: string
  readonly addressForm: AddressForm
  /** Whether all accounts have one address, and a memo tells them apart. */
  readonly hasMemo: boolean
  readonly blockMs: number
  /** When its block 0 was made. */
  readonly genesisMs: Ms
  /** What its addresses and ids of transactions are made from: 64 hex digits. */
  readonly seed: string
}

export interface NetworkSpec {
  readonly id: NetworkId
  readonly chain: ChainId
  readonly asset: AssetId
  /** `name` of the protocol: Ethereum (ERC20). */
  readonly title: string
  /** market/address-pattern.ts */
  readonly addressRegex: string
  /** '' where a transfer has no memo. */
  readonly memoRegex: string
  /** Whether requests that name no network mean this one: one of an asset's networks. */
  readonly isDefault: boolean
  readonly depositEnabled: boolean
  readonly withdrawEnabled: boolean
  /** Blocks from the one with the transfer on, itself among them: to credit it, and to let it be withdrawn. */
  readonly minConfirm: number
  readonly unLockConfirm: number
  /** A smaller deposit is not credited. */
  readonly depositMin: Atoms
  readonly withdrawFee: Atoms
  readonly withdrawMin: Atoms
  readonly withdrawMax: Atoms
  /** `withdrawIntegerMultiple`: amounts are multiples of it. */
  readonly withdrawMultiple: Atoms
  /** The most that an account withdraws of the asset in 24 hours, on this network; 0: any amount. */
  readonly withdrawDayMax: Atoms
  /** A larger withdrawal waits for an operator's approval; 0: none does. */
  readonly approvalAbove: Atoms
  /** Shown to clients, such as why the network is suspended. */
  readonly depositText: string
  readonly withdrawText: string
}

/** The amounts of a network. */
export const networkAmounts = [
  'depositMin',
  'withdrawFee',
  'withdrawMin',
  'withdrawMax',
  'withdrawMultiple',
  'withdrawDayMax',
  'approvalAbove',
] as const
export type NetworkAmount = (typeof networkAmounts)[number]

/** Throws RangeError for a chain that cannot be. */
export function checkChain(chain: ChainSpec): void {
  const { name, addressForm, blockMs, genesisMs, seed } = chain
  const refuse = (why: string): never => {
    throw new RangeError(`chain ${name} is refused: ${why}`)
  }
  if (!isListedName(name)) refuse('its name is not one of capital letters and digits')
  if (!ADDRESS_FORMS.includes(addressForm)) refuse('its form of addresses is not known')
  if (!isWhole(blockMs, BLOCK_MS_MIN, BLOCK_MS_MAX)) {
    refuse(`a block takes ${BLOCK_MS_MIN} to ${BLOCK_MS_MAX} ms`)
  }
  if (!isWhole(genesisMs, 0, Number.MAX_SAFE_INTEGER)) refuse('its genesis is no time')
  if (!/^[0-9a-f]{64}$/.test(seed)) refuse('its seed is not 64 hex digits')
}

/** Throws RangeError for a network that cannot be. */
export function checkNetwork(network: NetworkSpec): void {
  const refuse = (why: string): never => {
    throw new RangeError(`network ${network.title} is refused: ${why}`)
  }
  const { addressRegex, memoRegex, minConfirm, unLockConfirm } = network
  const { withdrawMin, withdrawMax, withdrawMultiple } = network
  for (const text of [network.title, network.depositText, network.withdrawText]) {
    if (text.length > NETWORK_TEXT_CHARS_MAX) {
      refuse(`a text has at most ${NETWORK_TEXT_CHARS_MAX} characters`)
    }
  }
  for (const [regex, name] of [
    [addressRegex, 'addressRegex'],
    [memoRegex, 'memoRegex'],
  ] as const) {
    if (regex === '' && name === 'memoRegex') continue
    try {
      addressPattern(regex)
    } catch (error) {
      refuse(`in ${name}, ${(error as Error).message}`)
    }
  }
  if (!isWhole(minConfirm, 1, CONFIRMATIONS_MAX)) {
    refuse(`it credits after 1 to ${CONFIRMATIONS_MAX} confirmations`)
  }
  if (!isWhole(unLockConfirm, minConfirm, CONFIRMATIONS_MAX)) {
    refuse(`it unlocks after ${minConfirm} to ${CONFIRMATIONS_MAX} confirmations`)
  }
  if (withdrawMultiple < 1) refuse('amounts are multiples of at least 0.00000001')
  if (withdrawMin < 1 || withdrawMax < withdrawMin) {
    refuse('its largest withdrawal must be at least its least one, which is above 0')
  }
  if (networkAmounts.some((name) => network[name] < 0)) refuse('an amount is negative')
}

const isWhole = (value: number, least: number, most: number): boolean =>
  Number.isSafeInteger(value) && value >= least && value <= most
