/**
 * Answers that were encoded where their rows are, on another thread, by the encoder that the request
 * names. Their bytes are passed on as they are.
 */
import type { ListEncoding } from '../../history/queries.ts'
import { bytesOf, type JsonBytes, type JsonWriter } from '../render/json-bytes.ts'
import type { AnyRows, MixedRows } from './answer.ts'

export class Encoded implements JsonWriter {
  readonly encoding: ListEncoding
  readonly bytes: Uint8Array

  constructor(encoding: ListEncoding, bytes: Uint8Array) {
    this.encoding = encoding
    this.bytes = bytes
  }

  write(to: JsonBytes): void {
    to.bytes(this.bytes)
  }
}

/** What a request is answered with. */
export type Reply = AnyRows | MixedRows | Encoded

/** A further encoder is a further row. */
const encoders: Readonly<Record<ListEncoding, (rows: AnyRows) => Uint8Array>> = {
  JSON: (rows) => bytesOf(rows).slice(),
}

/** Returns bytes that the caller keeps. */
export const encode = (encoding: ListEncoding, rows: AnyRows): Uint8Array =>
  encoders[encoding](rows)
