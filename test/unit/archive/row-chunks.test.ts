/** Rows in chunks beside a plain map of rows: written, found, read by windows, removed and replaced. */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { RowEdits } from '../../../src/archive/row-edits.ts'
import {
  aggregateRows,
  CHUNK_BYTES,
  orderRows,
  ownerOf,
  recentIdRows,
  rowId,
  rowsPerChunk,
  setRowId,
  tapeRows,
  tradeRows,
} from '../../../src/archive/row-form.ts'
import { RowReader } from '../../../src/archive/row-reader.ts'
import { ArchiveDamage, RowWriter } from '../../../src/archive/row-writer.ts'
import { AccountId, Lots, Ms, SymbolId } from '../../../src/base/units.ts'
import { Environment, Sync } from '../../../src/journal/environment.ts'
import { RecordBuffer } from '../../../src/layout/record-buffer.ts'
import {
  AggregateValue,
  OrderValue,
  RecentIdEntry,
  TapeValue,
  TradeValue,
} from '../../../src/layout/rows.gen.ts'

const OWNERS = [
  ownerOf(AccountId(1), SymbolId(0)),
  ownerOf(AccountId(1), SymbolId(1)),
  ownerOf(AccountId(2), SymbolId(0)),
  ownerOf(AccountId(2 ** 32 - 1), SymbolId(1023)),
]
/** Few, so that memory is full again and again. */
const CHUNKS_MAX = 7

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-rows-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Plain {
  readonly id: number
  readonly timeMs: number
  lots: number
}

type Step =
  | { readonly kind: 'append'; readonly owner: number; readonly rows: number; readonly gap: number }
  | { readonly kind: 'change'; readonly owner: number; readonly pick: number }
  | { readonly kind: 'edit'; readonly owner: number; readonly pick: number; readonly rows: number }
  | { readonly kind: 'fail' }

const owner = fc.constantFrom(...OWNERS)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      owner,
      rows: fc.integer({ min: 1, max: 60 }),
      gap: fc.integer({ min: 1, max: 9 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('change' as const), owner, pick: fc.nat() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      owner,
      pick: fc.nat(),
      rows: fc.integer({ min: 1, max: 70 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fail' as const) }) },
)
const transactions = fc.array(fc.array(step, { maxLength: 12 }), { minLength: 1, maxLength: 8 })

const plainOf = (rows: RecordBuffer, at: number): Plain => ({
  id: OrderValue.orderId(rows, at),
  timeMs: OrderValue.createdMs(rows, at),
  lots: OrderValue.lots(rows, at),
})

function fill(rows: RecordBuffer, at: number, plain: Plain): void {
  OrderValue.setCreatedMs(rows, at, Ms(plain.timeMs))
  OrderValue.setLots(rows, at, Lots(plain.lots))
}

/** A table of orders, and what it should hold. */
class Beside {
  readonly environment = new Environment({ folder, tables: ['rows'] })
  readonly table = this.environment.table('rows')
  readonly writer = new RowWriter(this.table, orderRows, CHUNKS_MAX)
  readonly edits = new RowEdits(this.table, orderRows)
  readonly reader = new RowReader(this.table, orderRows)
  known = new Map<number, Plain[]>(OWNERS.map((it) => [it, []]))
  private lastIds = new Map<number, number>()

  run(steps: readonly Step[]): void {
    const before = structuredClone(this.known)
    const failing = new Error('planned')
    try {
      this.environment.write(() => {
        for (const it of steps) {
          if (it.kind === 'fail') throw failing
          this.take(it)
        }
        this.writer.store()
      }, Sync.KERNEL)
    } catch (error) {
      if (error !== failing) throw error
      this.known = before
      this.writer.forget()
    }
  }

  private take(it: Exclude<Step, { kind: 'fail' }>): void {
    const rows = this.known.get(it.owner)!
    if (it.kind === 'append') {
      for (let i = 0; i < it.rows; i++) {
        const id = (this.lastIds.get(it.owner) ?? 0) + it.gap
        this.lastIds.set(it.owner, id)
        const plain = { id, timeMs: Math.floor(id / 3), lots: 1 }
        fill(this.writer.values, this.writer.append(it.owner, id), plain)
        rows.push(plain)
      }
      return
    }
    if (rows.length === 0) return
    const place = it.pick % rows.length
    if (it.kind === 'change') {
      const at = this.writer.find(it.owner, rows[place]!.id)
      rows[place]!.lots++
      OrderValue.setLots(this.writer.values, at, Lots(rows[place]!.lots))
      return
    }
    this.writer.store()
    const meant = rows.slice(place, place + it.rows)
    for (const [index, plain] of meant.entries()) {
      // Every other one, the others are given more.
      if (index % 2 === 0) {
        this.edits.remove(it.owner, plain.id)
        rows.splice(rows.indexOf(plain), 1)
        continue
      }
      plain.lots += 1000
      const at = this.writer.find(it.owner, plain.id)
      const row = this.writer.values.bytes.slice(at, at + OrderValue.bytes)
      const buffer = { f64: new Float64Array(row.buffer) } as RecordBuffer
      OrderValue.setLots(buffer, 0, Lots(plain.lots))
      this.edits.replace(it.owner, plain.id, row)
    }
    this.edits.apply()
    this.writer.forget()
  }

  check(ask: number): void {
    this.environment.release()
    this.reader.forget()
    for (const [owner, rows] of this.known) {
      const lastId = rows.at(-1)?.id ?? 0
      expect(this.reader.lastId(owner)).toBe(lastId)
      for (const newest of [false, true]) {
        const limit = (ask % 70) + 1
        const from = ask % (lastId + 2)
        const to = newest ? lastId : lastId - (ask % 5)
        const found: Plain[] = []
        this.reader.each(owner, { from, to, newest }, limit, (at) => {
          found.push(plainOf(this.reader.rows, at))
          return true
        })
        const within = rows.filter(({ id }) => id >= from && id <= to)
        expect(found).toEqual(newest ? within.slice(-limit).reverse() : within.slice(0, limit))
      }
      for (const id of [ask % (lastId + 2), rows[ask % (rows.length || 1)]?.id ?? 1]) {
        const at = this.reader.find(owner, id)
        const plain = rows.find((row) => row.id === id)
        expect(at < 0 ? undefined : plainOf(this.reader.rows, at)).toEqual(plain)
      }
      const timeMs = Ms(ask % (Math.floor(lastId / 3) + 2))
      const firstAt = this.reader.firstAt(owner, OrderValue.createdMs, timeMs, lastId)
      expect(firstAt).toBe(rows.find((row) => row.timeMs >= timeMs)?.id ?? lastId + 1)
    }
  }
}

test('a table of chunks holds what a map of rows does, whatever is written, undone and removed', () => {
  fc.assert(
    fc.property(transactions, fc.array(fc.nat(), { minLength: 8, maxLength: 8 }), (all, asks) => {
      rmSync(folder, { recursive: true, force: true })
      const beside = new Beside()
      try {
        for (const [index, steps] of all.entries()) {
          beside.run(steps)
          for (const ask of asks.slice(index)) beside.check(ask)
        }
      } finally {
        beside.environment.close()
      }
    }),
    { numRuns: 60 },
  )
})

test('rows that fill several memories are found in the same transaction', () => {
  const beside = new Beside()
  const rows = CHUNKS_MAX * rowsPerChunk(orderRows) * 3
  beside.environment.write(() => {
    for (let id = 1; id <= rows; id++) {
      fill(beside.writer.values, beside.writer.append(5, id), { id, timeMs: id, lots: id })
    }
    for (let id = 1; id <= rows; id++) {
      const at = beside.writer.find(5, id)
      OrderValue.setLots(beside.writer.values, at, Lots(id * 2))
    }
    expect(beside.writer.find(5, rows + 1)).toBe(-1)
    expect(beside.writer.find(6, 1)).toBe(-1)
    beside.writer.store()
  }, Sync.KERNEL)
  for (let id = 1; id <= rows; id++) {
    const at = beside.reader.find(5, id)
    if (OrderValue.lots(beside.reader.rows, at) !== id * 2) expect(id).toBe('doubled')
  }
  beside.environment.close()
})

test('a row that is not above the last one, and a chunk that is not whole, are damage', () => {
  const beside = new Beside()
  beside.environment.write(() => {
    beside.writer.append(1, 5)
    expect(() => beside.writer.append(1, 5)).toThrow(ArchiveDamage)
    beside.table.put(orderRows.keyOf(2, 1), new Uint8Array(OrderValue.bytes + 1))
    beside.table.put(orderRows.keyOf(3, 1), new Uint8Array(CHUNK_BYTES + OrderValue.bytes))
    for (const owner of [2, 3]) expect(() => beside.writer.find(owner, 1)).toThrow(ArchiveDamage)
  }, Sync.KERNEL)
  beside.environment.close()
})

test.each([
  [orderRows, OrderValue.orderId],
  [tradeRows, TradeValue.fill],
  [tapeRows, TapeValue.tradeId],
  [aggregateRows, AggregateValue.aggregateId],
  [recentIdRows, RecentIdEntry.number],
])('rows fill chunks, and begin with their id: %#', (form, idOf) => {
  expect(rowsPerChunk(form) * form.bytes).toBe(CHUNK_BYTES)
  const rows = RecordBuffer.allocate(2 * form.bytes)
  setRowId(rows, form.bytes, 7)
  expect([idOf(rows, form.bytes), rowId(rows, form.bytes)]).toEqual([7, 7])
})
