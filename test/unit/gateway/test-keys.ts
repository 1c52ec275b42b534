/** Keys with a private half, made for each test file. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { AccountId } from '../../../src/base/units.ts'
import type { KeyRights, PublicKeySpec } from '../../../src/market/key-spec.ts'

export interface SigningKey {
  /** What the exchange knows of it. */
  readonly spec: PublicKeySpec
  /** Base64, not encoded for an address. */
  sign(text: string): string
}

const digests = { RSA: 'sha256', ED25519: null } as const

function pairOf(kind: PublicKeySpec['kind'], modulusLength: number) {
  return kind === 'RSA'
    ? generateKeyPairSync('rsa', { modulusLength })
    : generateKeyPairSync('ed25519')
}

export const pemOf = (key: KeyObject): string =>
  key.export({ type: key.type === 'public' ? 'spki' : 'pkcs8', format: 'pem' }) as string

/** A key of account 1 that may do everything, unless the rights say otherwise. */
export function signingKey(
  kind: PublicKeySpec['kind'],
  rights: Partial<KeyRights> = {},
  modulusLength = 2048,
): SigningKey {
  const { publicKey, privateKey } = pairOf(kind, modulusLength)
  const apiKey = kind.padEnd(64, '0')
  const all = { apiKey, account: AccountId(1), canRead: true, canTrade: true, ...rights }
  return {
    spec: { ...all, kind, publicKey: pemOf(publicKey) },
    sign: (text) => sign(digests[kind], Buffer.from(text), privateKey).toString('base64'),
  }
}
