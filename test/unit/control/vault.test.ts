import { readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { Vault, VaultError } from '../../../src/control/vault.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'

const folder = temporaryFolder()
const keyFile = path.join(folder, 'secret.key')

describe('the vault', () => {
  test('creates its key file once, readable by its owner only', () => {
    const first = Vault.open(keyFile, true)
    expect(statSync(keyFile).mode & 0o777).toBe(0o600)
    const key = readFileSync(keyFile)
    const sealed = first.seal('secret', 'api key')
    expect(Vault.open(keyFile, true).unseal(sealed, 'api key')).toBe('secret')
    expect(readFileSync(keyFile)).toEqual(key)
  })

  test('the same secret never seals to the same text, and never shows', () => {
    const vault = Vault.open(keyFile, true)
    const sealed = [vault.seal('secret', 'a'), vault.seal('secret', 'a')]
    expect(sealed[0]).not.toBe(sealed[1])
    expect(Buffer.from(sealed[0]!, 'base64').toString('latin1')).not.toContain('secret')
  })

  test('another context, another key, or a changed byte is refused', () => {
    const vault = Vault.open(keyFile, true)
    const sealed = vault.seal('secret', 'a')
    const bytes = Buffer.from(sealed, 'base64')
    bytes[14] = bytes[14]! ^ 1
    const other = new Vault(Buffer.alloc(32))
    expect(() => vault.unseal(sealed, 'b')).toThrow(VaultError)
    expect(() => other.unseal(sealed, 'a')).toThrow(VaultError)
    expect(() => vault.unseal(bytes.toString('base64'), 'a')).toThrow(VaultError)
  })

  test('a missing or damaged key file is one sentence', () => {
    const missing = path.join(folder, 'missing.key')
    expect(() => Vault.open(missing, false)).toThrow(
      /^The key file .* cannot be read.* Put a copy of it in its place\.$/,
    )
    writeFileSync(missing, 'short')
    expect(() => Vault.open(missing, true)).toThrow(
      `The key file ${missing} is damaged: put a copy of it in its place.`,
    )
  })
})
