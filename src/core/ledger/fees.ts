/**
 * What one side of a trade pays on one symbol (faqs/commission_faq.md): the account's standard rate and the
 * symbol's tax and special rates, each of role and side, added up and taken of what is received.
 * Where account and symbol allow it and the account can pay it all, it is paid in the exchange's
 * discount asset instead: the standard part times the discount, tax and special whole.
 */
import { least, negative } from '../../base/int64.ts'
import { RATE_DECIMALS } from '../../base/limits.ts'
import { type AccountId, AssetId, type Atoms } from '../../base/units.ts'
import {
  type AssetSpec,
  EXCHANGE_ACCOUNT,
  type ExchangeSpec,
  plainExchange,
  type SymbolSpec,
} from '../../market/listing.ts'
import { RATES, rateIndex, surcharges } from '../../market/rates.ts'
import type { AccountTable } from './accounts.ts'
import { Commission } from './commission.ts'
import { DiscountedCommission } from './discount.ts'
import type { Holds } from './holds.ts'
import { LastPrices } from './last-prices.ts'

const RATE_ONE = 10 ** RATE_DECIMALS

export interface TradeFeesOptions {
  readonly spec: SymbolSpec
  readonly accounts: AccountTable
  readonly holds: Holds
  /** No discounts when left out. */
  readonly exchange?: ExchangeSpec
  /** All symbols, over which commissions may be converted. */
  readonly symbols?: readonly SymbolSpec[]
  readonly lastPrices?: LastPrices
}

export class TradeFees {
  /** -1 when the exchange has none. */
  discountAssetId = AssetId(-1)

  private readonly accounts: AccountTable
  private readonly holds: Holds
  private readonly commission = new Commission()
  private readonly lastPrices: LastPrices
  private discountRate = 0
  /** Undefined when nothing joins the symbol's assets to the discount asset. */
  private discountOnBase: DiscountedCommission | undefined = undefined
  private discountOnQuote: DiscountedCommission | undefined = undefined
  /** The symbol's tax and special rates together, by role and side. */
  private readonly surcharges = new Int32Array(RATES)
  private isDiscounted = false
  /** Below 0 when auctions have none. */
  private auctionRate = -1

  constructor(options: TradeFeesOptions) {
    const { spec, accounts, holds, exchange = plainExchange, symbols = [spec] } = options
    this.lastPrices = options.lastPrices ?? new LastPrices(new SharedArrayBuffer(LastPrices.bytes))
    this.accounts = accounts
    this.holds = holds
    this.setExchange(spec, exchange, symbols)
    this.respecify(spec)
  }

  /** The exchange has another discount, or a symbol more, from the next trade on. */
  setExchange(
    { base, quote }: SymbolSpec,
    { discountAssetId, discountRate }: ExchangeSpec,
    symbols: readonly SymbolSpec[],
  ): void {
    const asset = assetOf(symbols, discountAssetId)
    const prices = this.lastPrices
    const discountOn = (received: AssetSpec) =>
      asset === undefined ? undefined : new DiscountedCommission(symbols, prices, received, asset)
    this.discountAssetId = discountAssetId
    this.discountRate = discountRate
    this.discountOnBase = discountOn(base)
    this.discountOnQuote = discountOn(quote)
  }

  /** Gives the symbol other fees, from the next trade on. */
  respecify({ fees, phases }: SymbolSpec): void {
    this.auctionRate = phases.auctionRate
    this.surcharges.set(surcharges(fees))
    this.isDiscounted = fees.discountEnabled
  }

  /**
   * Charges one side of a trade, before the trade moves anything: the taker, then the maker. What is
   * due in the discount asset goes from the account's free to the exchange's account here. Returns the
   * atoms that the caller keeps of the asset received; below zero, the atoms paid in the discount asset.
   */
  charge(account: AccountId, isMaker: boolean, isBuyer: boolean, receivedAtoms: Atoms): Atoms {
    const index = rateIndex(isMaker, isBuyer)
    const standard = this.accounts.standardRates[account * RATES + index]!
    const surcharge = this.surcharges[index]!
    if (this.isDiscounted && this.accounts.discountEnabled[account] === 1) {
      const kept = this.payDiscounted(account, isBuyer, receivedAtoms, standard, surcharge)
      if (kept !== undefined) return kept
    }
    return this.commission.of(receivedAtoms, standard + surcharge)
  }

  /** As `charge`, for a side of an auction's trade: by the auction's rate where the symbol has one. */
  chargeAuction(
    account: AccountId,
    isMaker: boolean,
    isBuyer: boolean,
    receivedAtoms: Atoms,
  ): Atoms {
    if (this.auctionRate < 0) return this.charge(account, isMaker, isBuyer, receivedAtoms)
    return this.commission.of(receivedAtoms, this.auctionRate)
  }

  /** As `charge`; undefined, with nothing moved, when there is no price or too little to pay with. */
  private payDiscounted(
    account: AccountId,
    isBuyer: boolean,
    receivedAtoms: Atoms,
    standard: number,
    surcharge: number,
  ): Atoms | undefined {
    const discount = isBuyer ? this.discountOnBase : this.discountOnQuote
    if (discount === undefined) return undefined
    const rate = standard * this.discountRate + surcharge * RATE_ONE
    const atoms = discount.of(receivedAtoms, rate)
    if (atoms < 0) return undefined
    if (discount.isReceived) return least(atoms, receivedAtoms)
    const asset = this.discountAssetId
    if (!this.holds.hold(account, asset, atoms)) return undefined
    this.holds.spend(account, asset, atoms)
    this.holds.credit(EXCHANGE_ACCOUNT, asset, atoms)
    return negative(atoms)
  }
}

function assetOf(symbols: readonly SymbolSpec[], id: number): AssetSpec | undefined {
  const symbol = symbols.find(({ base, quote }) => base.id === id || quote.id === id)
  return symbol?.base.id === id ? symbol.base : symbol?.quote
}
