/**
 * Branded integers: each is a plain number at run time and a type of its own to the compiler, so that
 * adding ticks to lots does not compile. Arithmetic gives a plain number back; whoever does it says
 * with `as` what the result is.
 */
declare const unit: unique symbol
type Branded<Name extends string> = number & { readonly [unit]: Name }

/** A price, in the symbol's tick. */
export type PriceTicks = Branded<'PriceTicks'>
/** A quantity, in the symbol's lot. */
export type QtyLots = Branded<'QtyLots'>
/** An amount of an asset, in its smallest unit. At most 2^53 - 1 for anything one order moves. */
export type AssetAtoms = Branded<'AssetAtoms'>
/** Milliseconds since the Unix epoch. */
export type TimeMs = Branded<'TimeMs'>
/** Place in the table of listed symbols; never reused. */
export type SymbolId = Branded<'SymbolId'>
/** Place in the table of assets; never reused. */
export type AssetId = Branded<'AssetId'>
/** Place in the table of accounts; 0 is the exchange itself, which collects commissions. */
export type AccountId = Branded<'AccountId'>
/** Counts from 1 within a symbol. */
export type OrderId = Branded<'OrderId'>
/** Counts from 1 within a symbol. */
export type TradeId = Branded<'TradeId'>
/** Version of a symbol's depth; rises by one with each change of one level. */
export type UpdateId = Branded<'UpdateId'>

/** The account that collects commissions. */
export const EXCHANGE_ACCOUNT = 0 as AccountId
