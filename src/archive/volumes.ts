/**
 * What each account traded on each UTC day, as maker and as taker, in atoms of the valuation asset
 * at the prices of the time (Binance.US, wallet). Part of the index: sums of the day under way are
 * kept in memory and stored once per transaction. A trade whose quote asset cannot be converted, since
 * no symbol that leads to the valuation asset has traded yet, counts nothing.
 */

import { int64 } from '../base/int64.ts'
import {
  type AccountId,
  AssetId,
  Atoms,
  type Ms,
  type QuoteAtoms,
  type SymbolId,
  Ticks,
} from '../base/units.ts'
import type { Environment, Table } from '../journal/environment.ts'
import { VolumeKey } from '../layout/keys.gen.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { TapeValue, VolumeValue } from '../layout/rows.gen.ts'
import { Conversion } from '../market/conversion.ts'
import { DAY_MS } from '../market/intervals.ts'
import type { SymbolSpec } from '../market/listing.ts'
import type { SeededKlines } from '../market/seeded-klines.ts'
import { tapeRows } from './row-form.ts'
import { RowReader } from './row-reader.ts'
import { TableName } from './tables.ts'

/** Lows stay below this, so that the sum of two is exact. */
const HIGH = 2 ** 52
const HIGH_BITS = 52n

/** What an archive is made of beside journals: what is listed, what volumes are counted in, and klines of a seed. */
export interface Valuation {
  /** By id. */
  readonly symbols: readonly SymbolSpec[]
  /** The asset that volumes are counted in; -1 for none: none are counted. */
  readonly assetId: AssetId
  /** Klines of seeds, which symbols begin with. */
  readonly klines?: readonly SeededKlines[]
  /** How many corrections of the clock there are; none when left out. */
  readonly corrections?: number
}

export const noValuation: Valuation = { symbols: [], assetId: AssetId(-1) }

interface Sum {
  high: number
  low: number
  isDirty: boolean
}

export class VolumeWriter {
  private readonly table: Table
  private readonly tape: RowReader
  private readonly row = RecordBuffer.allocate(VolumeValue.bytes)
  /** By symbol id. */
  private symbols: readonly SymbolSpec[] = []
  private conversions: readonly Conversion[] = []
  private readonly lastTicks: Ticks[] = []
  /** Volume of `day` by account, in atoms of the valuation asset. */
  private readonly sums = new Map<AccountId, Sum>()
  private day = -1

  constructor(environment: Environment, valuation: Valuation) {
    this.table = environment.table(TableName.VOLUMES)
    this.tape = new RowReader(environment.table(TableName.TAPE), tapeRows)
    this.setValuation(valuation)
  }

  /** What is listed and counted in from the next trade on. */
  setValuation({ symbols, assetId }: Valuation): void {
    const prices = { ticksOf: (symbolId: SymbolId) => this.lastTicks[symbolId]! }
    this.symbols = assetId < 0 ? [] : symbols
    this.conversions = this.symbols.map(
      ({ quote }) => new Conversion(symbols, prices, quote.id, assetId),
    )
    for (const { id } of this.symbols) this.lastTicks[id] ??= this.lastTicksOf(id)
  }

  /** A trade between two accounts, newer than those of its symbol before. */
  traded(
    symbolId: SymbolId,
    takerAccount: AccountId,
    makerAccount: AccountId,
    priceTicks: Ticks,
    quoteAtoms: QuoteAtoms,
    timeMs: Ms,
  ): void {
    if (this.symbols[symbolId] === undefined) return
    this.lastTicks[symbolId] = priceTicks
    const atoms = this.valueOf(symbolId, quoteAtoms)
    if (atoms === undefined) return
    this.begin(timeMs)
    this.add(takerAccount, atoms)
    this.add(makerAccount, atoms)
  }

  /** A routed order of the account got something. */
  allocated(symbolId: SymbolId, account: AccountId, quoteAtoms: QuoteAtoms, timeMs: Ms): void {
    if (this.symbols[symbolId] === undefined) return
    const atoms = this.valueOf(symbolId, quoteAtoms)
    if (atoms === undefined) return
    this.begin(timeMs)
    this.add(account, atoms)
  }

  /** In atoms of the valuation asset; undefined where no price is known. */
  private valueOf(symbolId: SymbolId, quoteAtoms: QuoteAtoms): Atoms | undefined {
    const conversion = this.conversions[symbolId]!
    if (!conversion.find()) return undefined
    return isOne(conversion) ? quoteAtoms : converted(conversion, quoteAtoms)
  }

  /** Sums are of this moment's day from here on. */
  private begin(timeMs: Ms): void {
    const day = Math.floor(timeMs / DAY_MS)
    if (day === this.day) return
    this.store()
    this.sums.clear()
    this.day = day
  }

  /** Writes what has changed, within a transaction. */
  store(): void {
    for (const [account, sum] of this.sums) {
      if (!sum.isDirty) continue
      VolumeValue.setHigh(this.row, 0, sum.high)
      VolumeValue.setLow(this.row, 0, sum.low)
      this.table.put(keyOf(account, this.day), this.row.bytes)
      sum.isDirty = false
    }
  }

  /** Trusts the tables' current contents. */
  forget(): void {
    this.sums.clear()
    this.day = -1
    for (const { id } of this.symbols) this.lastTicks[id] = this.lastTicksOf(id)
  }

  private add(account: AccountId, atoms: Atoms): void {
    let sum = this.sums.get(account)
    if (sum === undefined) {
      sum = this.stored(account)
      this.sums.set(account, sum)
    }
    sum.isDirty = true
    // Almost all are.
    if (typeof atoms === 'number' && atoms < HIGH) sum.low += atoms
    else {
      const exact = BigInt(atoms)
      sum.low += Number(BigInt.asUintN(Number(HIGH_BITS), exact))
      sum.high += Number(exact >> HIGH_BITS)
    }
    if (sum.low < HIGH) return
    sum.low -= HIGH
    sum.high++
  }

  private stored(account: AccountId): Sum {
    const stored = this.table.get(keyOf(account, this.day))
    if (stored === undefined) return { high: 0, low: 0, isDirty: false }
    this.row.bytes.set(stored)
    const high = VolumeValue.high(this.row, 0)
    return { high, low: VolumeValue.low(this.row, 0), isDirty: false }
  }

  private lastTicksOf(symbolId: SymbolId): Ticks {
    this.tape.forget()
    const at = this.tape.findLast(symbolId)
    return at < 0 ? Ticks(0) : TapeValue.priceTicks(this.tape.rows, at)
  }
}

const isOne = ({ numerator, denominator }: Conversion): boolean => numerator === denominator

/** Rounded down; past 64 bits where the other asset is worth so little. */
const converted = ({ numerator, denominator }: Conversion, atoms: Atoms): Atoms =>
  Atoms(int64((BigInt(atoms) * numerator) / denominator))

/** Atoms that the account traded on the days of [fromDay, toDay). */
export function readVolume(
  table: Table,
  account: AccountId,
  fromDay: number,
  toDay: number,
): bigint {
  const row = RecordBuffer.allocate(VolumeValue.bytes)
  let atoms = 0n
  for (const { value } of table.rows({
    start: keyOf(account, fromDay),
    end: keyOf(account, toDay),
  })) {
    row.bytes.set(value)
    atoms += BigInt(VolumeValue.high(row, 0)) * BigInt(HIGH) + BigInt(VolumeValue.low(row, 0))
  }
  return atoms
}

const keyOf = (account: AccountId, day: number): Uint8Array => new VolumeKey().of(account, day)
