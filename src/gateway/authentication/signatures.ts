/**
 * Verifies the signature of a request by its key (rest-api.md, request security), over the received text, which is
 * never decoded and encoded again.
 */
import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto'
import type { KeySpec } from '../../market/key-spec.ts'

const BLOCK_BYTES = 64
const DIGEST_BYTES = 32
const SIGNATURE_CHARS = 2 * DIGEST_BYTES
const DIGIT_WORDS = SIGNATURE_CHARS / 4
/** In each byte of a word: the bit that digits and small letters have, and the one that letters have. */
const [SMALL, LETTER] = [0x20202020, 0x40404040]
/** Most messages of orders are shorter. */
const VIEWED_BYTES_MAX = 1_024
/** Query and body are bounded earlier; undecodable bytes count three. Longer text never verifies. */
const MESSAGE_BYTES_MAX = 3 * (64 + 16) * 1024

/** The two padded blocks of an HMAC key (RFC 2104). */
interface HmacVerifier {
  readonly kind: 'HMAC'
  readonly innerBlock: Uint8Array
  readonly outerBlock: Uint8Array
}
interface PublicVerifier {
  readonly kind: 'RSA' | 'ED25519'
  readonly publicKey: KeyObject
}
/** Verifies signatures of a key. */
export type Verifier = HmacVerifier | PublicVerifier

/** The digest of each kind; Ed25519 has its own inside. */
const digests = { RSA: 'sha256', ED25519: null } as const

/** Throws for a public key that control/keys.ts would have refused. */
export function verifierOf(spec: KeySpec): Verifier {
  if (spec.kind !== 'HMAC') return { kind: spec.kind, publicKey: createPublicKey(spec.publicKey) }
  return {
    kind: 'HMAC',
    innerBlock: paddedBlock(spec.secretKey, 0x36),
    outerBlock: paddedBlock(spec.secretKey, 0x5c),
  }
}

function paddedBlock(secret: string, pad: number): Uint8Array {
  const bytes = Buffer.from(secret)
  const key = bytes.length > BLOCK_BYTES ? hash('sha256', bytes, 'buffer') : bytes
  const block = new Uint8Array(BLOCK_BYTES).fill(pad)
  for (let i = 0; i < key.length; i++) block[i] = key[i]! ^ pad
  return block
}

/** Checks one message at a time, in memory that it keeps for all of them. */
export class SignatureCheck {
  private readonly inner = Buffer.alloc(BLOCK_BYTES + MESSAGE_BYTES_MAX)
  private readonly outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES)
  /** The digits of the message's digest, then those that the client sent, and room for too many. */
  private readonly digits = Buffer.alloc(3 * SIGNATURE_CHARS)
  private readonly digitWords = wordsOf(this.digits)
  /** By its length: the beginning of inner, since making such a view takes a tenth of a check. */
  private readonly views: Uint8Array[] = new Array(VIEWED_BYTES_MAX)
  private end = BLOCK_BYTES
  /** Whether all texts had room, and were encoded where they must be. */
  private isWhole = true

  /** Begins a new message. */
  begin(): void {
    this.end = BLOCK_BYTES
    this.isWhole = true
  }

  /** Appends text to the message. */
  add(text: string): void {
    if (text.length * 3 > this.inner.length - this.end) this.isWhole = false
    else this.end += this.inner.write(text, this.end)
  }

  /**
   * Appends one part of a request, query or body, without its signature pair. What is outside ASCII must have
   * been percent-encoded before it was signed (Binance, Signed endpoints).
   */
  addUnsigned(part: string): void {
    const from = signatureStart(part)
    if (from < 0) {
      if (part.length > 0) this.addEncoded(part)
      return
    }
    const end = part.indexOf('&', from)
    // One '&' belongs to the pair: the one before it, or after it when the pair is first.
    if (from > 0) this.addEncoded(part.slice(0, from - 1))
    if (end >= 0) this.addEncoded(part.slice(from > 0 ? end : end + 1))
  }

  private addEncoded(text: string): void {
    const end = this.end + text.length
    this.add(text)
    if (this.end !== end) this.isWhole = false
  }

  /** Whether `signature` is the message's: hexadecimal for HMAC keys, base64 for the others. */
  matches(verifier: Verifier, signature: string): boolean {
    if (!this.isWhole) return false
    return verifier.kind === 'HMAC'
      ? this.matchesHmac(verifier, signature)
      : this.matchesPublic(verifier, signature)
  }

  /**
   * HMAC-SHA256 by its definition, two plain digests over reused memory. It takes half the time of
   * `createHmac`, which builds an object for each message (bench `hmac`).
   */
  private matchesHmac(verifier: HmacVerifier, signature: string): boolean {
    if (signature.length !== SIGNATURE_CHARS) return false
    this.inner.set(verifier.innerBlock)
    const inner = hash('sha256', this.innerUpTo(this.end), 'binary')
    this.outer.set(verifier.outerBlock)
    this.outer.write(inner, BLOCK_BYTES, 'binary')
    this.digits.write(hash('sha256', this.outer, 'hex'), 0, 'binary')
    return this.digits.write(signature, SIGNATURE_CHARS) === SIGNATURE_CHARS && this.areSameDigits()
  }

  /** Whether both halves are the same digits, in either case. Timing does not reveal where not. */
  private areSameDigits(): boolean {
    const words = this.digitWords
    let difference = 0
    for (let i = 0; i < DIGIT_WORDS; i++) {
      const given = words[DIGIT_WORDS + i]!
      // Letters become lower case, digits stay.
      difference |= words[i]! ^ (given | SMALL)
      // Control characters, which have neither bit, would become digits.
      difference |= ~(given | (given << 1)) & LETTER
    }
    return difference === 0
  }

  private innerUpTo(end: number): Uint8Array {
    if (end >= VIEWED_BYTES_MAX) return this.inner.subarray(0, end)
    this.views[end] ??= this.inner.subarray(0, end)
    return this.views[end]
  }

  private matchesPublic({ kind, publicKey }: PublicVerifier, signature: string): boolean {
    const bytes = Buffer.from(signature, 'base64')
    // Node.js reads base64 leniently; one signature has one text.
    if (bytes.toString('base64') !== signature) return false
    const message = this.inner.subarray(BLOCK_BYTES, this.end)
    return verify(digests[kind], message, publicKey, bytes)
  }
}

function wordsOf({ buffer, byteOffset, length }: Buffer): Int32Array {
  return new Int32Array(buffer, byteOffset, length / 4)
}

/** Returns the index of the pair `signature=…`, or -1. */
function signatureStart(part: string): number {
  const name = 'signature='
  let at = part.indexOf(name)
  while (at > 0 && part.charCodeAt(at - 1) !== 38) at = part.indexOf(name, at + 1)
  return at
}
