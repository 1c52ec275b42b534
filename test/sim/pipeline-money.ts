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

/** What operators paid in, by asset. */
const deposited: readonly bigint[] = Array.from({ length: ASSETS }, (_, id) =>
  deposits.reduce((sum, [, asset, atoms]) => (asset === id ? sum + atoms : sum), 0n),
)

/**
 * `held`: what the wallet has added to all balances, by asset, as far as it is shown. So no asset was made or lost:
 * balances + in flight = chain + owed + what operators paid in.
 */
export function checkMoney(balances: Balances, ledger: PlainLedger, held: readonly bigint[]): void {
  checkShown(balances, ledger)
  for (let asset = 0; asset < ASSETS; asset++) {
    const sum = deposited[asset]! + held[asset]!
    strictEqual(balances.total(AssetId(asset)), sum, `sum of asset ${asset}`)
    for (let account = 0; account < ACCOUNTS; account++) {
      const available = ledger.available(account, asset)
      const actual = balances.available(AccountId(account), AssetId(asset))
      assert(available >= 0n, 'no account is promised more than there is')
      strictEqual(actual, int64(available), `available of ${account}/${asset}`)
    }
  }
}

/** The same of the twin's own figures: all there is, with what no matcher has journaled yet. */
export function checkProof(ledger: PlainLedger, held: readonly bigint[]): void {
  for (let asset = 0; asset < ASSETS; asset++) {
    const sum = deposited[asset]! + held[asset]!
    strictEqual(ledger.whole(asset), sum, `proof of funds of asset ${asset}`)
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
