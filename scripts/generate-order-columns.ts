/**
 * What only some orders have, from layout/schema/order-fields.ts: the values that a request gives an order,
 * their writer into commands, and the engine's columns with what copies commands and sections into them.
 */
import { type Field, fieldTypes } from '../src/layout/schema/field.ts'
import { detailsSection, extras, orderColumns } from '../src/layout/schema/order-fields.ts'
import { capital } from './field-accessors.ts'

const HEAD = '// Generated from layout/schema/order-fields.ts by `npm run generate`. Do not edit.'

const unitOf = ([, type]: Field): string => fieldTypes[type].unit ?? 'number'
/** The field's initial value, in its unit. */
const initialOf = (field: Field): string => {
  const { unit } = fieldTypes[field[1]]
  const value = field[3] ?? 0
  return unit === undefined ? `${value}` : `${unit}(${value})`
}
const commentOf = ([, , meaning]: Field): string => (meaning === '' ? '' : `  /** ${meaning} */\n`)

/** An import of the units that the fields are of. */
function unitsOf(fields: readonly Field[], file: string): string {
  const units = new Set(fields.map(unitOf))
  units.delete('number')
  return `import { ${[...units].sort().join(', ')} } from '${file}'`
}

export function extrasModule(): string {
  return `${HEAD}
${unitsOf(extras, '../base/units.ts')}
import { ExtrasBlock } from './accessors.gen.ts'
import type { RecordBuffer } from './record-buffer.ts'

/** What only some orders ask for. */
export interface OrderExtras {
${extras.map((field) => `${commentOf(field)}  ${field[0]}: ${unitOf(field)}`).join('\n')}
}

export const noExtras: Readonly<OrderExtras> = {
${extras.map((field) => `  ${field[0]}: ${initialOf(field)},`).join('\n')}
}

/** Writes them into the block at byte \`at\` of a command. */
export function writeExtras(
  buffer: RecordBuffer,
  at: number,
  values: Readonly<OrderExtras>,
): void {
${extras.map(([name]) => `  ExtrasBlock.set${capital(name)}(buffer, at, values.${name})`).join('\n')}
}
`
}

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
    .map((field) => `${commentOf(field)}  readonly ${field[0]}: SparseColumn<${unitOf(field)}>`)
    .join('\n')
  const made = orderColumns
    .map((field) => `    this.${field[0]} = new SparseColumn(rows, ${initialOf(field)})`)
    .join('\n')
  return `${HEAD}
${unitsOf(orderColumns, '../../base/units.ts')}
import { DetailsSection, ExtrasBlock } from '../../layout/accessors.gen.ts'
import type { RecordBuffer } from '../../layout/record-buffer.ts'
import { SparseColumn, type SlotRows } from './sparse-column.ts'

export class OrderColumns {
${declared}
  /** All columns, in the order in which snapshots and hashes have them. */
  readonly columns: readonly SparseColumn<number>[]

  constructor(rows: SlotRows) {
${made}
    this.columns = [
${names.map((name) => `      this.${name},`).join('\n')}
    ]
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
