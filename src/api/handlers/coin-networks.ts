/** Which network of which coin a request means, and what networks have in common for answers. */
import type { Ms } from '../../base/units.ts'
import { heightAt, newChain } from '../../core/wallet/chain-time.ts'
import type { ChainRow } from '../../history/account-history.ts'
import type { AssetSpec } from '../../market/listing.ts'
import type { ChainSpec, NetworkSpec } from '../../market/network.ts'
import type { Context } from '../context.ts'
import type { ErrorId } from '../errors.ts'
import { RareParam } from '../parameters.ts'
import type { Params } from '../params.ts'

export interface CoinNetwork {
  readonly asset: AssetSpec
  readonly network: NetworkSpec
  readonly chain: ChainSpec
}

/** Returns the coin's network on the chain that is named, or its default one. `none`: what a coin without it is refused with. */
export function networkOf(
  params: Params,
  { assets, chains, networks }: Context,
  none: ErrorId,
): CoinNetwork | ErrorId {
  const coin = params.text(RareParam.coin)
  const asset = assets.find(({ name }) => name === coin)
  if (asset === undefined) return 'NO_SUCH_ASSET'
  const chainName = params.text(RareParam.network)
  const own = networks.filter((network) => network.asset === asset.id)
  const network = own.find(({ chain, isDefault }) =>
    chainName === undefined ? isDefault : chains[chain]!.name === chainName,
  )
  return network === undefined ? none : { asset, network, chain: chains[network.chain]! }
}

/** Returns the newest block of each chain at a time, by the events that the archive has. */
export async function heightsAt(
  timeMs: Ms,
  { chains, history }: Context,
): Promise<(chain: ChainSpec['id']) => number> {
  const changed = new Map<ChainSpec['id'], ChainRow>()
  for (const row of await history.chains({})) changed.set(row.chainId, row)
  return (id) => heightAt(changed.get(id) ?? newChain(chains[id]!), timeMs)
}

/** Confirmations of the block at a height: its own counts; none above `most`. */
export const confirmationsOf = (height: number, newest: number, most: number): number =>
  height === 0 ? 0 : Math.max(0, Math.min(most, newest - height + 1))
