import type { Int64 } from '../../base/int64.ts'

/** Hashes integers, as StateHash does. */
export interface HashSink {
  word(value: number): unknown
  int(value: Int64): unknown
}
