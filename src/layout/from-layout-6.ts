/**
 * From layout 6 to layout 7: PhaseChanged has more fields: zero of a change that was journaled before, and -1 for
 * its extensions, which tells such a change.
 * The numbers are those of layout 6.
 */
import {
  type RecordBuffer,
  recordFlags,
  recordLength,
  recordType,
  writeHead,
} from './record-buffer.ts'

const PHASE_CHANGED = 29
const BYTES = 112
const OLDER_BYTES = 72
/** Resumptions come first. */
const EXTENSIONS_AT = OLDER_BYTES + 4

/** A step of conversions.ts. */
export function convertLayout6(
  from: RecordBuffer,
  start: number,
  end: number,
  to: RecordBuffer,
): number {
  let toAt = start
  for (let at = start; at < end; at += recordLength(from, at)) {
    const length = recordLength(from, at)
    to.bytes.set(from.bytes.subarray(at, at + length), toAt)
    if (recordType(from, at) !== PHASE_CHANGED) toAt += length
    else {
      writeHead(to, toAt, PHASE_CHANGED, BYTES, recordFlags(from, at))
      to.bytes.fill(0, toAt + OLDER_BYTES, toAt + BYTES)
      to.i32[(toAt + EXTENSIONS_AT) >> 2] = -1
      toAt += BYTES
    }
  }
  return toAt
}
