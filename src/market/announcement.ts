/**
 * What the running threads are told of an operator's act, once it is journaled: plain values and shared
 * memory, that can be posted between threads. Each replaces what was said of the same thing before.
 */
import type { KeySpec } from './key-spec.ts'
import type {
  AccountSpec,
  AssetSpec,
  DistributionSpec,
  ExchangeSpec,
  SymbolSpec,
} from './listing.ts'

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

/** A symbol that was listed: its id is the next one. */
export interface NewSymbol {
  readonly symbol: SymbolSpec
  /** That it belongs to. */
  readonly matcher: number
  /** Sized and zeroed for its book and for what accounts have open on it. */
  readonly book: SharedArrayBuffer
  readonly openCounts: SharedArrayBuffer
}

export type Announcement =
  | { readonly kind: 'account'; readonly account: AccountSpec }
  /** Its id is the next one; `isValuation` when trading volumes are to be counted in it. */
  | { readonly kind: 'asset'; readonly asset: AssetSpec; readonly isValuation: boolean }
  | { readonly kind: 'exchange'; readonly exchange: ExchangeSpec }
  /** Its events are to be understood from now on; nobody may send commands for it yet. */
  | { readonly kind: 'listing'; readonly listed: NewSymbol }
  /** All threads know the new symbol: gateways take orders for it. */
  | { readonly kind: 'opening'; readonly symbol: SymbolSpec }
  | { readonly kind: 'symbol'; readonly symbol: SymbolSpec }
  | { readonly kind: 'key'; readonly key: KeySpec }
  /** Listen keys of revoked API keys have ended: their streams are told. */
  | { readonly kind: 'listenKey' }
  /** All open orders of the account are to be canceled, by the matchers. */
  | { readonly kind: 'cancelOrders'; readonly account: number }
  | { readonly kind: 'distribution'; readonly distribution: DistributionSpec }
  | { readonly kind: 'balance'; readonly change: BalanceChange }
