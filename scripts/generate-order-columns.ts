/**
 * Orders as objects, and the engine's columns of what only some of them have with what copies commands and
 * sections into them, from layout/schema/order-fields.ts.
 */
import { carrierOf, type Field, fieldTypes } from '../src/layout/schema/field.ts'
import {
  detailsSection,
  extras,
  laterColumns,
  order,
  orderColumns,
  progress,
  standing,
} from '../src/layout/schema/order-fields.ts'
import { capital, unitOf } from './field-accessors.ts'

/** The field's initial value, in its unit. */
const initialOf = (field: Field): string => {
  const { unit } = fieldTypes[field[1]]
  const value = field[3] ?? 0
  return unit === undefined ? `${value}` : `${unit}(${value})`
}
const commentOf = ([, , meaning]: Field): string => (meaning === '' ? '' : `  /** ${meaning} */\n`)

export function orderModule(): string {
  const whole = [...order, ...progress]
  return `/** What an order asked for, and what it has come to. */
export class WholeOrder implements OrderBlockFields, ProgressBlockFields {
${whole.map((field) => `${commentOf(field)}  ${field[0]} = ${initialOf(field)}`).join('\n')}
}

/** An order as its last event has it. */
export interface StandingOrder {
${standingFields.map((field) => `${commentOf(field)}  ${field[0]}: ${unitOf(field[1])}`).join('\n')}
}

/** What only some orders ask for. */
export type OrderExtras = ExtrasBlockFields

export const noExtras: Readonly<OrderExtras> = {
${extras.map((field) => `  ${field[0]}: ${initialOf(field)},`).join('\n')}
}
`
}

const standingFields = [...order, ...progress, ...standing]

/** How rows of orders are made. */
export function orderRowModule(): string {
  return `/**
 * Returns a row with what \`order\` says. Field by field: a spread takes six times as long, and a list of open
 * orders has thousands.
 */
export const orderRowOf = (
  order: Readonly<StandingOrder>,
  preventedMatchIdPlusOne: number,
  clientOrderId: string,
  details: OrderRowDetails | undefined,
): OrderRow => {
  const isPegged = details !== undefined && details.pegLimitTicks >= 0
  return {
${standingFields.map(shown).join('\n')}
    peggedTicks: isPegged ? order.priceTicks : undefined,
    preventedMatchIdPlusOne,
    clientOrderId,
    details,
  }
}
`
}

/** Clients get the limit that they sent; a peg's price stands beside it. */
const shown = ([name]: Field): string =>
  name === 'priceTicks'
    ? '    priceTicks: isPegged ? details.pegLimitTicks : order.priceTicks,'
    : `    ${name}: order.${name},`

const columnOf = ([, type]: Field): string =>
  carrierOf(type) === 'int64' ? 'SparseInt64s' : 'SparseColumn'
/** An image has every column as 8 bytes, whatever records carry it in. */
const streamOfColumn = ([, type]: Field): string =>
  carrierOf(type) === 'int64' ? 'int64' : 'double'

/** The columns that a section or a block has fields for are copied by name. */
export function columnsModule(): string {
  const section = detailsSection.fields
  const names = orderColumns.map(([name]) => name)
  for (const [name] of [...extras, ...section]) {
    if (!names.includes(name)) throw new RangeError(`orderColumns lacks ${name}`)
  }
  const taken = (fields: readonly Field[], from: string) =>
    fields.map(([name]) => `    this.${name}.set(slot, ${from}.${name}(records, at))`).join('\n')
  const written = section
    .map(([name]) => `    DetailsSection.set${capital(name)}(records, at, this.${name}.of(slot))`)
    .join('\n')
  const declared = orderColumns
    .map(
      (field) =>
        `${commentOf(field)}  readonly ${field[0]}: ${columnOf(field)}<${unitOf(field[1])}>`,
    )
    .join('\n')
  const made = orderColumns
    .map((field) => `    this.${field[0]} = new ${columnOf(field)}(rows, ${initialOf(field)})`)
    .join('\n')
  const put = (field: Field) => `    image.${streamOfColumn(field)}(this.${field[0]}.of(slot))`
  const take = (field: Field, i: number) => {
    const { unit } = fieldTypes[field[1]]
    const value = `image.${streamOfColumn(field)}()${unit === undefined ? '' : ` as ${unit}`}`
    const since = laterColumns.get(field[0])
    const isFirst = since !== undefined && since !== laterColumns.get(names[i - 1] ?? '')
    const end = isFirst ? `    if (layout < ${since}) return\n` : ''
    return `${end}    this.${field[0]}.set(slot, ${value})`
  }
  const view = ([name]: Field) => `    hash.int(this.${name}.of(slot))`
  return `export class OrderColumns {
${declared}
  /** All columns, in the order in which snapshots and hashes have them. */
  readonly columns: readonly (SparseColumn<number> | SparseInt64s<Int64>)[]

  constructor(rows: SlotRows) {
${made}
    this.columns = [
${names.map((name) => `      this.${name},`).join('\n')}
    ]
  }

  writeImage(slot: number, image: ImageWriter): void {
${orderColumns.map(put).join('\n')}
  }

  /** \`layout\` is that of the snapshot, which may lack the last columns. */
  readImage(slot: number, image: ImageReader, layout: number): void {
${orderColumns.map(take).join('\n')}
  }

  hash(slot: number, hash: HashSink): void {
${orderColumns.map(view).join('\n')}
  }

  /** Takes what the command asked for an order: an ExtrasBlock at byte \`at\` of \`records\`. */
  takeExtras(slot: number, records: RecordBuffer, at: number): void {
${taken(extras, 'ExtrasBlock')}
  }

  /** Takes what an event says of an order: a DetailsSection at byte \`at\` of \`records\`. */
  takeSection(slot: number, records: RecordBuffer, at: number): void {
${taken(section, 'DetailsSection')}
  }

  /** Writes an order as the DetailsSection at byte \`at\` of \`records\`. */
  writeSection(slot: number, records: RecordBuffer, at: number): void {
${written}
  }
}
`
}
