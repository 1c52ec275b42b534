import type { Prng } from '../../src/base/prng.ts'

export interface FuzzTarget {
  readonly name: string
  /** What selects it for fuzzing. */
  readonly group: 'settings' | 'journal' | 'messages'
  readonly writesFiles?: true
  /** Makes one input from chance and gives it to what is tested. */
  run(prng: Prng): void
}
