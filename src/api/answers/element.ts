/**
 * What answers are made of, as data. An element of an answer names which property of a row it shows, and
 * how: by its kind a row's property is typed, the schema of the documents is made, and each encoder writes
 * it. A further encoding is a further column of kinds.
 *
 * Rows hold the engine's units. Those of prices and quantities are of one symbol: the row's, where it has
 * one, else that of the form in which the rows are to be shown.
 */
import type { Int64 } from '../../base/int64.ts'
import type { Lots, Ms, SymbolId, Ticks } from '../../base/units.ts'
import type { AssetSpec, SymbolSpec } from '../../market/listing.ts'
import {
  constant as constantSchema,
  decimal,
  flag as flagSchema,
  integer as integerSchema,
  list as listSchema,
  oneOfNames,
  type Schema,
  text as textSchema,
  time as timeSchema,
  tuple as tupleSchema,
} from './schema.ts'

/** How the rows of an answer are to be shown. */
export interface Form {
  /** The symbol of all rows, unless each has its own. */
  readonly spec?: SymbolSpec
  /** By id, where rows may name one. */
  readonly assets?: readonly AssetSpec[]
  readonly symbols?: readonly SymbolSpec[]
  /** Whether times are in microseconds. */
  readonly microseconds: boolean
}

/** By kind: how the value of a row is shown. */
export type Kind =
  /** The name of a symbol, given or by its id, or of an asset; texts with no character that JSON escapes. */
  | { readonly is: 'symbol' | 'symbolId' | 'asset' | 'id' }
  /** The name of an asset, or null. */
  | { readonly is: 'assetOrNull' }
  | { readonly is: 'text' | 'textOrNull' }
  /** Any value, in a table of no document; a JSON text that a client sent, which it is sent back. */
  | { readonly is: 'any' | 'echo' }
  /** Ticks and lots; lots and atoms of unlimited size, and amounts below 0. */
  | { readonly is: 'price' | 'quantity' | 'priceChange' | 'volume' }
  /** 10^-8 of an asset, or of a price: at least 0; the same of any sign. */
  | { readonly is: 'units' | 'signedUnits' }
  /** Units, or null below 0. */
  | { readonly is: 'unitsOrNull' }
  /** A decimal as it was given, of at most 8 places. */
  | { readonly is: 'decimalText' }
  /** 10^-decimals of anything, also below 0. */
  | { readonly is: 'fixed'; readonly decimals: number }
  | { readonly is: 'integer' | 'flag' }
  /** A time, or null; one that may not have come, below 0; the last moment before the next time. */
  | { readonly is: 'time' | 'timeOrNull' | 'moment' | 'endTime' }
  /** One of these texts, by number; in masked numbers, by bits from `shift` on. */
  | {
      readonly is: 'name'
      readonly names: readonly string[]
      readonly isMasked: boolean
      readonly shift: number
    }
  | { readonly is: 'constant'; readonly value: unknown }
  /** A value in the form of the wire: what is cold needs no other. */
  | { readonly is: 'wire'; readonly schema: Schema }
  | { readonly is: 'row' | 'rows'; readonly table: Table }
  /** A row of the table that its property `by` names. */
  | {
      readonly is: 'variant'
      readonly by: string
      readonly tables: Readonly<Record<string, Table>>
    }
  | { readonly is: 'list'; readonly of: Kind }
  /** A separate answer, or null. */
  | { readonly is: 'answer' }
  /** Prices and quantities. */
  | { readonly is: 'levels' }

/** Where its value is found: a property of the row, or of a row within it; or what a function returns. */
export type Source =
  | { readonly property: string; readonly within?: string; readonly otherwise?: unknown }
  | { readonly derive: (row: never, form: Form) => unknown }

/** A property of the row that must be above or equal to a number, or defined, for the element to stand. */
export interface Condition {
  readonly property: string
  readonly within?: string
  readonly test: { readonly above: number } | { readonly equal: number } | 'defined'
}

declare const part: unique symbol
declare const wire: unique symbol

/** `Part` is what it needs of a row, `Wire` what a client gets; undefined among it where it may be absent. */
export interface Element<Part = unknown, Wire = unknown> {
  readonly kind: Kind
  readonly source: Source
  readonly conditions: readonly Condition[]
  readonly schema: Schema
  readonly [part]?: (needed: Part) => void
  readonly [wire]?: Wire
}
/** The elements of an answer, in the order in which they are written. */
export type Elements = Readonly<Record<string, Element<never>>>

/** What encoders know of an answer. */
export interface Table<E extends Elements = Elements> {
  readonly elements: E
  /** Whether its rows are arrays of their values. */
  readonly isTuple: boolean
  /** Whether a row is shown in one form only and often: encoders keep what they wrote of it. */
  readonly isKept: boolean
  readonly schema: Schema
  /** What encoders make of the table once, by their names. */
  readonly compiled: { JSON?: unknown; SBE?: unknown }
}

/** Rows with their table, as encoders are given them. */
export interface Shown {
  readonly answer: Table
  readonly rows: unknown
  readonly form: Form
}

type PartOf<E> = E extends { readonly [part]?: (needed: infer Part) => void } ? Part : never
export type WireOf<E> = E extends { readonly [wire]?: infer Wire } ? Wire : never
/** What rows of an answer with these elements have: what all of them need. */
export type RowOf<E extends Elements> = [keyof E] extends [never]
  ? object
  : { [Name in keyof E]: (needed: PartOf<E[Name]>) => void }[keyof E] extends (
        all: infer Whole,
      ) => void
    ? Whole
    : never

type Holds<Property extends string, Value> = { readonly [P in Property]: Value }

const element = <Part, Wire>(kind: Kind, source: Source, schema: Schema): Element<Part, Wire> => ({
  kind,
  source,
  conditions: [],
  schema,
})

/** Makes the builder of elements of a kind: given the property that they show. */
const builder =
  <Value, Wire>(kind: Kind, schema: Schema) =>
  <Property extends string>(property: Property) =>
    element<Holds<Property, Value>, Wire>(kind, { property }, schema)

/** The row's symbol: what is priced in the row is of this one. */
export const symbol = builder<SymbolSpec, string>({ is: 'symbol' }, textSchema)
/** The row's symbol, where the row has its id. */
export const symbolId = builder<SymbolId, string>({ is: 'symbolId' }, textSchema)
/** The symbol of the form. */
export const formSymbol = element<unknown, string>(
  { is: 'symbol' },
  { derive: (_row: never, { spec }: Form) => spec },
  textSchema,
)
export const asset = builder<AssetSpec, string>({ is: 'asset' }, textSchema)
export const assetOrNull = builder<AssetSpec | null, string | null>(
  { is: 'assetOrNull' },
  { type: ['string', 'null'] },
)
export const price = builder<Ticks, string>({ is: 'price' }, decimal)
export const quantity = builder<Lots, string>({ is: 'quantity' }, decimal)
export const priceChange = builder<number, string>({ is: 'priceChange' }, decimal)
/** Lots of any number. */
export const volume = builder<bigint, string>({ is: 'volume' }, decimal)
export const units = builder<Int64, string>({ is: 'units' }, decimal)
export const unitsOrNull = builder<Int64, string | null>(
  { is: 'unitsOrNull' },
  { ...decimal, type: ['string', 'null'] },
)
export const signedUnits = builder<Int64, string>({ is: 'signedUnits' }, decimal)
/** A number with so many decimals. */
export const fixed = <Property extends string>(property: Property, decimals: number) =>
  element<Holds<Property, Int64>, string>(
    { is: 'fixed', decimals },
    { property },
    { type: 'string', pattern: `^-?[0-9]+\\.[0-9]{${decimals}}$` },
  )
export const decimalText = builder<string, string>({ is: 'decimalText' }, textSchema)
export const time = builder<Ms, number>({ is: 'time' }, timeSchema)
export const timeOrNull = builder<Ms | null, number | null>(
  { is: 'timeOrNull' },
  { type: ['integer', 'null'] },
)
/** -1 in every unit while it has not come. */
export const moment = builder<Ms, number>({ is: 'moment' }, timeSchema)
/** The last microsecond of its millisecond, where times are in those. */
export const endTime = builder<Ms, number>({ is: 'endTime' }, timeSchema)
export const integer = builder<Int64, number>({ is: 'integer' }, integerSchema)
export const flag = builder<boolean, boolean>({ is: 'flag' }, flagSchema)
/** A text with no character that JSON escapes. */
export const id = builder<string, string>({ is: 'id' }, textSchema)
export const text = builder<string, string>({ is: 'text' }, textSchema)
export const textOrNull = builder<string | null, string | null>(
  { is: 'textOrNull' },
  { type: ['string', 'null'] },
)
export const anyValue = <Value>() => builder<Value, Value>({ is: 'any' }, {})
export const echo = builder<string, unknown>({ is: 'echo' }, {})
/** A list of `[price, quantity]`. */
export const levels = builder<readonly (readonly [Ticks, Lots])[], readonly [string, string][]>(
  { is: 'levels' },
  listSchema(tupleSchema(decimal, decimal)),
)

/** One of these names. */
export const choice = <Property extends string, const Name extends string>(
  property: Property,
  names: readonly Name[],
) => element<Holds<Property, Name>, Name>({ is: 'id' }, { property }, oneOfNames(names))

/** One of these names, by number. */
export const name = <Property extends string, const Name extends string>(
  property: Property,
  names: readonly Name[],
) =>
  element<Holds<Property, number>, Name>(
    { is: 'name', names, isMasked: false, shift: 0 },
    { property },
    oneOfNames([...new Set(names)]),
  )

/** A name that bits of the property state, from `shift` on: by their power of two, `names` has texts. */
export const maskedName = <Property extends string, const Name extends string>(
  property: Property,
  names: readonly Name[],
  schema: Schema,
  shift = 0,
) =>
  element<Holds<Property, number>, Name>(
    { is: 'name', names, isMasked: true, shift },
    { property },
    schema,
  )

export const constant = <const Value extends string | number | boolean>(value: Value) =>
  element<unknown, Value>({ is: 'constant', value }, { property: '' }, constantSchema(value))

/** A value in the form of the wire, for what is cold. */
export const wireValue = <Value>(schema: Schema) =>
  builder<Value, Value>({ is: 'wire', schema }, schema)

/** A row of another answer, of the same symbol. */
export const row = <Property extends string, E extends Elements>(
  property: Property,
  table: Table<E>,
) =>
  element<Holds<Property, RowOf<E>>, WireRow<E>>({ is: 'row', table }, { property }, table.schema)
export const rows = <Property extends string, E extends Elements>(
  property: Property,
  table: Table<E>,
) =>
  element<Holds<Property, readonly RowOf<E>[]>, readonly WireRow<E>[]>(
    { is: 'rows', table },
    { property },
    listSchema(table.schema),
  )

/** A list of values that are shown as the element shows one. The element's property is of no account. */
export const listOf = <Property extends string, Value, Wire>(
  property: Property,
  one: Element<Holds<'', Value>, Wire>,
) =>
  element<Holds<Property, readonly Value[]>, readonly Wire[]>(
    { is: 'list', of: one.kind },
    { property },
    listSchema(one.schema),
  )
/** A row of one of several answers: of the one that its property `by` names. */
export const variant = <Row>(by: string, tables: Readonly<Record<string, Table>>, schema: Schema) =>
  builder<Row, Row>({ is: 'variant', by, tables }, schema)

/** Rows of an answer that the property brings with it, in their own form; or null. */
export const answer = <Wire = unknown, Value = Shown | null>(schema: Schema) =>
  builder<Value, Wire>({ is: 'answer' }, schema)

/** The element, described by another schema: one that names a component of the documents. */
export const describedBy = <Part, Wire>(
  schema: Schema,
  inner: Element<Part, Wire>,
): Element<Part, Wire> => ({ ...inner, schema })

/** An element whose value is made from the row. The builder's property is of no account. */
export const derived = <Part, Wire>(
  made: Element<never, Wire>,
  derive: (row: Part, form: Form) => unknown,
): Element<Part, Wire> => ({ ...made, source: { derive } }) as unknown as Element<Part, Wire>

/** The element stands where the row's property is above a number. */
export const above = <Property extends string, Part, Wire>(
  property: Property,
  limit: number,
  inner: Element<Part, Wire>,
) => when<Holds<Property, Int64>, Part, Wire>({ property, test: { above: limit } }, inner)

/** The element stands where the row's property is a number. */
export const equal = <Property extends string, Part, Wire>(
  property: Property,
  value: number,
  inner: Element<Part, Wire>,
) => when<Holds<Property, number>, Part, Wire>({ property, test: { equal: value } }, inner)

/** The element stands where the row has its property. */
export const optional = <Property extends string, Value, Wire>(
  inner: Element<Holds<Property, Value>, Wire>,
) => {
  const { property } = inner.source as { readonly property: Property }
  const condition = { property, test: 'defined' } as const
  const made: unknown = when(condition, inner as Element<unknown, Wire>)
  return made as Element<{ readonly [P in Property]?: Value | undefined }, Wire | undefined>
}

/** The element stands where the row has another property. */
export const beside = <Property extends string, Part, Wire>(
  property: Property,
  inner: Element<Part, Wire>,
) => when<{ readonly [P in Property]?: unknown }, Part, Wire>({ property, test: 'defined' }, inner)

const when = <Tested, Part, Wire>(
  condition: Condition,
  inner: Element<Part, Wire>,
): Element<Tested & Part, Wire | undefined> =>
  ({ ...inner, conditions: [condition, ...inner.conditions] }) as unknown as Element<
    Tested & Part,
    Wire | undefined
  >

/**
 * The element of a row that the row may have. Where it has none, `otherwise` is shown; without it, the
 * element does not stand.
 */
export function within<Property extends string, Part, Wire>(
  property: Property,
  inner: Element<Part, Wire>,
): Element<{ readonly [P in Property]?: Part | undefined }, Wire | undefined>
export function within<Property extends string, Part, Wire>(
  property: Property,
  inner: Element<Part, Wire>,
  otherwise: unknown,
): Element<{ readonly [P in Property]?: Part | undefined }, Wire>
export function within(property: string, inner: Element, otherwise?: unknown): Element {
  return {
    ...inner,
    source: { ...inner.source, within: property, otherwise },
    conditions: [
      ...(otherwise === undefined ? [{ property, test: 'defined' as const }] : []),
      ...inner.conditions.map((condition) => ({ ...condition, within: property })),
    ],
  }
}

/** What a client gets of an answer with these elements, as JSON.parse() returns it. */
export type WireRow<E extends Elements> = {
  readonly [Name in keyof E as undefined extends WireOf<E[Name]> ? never : Name]: WireOf<E[Name]>
} & {
  readonly [Name in keyof E as undefined extends WireOf<E[Name]> ? Name : never]?: WireOf<E[Name]>
}

export type Wire<A extends Table> = WireRow<A['elements']>

/** Whether every row of its answer has the element. */
export const isAlways = ({ conditions }: Element<never>): boolean => conditions.length === 0
