/**
 * The units that numbers are of, as types. A number of one unit cannot be passed or assigned where
 * another unit is wanted, and a plain number is of no unit: ticks are no lots, and neither is what
 * two of them add up to. The function with a unit's name makes one: `Lots(openLots - tradeLots)`.
 * It takes plain numbers, never another unit. Units are made where text or bytes are decoded, and
 * where arithmetic names its result. At run time each of them is the number itself.
 *
 * Only this file and generated accessors cast. No unit can be changed by `+=` or the like: its
 * result is a plain number.
 */
import { type Int64, readInt64, writeInt64 } from './int64.ts'

declare const unit: unique symbol
declare const side: unique symbol

type Unit<Name extends string> = number & { readonly [unit]: Name }
/** What a unit's function takes: plain numbers and that unit. */
type Plain<Name extends string> = number & { readonly [unit]?: Name }

/** A price, in steps of the symbol. */
export type Ticks = Unit<'ticks'>
export const Ticks = (value: Plain<'ticks'>): Ticks => value as Ticks
/** A quantity, in steps of the symbol. */
export type Lots = Unit<'lots'>
export const Lots = (value: Plain<'lots'>): Lots => value as Lots
/** A price times a quantity, of up to 73 bits. Notional (base/notional.ts) makes quote atoms of it. */
export type TickLots = Int64 & { readonly [unit]: 'tick lots' }
export const TickLots = (value: Int64 & { readonly [unit]?: 'tick lots' }): TickLots =>
  value as TickLots
/** What an amount's functions take: plain values and amounts. */
type PlainAtoms = Int64 & { readonly [unit]?: 'atoms' }
/** An amount of an asset, in parts of 10^-8: 64 bits, added and subtracted by base/int64.ts alone. */
export type Atoms = Int64 & { readonly [unit]: 'atoms' }
export const Atoms = (value: PlainAtoms): Atoms => value as Atoms
/** An amount of the asset in which a symbol's prices are. */
export type QuoteAtoms = Atoms & { readonly [side]: 'quote' }
export const QuoteAtoms = (value: PlainAtoms & { readonly [side]?: 'quote' }): QuoteAtoms =>
  value as QuoteAtoms
/** An amount of the asset that a symbol trades. */
export type BaseAtoms = Atoms & { readonly [side]: 'base' }
export const BaseAtoms = (value: PlainAtoms & { readonly [side]?: 'base' }): BaseAtoms =>
  value as BaseAtoms
/**
 * A moment of the exchange: milliseconds since the Unix epoch. Durations and readings of the monotonic
 * clock are plain numbers.
 */
export type Ms = Unit<'ms'>
export const Ms = (value: Plain<'ms'>): Ms => value as Ms
/** Counts from 1 within a symbol. */
export type OrderId = Unit<'order'>
export const OrderId = (value: Plain<'order'>): OrderId => value as OrderId
/** Counts from 1 within a symbol. */
export type TradeId = Unit<'trade'>
export const TradeId = (value: Plain<'trade'>): TradeId => value as TradeId
/** Counts from 1 across the exchange. */
export type OrderListId = Unit<'order list'>
export const OrderListId = (value: Plain<'order list'>): OrderListId => value as OrderListId
export type AccountId = Unit<'account'>
export const AccountId = (value: Plain<'account'>): AccountId => value as AccountId
export type SymbolId = Unit<'symbol'>
export const SymbolId = (value: Plain<'symbol'>): SymbolId => value as SymbolId
export type AssetId = Unit<'asset'>
export const AssetId = (value: Plain<'asset'>): AssetId => value as AssetId
/** A chain that carries money, and an asset on one. */
export type ChainId = Unit<'chain'>
export const ChainId = (value: Plain<'chain'>): ChainId => value as ChainId
export type NetworkId = Unit<'network'>
export const NetworkId = (value: Plain<'network'>): NetworkId => value as NetworkId

/** A column of doubles that are all of one unit. */
export interface Doubles<Of extends number> extends Float64Array {
  [index: number]: Of
  at(index: number): Of | undefined
  fill(value: Of, start?: number, end?: number): this
  set(from: ArrayLike<Of>, offset?: number): void
}
export const Doubles = <Of extends number>(column: Float64Array): Doubles<Of> =>
  column as Doubles<Of>
/** A column of 64-bit integers that are all of one unit: two words for each. */
export class Int64s<Of extends Int64> {
  private readonly words: Int32Array

  constructor(words: Int32Array) {
    this.words = words
  }

  of(index: number): Of {
    return readInt64(this.words, index * 2) as Of
  }

  set(index: number, value: Of): void {
    writeInt64(this.words, index * 2, value)
  }
}
/** A column of 32-bit words that are all of one unit. */
export interface Words<Of extends number> extends Int32Array {
  [index: number]: Of
  at(index: number): Of | undefined
  fill(value: Of, start?: number, end?: number): this
  set(from: ArrayLike<Of>, offset?: number): void
}
export const Words = <Of extends number>(column: Int32Array): Words<Of> => column as Words<Of>
