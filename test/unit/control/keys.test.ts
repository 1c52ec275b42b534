import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { AccountId, Ms } from '../../../src/base/units.ts'
import type { KeyFact } from '../../../src/control/facts.ts'
import { checkKey, keySpecOf } from '../../../src/control/keys.ts'
import { Registry } from '../../../src/control/registry.ts'
import { Vault } from '../../../src/control/vault.ts'

const vault = new Vault(Buffer.alloc(32, 1))
const apiKey = 'k'.repeat(64)
const rights = {
  fact: 'key',
  account: AccountId(3),
  apiKey,
  canRead: true,
  canTrade: true,
} as const
const hmac: KeyFact = { ...rights, kind: 'HMAC', sealedSecret: vault.seal('secret', apiKey) }

const spki = { type: 'spki', format: 'pem' } as const
/** A public key of that many bits, for which there is no private one: only its form is judged. */
const rsa = (bits: number) => {
  const modulus = Buffer.alloc(bits / 8, 0xff).toString('base64url')
  const key = { kty: 'RSA', n: modulus, e: 'AQAB' }
  return createPublicKey({ key, format: 'jwk' }).export(spki) as string
}
const ed25519 = generateKeyPairSync('ed25519')
const edPublic = ed25519.publicKey.export(spki) as string
const edPrivate = ed25519.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
const pss = generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).publicKey.export(spki) as string

describe('keys of the control journal', () => {
  test('become what gateways check by', () => {
    expect(keySpecOf(hmac, vault)).toEqual({
      apiKey,
      account: AccountId(3),
      canRead: true,
      canTrade: true,
      canWithdraw: false,
      kind: 'HMAC',
      secretKey: 'secret',
    })
    const withdrawals = { canWithdraw: true, withdrawTo: ['0xab'], createdMs: Ms(7) }
    expect(keySpecOf({ ...hmac, ...withdrawals }, vault)).toMatchObject(withdrawals)
    const wrong = { ...hmac, ...withdrawals, withdrawTo: [] }
    expect(() => checkKey(wrong)).toThrow('it withdraws to 1 to 100 addresses')
    const open = { ...rights, kind: 'ED25519', publicKey: edPublic } as const
    const addresses = '10.0.0.0/8, ::1'
    expect(keySpecOf({ ...open, canTrade: false, addresses }, vault)).toEqual({
      apiKey,
      account: AccountId(3),
      canRead: true,
      canTrade: false,
      canWithdraw: false,
      addresses: [
        { bytes: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 10, 0, 0, 0), bits: 104 },
        { bytes: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1), bits: 128 },
      ],
      kind: 'ED25519',
      publicKey: edPublic,
    })
  })

  test.each(['CUSTODIAL', 'CREDIT_LINE'] as const)('of use %s may do nothing here', (use) => {
    checkKey({ ...hmac, use })
    expect(keySpecOf({ ...hmac, use }, vault)).toMatchObject({ canRead: false, canTrade: false })
  })

  test.each<[string, 'RSA' | 'ED25519', string]>([
    ['RSA of 2048 bits', 'RSA', rsa(2048)],
    ['RSA of 4096 bits', 'RSA', rsa(4096)],
    ['Ed25519', 'ED25519', edPublic],
    ['with line ends of another system', 'ED25519', edPublic.replaceAll('\n', '\r\n')],
  ])('are taken: %s', (_, kind, publicKey) => {
    const registry = new Registry()
    registry.apply({ ...rights, kind, publicKey })
    expect(registry.keys.get(apiKey)).toMatchObject({ kind, publicKey })
  })

  test.each<[string, 'RSA' | 'ED25519', string]>([
    ['its public key has 1024 bits, not 2048 to 4096', 'RSA', rsa(1024)],
    ['its public key has 5120 bits', 'RSA', rsa(5120)],
    ['its public key is not RSA', 'RSA', edPublic],
    ['its public key is not RSA', 'RSA', pss],
    ['its public key is not ED25519', 'ED25519', rsa(2048)],
    ['its public key is not PEM that says BEGIN PUBLIC KEY', 'ED25519', edPrivate],
    ['its public key is not PEM', 'RSA', 'secret'],
    ['its public key cannot be read', 'RSA', edPublic.replace(/\n.*\n/, '\nAAAA\n')],
  ])('are refused: %s', (why, kind, publicKey) => {
    const fact: KeyFact = { ...rights, kind, publicKey }
    expect(() => new Registry().apply(fact)).toThrow(why)
  })

  test.each<[string, Partial<KeyFact>]>([
    ['it is not 64 letters and digits', { apiKey: 'short' }],
    ['its addresses are not a list', { addresses: '10.0.0.0/33' }],
    ['its addresses are not a list', { addresses: '' }],
    ['its addresses are not a list', { addresses: 'localhost' }],
  ])('are refused: %s', (why, change) => {
    expect(() => checkKey({ ...hmac, ...change } as KeyFact)).toThrow(why)
  })
})
