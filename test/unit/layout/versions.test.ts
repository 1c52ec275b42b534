/**
 * The tables of what is kept on disks, beside the versions that readers go by. A table that changes changes its digest
 * here: the version rises with it, unless no release has written that version yet, and older data stays readable.
 */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { ARCHIVE_VERSION } from '../../../src/archive/tables.ts'
import { SNAPSHOT_LAYOUT } from '../../../src/journal/snapshot.ts'
import { JOURNAL_LAYOUT } from '../../../src/layout/conversions.ts'
import { archiveRows } from '../../../src/layout/schema/archive-rows.ts'
import type { Field } from '../../../src/layout/schema/field.ts'
import { imageParts } from '../../../src/layout/schema/images.ts'
import { keys } from '../../../src/layout/schema/keys.ts'
import { orderColumns, sections } from '../../../src/layout/schema/order-fields.ts'
import { schemas } from '../../../src/layout/schema.ts'

const fieldsOf = (fields: readonly Field[]) => fields.map(([name, type]) => [name, type])
const shapesOf = (
  tables: readonly { readonly name: string; readonly fields: readonly Field[] }[],
) => tables.map(({ name, fields }) => [name, fieldsOf(fields)])
const digestOf = (tables: unknown) =>
  createHash('sha256').update(JSON.stringify(tables)).digest('hex').slice(0, 16)

const events = schemas.filter(({ kind }) => kind === 'event')
const types = events.map(({ name, type }) => [name, type])

test.each([
  [
    'journal',
    JOURNAL_LAYOUT,
    10,
    [types, shapesOf(events), shapesOf(sections)],
    '0a6fe5e7d821d16c',
  ],
  [
    'snapshot',
    SNAPSHOT_LAYOUT,
    7,
    [shapesOf(imageParts), fieldsOf(orderColumns)],
    'fbb629e68307ba41',
  ],
  [
    'archive',
    ARCHIVE_VERSION,
    12,
    [shapesOf(archiveRows), shapesOf(sections), keys],
    '4fa0ecb05fd43d8d',
  ],
])('the tables of the %s are those of its version', (_, version, expected, tables, digest) => {
  expect([version, digestOf(tables)]).toEqual([expected, digest])
})
