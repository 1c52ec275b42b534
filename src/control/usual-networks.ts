/** What chains and networks are like unless an operator wants them otherwise, and those of the demo. */
import { createHash } from 'node:crypto'
import { parseDecimal } from '../base/fixed.ts'
import { WIRE_DECIMALS } from '../base/limits.ts'
import { type AssetId, Atoms, ChainId, type Ms, NetworkId } from '../base/units.ts'
import {
  type AddressForm,
  type ChainSpec,
  type NetworkSpec,
  networkAmounts,
} from '../market/network.ts'
import type { ChainFact, NetworkFact } from './facts.ts'

const BASE58 = '[1-9A-HJ-NP-Za-km-z]'
const addressRegexes: Readonly<Record<AddressForm, string>> = {
  bitcoin: `^bc1[02-9ac-hj-np-z]{39,59}$|^[13]${BASE58}{25,34}$`,
  ethereum: '^0x[0-9A-Fa-f]{40}$',
  tron: `^T${BASE58}{33}$`,
  solana: `^${BASE58}{32,44}$`,
}
const MEMO_REGEX = '^[0-9]{1,10}$'

/** Ten billion of an asset. */
const WITHDRAW_MAX = Atoms(10n ** 10n * 10n ** BigInt(WIRE_DECIMALS))

type ListedChain = Pick<
  ChainSpec,
  'id' | 'name' | 'addressForm' | 'hasMemo' | 'blockMs' | 'genesisMs'
>

/** Its addresses are the same wherever a chain of the name is listed. */
export const chainFact = (chain: ListedChain): ChainFact => ({
  fact: 'chain',
  ...chain,
  seed: createHash('sha256').update(chain.name).digest('hex'),
})

/** Returns a network of the asset that costs nothing and confirms with the first block. */
export function usualNetwork(
  id: NetworkId,
  asset: AssetId,
  { id: chain, name, addressForm, hasMemo }: ListedChain,
  isDefault: boolean,
): NetworkSpec {
  return {
    id,
    chain,
    asset,
    title: name,
    addressRegex: addressRegexes[addressForm],
    memoRegex: hasMemo ? MEMO_REGEX : '',
    isDefault,
    depositEnabled: true,
    withdrawEnabled: true,
    minConfirm: 1,
    unLockConfirm: 1,
    depositMin: Atoms(0),
    withdrawFee: Atoms(0),
    withdrawMin: Atoms(1),
    withdrawMax: WITHDRAW_MAX,
    withdrawMultiple: Atoms(1),
    withdrawDayMax: Atoms(0),
    approvalAbove: Atoms(0),
    depositText: '',
    withdrawText: '',
  }
}

export function networkFact(network: NetworkSpec): NetworkFact {
  const texts = networkAmounts.map((name) => [name, String(network[name])])
  return { fact: 'network', ...network, ...Object.fromEntries(texts) }
}

interface DemoChain {
  readonly name: string
  readonly addressForm: AddressForm
  readonly blockMs: number
  readonly title: string
  readonly minConfirm: number
  readonly unLockConfirm: number
  /** By asset, its default network first: fee and least amount of a withdrawal. */
  readonly coins: Readonly<Record<string, readonly [fee: string, least: string]>>
}

const demoChains: readonly DemoChain[] = [
  {
    name: 'BTC',
    addressForm: 'bitcoin',
    blockMs: 600_000,
    title: 'Bitcoin',
    minConfirm: 1,
    unLockConfirm: 2,
    coins: { BTC: ['0.0001', '0.001'] },
  },
  {
    name: 'ETH',
    addressForm: 'ethereum',
    blockMs: 12_000,
    title: 'Ethereum (ERC20)',
    minConfirm: 6,
    unLockConfirm: 64,
    coins: { ETH: ['0.001', '0.01'], USDT: ['4', '10'] },
  },
  {
    name: 'TRX',
    addressForm: 'tron',
    blockMs: 3_000,
    title: 'Tron (TRC20)',
    minConfirm: 1,
    unLockConfirm: 20,
    coins: { USDT: ['1', '10'] },
  },
  {
    name: 'SOL',
    addressForm: 'solana',
    blockMs: 400,
    title: 'Solana',
    minConfirm: 1,
    unLockConfirm: 32,
    coins: { SOL: ['0.001', '0.1'], USDT: ['0.5', '10'] },
  },
]

/** Returns the chains of the demo, and the networks of its assets. */
export function demoNetworks(
  assetIds: ReadonlyMap<string, AssetId>,
  genesisMs: Ms,
): (ChainFact | NetworkFact)[] {
  const facts: (ChainFact | NetworkFact)[] = []
  const known = new Set<AssetId>()
  let networks = 0
  for (const [at, row] of demoChains.entries()) {
    const { name, addressForm, blockMs, title, minConfirm, unLockConfirm, coins } = row
    const chain = chainFact({
      id: ChainId(at),
      name,
      addressForm,
      hasMemo: false,
      blockMs,
      genesisMs,
    })
    facts.push(chain)
    for (const [coin, amounts] of Object.entries(coins)) {
      const asset = assetIds.get(coin)!
      const [withdrawFee, withdrawMin] = amounts.map((text) =>
        Atoms(parseDecimal(text, WIRE_DECIMALS)),
      ) as [Atoms, Atoms]
      const usual = usualNetwork(NetworkId(networks++), asset, chain, !known.has(asset))
      known.add(asset)
      const changed = { title, minConfirm, unLockConfirm, withdrawFee, withdrawMin }
      facts.push(networkFact({ ...usual, ...changed }))
    }
  }
  return facts
}
