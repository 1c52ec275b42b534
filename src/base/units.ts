/**
 * The units that numbers are of, as types. A number of one unit cannot be passed or assigned where
 * another unit is wanted: ticks are no lots. Accessors (layout/accessors.gen.ts) return them and
 * columns hold them. What is computed is a plain number, which fits every unit until it is named as
 * one. At run time each of them is the number itself.
 */
declare const unit: unique symbol
declare const side: unique symbol

type Unit<Name extends string> = number & { readonly [unit]?: Name }

/** A price, in steps of the symbol. */
export type Ticks = Unit<'ticks'>
/** A quantity, in steps of the symbol. */
export type Lots = Unit<'lots'>
/** An amount of an asset, in parts of 10^-8. */
export type Atoms = Unit<'atoms'>
/** An amount of the asset in which a symbol's prices are. */
export type QuoteAtoms = Atoms & { readonly [side]?: 'quote' }
/** An amount of the asset that a symbol trades. */
export type BaseAtoms = Atoms & { readonly [side]?: 'base' }
/** Milliseconds since the Unix epoch. */
export type Ms = Unit<'ms'>
/** Counts from 1 within a symbol. */
export type OrderId = Unit<'order'>
/** Counts from 1 within a symbol. */
export type TradeId = Unit<'trade'>
/** Counts from 1 across the exchange. */
export type OrderListId = Unit<'order list'>
export type AccountId = Unit<'account'>
export type SymbolId = Unit<'symbol'>
export type AssetId = Unit<'asset'>

/** A column of doubles that are all of one unit. */
export interface Doubles<Of extends number> extends Float64Array {
  [index: number]: Of
}
/** A column of 32-bit words that are all of one unit. */
export interface Words<Of extends number> extends Int32Array {
  [index: number]: Of
}
