/** The account behind a request whose operation demands a key, and what it may do. */
import { assert } from '../../base/assert.ts'
import { type AccountSpec, SYMBOL_PERMISSION, type SymbolSpec } from '../../market/listing.ts'
import type { Request } from '../context.ts'
import { Fault } from '../errors.ts'

export function ownerOf(request: Request): AccountSpec {
  const { account } = request
  assert(account !== undefined, 'the gateway names the account of every keyed operation')
  return account
}

/** Why the account may not place orders on the symbol, if it may not. */
export function placementFault(account: AccountSpec, spec: SymbolSpec): Fault | undefined {
  if (account.frozen) return new Fault('ACCOUNT_FROZEN')
  if (!account.permissions.includes(SYMBOL_PERMISSION)) return new Fault('SYMBOL_NOT_PERMITTED')
  return account.restrictedSymbols.includes(spec.id) ? new Fault('SYMBOL_RESTRICTED') : undefined
}
