/**
 * From layout 3 to layout 4: amounts, and strategyId, become 64-bit integers where they were doubles. All else
 * stays as it was. The numbers are those of layout 3.
 */
import { type RecordBuffer, recordLength, recordType } from './record-buffer.ts'

interface RecordForm {
  /** Length without sections. */
  readonly bytes: number
  /** Where the amounts are. */
  readonly amountsAt: readonly number[]
}

/** By type; other records have neither amounts nor details. */
const forms: Readonly<Record<number, RecordForm>> = {
  // OrderAccepted: quoteAtoms, heldAtoms
  16: { bytes: 112, amountsAt: [64, 72] },
  // Trade: quoteAtoms, buyerReleasedAtoms, takerQuoteAtoms; filledAtoms and commissionAtoms of both sides
  17: { bytes: 288, amountsAt: [56, 72, 88, 136, 144, 232, 240] },
  // OrderClosed: quoteAtoms, filledAtoms, releasedAtoms
  19: { bytes: 200, amountsAt: [64, 88, 128] },
  // MatchPrevented: transferredAtoms, buyerReleasedAtoms
  20: { bytes: 136, amountsAt: [112, 120] },
  // OrderTriggered: quoteAtoms, heldAtoms
  22: { bytes: 120, amountsAt: [64, 72] },
  // OrderReleased: quoteAtoms, heldAtoms
  23: { bytes: 120, amountsAt: [64, 72] },
  // OrderAmended: quoteAtoms, filledAtoms, releasedAtoms
  25: { bytes: 200, amountsAt: [64, 88, 128] },
  // OrderDecremented: quoteAtoms, filledAtoms, releasedAtoms
  28: { bytes: 160, amountsAt: [64, 80, 120] },
}

/** Length of a details section, which stands behind a shorter section, if that is there. */
const DETAILS_BYTES = 72
const STRATEGY_ID_AT = 24

/** A step of conversions.ts. */
export function convertLayout3(
  from: RecordBuffer,
  start: number,
  end: number,
  to: RecordBuffer,
): number {
  to.bytes.set(from.bytes.subarray(start, end), start)
  for (let at = start, next = start; at < end; at = next) {
    next = at + recordLength(to, at)
    const form = forms[recordType(to, at)]
    if (form === undefined) continue
    for (const offset of form.amountsAt) convert(to, at + offset)
    for (let details = next - DETAILS_BYTES; details >= at + form.bytes; details -= DETAILS_BYTES) {
      convert(to, details + STRATEGY_ID_AT)
    }
  }
  return end
}

function convert({ f64, i32 }: RecordBuffer, at: number): void {
  const value = f64[at >> 3]!
  i32[at >> 2] = value
  i32[(at >> 2) + 1] = Math.floor(value / 2 ** 32)
}
