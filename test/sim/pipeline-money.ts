/**
 * What must hold of the shared ledger between any two steps: it shows what the plain twin shows, which
 * knows what is journaled; it promises no more than there is; and no asset was made or lost.
 */
import { strictEqual } from 'node:assert/strict'
import { assert } from '../../src/base/assert.ts'
import { int64, int64ToBigint } from '../../src/base/int64.ts'
import { AccountId, AssetId } from '../../src/base/units.ts'
import { BALANCE_WORDS, type Balances } from '../../src/core/ledger/balances.ts'
import type { PlainLedger } from '../model/plain-ledger.ts'
import { ACCOUNTS, ASSETS, deposits } from './world.ts'

const deposited = Array.from({ length: ASSETS }, (_, id) =>
  deposits.reduce((sum, [, asset, atoms]) => (asset === id ? sum + atoms : sum), 0n),
)

export function checkMoney(balances: Balances, ledger: PlainLedger): void {
  checkShown(balances, ledger)
  for (let asset = 0; asset < ASSETS; asset++) {
    strictEqual(balances.total(AssetId(asset)), deposited[asset], `sum of asset ${asset}`)
    for (let account = 0; account < ACCOUNTS; account++) {
      const available = ledger.available(account, asset)
      const actual = balances.available(AccountId(account), AssetId(asset))
      assert(available >= 0n, 'no account is promised more than there is')
      strictEqual(actual, int64(available), `available of ${account}/${asset}`)
    }
  }
}

/** Every balance is shown as all that is journaled and settled makes it, and nothing else. */
export function checkShown(balances: Balances, ledger: PlainLedger): void {
  const words = new Int32Array(BALANCE_WORDS)
  for (let asset = 0; asset < ASSETS; asset++) {
    for (let account = 0; account < ACCOUNTS; account++) {
      balances.read(AccountId(account), AssetId(asset), words)
      const shown = ledger.shown(account, asset)
      const free = int64ToBigint(words, 1)
      const locked = int64ToBigint(words, 3)
      assert(free >= 0n && locked >= 0n, 'no balance is negative')
      strictEqual(words[0]! & 1, 0, 'no balance is left locked against writers')
      strictEqual(free, shown.free, `free of ${account}/${asset}`)
      strictEqual(locked, shown.locked, `locked of ${account}/${asset}`)
    }
  }
}
