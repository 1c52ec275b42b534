/** An API key as the judges of requests see it (rest-api.md, request security). */
import type { AddressRange } from '../base/address-range.ts'
import type { AccountId, Ms } from '../base/units.ts'

/** Its owner and its rights. */
export interface KeyRights {
  /** 64 letters and digits. */
  readonly apiKey: string
  /** Id of its owner. */
  readonly account: AccountId
  readonly canRead: boolean
  readonly canTrade: boolean
  /** Whether it may withdraw; false when left out. */
  readonly canWithdraw?: boolean
  /** What it may withdraw to, as `address` or `address:memo`; to any address when left out. */
  readonly withdrawTo?: readonly string[]
  /** Left out of keys of earlier versions. */
  readonly createdMs?: Ms
  /** Addresses that may use it; all when left out. */
  readonly addresses?: readonly AddressRange[]
  /** Accounts beside its own whose reports it may read in a drop copy; none when left out. */
  readonly granted?: readonly AccountId[]
}

/** Addresses of one key. */
export const WITHDRAW_TO_MAX = 100

/** Whether the key withdraws to the address with the memo; without one it is ''. */
export const mayWithdrawTo = (
  { canWithdraw = false, withdrawTo }: Pick<KeyRights, 'canWithdraw' | 'withdrawTo'>,
  address: string,
  memo: string,
): boolean =>
  canWithdraw &&
  (withdrawTo === undefined || withdrawTo.includes(memo === '' ? address : `${address}:${memo}`))

/** Whether the key was revoked. */
export const isRevoked = ({
  canRead,
  canTrade,
}: Pick<KeyRights, 'canRead' | 'canTrade'>): boolean => !canRead && !canTrade

/** Signatures are HMAC-SHA256 under a secret that both sides know. */
export interface HmacKeySpec extends KeyRights {
  readonly kind: 'HMAC'
  readonly secretKey: string
}

/** Signatures are RSA (PKCS#1 v1.5, SHA-256) or Ed25519, under a private key that only the owner has. */
export interface PublicKeySpec extends KeyRights {
  readonly kind: 'RSA' | 'ED25519'
  /** PEM, `BEGIN PUBLIC KEY`. */
  readonly publicKey: string
}

export type KeySpec = HmacKeySpec | PublicKeySpec
