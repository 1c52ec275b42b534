/** A first start that is killed wherever it writes leaves nothing that the next one stumbles over. */
import { readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Prng } from '../../../src/base/prng.ts'
import { openToken } from '../../../src/control/token.ts'
import { Vault } from '../../../src/control/vault.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'
import { FaultyDisk } from '../../sim/exchange/faulty-disk.ts'

const folder = folderPerTest()

const first = () => {
  Vault.open(folder('secret.key'), true)
  return openToken(folder())
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])('killed at operation %i', (operation) => {
  const disk = new FaultyDisk(new Prng(operation), () => {})
  disk.folder = folder()
  disk.arm('kill', operation)
  try {
    disk.around(first)
  } catch {
    expect(disk.isDying).toBe(true)
  }
  disk.bury(() => {})
  expect(first()).toMatch(/^[0-9a-f]{64}$/)
  expect(readFileSync(folder('secret.key'))).toHaveLength(32)
  expect(statSync(folder('operator-token')).mode & 0o777).toBe(0o600)
})
