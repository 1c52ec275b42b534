/** Requests under RSA and Ed25519 keys whose signatures are wrong, each costly to check. */
import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import type { Attack } from '../attack.ts'
import { requestBytes } from '../bytes.ts'

const ADDRESSES = 4
const RSA_BITS = 4_096
const RSA_BYTES = RSA_BITS / 8
const ED25519_BYTES = 64
const EVERY_MS = 20
const REQUESTS = 5

const pemOf = ({ publicKey }: { publicKey: KeyObject }): string =>
  publicKey.export({ type: 'spki', format: 'pem' }).toString()

export const signatures: Attack = {
  name: 'signatures',
  about: 'sends 1,000 wrong RSA and Ed25519 signatures a second',
  addresses: ADDRESSES,
  prepare: async (stage) => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: RSA_BITS })
    const ed25519 = generateKeyPairSync('ed25519')
    await stage.account('signatures', {})
    const keys = [
      await stage.publicKey('signatures', 'RSA', pemOf(rsa)),
      await stage.publicKey('signatures', 'ED25519', pemOf(ed25519)),
    ]
    return { keys }
  },
  run: (raid) => {
    const lines = Array.from({ length: ADDRESSES }, (_, address) => raid.connect(address))
    const signatureBytes = [RSA_BYTES, ED25519_BYTES]
    raid.every(EVERY_MS, () => {
      for (const [index, line] of lines.entries()) {
        const key = raid.key(index % 2)
        for (let i = 0; i < REQUESTS; i++) {
          const wrong = randomBytes(signatureBytes[index % 2]!).toString('base64')
          const query = `timestamp=${Date.now()}&signature=${encodeURIComponent(wrong)}`
          const headers = { 'X-MBX-APIKEY': key.apiKey }
          line.write(requestBytes('GET', `/api/v3/account?${query}`, headers))
        }
      }
    })
  },
}
