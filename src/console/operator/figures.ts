/** Sums over a reading of the exchange, and what plots begin with. */
import type { Figures, Row } from '../../admin-api/readings.ts'

/** What plots begin with: figures that the exchange kept. */
export interface History {
  /** Moment of the first point, ms since 1970, and ms between two points. */
  readonly beginMs: number
  readonly stepMs: number
  /** By name, a value for each point; null where it is not known. */
  readonly series: Readonly<Record<string, readonly (number | null)[]>>
  readonly marks: readonly Mark[]
}

/** What an operator did, a halt, or a start. */
export interface Mark {
  readonly timeMs: number
  readonly text: string
}

/** Sums a counter over threads. */
export const sumOf = (rows: readonly Row[], name: string): number =>
  rows.reduce((sum, row) => sum + (row[name] ?? 0), 0)

/** The largest of a counter over threads. */
export const mostOf = (rows: readonly Row[], name: string): number =>
  Math.max(0, ...rows.map((row) => row[name] ?? 0))

/** Sums a column of the symbols. */
export const sumOfSymbols = ({ symbols }: Figures, name: string): number =>
  (symbols.counters[name] ?? []).reduce((sum, value) => sum + value, 0)
