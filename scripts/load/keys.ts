/**
 * The accounts that a load trades on, from a file like `data/demo-keys.json`: a JSON array of
 * `{"account", "apiKey", "secretKey"}`. A secret that is a private key in PEM signs as RSA or Ed25519.
 */
import { createHmac, createPrivateKey, sign } from 'node:crypto'
import { UsageError } from '../command-line/usage-error.ts'
import type { DemoKey } from '../exchange/exchange-process.ts'

export interface AccountKey {
  readonly account: string
  readonly apiKey: string
  /** The signature of the text, as it is put into a query: hexadecimal, or base64 in URL code. */
  readonly signatureOf: (text: string) => string
}

/** Throws UsageError. */
export function readKeys(file: string, text: string): readonly AccountKey[] {
  let rows: unknown
  try {
    rows = JSON.parse(text)
  } catch {
    throw new UsageError(`The key file ${file} is not JSON.`)
  }
  if (!Array.isArray(rows) || rows.length === 0) {
    throw new UsageError(`The key file ${file} is not a list of keys.`)
  }
  const keys = rows.map((row: Record<string, unknown> | null, index) => {
    const { account, apiKey, secretKey } = row ?? {}
    if (typeof apiKey !== 'string' || typeof secretKey !== 'string') {
      throw new UsageError(`Key ${index + 1} of ${file} has no apiKey or no secretKey.`)
    }
    const name = typeof account === 'string' ? account : String(index + 1)
    return { account: name, apiKey, signatureOf: signer(file, name, secretKey) }
  })
  const names = new Set(keys.map(({ account }) => account))
  if (names.size < keys.length) throw new UsageError(`Two keys of ${file} name the same account.`)
  return keys
}

/** Returns a key of HMAC as clients sign with it. */
export const accountKeyOf = ({ account, apiKey, secretKey }: DemoKey): AccountKey => ({
  account,
  apiKey,
  signatureOf: (text) => createHmac('sha256', secretKey).update(text).digest('hex'),
})

/** Returns the parameters of a request of the WebSocket API, signed at that time. */
export function signedParams(
  { apiKey, signatureOf }: AccountKey,
  params: Readonly<Record<string, string | number>>,
  timestamp: number = Date.now(),
): Readonly<Record<string, string | number>> {
  const all = Object.entries({ ...params, apiKey, timestamp }).sort(([a], [b]) => (a < b ? -1 : 1))
  const text = all.map(([name, value]) => `${name}=${value}`).join('&')
  return { ...Object.fromEntries(all), signature: decodeURIComponent(signatureOf(text)) }
}

function signer(file: string, account: string, secret: string): (text: string) => string {
  if (!secret.includes('PRIVATE KEY')) {
    return (text) => createHmac('sha256', secret).update(text).digest('hex')
  }
  try {
    const key = createPrivateKey(secret)
    const digest = key.asymmetricKeyType === 'rsa' ? 'sha256' : undefined
    return (text) => encodeURIComponent(sign(digest, Buffer.from(text), key).toString('base64'))
  } catch {
    throw new UsageError(`The private key of ${account} in ${file} cannot be read.`)
  }
}
