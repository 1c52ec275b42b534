/** Lists whose first rows were written before. */
import type { AnyRows } from './answer.ts'
import { writeJson } from './json.ts'
import { jsonBytes, Piece } from './json-bytes.ts'

/** Writes lists that begin with rows which it wrote before. */
export interface ListWriter {
  /** Returns a list of rows, behind those of `head`. */
  write(head: Uint8Array | undefined, rows: readonly AnyRows[]): WrittenList
  /** Returns `head` with kept rows behind it. */
  extend(head: Uint8Array | undefined, rows: readonly string[]): Uint8Array
}

export interface WrittenList {
  readonly bytes: Uint8Array
  /** Returns a row as it is kept: a Latin-1 character for each byte, which takes the least memory. */
  rowAt(index: number): string
}

const begin = new Piece('[')
const comma = new Piece(',')
const end = new Piece(']')

export const jsonLists: ListWriter = {
  write(head: Uint8Array | undefined, rows: readonly AnyRows[]) {
    jsonBytes.begin()
    jsonBytes.piece(begin)
    if (head !== undefined) jsonBytes.bytes(head)
    const ends = [jsonBytes.length]
    for (const row of rows) {
      if (jsonBytes.length > begin.bytes) jsonBytes.piece(comma)
      writeJson(jsonBytes, row)
      ends.push(jsonBytes.length)
    }
    jsonBytes.piece(end)
    const bytes = jsonBytes.view().slice()
    const text = Buffer.from(bytes.buffer)
    const rowAt = (index: number) => {
      const from = ends[index]!
      const isFirst = from === begin.bytes
      return text.toString('latin1', isFirst ? from : from + comma.bytes, ends[index + 1])
    }
    return { bytes, rowAt }
  },
  extend(head: Uint8Array | undefined, rows: readonly string[]) {
    const more = Buffer.from(`${head === undefined ? '' : ','}${rows.join()}`, 'latin1')
    return head === undefined ? more : Buffer.concat([head, more])
  },
}
