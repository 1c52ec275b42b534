/**
 * Times in records of a clock that was wrong (base/corrections.ts). BlockReader, through which everything reads
 * blocks, brings them to what is known now, in separate memory.
 */
import type { Ms } from '../base/units.ts'
import {
  Allocation,
  EventHeader,
  OrderAccepted,
  OrderAmended,
  OrderClosed,
  OrderDecremented,
  OrderReleased,
  OrderTriggered,
  Trade,
} from './accessors.gen.ts'
import { type RecordBuffer, recordLength, recordType } from './record-buffer.ts'
import { detailsSection } from './schema/order-fields.ts'
import { fieldsOf, placesOf, schemas } from './schema.ts'

/**
 * Brings the records in bytes [start .. end) of a block that is shown at `blockMs` to that time. Records of a
 * clock that was right stay as they are.
 */
export function correctRecords(
  records: RecordBuffer,
  start: number,
  end: number,
  blockMs: Ms,
): void {
  for (let at = start; at < end; at += recordLength(records, at)) {
    const writtenMs = EventHeader.timeMs(records, at)
    if (writtenMs <= blockMs) continue
    for (const word of timesOf(records, at)) {
      const ms = records.f64[word]!
      // What was to come then, such as the end of a phase, comes as much later.
      if (ms > blockMs) records.f64[word] = Math.max(blockMs, ms - writtenMs + blockMs)
    }
  }
}

/** By type of event: words of its times. A length of time, such as windowMs, is never as large as a time. */
const ownTimes = new Map(
  schemas
    .filter(({ kind }) => kind === 'event')
    .map((schema) => {
      const times = fieldsOf(schema).filter(({ type }) => type === 'ms')
      return [schema.type, times.map(({ offset }) => offset >> 3)]
    }),
)
const detailTimes = placesOf(detailsSection)
  .filter(({ type }) => type === 'ms')
  .map(({ offset }) => offset >> 3)

/** Words of all times of the event at byte `at`. */
function timesOf(records: RecordBuffer, at: number): readonly number[] {
  const type = recordType(records, at)
  const own = ownTimes.get(type)!.map((word) => word + (at >> 3))
  const details = detailsOf[type]?.(records, at).filter((byte) => byte >= 0) ?? []
  return [...own, ...details.flatMap((byte) => detailTimes.map((word) => word + (byte >> 3)))]
}

type DetailsOf = (records: RecordBuffer, at: number) => readonly number[]

/** By type: where the sections of details begin; -1 where there is none. */
const detailsOf: Readonly<Record<number, DetailsOf>> = {
  ...Object.fromEntries(
    [OrderAccepted, OrderTriggered, OrderReleased, OrderClosed, OrderAmended, OrderDecremented].map(
      (it): [number, DetailsOf] => [it.type, (records, at) => [it.detailsAt(records, at)]],
    ),
  ),
  [Allocation.type]: (records, at) => [Allocation.takerDetailsAt(records, at)],
  [Trade.type]: (records, at) => [
    Trade.takerDetailsAt(records, at),
    Trade.makerDetailsAt(records, at),
  ],
}
