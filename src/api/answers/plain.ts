/**
 * An answer's rows as plain values: what JSON.parse() would return of their JSON, without any text. It is
 * the plain twin of json.ts, and what callers in this process get.
 */
import { assert } from '../../base/assert.ts'
import { formatBigDecimal, formatDecimal } from '../../base/fixed.ts'
import { type Int64, product } from '../../base/int64.ts'
import { WIRE_DECIMALS } from '../../base/limits.ts'
import { Lots, Ms, Ticks } from '../../base/units.ts'
import type { AssetSpec, SymbolSpec } from '../../market/listing.ts'
import { Encoded, MixedRows, type Reply } from './answer.ts'
import type { Condition, Element, Elements, Form, Kind, Shown, Source, Table } from './element.ts'

type Row = Readonly<Record<string, unknown>>

/** Callers that take rows name no encoding, and get none that are encoded. */
export function plainRows(reply: Reply): unknown {
  assert(!(reply instanceof Encoded), 'rows are plain before they are encoded')
  if (reply instanceof MixedRows) return reply.parts.map(plainRows)
  const { answer, rows, form } = reply
  return Array.isArray(rows)
    ? rows.map((row) => plainRow(answer, row, form))
    : plainRow(answer, rows as Row, form)
}

function plainRow({ elements, isTuple }: Table, row: Row, form: Form): unknown {
  const spec = specOf(elements, row, form) ?? form.spec
  const shown = { ...form, ...(spec === undefined ? {} : { spec }) }
  const members = Object.entries(elements)
    .filter(([, { conditions }]) => conditions.every((condition) => isMet(condition, row)))
    .map(([name, element]) => [name, plainValue(element, row, shown)] as const)
  return isTuple ? members.map(([, value]) => value) : Object.fromEntries(members)
}

function specOf(elements: Elements, row: Row, { symbols }: Form): SymbolSpec | undefined {
  for (const { kind, source } of Object.values(elements)) {
    if ('derive' in source) continue
    if (kind.is === 'symbol') return row[source.property] as SymbolSpec
    if (kind.is === 'symbolId') return symbols![row[source.property] as number]
  }
  return undefined
}

function isMet({ property, within, test }: Condition, row: Row): boolean {
  const value = (within === undefined ? row : (row[within] as Row))[property] as Int64 | undefined
  if (test === 'defined') return value !== undefined
  return 'above' in test ? value! > test.above : value === test.equal
}

function read(source: Source, row: Row, form: Form): unknown {
  if ('derive' in source) return source.derive(row as never, form)
  const { property, within, otherwise } = source
  if (within === undefined) return row[property]
  const inner = row[within] as Row | undefined
  return inner === undefined ? otherwise : inner[property]
}

function plainValue({ kind, source }: Element<never>, row: Row, form: Form): unknown {
  if (kind.is === 'symbol' || kind.is === 'symbolId') return form.spec?.name
  if (kind.is === 'constant') return kind.value
  return plainOf(kind, read(source, row, form), form)
}

function plainOf(kind: Kind, value: unknown, form: Form): unknown {
  const { tickUnits = 0, lotUnits = 0 } = form.spec ?? {}
  const time = Ms(value as number)
  switch (kind.is) {
    case 'asset':
      return (value as AssetSpec).name
    case 'assetOrNull':
      return (value as AssetSpec | null)?.name ?? null
    case 'echo':
      return JSON.parse(value as string)
    case 'answer':
      return value === null ? null : plainRows(value as Shown)
    case 'price':
    case 'priceChange':
      return decimal(product(Ticks(value as number), tickUnits))
    case 'quantity':
      return decimal(product(Lots(value as number), lotUnits))
    case 'volume':
      return formatBigDecimal((value as bigint) * BigInt(lotUnits), WIRE_DECIMALS)
    case 'unitsOrNull':
      return (value as Int64) < 0 ? null : decimal(value as Int64)
    case 'units':
    case 'signedUnits':
      return decimal(value as Int64)
    case 'fixed':
      return formatDecimal(value as Int64, kind.decimals)
    case 'time':
      return inUnit(time, form)
    case 'timeOrNull':
      return value === null ? null : inUnit(time, form)
    case 'moment':
      return time < 0 ? time : inUnit(time, form)
    case 'endTime':
      return form.microseconds ? inUnit(Ms(time + 1), form) - 1 : time
    case 'name':
      return kind.names[
        kind.isMasked
          ? ((value as number) >> kind.shift) & (kind.names.length - 1)
          : (value as number)
      ]
    case 'row':
      return plainRow(kind.table, value as Row, form)
    case 'rows':
      return (value as readonly Row[]).map((row) => plainRow(kind.table, row, form))
    case 'variant':
      return plainRow(kind.tables[(value as Row)[kind.by] as string]!, value as Row, form)
    case 'list':
      return (value as readonly unknown[]).map((one) => plainOf(kind.of, one, form))
    case 'levels':
      return (value as readonly (readonly [Ticks, Lots])[]).map(([priceTicks, lots]) => [
        decimal(product(priceTicks, tickUnits)),
        decimal(product(lots, lotUnits)),
      ])
    default:
      return value
  }
}

const decimal = (value: Int64): string => formatDecimal(value, WIRE_DECIMALS)
const inUnit = (timeMs: Ms, { microseconds }: Form): number =>
  microseconds ? timeMs * 1000 : timeMs
