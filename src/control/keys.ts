/**
 * API keys of the control journal: which keys are accepted, and what gateways receive of them
 * (rest-api.md, request security).
 */
import { createPublicKey, randomInt } from 'node:crypto'
import { parseAddressRanges } from '../base/address-range.ts'
import { type KeySpec, WITHDRAW_TO_MAX } from '../market/key-spec.ts'
import type { KeyFact, PublicKeyFact } from './facts.ts'
import type { Vault } from './vault.ts'

const API_KEY = /^[A-Za-z0-9]{64}$/
const PUBLIC_KEY = /^-----BEGIN PUBLIC KEY-----\r?\n/
const RSA_BITS_MIN = 2048
const RSA_BITS_MAX = 4096

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const KEY_CHARS = 64

/** Returns a new API key or secret: 64 random letters and digits. */
export const keyText = (): string =>
  Array.from({ length: KEY_CHARS }, () => LETTERS[randomInt(LETTERS.length)]).join('')

/** An address, with a memo behind a colon: as long as records have room for both. */
const WITHDRAW_TO = /^[\x21-\x7e]{1,193}$/
export const WITHDRAW_TO_RULE = `1 to ${WITHDRAW_TO_MAX} addresses, ADDRESS or ADDRESS:MEMO`
export const isWithdrawTo = (texts: readonly string[]): boolean =>
  texts.length > 0 &&
  texts.length <= WITHDRAW_TO_MAX &&
  texts.every((text) => WITHDRAW_TO.test(text))

/** Throws RangeError for a key that cannot verify requests. */
export function checkKey(fact: KeyFact): void {
  const refuse = (why: string): never => {
    throw new RangeError(`the API key ${fact.apiKey} is refused: ${why}`)
  }
  if (!API_KEY.test(fact.apiKey)) refuse('it is not 64 letters and digits')
  if (fact.addresses !== undefined && !parseAddressRanges(fact.addresses)?.length) {
    refuse('its addresses are not a list of addresses and ranges')
  }
  if (fact.withdrawTo !== undefined && !isWithdrawTo(fact.withdrawTo)) {
    refuse(`it withdraws to ${WITHDRAW_TO_RULE}`)
  }
  if (fact.kind === 'HMAC') return
  const problem = publicKeyProblem(fact)
  if (problem !== undefined) refuse(problem)
}

function publicKeyProblem({ kind, publicKey }: PublicKeyFact): string | undefined {
  // From a private key or a certificate Node.js would take the public one: they belong elsewhere.
  if (!PUBLIC_KEY.test(publicKey)) return 'its public key is not PEM that says BEGIN PUBLIC KEY'
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey(publicKey)
    if (asymmetricKeyType !== kind.toLowerCase()) return `its public key is not ${kind}`
    const bits = asymmetricKeyDetails?.modulusLength ?? RSA_BITS_MIN
    if (bits >= RSA_BITS_MIN && bits <= RSA_BITS_MAX) return undefined
    return `its public key has ${bits} bits, not ${RSA_BITS_MIN} to ${RSA_BITS_MAX}`
  } catch {
    return 'its public key cannot be read'
  }
}

/** Throws VaultError when the secret cannot be unsealed. The fact has passed `checkKey`. */
export function keySpecOf(fact: KeyFact, vault: Vault): KeySpec {
  const { apiKey, account, use = 'EXCHANGE', addresses, granted, withdrawTo, createdMs } = fact
  const rights = {
    apiKey,
    account,
    canRead: fact.canRead && use === 'EXCHANGE',
    canTrade: fact.canTrade && use === 'EXCHANGE',
    canWithdraw: fact.canWithdraw === true && use === 'EXCHANGE',
    ...(withdrawTo && { withdrawTo }),
    ...(createdMs !== undefined && { createdMs }),
    ...(addresses === undefined ? {} : { addresses: parseAddressRanges(addresses) ?? [] }),
    ...(granted && { granted }),
  }
  return fact.kind === 'HMAC'
    ? { ...rights, kind: 'HMAC', secretKey: vault.unseal(fact.sealedSecret, apiKey) }
    : { ...rights, kind: fact.kind, publicKey: fact.publicKey }
}
