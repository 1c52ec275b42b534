/**
 * The symbols of one matcher and what their engines share: made at start, grown and changed between
 * two batches, as operators decide. A matcher knows every symbol, since commissions are converted and
 * orders counted over all of them; it has engines for its own alone.
 */

import { assert } from '../base/assert.ts'
import { assetsMaxOf } from '../base/limits.ts'
import { giveOwnCode } from '../base/own-code.ts'
import { Book } from '../core/book/book.ts'
import { AccountTable } from '../core/ledger/accounts.ts'
import { Balances } from '../core/ledger/balances.ts'
import { TradeFees } from '../core/ledger/fees.ts'
import { Holds } from '../core/ledger/holds.ts'
import { LastPrices } from '../core/ledger/last-prices.ts'
import { type EngineBounds, usualBounds } from '../core/matching/admission.ts'
import { Engine } from '../core/matching/engine.ts'
import { OpenCounts } from '../core/matching/open-counts.ts'
import { OrderListIds } from '../core/matching/order-list-ids.ts'
import { EngineOutput } from '../core/matching/output.ts'
import { Wallet } from '../core/wallet/wallet.ts'
import type { AccountSpec, ExchangeSpec, SymbolGroup, SymbolSpec } from '../market/listing.ts'
import type { ChainSpec, NetworkSpec } from '../market/network.ts'
import type { ControlMessage, NewSymbol } from '../shared/control-message.ts'
import { type BookSizes, bookShape, type EngineRegions } from './book-memory.ts'

/** How many engines have their own code: V8 compiles it for each, once it is busy, and keeps it. */
const OWN_CODES_MAX = 8

export interface MatcherSymbolsStart {
  /** The matcher's. */
  readonly index: number
  readonly config: BookSizes
  readonly idSalt: number
  readonly accounts: readonly AccountSpec[]
  readonly exchange: ExchangeSpec
  readonly chains: readonly ChainSpec[]
  readonly networks: readonly NetworkSpec[]
  readonly symbols: readonly SymbolSpec[]
  /** By symbol id: the matcher that owns it. */
  readonly matcherOf: readonly number[]
  readonly groups: readonly SymbolGroup[]
  readonly regions: EngineRegions
}

/** What simulators have otherwise, to meet what is rare. */
export interface MatcherSymbolsParts {
  readonly output?: EngineOutput
  readonly bounds?: EngineBounds
  /** By symbol; the settings' for all when left out. */
  readonly sizesOf?: (spec: SymbolSpec) => BookSizes
}

export class MatcherSymbols {
  /** By symbol id; undefined where another matcher owns it. Grows. */
  readonly engines: (Engine | undefined)[] = []
  readonly balances: Balances
  readonly holds: Holds
  readonly lastPrices: LastPrices
  readonly output: EngineOutput
  /** Matcher 0 has the wallet. */
  readonly wallet: Wallet | undefined
  private readonly matcher: number
  private readonly sizesOf: (spec: SymbolSpec) => BookSizes
  private readonly accounts: AccountTable
  private readonly bounds: EngineBounds
  private readonly orderListIds: OrderListIds
  private readonly symbols: SymbolSpec[] = []
  private readonly openCounts: OpenCounts[] = []
  private readonly idSalt: number
  private exchange: ExchangeSpec
  /** Engines that this matcher owns. */
  private owned = 0

  constructor(start: MatcherSymbolsStart, parts: MatcherSymbolsParts = {}) {
    const { index, config, regions, accounts, exchange, symbols, matcherOf } = start
    const { output = new EngineOutput(), bounds = usualBounds, sizesOf = () => config } = parts
    const assetsMax = assetsMaxOf(config.accounts)
    this.matcher = index
    this.sizesOf = sizesOf
    this.bounds = bounds
    this.idSalt = start.idSalt
    this.balances = new Balances(regions.balances, config.accounts, assetsMax)
    this.holds = new Holds(this.balances, config.accounts, assetsMax)
    giveOwnCode(this.holds, 'settle', 2)
    this.lastPrices = new LastPrices(regions.lastPrices)
    this.accounts = new AccountTable(config.accounts)
    this.output = output
    this.orderListIds = new OrderListIds(regions.orderListIds)
    this.exchange = exchange
    this.wallet = index === 0 ? new Wallet({ holds: this.holds, output }) : undefined
    for (const account of accounts) this.setAccount(account)
    for (const chain of start.chains) this.wallet?.setChain(chain)
    for (const network of start.networks) this.wallet?.setNetwork(network)
    this.symbols.push(...symbols)
    this.openCounts.push(...regions.openCounts.map((memory) => new OpenCounts(memory)))
    for (const spec of symbols) this.addEngine(spec, matcherOf[spec.id]!, regions.books[spec.id]!)
    for (const group of start.groups) this.join(group)
  }

  private join({ symbols, account }: SymbolGroup): void {
    const engines = symbols.flatMap((id) => this.engines[id] ?? [])
    if (engines.length === 0) return
    assert(engines.length === symbols.length, 'a group has one matcher')
    for (const engine of engines) engine.join(engines, account)
  }

  /** Applies an operator's decision. */
  apply(message: ControlMessage): void {
    switch (message.kind) {
      case 'account':
        this.setAccount(message.account)
        break
      case 'chain':
        this.wallet?.setChain(message.chain)
        break
      case 'network':
        this.wallet?.setNetwork(message.network)
        break
      case 'symbol':
        this.engines[message.symbol.id]?.respecify(message.symbol)
        break
      case 'exchange':
        this.exchange = message.exchange
        this.setExchange()
        break
      case 'listing':
        this.list(message.listed)
        break
    }
  }

  private setAccount(account: AccountSpec): void {
    this.accounts.set(account)
    this.wallet?.setAccount(account)
  }

  private list({ symbol, matcher, book, openCounts }: NewSymbol): void {
    assert(symbol.id === this.symbols.length, 'symbols are listed in the order of their ids')
    this.symbols.push(symbol)
    this.openCounts.push(new OpenCounts(openCounts))
    // Commissions may be converted over it.
    this.setExchange()
    this.addEngine(symbol, matcher, book)
  }

  private setExchange(): void {
    for (const engine of this.engines) engine?.setExchange(this.exchange, this.symbols)
  }

  private addEngine(spec: SymbolSpec, matcher: number, memory: SharedArrayBuffer): void {
    if (matcher !== this.matcher) {
      this.engines.push(undefined)
      return
    }
    const shared = { holds: this.holds, accounts: this.accounts, exchange: this.exchange }
    const symbols = this.symbols
    const fees = new TradeFees({ ...shared, spec, symbols, lastPrices: this.lastPrices })
    const book = new Book(memory, bookShape(this.sizesOf(spec)), this.idSalt)
    const counted = { orderListIds: this.orderListIds, openCounts: this.openCounts }
    const output = this.output
    const bounds = this.bounds
    const engine = new Engine({ ...shared, ...counted, spec, book, fees, output, bounds })
    this.engines.push(engine)
    if (this.owned++ < OWN_CODES_MAX) engine.takeOwnCode()
  }
}
