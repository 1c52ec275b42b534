/** The status of a symbol as operators see it: its phase, and what they or its schedule want where that differs. */
import { namesOf, type SymbolStatus, SymbolStatus as statuses } from '../base/codes.ts'
import type { CounterReading } from '../shared/counters.ts'

const statusNames = namesOf(statuses)

/** `phase` is the symbol's counter of that name: 0 before its matcher has written it. */
export function actualStatus(wanted: SymbolStatus, phase: number): string {
  if (phase === 0 || phase - 1 === wanted) return statusNames[wanted]!
  return `${statusNames[phase - 1]} (wanted: ${statusNames[wanted]})`
}

/** By symbol id, of the counters of all threads. */
export const phasesIn = (counters: readonly CounterReading[]): readonly number[] =>
  bySymbol(counters, 'phase')

/** By symbol id: 1 where a call lasts until an operator ends it. */
export const waitingIn = (counters: readonly CounterReading[]): readonly number[] =>
  bySymbol(counters, 'waitsForOperator')

function bySymbol(counters: readonly CounterReading[], of: string): readonly number[] {
  const values: number[] = []
  for (const { scope, name, index, value } of counters) {
    if (scope === 'symbol' && name === of) values[index] = value
  }
  return values
}
