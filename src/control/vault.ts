/**
 * Secrets at rest. API secrets must be readable to check signatures, so they are encrypted, not
 * hashed: AES-256-GCM under a key of 32 random bytes that lives in a file of mode 0600 beside the
 * databases, never inside one.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { fileFault } from '../base/file-fault.ts'
import { writeWholeFile } from '../journal/whole-file.ts'

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

export class VaultError extends Error {
  override readonly name = 'VaultError'
}

export class Vault {
  private readonly key: Buffer

  constructor(key: Buffer) {
    this.key = key
  }

  /** Opens the key file at `path`; creates it when it is missing and `mayCreate`. */
  static open(path: string, mayCreate: boolean): Vault {
    if (mayCreate && statSync(path, { throwIfNoEntry: false }) === undefined) {
      writeWholeFile(path, randomBytes(KEY_BYTES))
    }
    let key: Buffer
    try {
      key = readFileSync(path)
    } catch (error) {
      throw new VaultError(
        `The key file ${path} cannot be read, so API secrets cannot be decrypted: ` +
          `${fileFault(error)}. Put a copy of it in its place.`,
      )
    }
    if (key.length !== KEY_BYTES) {
      throw new VaultError(`The key file ${path} is damaged: put a copy of it in its place.`)
    }
    return new Vault(key)
  }

  /** Base64 of nonce, ciphertext and tag. `context` (the API key) must be given again to unseal. */
  seal(secret: string, context: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce)
    cipher.setAAD(Buffer.from(context))
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64')
  }

  /** Throws VaultError when the text was changed, or sealed under another key or context. */
  unseal(sealed: string, context: string): string {
    const bytes = Buffer.from(sealed, 'base64')
    try {
      const nonce = bytes.subarray(0, NONCE_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', this.key, nonce)
      decipher.setAAD(Buffer.from(context))
      decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES))
      const body = bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES)
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
    } catch {
      throw new VaultError(
        'An API secret cannot be decrypted: secret.key is damaged, or of another folder. Put the key file ' +
          'that this data folder began with in its place.',
      )
    }
  }
}
