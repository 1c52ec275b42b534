/**
 * How requests ended: responses by HTTP status, refusals by error code and by symbol. Shared memory; each
 * gateway has a block that it alone writes, plainly. A block has a cell for every possible number, so that
 * counting needs no lookup. Pages that are never written take no memory.
 *
 *   blocks  gateway 0, gateway 1, …
 *   cell    f64: one for each status below 600, then one for each code above -9,600, then one for each
 *           symbol
 */
import { assert } from '../base/assert.ts'
import { SYMBOLS_MAX } from '../base/limits.ts'
import type { SymbolId } from '../base/units.ts'

const STATUS_CELLS = 600
const CODE_CELLS = 9_600
const SYMBOL_CELLS_BEGIN = STATUS_CELLS + CODE_CELLS
const BLOCK_CELLS = SYMBOL_CELLS_BEGIN + SYMBOLS_MAX

/** Returns the bytes of shared memory for these gateways. */
export const outcomesBytes = (gateways: number): number => gateways * BLOCK_CELLS * 8

/** The block of one gateway: only its own thread may write through it. */
export class Outcomes {
  private readonly cells: Float64Array

  constructor(memory: SharedArrayBuffer, gateway: number) {
    this.cells = new Float64Array(memory, gateway * BLOCK_CELLS * 8, BLOCK_CELLS)
  }

  /** Counts a response. */
  answered(status: number): void {
    this.cells[status] = this.cells[status]! + 1
  }

  /** Counts a refusal; `code` is negative, as the protocol's are. `symbolId` is the one that was named. */
  refused(code: number, symbolId?: SymbolId): void {
    const cell = STATUS_CELLS - code
    this.cells[cell] = this.cells[cell]! + 1
    if (symbolId === undefined) return
    const ofSymbol = SYMBOL_CELLS_BEGIN + symbolId
    this.cells[ofSymbol] = this.cells[ofSymbol]! + 1
  }
}

/** Counts of all gateways together. */
export class OutcomeReader {
  private readonly blocks: readonly Float64Array[]

  constructor(memory: SharedArrayBuffer, gateways: number) {
    this.blocks = Array.from(
      { length: gateways },
      (_, gateway) => new Float64Array(memory, gateway * BLOCK_CELLS * 8, BLOCK_CELLS),
    )
  }

  answers(status: number): number {
    assert(status > 0 && status < STATUS_CELLS, 'an HTTP status has a cell')
    return this.sum(status)
  }

  refusals(code: number): number {
    assert(code < 0 && code > -CODE_CELLS, 'an error code has a cell')
    return this.sum(STATUS_CELLS - code)
  }

  /** Returns the number of refused requests that named the symbol. */
  refusalsOn(symbolId: SymbolId): number {
    assert(symbolId >= 0 && symbolId < SYMBOLS_MAX, 'a symbol has a cell')
    return this.sum(SYMBOL_CELLS_BEGIN + symbolId)
  }

  private sum(cell: number): number {
    return this.blocks.reduce((sum, cells) => sum + cells[cell]!, 0)
  }
}
