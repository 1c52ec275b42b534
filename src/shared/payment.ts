/** A withdrawal that is to be paid on its chain, as plain values between a matcher and the main part. */
import type { WithdrawalDecision } from '../base/codes.ts'
import type { AssetId, Atoms, NetworkId } from '../base/units.ts'
import type { ChainSpec } from '../market/network.ts'

export interface Payment {
  readonly withdrawalId: number
  readonly chain: ChainSpec
  readonly networkId: NetworkId
  readonly assetId: AssetId
  readonly atoms: Atoms
  readonly address: string
  /** '' for none. */
  readonly tag: string
  /** The journaled transaction, on the disk; '' before there is one. */
  readonly txId: string
  readonly transaction: string
}

/** What the sender has done with it. */
export interface PaymentStep {
  readonly kind: 'payment'
  readonly withdrawalId: number
  readonly decision: typeof WithdrawalDecision.SIGN | typeof WithdrawalDecision.SEND
  readonly txId: string
  readonly transaction: string
}
