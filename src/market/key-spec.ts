/** An API key as the judges of requests see it (rest-api.md, request security). */
import type { AddressRange } from '../base/address-range.ts'
import type { AccountId } from '../base/units.ts'

/** Its owner and its rights. */
export interface KeyRights {
  /** 64 letters and digits. */
  readonly apiKey: string
  /** Id of its owner. */
  readonly account: AccountId
  readonly canRead: boolean
  readonly canTrade: boolean
  /** Addresses that may use it; all when left out. */
  readonly addresses?: readonly AddressRange[]
  /** Accounts beside its own whose reports it may read in a drop copy; none when left out. */
  readonly granted?: readonly AccountId[]
}

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
