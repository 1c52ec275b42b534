/** Limits that depend on settings. */
import { expect, test } from 'vitest'
import { assetsMaxOf } from '../../../src/base/limits.ts'
import { settings } from '../../../src/config/settings.ts'

test.each([
  [settings.accounts.min, 1_024],
  [settings.accounts.default, 1_024],
  [65_536, 1_024],
  [65_537, 1_023],
  [settings.accounts.max, 64],
])('a ledger of %i accounts has room for %i assets', (accounts, assets) => {
  expect(assetsMaxOf(accounts)).toBe(assets)
})
