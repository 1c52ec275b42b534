/**
 * From layout 8 to layout 9: details of an order have more at their end: that it is not pegged.
 * The numbers are those of layout 8.
 */
import { RecordBuffer, recordFlags, recordLength, recordType, writeHead } from './record-buffer.ts'

const TRADE = 17
/** Length without sections, by type; other records have no details. */
const lengths: Readonly<Record<number, number>> = {
  // OrderAccepted
  16: 112,
  [TRADE]: 288,
  // OrderClosed, in front of whose details another section may stand
  19: 200,
  // OrderTriggered and OrderReleased
  22: 120,
  23: 120,
  // OrderAmended
  25: 200,
  // OrderDecremented, in front of whose details another section stands
  28: 160,
}

/** Longer than any other sections of a record together. */
const DETAILS_BYTES = 72
const ADDED_BYTES = 16
/** Behind the type of the peg and its levels. */
const LIMIT_AT = 8

/** A step of conversions.ts. */
export function convertLayout8(
  from: RecordBuffer,
  start: number,
  end: number,
  to: RecordBuffer,
): number {
  let toAt = start
  for (let at = start, next = start; at < end; at = next) {
    next = at + recordLength(from, at)
    const type = recordType(from, at)
    const length = lengths[type] ?? Number.POSITIVE_INFINITY
    const details = Math.max(0, Math.floor((next - at - length) / DETAILS_BYTES))
    const head = toAt
    // Those of a trade come first among its sections, those of another record last.
    let done = at
    for (let n = 1; n <= details; n++) {
      const detailsEnd = type === TRADE ? at + length + n * DETAILS_BYTES : next
      to.bytes.set(from.bytes.subarray(done, detailsEnd), toAt)
      toAt += detailsEnd - done + ADDED_BYTES
      add(to, toAt - ADDED_BYTES)
      done = detailsEnd
    }
    to.bytes.set(from.bytes.subarray(done, next), toAt)
    toAt += next - done
    writeHead(to, head, type, toAt - head, recordFlags(from, at))
  }
  return toAt
}

/** Returns details as an archive of layout 8 keeps them, by themselves, as those of layout 9. */
export function detailsOfLayout8(details: Uint8Array): Uint8Array {
  const to = RecordBuffer.allocate(DETAILS_BYTES + ADDED_BYTES)
  to.bytes.set(details.subarray(0, DETAILS_BYTES))
  add(to, DETAILS_BYTES)
  return to.bytes
}

function add(to: RecordBuffer, at: number): void {
  to.bytes.fill(0, at, at + ADDED_BYTES)
  to.f64[(at + LIMIT_AT) >> 3] = -1
}
