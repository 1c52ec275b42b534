/**
 * What the running threads are told of an operator's act, once it is journaled: plain values that can be
 * posted between threads. Each replaces what was said of the same thing before.
 */
import type { KeySpec } from './key-spec.ts'
import type { AccountSpec, DistributionSpec, SymbolSpec } from './listing.ts'

/** A balance that the operator changed. The shared ledger has the change already. */
export interface BalanceChange {
  readonly account: number
  readonly assetId: number
  /** Decimal text, negative when taken. */
  readonly atoms: string
  /** An external lock moves from free to locked; anything else comes in or goes out. */
  readonly isLock: boolean
  readonly timeMs: number
}

export type Announcement =
  | { readonly kind: 'account'; readonly account: AccountSpec }
  | { readonly kind: 'symbol'; readonly symbol: SymbolSpec }
  | { readonly kind: 'key'; readonly key: KeySpec }
  | { readonly kind: 'distribution'; readonly distribution: DistributionSpec }
  | { readonly kind: 'balance'; readonly change: BalanceChange }
