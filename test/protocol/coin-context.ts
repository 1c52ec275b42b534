/** A context whose coins have networks: USDT on two chains, ETH by default and TRX with a memo; BTC on none. */
import { FakeContext } from '../../bench/workloads/fake-context.ts'
import { AssetId, Atoms, ChainId, Ms, NetworkId } from '../../src/base/units.ts'
import { chainFact, usualNetwork } from '../../src/control/usual-networks.ts'
import type { NetworkSpec } from '../../src/market/network.ts'

const USDT = AssetId(0)
const listed = { blockMs: 12_000, genesisMs: Ms(0) }
export const eth = chainFact({
  ...listed,
  id: ChainId(0),
  name: 'ETH',
  addressForm: 'ethereum',
  hasMemo: false,
})
export const trx = chainFact({
  ...listed,
  id: ChainId(1),
  name: 'TRX',
  addressForm: 'tron',
  hasMemo: true,
})

export function coinContext(onEth: Partial<NetworkSpec> = {}): FakeContext {
  const context = new FakeContext()
  context.chains = [eth, trx]
  const usual = usualNetwork(NetworkId(0), USDT, eth, true)
  const amounts = {
    withdrawFee: Atoms(100_000_000),
    withdrawMin: Atoms(200_000_000),
    withdrawMultiple: Atoms(1_000),
  }
  context.networks = [
    { ...usual, minConfirm: 6, unLockConfirm: 64, ...amounts, ...onEth },
    usualNetwork(NetworkId(1), USDT, trx, false),
  ]
  return context
}
