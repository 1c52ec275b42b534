/** Reference prices that come from outside, on their way to the matcher of their symbol. */
import type { Collector, Context } from '../api/context.ts'
import { errorMessage, errorOfReject } from '../api/errors.ts'
import { Rejected, SetReferencePrice } from '../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../layout/record-buffer.ts'
import type { OperatorQueryAnswer, ReferencePriceQuery } from '../shared/operator-query.ts'

/** Resolves once the price is journaled, or to the refusal. */
export function setReferencePrice(
  { symbolId, priceUnits }: ReferencePriceQuery,
  context: Context,
): Promise<OperatorQueryAnswer> {
  const slot = context.command(symbolId, SetReferencePrice.bytes)
  if (slot === undefined) return Promise.resolve({ refused: errorMessage('SERVER_BUSY') })
  SetReferencePrice.setPriceUnits(slot.buffer, slot.at, priceUnits)
  return new Promise((resolve) => {
    slot.submit(SetReferencePrice.type, SetReferencePrice.bytes, new Setting(resolve), undefined)
  })
}

class Setting implements Collector {
  private readonly resolve: (answer: OperatorQueryAnswer) => void
  private rejectReason = 0

  constructor(resolve: (answer: OperatorQueryAnswer) => void) {
    this.resolve = resolve
  }

  record(buffer: RecordBuffer, at: number): void {
    if (recordType(buffer, at) === Rejected.type) this.rejectReason = Rejected.reason(buffer, at)
  }

  done(): void {
    if (this.rejectReason === 0) this.resolve({ value: true })
    else this.resolve({ refused: errorMessage(errorOfReject(this.rejectReason)) })
  }

  failed(): void {
    this.resolve({ refused: errorMessage('TIMEOUT') })
  }
}
