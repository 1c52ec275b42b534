/**
 * Messages of operators' actions to the running threads, once they are journaled: plain values and
 * shared memory, which can be posted between threads. Each replaces earlier ones about the same thing.
 */
import type { AccountId, AssetId, Ms, OrderId, SymbolId } from '../base/units.ts'
import type { KeySpec } from '../market/key-spec.ts'
import type {
  AccountSpec,
  AssetSpec,
  DistributionSpec,
  ExchangeSpec,
  SymbolSpec,
} from '../market/listing.ts'
import type { ChainSpec, NetworkSpec } from '../market/network.ts'
import type { PostedFault } from '../sandbox/fault-trigger.ts'
import type { PaymentStep } from './payment.ts'

/** A balance that the operator changed. The shared ledger already has the change. */
export interface BalanceChange {
  readonly account: AccountId
  readonly assetId: AssetId
  /** Decimal text, negative for a withdrawal. */
  readonly atoms: string
  /** An external lock moves from free to locked; other changes enter or leave the exchange. */
  readonly isLock: boolean
  readonly timeMs: Ms
}

/** A newly listed symbol: its id is the next one. */
export interface NewSymbol {
  readonly symbol: SymbolSpec
  /** The matcher that owns it. */
  readonly matcher: number
  /** Sized and zeroed for its book and for the counts of accounts' open orders. */
  readonly book: SharedArrayBuffer
  readonly openCounts: SharedArrayBuffer
}

/** The matchers cancel the open orders of an account, of a symbol, or of one on the other; or one order. */
export interface OrdersToCancel {
  readonly kind: 'cancelOrders'
  /** Undefined: of all accounts. */
  readonly account: AccountId | undefined
  /** Undefined: on all symbols. */
  readonly symbolId: SymbolId | undefined
  /** This order alone: the account and the symbol are those that it has. */
  readonly orderId?: OrderId
  /** The client order id that the cancels have. */
  readonly clientOrderId: string
}

/**
 * The matchers stop between two batches, with everything flushed, until the cell is no longer PAUSED. Written
 * by the main thread, and by a matcher that waits too long. With LEFT another member leads, and the matchers
 * write nothing more.
 */
export const Pause = { PAUSED: 0, RESUMED: 1, GIVEN_UP: 2, LEFT: 3 } as const

/** With TLS the certificate is read from its files; addresses and ranges are as settings have them. */
export interface ReloadMessage {
  readonly kind: 'reload'
  readonly hasTls: boolean
  readonly trustedProxies: string
  readonly exemptAddresses: string
  readonly sbe: 'on' | 'off'
}

/** A listed chain, or a network that was listed or changed. */
export type ChainMessage =
  | { readonly kind: 'chain'; readonly chain: ChainSpec }
  | { readonly kind: 'network'; readonly network: NetworkSpec }

export type ControlMessage =
  | { readonly kind: 'account'; readonly account: AccountSpec }
  /** Its id is the next one; `isValuation` when trading volumes are counted in it. */
  | { readonly kind: 'asset'; readonly asset: AssetSpec; readonly isValuation: boolean }
  | { readonly kind: 'exchange'; readonly exchange: ExchangeSpec }
  | ChainMessage
  /** Threads understand its events from now on; gateways send no commands for it yet. */
  | { readonly kind: 'listing'; readonly listed: NewSymbol }
  /** All threads know the new symbol: gateways accept orders for it. */
  | { readonly kind: 'opening'; readonly symbol: SymbolSpec }
  | { readonly kind: 'symbol'; readonly symbol: SymbolSpec }
  /** Matchers end calls whose time has come, hold auctions to their end, and flush. */
  | { readonly kind: 'settle' }
  | { readonly kind: 'key'; readonly key: KeySpec }
  /** Listen keys of revoked API keys have ended: gateways notify their streams. */
  | { readonly kind: 'listenKey' }
  | OrdersToCancel
  | PaymentStep
  | ReloadMessage
  | { readonly kind: 'pause'; readonly cell: SharedArrayBuffer; readonly msMax?: number }
  /** This member leads from now on, in place of another one: matchers begin to write. */
  | { readonly kind: 'lead'; readonly epoch: number }
  /** Gateways, which take no orders any more, finish those under way. */
  | { readonly kind: 'finish' }
  | { readonly kind: 'distribution'; readonly distribution: DistributionSpec }
  | { readonly kind: 'balance'; readonly change: BalanceChange }
  /** All rules of the sandbox. */
  | { readonly kind: 'faults'; readonly faults: readonly PostedFault[] }
