/** The encoders that may write lists where their rows are, on another thread. */
import type { ListEncoding } from '../../history/queries.ts'
import type { AnyRows } from './answer.ts'
import { bytesOf } from './json.ts'

/** A further encoder is a further row. */
const encoders: Readonly<Record<ListEncoding, (rows: AnyRows) => Uint8Array>> = {
  JSON: (rows) => bytesOf(rows).slice(),
}

/** Returns bytes that the caller keeps. */
export const encode = (encoding: ListEncoding, rows: AnyRows): Uint8Array =>
  encoders[encoding](rows)
