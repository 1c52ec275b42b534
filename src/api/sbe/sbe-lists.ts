/** Lists of klines in SBE that begin with rows which were written before: all rows have the same length. */
import { type AnyRows, Rows } from '../answers/answer.ts'
import type { ListWriter } from '../answers/lists.ts'
import { kline } from '../answers/market.ts'
import { blockBytes, type Group } from './fields.ts'
import { type SbeVersion, sbeOf } from './sbe.ts'
import { HEADER_BYTES } from './sbe-bytes.ts'
import { market } from './templates.ts'

const { members } = market.klines
const ROW_BYTES = blockBytes((members.klines as Group).members)
const COUNT_BYTES = 4
/** The header, both exponents, and the group's length of a row and count. */
const BEGIN_BYTES = HEADER_BYTES + blockBytes(members) + 2 + COUNT_BYTES

const none = new Uint8Array()

export const sbeKlines = (version: SbeVersion): ListWriter => ({
  write(head: Uint8Array = none, rows: readonly AnyRows[]) {
    const form = rows[0]?.form ?? { microseconds: true }
    const all = new Rows(kline, rows.map((one) => one.rows) as never, form)
    const message = sbeOf(version, all)
    const from = BEGIN_BYTES + head.length
    const bytes = new Uint8Array(message.length + head.length)
    bytes.set(message.subarray(0, BEGIN_BYTES))
    bytes.set(head, BEGIN_BYTES)
    bytes.set(message.subarray(BEGIN_BYTES), from)
    const written = Buffer.from(bytes.buffer)
    written.writeUInt32LE(head.length / ROW_BYTES + rows.length, BEGIN_BYTES - COUNT_BYTES)
    const rowAt = (index: number) =>
      written.toString('latin1', from + index * ROW_BYTES, from + (index + 1) * ROW_BYTES)
    return { bytes, rowAt }
  },
  extend: (head: Uint8Array = none, rows: readonly string[]) =>
    Buffer.concat([head, Buffer.from(rows.join(''), 'latin1')]),
})
