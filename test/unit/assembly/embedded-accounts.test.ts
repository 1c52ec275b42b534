/** Files of keys that a program's exchange finds in its folder. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { accountKeys } from '../../../src/assembly/embedded-accounts.ts'

const KEY = { account: 'alice', apiKey: 'k', secretKey: 's' }

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-keys-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test.each([
  'demo-keys.json',
  'embedded-keys.json',
])('%s gives its keys, and a damaged one is named with the way out', (name) => {
  const file = path.join(folder, name)
  expect(accountKeys(folder)).toEqual({})
  writeFileSync(file, JSON.stringify([KEY]))
  expect(accountKeys(folder)).toEqual({ alice: { apiKey: 'k', secretKey: 's' } })
  for (const text of ['', '\0\0', '{}', '[null]', '[{"account":"alice"}]']) {
    writeFileSync(file, text)
    expect(() => accountKeys(folder)).toThrow(`${file} is not a list of keys. Put a whole copy`)
  }
})
