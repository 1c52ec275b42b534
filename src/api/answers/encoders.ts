/** Encoders: each writes every answer, event and error. */
import type { ListEncoding } from '../../history/queries.ts'
import { encodingOf, type SbeVersion, sbeOf, streamMessageOf } from '../sbe/sbe.ts'
import { sbeBytes } from '../sbe/sbe-bytes.ts'
import { sbeKlines } from '../sbe/sbe-lists.ts'
import type { AnyRows, Reply } from './answer.ts'
import { bytesOf } from './json.ts'
import { jsonBytes } from './json-bytes.ts'
import { jsonLists, type ListWriter } from './lists.ts'

export interface Encoder {
  readonly name: string
  /** The type of a response that it wrote. */
  readonly mediaType: string
  /** Whether frames of it are no text. */
  readonly isBinary?: true
  /** By which history threads know it, which then encode lists; undefined where lists come as rows. */
  readonly lists: ListEncoding | undefined
  /** Returns the bytes of an answer, until the thread's next ones unless they are kept. */
  encode(reply: Reply): Uint8Array
  /** Where it writes, again and again; absent where bytes stay. */
  readonly page?: EncoderPage
}

export interface EncoderPage {
  /** Bytes of the last answer that was written within another. */
  readonly innerBytes: number
  /** Keeps the bytes that `encode` returned last until `releaseKept`. */
  keep(): void
  releaseKept(): void
}

export const jsonEncoder: Encoder = {
  name: 'JSON',
  mediaType: 'application/json;charset=UTF-8',
  lists: 'JSON',
  encode: bytesOf,
  page: jsonBytes,
}

const sbeEncoder = (version: SbeVersion, isDeprecated = false): Encoder => ({
  name: encodingOf(version),
  mediaType: 'application/sbe',
  isBinary: true,
  lists: encodingOf(version),
  encode: (reply) => sbeOf(version, reply, isDeprecated),
  page: sbeBytes,
})
export const sbeEncoders: Readonly<Record<SbeVersion, Encoder>> = {
  4: sbeEncoder(4),
  5: sbeEncoder(5),
}

/** Of clients that asked for an older version, which each response of a session says. */
export const deprecatedSbeEncoders: typeof sbeEncoders = {
  4: sbeEncoder(4, true),
  5: sbeEncoder(5, true),
}

/** Of market streams, each frame a message of their schema; empty where it cannot show the frame. */
export const streamMessageEncoder: Encoder = {
  name: 'SBE 1:0',
  mediaType: 'application/sbe',
  isBinary: true,
  lists: undefined,
  encode: (frame) => streamMessageOf(frame as AnyRows),
  page: sbeBytes,
}

/** Encoders that write lists where the rows are, on another thread. A further encoder is a further row. */
const listEncoders: Readonly<Record<ListEncoding, Encoder>> = {
  JSON: jsonEncoder,
  'SBE 3:4': sbeEncoders[4],
  'SBE 3:5': sbeEncoders[5],
}
export const listWriters: Readonly<Record<ListEncoding, ListWriter>> = {
  JSON: jsonLists,
  'SBE 3:4': sbeKlines(4),
  'SBE 3:5': sbeKlines(5),
}

/** Returns bytes that the caller keeps. */
export const encodeList = (encoding: ListEncoding, rows: AnyRows): Uint8Array =>
  listEncoders[encoding].encode(rows).slice()
