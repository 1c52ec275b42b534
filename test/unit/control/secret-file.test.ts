/** A first start that is killed wherever it writes leaves nothing that the next one stumbles over. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Prng } from '../../../src/base/prng.ts'
import { openToken } from '../../../src/control/token.ts'
import { Vault } from '../../../src/control/vault.ts'
import { FaultyDisk } from '../../sim/exchange/faulty-disk.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-secret-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const first = () => {
  Vault.open(path.join(folder, 'secret.key'), true)
  return openToken(folder)
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])('killed at operation %i', (operation) => {
  const disk = new FaultyDisk(new Prng(operation), () => {})
  disk.folder = folder
  disk.arm('kill', operation)
  try {
    disk.around(first)
  } catch {
    expect(disk.isDying).toBe(true)
  }
  disk.bury(() => {})
  expect(first()).toMatch(/^[0-9a-f]{64}$/)
  expect(readFileSync(path.join(folder, 'secret.key'))).toHaveLength(32)
  expect(statSync(path.join(folder, 'operator-token')).mode & 0o777).toBe(0o600)
})
