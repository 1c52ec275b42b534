/** What the wallet answers to operators, for tests without one. */
import { DepositStatus, WithdrawalStatus } from '../../../src/base/codes.ts'
import { AccountId, AssetId, Atoms, ChainId, Ms, NetworkId } from '../../../src/base/units.ts'
import type { WalletAnswer } from '../../../src/shared/operator-query.ts'

export const nothing: WalletAnswer = {
  deposits: [],
  withdrawals: [],
  isKnown: false,
  isWhole: true,
}

/** Of alice, in USDT, over the first network. */
const terms = {
  account: AccountId(1),
  networkId: NetworkId(0),
  assetId: AssetId(1),
  chainId: ChainId(0),
}
export const depositOf = (depositId: number): WalletAnswer['deposits'][number] => ({
  ...terms,
  status: DepositStatus.PENDING,
  depositId,
  atoms: Atoms(250_000_000),
  height: 17,
  insertMs: Ms(1_000),
  completeMs: Ms(0),
  minConfirm: 1,
  unlockConfirm: 1,
  transferType: 0,
  requestId: '',
  txId: '0xab',
  address: '0xcd',
  tag: '',
})
export const withdrawalOf = (withdrawalId: number): WalletAnswer['withdrawals'][number] => ({
  ...terms,
  status: WithdrawalStatus.AWAITING_APPROVAL,
  withdrawalId,
  atoms: Atoms(2n ** 62n),
  feeAtoms: Atoms(4),
  applyMs: Ms(1_000),
  completeMs: Ms(0),
  height: 0,
  transferType: 0,
  walletType: 0,
  reason: 0,
  confirmations: 1,
  spare: 0,
  requestId: 'w-1',
  address: '0xcd',
  tag: '7',
  txId: '',
})
