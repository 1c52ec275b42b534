/**
 * What an answer is made of, as data: each element has a kind, by which its value in a row is typed, its
 * schema is made and each encoder writes it. A further encoding is a further column of kinds.
 */
import type { Int64 } from '../../base/int64.ts'
import type { Lots, Ms, Ticks } from '../../base/units.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { decimal, integer, type Schema, text, time } from '../shapes/schema.ts'

/** By kind: what a row holds, in the engine's units. */
export interface Values {
  /** The name of the row's symbol. */
  readonly symbol: SymbolSpec
  /** Its decimals are those of the row's symbol, and so are those of quantities. */
  readonly price: Ticks
  readonly quantity: Lots
  /** 10^-8 of an asset, or of a price. */
  readonly units: Int64
  readonly time: Ms
  readonly integer: number
}
export type Kind = keyof Values

/** Of one kind each; an answer says its elements in the order in which they are written. */
export type Elements = Readonly<Record<string, Kind>>

export const schemaOf: Readonly<Record<Kind, Schema>> = {
  symbol: text,
  price: decimal,
  quantity: decimal,
  units: decimal,
  time,
  integer,
}

/** The typed row of an answer with these elements. */
export type RowOf<E extends Elements> = { readonly [Name in keyof E]: Values[E[Name]] }
