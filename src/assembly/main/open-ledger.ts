/** The shared ledger of a start: operators' moves, before the journals' events, and the final check. */

import { StartError } from '../../base/start-error.ts'
import type { Registry } from '../../control/registry.ts'
import type { Balances } from '../../core/ledger/balances.ts'

const MONEY_SENTENCE =
  'The journals do not add up: some balance is negative or money appeared, so nothing is started.'

/** Credits operators' moves. Sums may be below zero until the journals are applied. */
export function creditDeposits(balances: Balances, { deposits, externalLocks }: Registry): void {
  for (const { account, asset, atoms, timeMs } of deposits) {
    balances.credit(account, asset, atoms)
    balances.markChanged(account, timeMs)
  }
  for (const { account, asset, atoms, timeMs } of externalLocks) {
    balances.move(account, asset, -atoms, atoms, 0n)
    balances.markChanged(account, timeMs)
  }
}

/**
 * After recovery no balance is negative, and the proof of funds holds: balances + in flight = chain + debts + issued -
 * burned. `walletAtoms` has, by asset, the wallet's terms: chain + debts - in flight.
 */
export function checkMoney(
  balances: Balances,
  registry: Registry,
  walletAtoms: readonly bigint[],
): void {
  if (balances.firstNegative(registry.assets.length) !== undefined)
    throw new StartError(MONEY_SENTENCE)
  for (const asset of registry.assets) {
    const held = registry.deposited(asset.id) + (walletAtoms[asset.id] ?? 0n)
    if (balances.total(asset.id) !== held) {
      throw new StartError(MONEY_SENTENCE)
    }
  }
}
