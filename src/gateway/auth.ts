/**
 * Who asks, and whether it is really them: API keys, HMAC-SHA256 signatures and the timing window.
 * Written at start with the keys; read by REST and the WebSocket API. It never decodes what is
 * signed: signatures are verified over the text as it was received. Spec, Authentication;
 * supplement 2i.
 */
import { hash } from 'node:crypto'
import { assert } from '#base/assert.ts'
import { RECV_WINDOW_MS_MAX, TIMESTAMP_AHEAD_MS_MAX } from '#base/limits.ts'
import type { AccountSpec } from '#base/listing.ts'

const BLOCK_BYTES = 64
const DIGEST_BYTES = 32
const SIGNATURE_CHARS = 2 * DIGEST_BYTES
const API_KEY_CHARS = 64
/** Query and body are bounded before; undecodable bytes count three. Longer text never verifies. */
const MESSAGE_BYTES_MAX = 3 * (64 + 16) * 1024

/** What the gateway is told of each key. */
export interface KeySpec {
  /** 64 letters and digits. */
  readonly apiKey: string
  readonly secretKey: string
  readonly account: number
  readonly canRead: boolean
  readonly canTrade: boolean
}

/** A key as requests use it: its owner, and the two padded blocks of its HMAC (RFC 2104). */
export interface ApiKey {
  readonly apiKey: string
  readonly account: AccountSpec
  readonly canRead: boolean
  readonly canTrade: boolean
  readonly innerBlock: Uint8Array
  readonly outerBlock: Uint8Array
}

export class KeyRing {
  readonly #keys = new Map<string, ApiKey>()

  constructor(keys: readonly KeySpec[], accounts: readonly AccountSpec[]) {
    for (const key of keys) {
      const account = accounts.find((candidate) => candidate?.id === key.account)
      assert(account !== undefined, 'every key belongs to an account')
      this.#keys.set(key.apiKey, {
        apiKey: key.apiKey,
        account,
        canRead: key.canRead,
        canTrade: key.canTrade,
        innerBlock: paddedBlock(key.secretKey, 0x36),
        outerBlock: paddedBlock(key.secretKey, 0x5c),
      })
    }
  }

  find(apiKey: string): ApiKey | undefined {
    return this.#keys.get(apiKey)
  }
}

function paddedBlock(secret: string, pad: number): Uint8Array {
  const bytes = Buffer.from(secret)
  const key = bytes.length > BLOCK_BYTES ? hash('sha256', bytes, 'buffer') : bytes
  const block = new Uint8Array(BLOCK_BYTES).fill(pad)
  for (let i = 0; i < key.length; i++) block[i] = key[i]! ^ pad
  return block
}

/** Whether the text can be an API key at all: 64 letters and digits. */
export function isApiKeyFormat(text: string): boolean {
  if (text.length !== API_KEY_CHARS) return false
  for (let i = 0; i < API_KEY_CHARS; i++) {
    const code = text.charCodeAt(i)
    const digit = code >= 48 && code <= 57
    const letter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
    if (!digit && !letter) return false
  }
  return true
}

/**
 * HMAC-SHA256 as its definition reads, two plain digests over reused memory: half the time of
 * `createHmac`, which builds an object per message.
 */
export class SignatureCheck {
  readonly #inner = Buffer.alloc(BLOCK_BYTES + MESSAGE_BYTES_MAX)
  readonly #outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES)
  readonly #expected = Buffer.alloc(DIGEST_BYTES)
  readonly #given = Buffer.alloc(DIGEST_BYTES)
  #end = BLOCK_BYTES
  #fits = true

  /** Begins a new message. */
  begin(): void {
    this.#end = BLOCK_BYTES
    this.#fits = true
  }

  /** Appends text to the message. */
  add(text: string): void {
    if (text.length * 3 > this.#inner.length - this.#end) this.#fits = false
    else this.#end += this.#inner.write(text, this.#end)
  }

  /** Appends one part of a request, query or body, without its signature pair. */
  addUnsigned(part: string): void {
    const from = signatureStart(part)
    if (from < 0) {
      if (part.length > 0) this.add(part)
      return
    }
    const end = part.indexOf('&', from)
    // One '&' goes with the pair: the one before it, or after it when the pair comes first.
    if (from > 0) this.add(part.slice(0, from - 1))
    if (end >= 0) this.add(part.slice(from > 0 ? end : end + 1))
  }

  /** Whether `signature`, hexadecimal of either case, is the message's under this key. */
  matches(key: ApiKey, signature: string): boolean {
    if (!this.#fits || signature.length !== SIGNATURE_CHARS) return false
    this.#inner.set(key.innerBlock)
    const digest = hash('sha256', this.#inner.subarray(0, this.#end), 'binary')
    this.#outer.set(key.outerBlock)
    this.#outer.write(digest, BLOCK_BYTES, 'latin1')
    this.#expected.write(hash('sha256', this.#outer, 'binary'), 'latin1')
    // Reads either case, and stops at what is not hexadecimal.
    return this.#given.write(signature, 'hex') === DIGEST_BYTES && this.#agree()
  }

  /** Compares in a time that does not depend on where the two differ. */
  #agree(): boolean {
    let difference = 0
    for (let i = 0; i < DIGEST_BYTES; i++) difference |= this.#expected[i]! ^ this.#given[i]!
    return difference === 0
  }
}

/** Where the pair `signature=…` begins, or -1. */
function signatureStart(part: string): number {
  const name = 'signature='
  let at = part.indexOf(name)
  while (at > 0 && part.charCodeAt(at - 1) !== 38) at = part.indexOf(name, at + 1)
  return at
}

/** What `expiryOf` answers instead of a time. */
export const TimingFault = { RECV_WINDOW_TOO_LARGE: -1, TOO_OLD: -2, AHEAD: -3 } as const

/** Smaller timestamps are in ms, others in µs (16 digits). */
const MICROSECONDS_FROM = 10 ** 15

/**
 * Until when the request is to be processed, in ms: timestamp + recvWindow; or a TimingFault.
 * `timestamp` is in ms or µs, `recvWindow` in µs.
 */
export function expiryOf(timestamp: number, recvWindow: number, nowMs: number): number {
  const stampMs = timestamp >= MICROSECONDS_FROM ? timestamp / 1000 : timestamp
  const windowMs = recvWindow / 1000
  if (windowMs > RECV_WINDOW_MS_MAX) return TimingFault.RECV_WINDOW_TOO_LARGE
  if (stampMs >= nowMs + TIMESTAMP_AHEAD_MS_MAX) return TimingFault.AHEAD
  if (nowMs - stampMs > windowMs) return TimingFault.TOO_OLD
  return Math.floor(stampMs + windowMs)
}
