/** What must hold of locked money by the twin's own account: orders hold it, and a pair only once. */
import { strictEqual } from 'node:assert/strict'
import { assert } from '../../src/base/assert.ts'
import type { PlainWorld } from '../model/plain-market.ts'

/**
 * Locked of every account and asset is what its open orders hold, with every open batch counted. `others` is what is
 * held by orders that the markets do not know.
 */
export function checkHeld(
  { markets, ledger, accounts }: PlainWorld,
  others: ReadonlyMap<string, bigint> = new Map(),
): void {
  const held = new Map(others)
  for (const market of markets) {
    const purses = new Set(market.state.orders.map(({ purse }) => purse))
    for (const order of market.state.orders) {
      assert(order.purse.atoms >= 0n, 'no account holds less than nothing')
      if (!purses.delete(order.purse)) continue
      const key = `${order.account}/${market.pays(order.side)}`
      held.set(key, (held.get(key) ?? 0n) + order.purse.atoms)
    }
  }
  const assets = new Set(markets.flatMap(({ spec }) => [spec.base.id, spec.quote.id]))
  for (const asset of assets) {
    for (const { id } of accounts) {
      const locked = ledger.locked(id, asset)
      strictEqual(locked, held.get(`${id}/${asset}`) ?? 0n, `held of account ${id}, asset ${asset}`)
    }
  }
}
