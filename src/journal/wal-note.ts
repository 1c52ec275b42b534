/**
 * What a journal's LMDB log notes of the write-ahead log beside it, in the row of position 0: whether its
 * segments must be there, how long each is at least, and by which durability its blocks were written. So a
 * segment that is missing or short is damage, except where the note states that nothing of the log counts:
 *
 * | note   | a start                                                                            |
 * |--------|------------------------------------------------------------------------------------|
 * | none   | no log yet, one of layout 6 or before, or a copy that never had one: reads what is there |
 * | EMPTY  | ignores the log's files: LMDB has all that counts. Set before they are zeroed or dropped |
 * | IN_USE | refuses a log that is not whole. Set when all segments are on the disk             |
 */
import { crc32 } from 'node:zlib'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { WalNote as Row } from '../layout/rows.gen.ts'
import { JournalDamage } from './block.ts'
import type { Durability } from './store.ts'

/** The first four bytes: "RBN1". */
const MAGIC = 0x314e4252

export const WalState = { EMPTY: 1, IN_USE: 2 } as const
export type WalState = (typeof WalState)[keyof typeof WalState]

export interface WalNote {
  readonly state: WalState
  /** Durability of the log's blocks; undefined for a log that had no note. */
  readonly durability: Durability | undefined
  /** Least length of each segment. */
  readonly segmentBytes: number
}

/** Returns the note of a log that holds nothing that counts, behind one of this durability. */
export const emptyNote = (durability: Durability | undefined): WalNote => ({
  state: WalState.EMPTY,
  durability,
  segmentBytes: 0,
})

/** By code, from 1 on. */
const durabilities: readonly Durability[] = ['flushed', 'committed', 'replicated']

export function encodeNote({ state, durability, segmentBytes }: WalNote): Uint8Array {
  const row = RecordBuffer.allocate(Row.bytes)
  Row.setMagic(row, 0, MAGIC)
  Row.setState(row, 0, state)
  Row.setDurability(row, 0, durability === undefined ? 0 : 1 + durabilities.indexOf(durability))
  Row.setSegmentBytes(row, 0, segmentBytes)
  Row.setChecksum(row, 0, checksumOf(row))
  return row.bytes
}

/** Throws JournalDamage, which names the journal, when the note is not as it was written. */
export function decodeNote(bytes: Uint8Array, journal: string): WalNote {
  const row = RecordBuffer.allocate(Row.bytes)
  if (bytes.length === Row.bytes) row.bytes.set(bytes)
  if (Row.magic(row, 0) !== MAGIC || Row.checksum(row, 0) !== checksumOf(row)) {
    throw new JournalDamage(`The note of the write-ahead log in ${journal} is damaged.`)
  }
  return {
    state: Row.state(row, 0) as WalState,
    durability: durabilities[Row.durability(row, 0) - 1],
    segmentBytes: Row.segmentBytes(row, 0),
  }
}

const checksumOf = (row: RecordBuffer): number => crc32(row.bytes.subarray(Row.stateStart)) | 0
