import type { Int64 } from '../../base/int64.ts'

/** Folds integers, as StateHash does. */
export interface Folding {
  word(value: number): unknown
  int(value: Int64): unknown
}
