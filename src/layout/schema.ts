/**
 * What bytes mean, as data: records, rows and keys of the archive, heads of files. The build writes from
 * it accessors.gen.ts, records.gen.ts (readers and writers), rows.gen.ts and keys.gen.ts; the served
 * documents have the byte maps as a page. Numbers and offsets are the journal's format: append types, never renumber or reuse one. A change of what journals hold is
 * a new layout, and ships the step from the one before (conversions.ts).
 *
 * Field types. `i32`: 4 bytes, two's complement. `int`: 8 bytes, an integer within ±(2^53 - 1) carried
 * as an IEEE-754 double, because that is what a typed array reads without conversion. `int64`: 8 bytes,
 * two's complement (base/int64.ts): amounts of money, and what clients may choose of 64 bits. `id`: 32
 * bytes, a client order id (base/client-order-id.ts). `int96`: 12 bytes, a sum (base/int96.ts). `text64` and the like:
 * so many bytes, a letter of Latin-1 each, zeros behind the last (base/fixed-text.ts). All but
 * keys is little-endian and aligned to 8 bytes; pairs of i32 share 8 bytes, so a record lists them in twos.
 *
 * A *command* asks one symbol's engine for something. An *event* is what happened: events are the
 * facts, and recovery, archive and streams read nothing else. A *reply* answers a query or refuses a
 * command; it changes nothing and is never journaled.
 *
 * An event has all that its readers need of the orders that it concerns. What only some orders have
 * stands in *sections* behind a record's fields; a field of the record tells whether a section is there.
 */
import { archiveRows } from './schema/archive-rows.ts'
import { commands } from './schema/commands.ts'
import { events } from './schema/events.ts'
import {
  carrierOf,
  eventHeader,
  type Field,
  type FieldType,
  fieldBytes,
  header,
  type RecordSchema,
  type Section,
  type SideFields,
  type Structure,
} from './schema/field.ts'
import { heads } from './schema/heads.ts'
import {
  deal,
  execution,
  extras,
  leg,
  order,
  placement,
  progress,
  sideName,
} from './schema/order-fields.ts'
import { replies } from './schema/replies.ts'
import {
  chain,
  deposit,
  movement,
  walletCommands,
  walletEvents,
  walletReplies,
  withdrawal,
} from './schema/wallet.ts'

export const schemas: readonly RecordSchema[] = [
  ...[...commands, ...walletCommands],
  ...[...events, ...walletEvents],
  ...[...replies, ...walletReplies],
]
/** What bytes outside records mean (rows.gen.ts). */
export const structures: readonly Structure[] = [...archiveRows, ...heads]

/** Fields that several records have at the same offsets, so that one reader serves them all. */
export interface SharedFields {
  readonly name: string
  readonly meaning: string
  readonly fields: readonly string[]
  readonly of: readonly string[]
}

const names = (fields: readonly Field[]): readonly string[] => fields.map(([name]) => name)
const namesOf = (kind?: RecordSchema['kind']): readonly string[] =>
  schemas.filter((schema) => kind === undefined || schema.kind === kind).map(({ name }) => name)

const WHOLE_ORDER_EVENTS = [
  'OrderAccepted',
  'OrderTriggered',
  'OrderReleased',
  'OrderClosed',
  'OrderAmended',
  'OrderDecremented',
] as const

/** The generator proves each of these: every record in `of` has every field, at one offset. */
export const sharedFields: readonly SharedFields[] = [
  {
    name: 'RecordHeader',
    meaning: 'Every record.',
    fields: names(header).slice(1),
    of: namesOf(),
  },
  {
    name: 'EventHeader',
    meaning: 'Every event.',
    fields: names([...header, ...eventHeader]).slice(1),
    of: namesOf('event'),
  },
  {
    name: 'OrderEvent',
    meaning: 'Every event of one order that names its price.',
    fields: ['account', 'terms', 'orderId', 'priceTicks'],
    of: [...WHOLE_ORDER_EVENTS, 'OrderRested', 'OrderReplenished'],
  },
  {
    name: 'WholeOrderEvent',
    meaning: 'Every event that says all of what one order asked for.',
    fields: names(order),
    of: WHOLE_ORDER_EVENTS,
  },
  {
    name: 'ExecutionEvent',
    meaning: 'A waiting order begins its execution.',
    fields: names(execution),
    of: ['OrderTriggered', 'OrderReleased'],
  },
  {
    name: 'JoinEvent',
    meaning: 'Quantity joined the end of a price level.',
    fields: ['account', 'terms', 'orderId', 'priceTicks', 'restedLots', 'updateId'],
    of: ['OrderRested', 'OrderReplenished'],
  },
  {
    name: 'Placement',
    meaning: 'What is to be placed, or was refused.',
    fields: names(placement).filter((name) => name !== 'expiresMs'),
    of: ['PlaceOrder', 'ReplaceOrder', 'ReplaceResult'],
  },
]

/** Fields that several records have in the same order, each record from its own offset. */
export interface Block {
  readonly name: string
  readonly meaning: string
  readonly fields: readonly Field[]
  readonly of: readonly string[]
}

/** The generator proves each of these. A block is read at `<Record>.<block>At(at)`. */
export const blocks: readonly Block[] = [
  {
    name: 'OrderBlock',
    meaning: 'What one order asked for.',
    fields: order,
    of: [...WHOLE_ORDER_EVENTS, 'OrderState'],
  },
  {
    name: 'ProgressBlock',
    meaning: 'What one order has come to.',
    fields: progress,
    of: ['OrderClosed', 'OrderAmended', 'OrderDecremented', 'OrderState'],
  },
  {
    name: 'DealBlock',
    meaning: 'What a block trade moved.',
    fields: deal,
    of: ['BlockTrade', 'BlockTradeState'],
  },
  {
    name: 'DepositBlock',
    meaning: 'A deposit as it stands.',
    fields: deposit,
    of: ['DepositChanged', 'DepositState'],
  },
  {
    name: 'WithdrawalBlock',
    meaning: 'A withdrawal as it stands.',
    fields: withdrawal,
    of: ['WithdrawalChanged', 'WithdrawalState'],
  },
  {
    name: 'MovementBlock',
    meaning: 'An amount that moved from one account to another.',
    fields: movement,
    of: ['FundsMoved', 'MovementState'],
  },
  {
    name: 'ChainBlock',
    meaning: 'A chain of the house.',
    fields: chain,
    of: ['ChainChanged', 'ChainState'],
  },
  {
    name: 'ExtrasBlock',
    meaning: 'What only some orders ask for.',
    fields: extras,
    of: ['PlaceOrder', 'ReplaceOrder', 'ReplaceResult'],
  },
]

/** Fields that a record has once for each leg of an order list: `terms1`, `terms2`, `terms3`. */
export interface LegFields {
  readonly record: string
  readonly fields: readonly string[]
}

/** The generator proves that the legs of each field stand at equal distances. */
export const legFields: readonly LegFields[] = [
  { record: 'PlaceOrderList', fields: names(leg(1)).map((name) => name.slice(0, -1)) },
  { record: 'OrderListChanged', fields: ['orderId', 'clientOrderId'] },
  { record: 'OrderListRejected', fields: ['clientOrderId'] },
]
export const LEGS_MAX = 3

/** Commands travel in slots of one size; a larger command takes several in a row. */
export const COMMAND_SLOT_BYTES = 128

/** Client order ids are words of 4 bytes, but begin at a multiple of 8. */
const isAligned = (type: FieldType, offset: number): boolean =>
  offset % (carrierOf(type) === 'i32' || carrierOf(type) === 'int96' ? 4 : 8) === 0

/** All fields of a record in order, headers included, with their byte offsets. */
export function fieldsOf(
  schema: RecordSchema,
): readonly { name: string; type: FieldType; meaning: string; offset: number }[] {
  const own =
    schema.kind === 'event'
      ? [...header, ...eventHeader, ...schema.fields]
      : [...header, ...schema.fields]
  let offset = 0
  return own.map(([name, type, meaning]) => {
    if (!isAligned(type, offset)) throw new RangeError(`${schema.name}.${name} is not aligned`)
    const field = { name, type, meaning, offset }
    offset += fieldBytes(type)
    return field
  })
}

/** The fields of a section or structure, with their byte offsets from its beginning. */
export function placesOf({ name, fields }: Section): ReturnType<typeof fieldsOf> {
  let offset = 0
  return fields.map(([field, type, meaning]) => {
    if (!isAligned(type, offset)) throw new RangeError(`${name}.${field} is not aligned`)
    const place = { name: field, type, meaning, offset }
    offset += fieldBytes(type)
    return place
  })
}

/** Bytes of a section or structure: a multiple of 8, so that another can follow it. */
export function sectionBytes({ name, fields }: Section): number {
  const bytes = fields.reduce((sum, [, type]) => sum + fieldBytes(type), 0)
  if (bytes % 8 !== 0) throw new RangeError(`${name} does not end at a multiple of 8`)
  return bytes
}

export function recordBytes(schema: RecordSchema): number {
  const last = fieldsOf(schema).at(-1)!
  return (last.offset + fieldBytes(last.type) + 7) & ~7
}

/** Bytes from the beginning of the record to where a side's fields begin: they stand in a row there. */
export function sideStart({ fields }: SideFields, record: string, side: string): number {
  const own = fieldsOf(schemas.find(({ name }) => name === record)!)
  const start = own.findIndex(({ name }) => name === sideName(side, fields[0]![0]))
  for (const [i, [name, type]] of fields.entries()) {
    const field = own[start + i]
    if (field?.name !== sideName(side, name) || field.type !== type) {
      throw new RangeError(`${record}.${name} of the ${side} is not in its row`)
    }
  }
  const { offset } = own[start]!
  if (offset % 8 !== 0) throw new RangeError(`the ${side} of ${record} is not aligned`)
  return offset
}
