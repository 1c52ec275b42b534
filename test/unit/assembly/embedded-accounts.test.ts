/** Files of keys that a program's exchange finds in its folder. */
import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { accountKeys } from '../../../src/assembly/embedded-accounts.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const KEY = { account: 'alice', apiKey: 'k', secretKey: 's' }

const folder = folderPerTest()

test.each([
  'demo-keys.json',
  'embedded-keys.json',
])('%s gives its keys, and a damaged one is named with the way out', (name) => {
  const file = folder(name)
  expect(accountKeys(folder())).toEqual({})
  writeFileSync(file, JSON.stringify([KEY]))
  expect(accountKeys(folder())).toEqual({ alice: { apiKey: 'k', secretKey: 's' } })
  for (const text of ['', '\0\0', '{}', '[null]', '[{"account":"alice"}]']) {
    writeFileSync(file, text)
    expect(() => accountKeys(folder())).toThrow(`${file} is not a list of keys. Put a whole copy`)
  }
})
