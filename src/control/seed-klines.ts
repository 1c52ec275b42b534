/**
 * The klines of a seed file: minutes of another venue, before this exchange's own trades. Rows are those of
 * `GET /api/v3/klines`: times in milliseconds, prices and volumes as decimal text.
 */

import type { Table } from '../base/cold-input.ts'
import { parseDecimal, parseInt64 } from '../base/fixed.ts'
import type { Int64 } from '../base/int64.ts'
import { PRICE_TICKS_MAX, WIRE_DECIMALS } from '../base/limits.ts'
import { Ms, type SymbolId, Ticks } from '../base/units.ts'
import { MINUTE_MS } from '../market/intervals.ts'
import type { SymbolSpec } from '../market/listing.ts'
import { SEEDED_KLINES_MAX, type SeededMinute } from '../market/seeded-klines.ts'
import { ActionError } from './action.ts'
import type { KlinesFact } from './facts.ts'
import { checkKeys, plainValue } from './venue-file.ts'

export const seedKlinesKeys = ['symbol', 'interval', 'rows', 'file'] as const
/** Fewest fields of a kline: its last one is unused, and may be left out. */
const FIELDS_MIN = 11
/** Far more than any market has in a minute; a week of them stays an exact number. */
const TRADES_MAX = 1_000_000_000
/** Far in the future; the start bounds times further. */
const TIME_MS_MAX = 2 ** 47

/** Reads a file beside the seed. Throws ActionError with the reason. */
export type FileBeside = (name: string) => string

/** Reads tables of klines, one after another. */
export class SeedKlines {
  private readonly symbols: readonly SymbolSpec[]
  private readonly readFile: FileBeside
  private readonly nowMs: Ms
  /** By symbol: where the next minute may open. */
  private readonly nextMs = new Map<SymbolId, number>()
  private count = 0

  constructor(symbols: readonly SymbolSpec[], readFile: FileBeside, nowMs: Ms) {
    this.symbols = symbols
    this.readFile = readFile
    this.nowMs = nowMs
  }

  /** Returns the fact of one table. Throws ActionError. */
  fact(where: string, table: Table): KlinesFact {
    checkKeys(where, table, seedKlinesKeys)
    const { symbol, interval = '1m' } = table
    const spec = this.symbols.find(({ name }) => name === symbol)
    if (spec === undefined) {
      throw new ActionError(`${where}: there is no symbol ${String(symbol)}.`)
    }
    if (interval !== '1m') {
      throw new ActionError(`${where}: interval must be 1m; longer klines are made of them.`)
    }
    const rows = this.rows(where, table)
    this.count += rows.length
    if (this.count > SEEDED_KLINES_MAX) {
      throw new ActionError(`A seed has at most ${SEEDED_KLINES_MAX} klines.`)
    }
    const minutes = rows.map((row, at) => this.minute(`${where}, row ${at + 1}`, spec, row))
    // One without trades shows the close before it, as any minute that has no kline.
    return { fact: 'klines', symbol: spec.id, minutes: minutes.filter(([, , , , , n]) => n > 0) }
  }

  private rows(where: string, { rows, file }: Table): readonly unknown[] {
    if ((rows === undefined) === (file === undefined)) {
      throw new ActionError(`${where} must have either rows or a file.`)
    }
    const given = file === undefined ? rows : this.parsed(where, file)
    if (Array.isArray(given)) return given
    throw new ActionError(`${where}: klines must be an array of rows.`)
  }

  private parsed(where: string, file: unknown): unknown {
    if (typeof file !== 'string') throw new ActionError(`${where}: file must be text.`)
    const text = this.readFile(file)
    try {
      return JSON.parse(text)
    } catch {
      throw new ActionError(`${where}: ${file} is not JSON.`)
    }
  }

  private minute(where: string, spec: SymbolSpec, row: unknown): SeededMinute {
    if (!Array.isArray(row) || row.length < FIELDS_MIN) {
      throw new ActionError(`${where} must have the fields of a kline.`)
    }
    const fields = new Fields(where, row)
    const openMs = fields.integer('open time', 0, TIME_MS_MAX)
    const openTicks = fields.ticks('open', 1, spec)
    const highTicks = fields.ticks('high', 2, spec)
    const lowTicks = fields.ticks('low', 3, spec)
    const closeTicks = fields.ticks('close', 4, spec)
    const lots = fields.amount('volume', 5, spec.lotUnits)
    const closeMs = fields.integer('close time', 6, TIME_MS_MAX)
    const quoteAtoms = fields.amount('quote volume', 7, 1)
    const trades = fields.integer('number of trades', 8, TRADES_MAX)
    const buyLots = fields.amount('taker buy volume', 9, spec.lotUnits)
    const buyAtoms = fields.amount('taker buy quote volume', 10, 1)
    this.checkTimes(where, spec.id, openMs, closeMs)
    const isRange = lowTicks <= Math.min(openTicks, closeTicks)
    if (!isRange || highTicks < Math.max(openTicks, closeTicks)) {
      throw new ActionError(`${where}: open and close must be between low and high.`)
    }
    if (buyLots > lots || buyAtoms > quoteAtoms) {
      throw new ActionError(`${where}: takers cannot buy more than was traded.`)
    }
    if (trades > 0 === (lots === 0n)) {
      throw new ActionError(`${where}: trades and volume must both be 0, or neither.`)
    }
    const volumes = [lots, quoteAtoms, buyLots, buyAtoms].map(String)
    return [
      ...([Ms(openMs), openTicks, highTicks, lowTicks, closeTicks, trades] as const),
      ...(volumes as [string, string, string, string]),
    ]
  }

  private checkTimes(where: string, symbol: SymbolId, openMs: number, closeMs: number): void {
    if (openMs % MINUTE_MS !== 0 || closeMs !== openMs + MINUTE_MS - 1) {
      throw new ActionError(`${where} must be a whole minute, from its open to its close time.`)
    }
    if (openMs < (this.nextMs.get(symbol) ?? 0)) {
      throw new ActionError(`${where} must be later than the row of the symbol before it.`)
    }
    if (closeMs >= this.nowMs) throw new ActionError(`${where} must be over before the start.`)
    this.nextMs.set(symbol, openMs + MINUTE_MS)
  }
}

/** The fields of one row. */
class Fields {
  private readonly where: string
  private readonly row: readonly unknown[]

  constructor(where: string, row: readonly unknown[]) {
    this.where = where
    this.row = row
  }

  integer(name: string, at: number, max: number): number {
    const value = this.row[at]
    const isOne = typeof value === 'number' && Number.isInteger(value)
    return isOne && value >= 0 && value <= max ? value : this.refuse(name)
  }

  ticks(name: string, at: number, { tickUnits }: SymbolSpec): Ticks {
    const ticks = parseDecimal(this.text(name, at), WIRE_DECIMALS) / tickUnits
    const isOne = Number.isInteger(ticks) && ticks > 0 && ticks <= PRICE_TICKS_MAX
    return isOne ? Ticks(ticks) : this.refuse(name)
  }

  /** In so many units of 10^-8. */
  amount(name: string, at: number, units: number): bigint {
    const value: Int64 = parseInt64(this.text(name, at), WIRE_DECIMALS)
    if (value < 0 || BigInt(value) % BigInt(units) !== 0n) return this.refuse(name)
    return BigInt(value) / BigInt(units)
  }

  private text(name: string, at: number): string {
    const value = plainValue(this.row[at])
    return typeof value === 'string' ? value : this.refuse(name)
  }

  private refuse(name: string): never {
    throw new ActionError(`${this.where}: its ${name} is not valid for the symbol.`)
  }
}
