/** The account behind a request whose operation demands a key. */
import { assert } from '#base/assert.ts'
import type { AccountSpec } from '#base/listing.ts'
import type { Request } from '../context.ts'

export function ownerOf(request: Request): AccountSpec {
  const { account } = request
  assert(account !== undefined, 'the gateway names the account of every keyed operation')
  return account
}
