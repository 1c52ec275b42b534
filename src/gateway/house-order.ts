/**
 * Orders by which the exchange's counterparty meets a resting order: limit orders that never rest, and pass no filter
 * of clients.
 */
import type { Collector, Context } from '../api/context.ts'
import { errorMessage } from '../api/errors.ts'
import { refusalOf } from '../api/handlers/engine-refusal.ts'
import { packClientOrderId } from '../base/client-order-id.ts'
import { OrderType, packTerms, TimeInForce } from '../base/codes.ts'
import { Lots, Ms, QuoteAtoms } from '../base/units.ts'
import { PlaceOrder, Rejected, Trade } from '../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../layout/record-buffer.ts'
import type { SymbolSpec } from '../market/listing.ts'
import type { HouseOrderQuery, OperatorQueryAnswer } from '../shared/operator-query.ts'

/** Resolves to the lots that were traded, or to the refusal. */
export function placeHouseOrder(
  { account, symbolId, side, priceTicks, lots }: HouseOrderQuery,
  context: Context,
): Promise<OperatorQueryAnswer> {
  const spec = context.symbols[symbolId]
  const slot = context.command(symbolId, PlaceOrder.bytes)
  if (spec === undefined || slot === undefined) {
    return Promise.resolve({ refused: errorMessage('SERVER_BUSY') })
  }
  const { buffer, at } = slot
  PlaceOrder.setAccount(buffer, at, account)
  PlaceOrder.setTerms(
    buffer,
    at,
    packTerms(side, OrderType.LIMIT, TimeInForce.IOC, spec.preventionDefault),
  )
  PlaceOrder.setPriceTicks(buffer, at, priceTicks)
  PlaceOrder.setLots(buffer, at, lots)
  PlaceOrder.setQuoteAtoms(buffer, at, QuoteAtoms(0))
  PlaceOrder.setExpiresMs(buffer, at, Ms(0))
  packClientOrderId(context.newClientOrderId(), buffer.i32, PlaceOrder.clientOrderIdAt(at))
  return new Promise((resolve) => {
    slot.submit(PlaceOrder.type, PlaceOrder.bytes, new Taking(spec, resolve), undefined)
  })
}

class Taking implements Collector {
  private readonly spec: SymbolSpec
  private readonly resolve: (answer: OperatorQueryAnswer) => void
  private traded = 0
  private rejectReason = 0

  constructor(spec: SymbolSpec, resolve: (answer: OperatorQueryAnswer) => void) {
    this.spec = spec
    this.resolve = resolve
  }

  record(buffer: RecordBuffer, at: number): void {
    const type = recordType(buffer, at)
    if (type === Rejected.type) this.rejectReason = Rejected.reason(buffer, at)
    else if (type === Trade.type) this.traded += Trade.tradeLots(buffer, at)
  }

  done(): void {
    if (this.rejectReason === 0) this.resolve({ value: Lots(this.traded) })
    else {
      const { id, detail } = refusalOf(this.spec, this.rejectReason)
      this.resolve({ refused: errorMessage(id, detail) })
    }
  }

  failed(): void {
    this.resolve({ refused: errorMessage('TIMEOUT') })
  }
}
