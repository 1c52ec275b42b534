/** What a schema of records is made of, and the fields that all records begin with. */
export type Carrier = 'i32' | 'int' | 'int64' | 'id' | 'int96' | TextCarrier
/** Text of at most so many letters. */
export type TextCarrier = 'text64' | 'text128' | 'text512'
/** What a field holds: plain numbers, or numbers of a unit (base/units.ts). */
export type FieldType = keyof typeof fieldTypes

/** By type of a field: how bytes carry it, and its unit in TypeScript if it has one. */
export const fieldTypes = {
  i32: { carrier: 'i32', unit: undefined },
  int: { carrier: 'int', unit: undefined },
  int64: { carrier: 'int64', unit: undefined },
  id: { carrier: 'id', unit: undefined },
  int96: { carrier: 'int96', unit: undefined },
  text64: { carrier: 'text64', unit: undefined },
  text128: { carrier: 'text128', unit: undefined },
  text512: { carrier: 'text512', unit: undefined },
  ticks32: { carrier: 'i32', unit: 'Ticks' },
  ticks: { carrier: 'int', unit: 'Ticks' },
  lots: { carrier: 'int', unit: 'Lots' },
  atoms: { carrier: 'int64', unit: 'Atoms' },
  quoteAtoms: { carrier: 'int64', unit: 'QuoteAtoms' },
  ms: { carrier: 'int', unit: 'Ms' },
  orderId: { carrier: 'int', unit: 'OrderId' },
  tradeId: { carrier: 'int', unit: 'TradeId' },
  orderListId: { carrier: 'int', unit: 'OrderListId' },
  accountId: { carrier: 'i32', unit: 'AccountId' },
  symbolId: { carrier: 'i32', unit: 'SymbolId' },
  assetId: { carrier: 'i32', unit: 'AssetId' },
  chainId: { carrier: 'i32', unit: 'ChainId' },
  networkId: { carrier: 'i32', unit: 'NetworkId' },
} as const satisfies Record<string, { carrier: Carrier; unit: string | undefined }>

/** Bytes of each carrier; those of 8 begin at a multiple of 8. */
const carrierBytes: Readonly<Record<Carrier, number>> = {
  i32: 4,
  int: 8,
  int64: 8,
  id: 32,
  int96: 12,
  text64: 64,
  text128: 128,
  text512: 512,
}

export const isText = (type: FieldType): boolean => carrierOf(type).startsWith('text')
export const carrierOf = (type: FieldType): Carrier => fieldTypes[type].carrier
export const fieldBytes = (type: FieldType): number => carrierBytes[carrierOf(type)]
/** `initial` is what the field has while nothing else is known; 0 when left out. */
export type Field = readonly [name: string, type: FieldType, meaning: string, initial?: number]

export interface RecordSchema {
  readonly name: string
  readonly type: number
  readonly kind: 'command' | 'event' | 'reply'
  readonly meaning: string
  readonly fields: readonly Field[]
  /** Fields that are written and read only when its terms are detailed. */
  readonly onlyDetailed?: readonly string[]
  /** What may stand behind the fields, in this order. */
  readonly sections?: readonly RecordSection[]
}

/** Fields that stand behind a record's own, all of them or none. */
export interface Section {
  readonly name: string
  readonly meaning: string
  readonly fields: readonly Field[]
}

/**
 * Bytes of a fixed size that are not a record: a row of the archive, the head of a file or of a block. It
 * has the fields of `legs` once for each leg of an order list: `orderId1`, `orderId2`, `orderId3`.
 */
export interface Structure extends Section {
  readonly legs?: readonly string[]
  /** A field whose offset code needs: `<field>Start`. */
  readonly start?: string
  /** Fields that objects have under the same names, by what reads and writes them: `read<Name>`. */
  readonly groups?: Readonly<Record<string, readonly string[]>>
}

/** A section of one record. It is there when the i32 `field` has the value under the mask. */
export interface RecordSection {
  readonly name: string
  readonly section: Section
  readonly field: string
  readonly mask: number
  readonly value: number
}

/** Fields that a record has once for each of its orders, each time in a row: `takerLots`, `makerLots`. */
export interface SideFields {
  readonly name: string
  readonly meaning: string
  /** By record. */
  readonly sides: Readonly<Record<string, readonly string[]>>
  readonly fields: readonly Field[]
}

const headMeaning = 'type in bits 0-7, flags in bits 8-15, length in bytes in bits 16-31'

/** Every record begins with these 16 bytes. */
export const header: readonly Field[] = [
  ['head', 'i32', headMeaning],
  ['symbolId', 'symbolId', 'the symbol it concerns'],
  ['gateway', 'i32', 'the gateway that asked, or -1'],
  ['correlation', 'i32', "that gateway's ticket for the request"],
]

/** Every event continues with these 16 bytes. */
export const eventHeader: readonly Field[] = [
  ['timeMs', 'ms', "the batch's time, ms since the Unix epoch"],
  ['sequence', 'int', "place among the symbol's events, from 1, without gaps"],
]

/** Bit of the head's flags: a Trade has an AuctionSection. */
export const FLAG_AUCTION = 4
/** Bit of the head's flags: what is said of a prevented match has an AcrossSection. */
export const FLAG_ACROSS = 8

/** Bits of the head's flags. */
export const flags = [
  ['LAST', 1, 'the last record that the command caused; its answer is complete'],
  ['TIMED', 2, 'a command whose stages are stamped (shared/stamps.ts)'],
  [
    'AUCTION',
    FLAG_AUCTION,
    'a Trade of an auction: both orders rested, and an AuctionSection stands behind it',
  ],
  [
    'ACROSS',
    FLAG_ACROSS,
    'a prevented match of a routed order with one of another symbol: an AcrossSection stands behind',
  ],
] as const
