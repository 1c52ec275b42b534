/** One change of an order's quantity (supplement 2a.1, order/amendments item). */

import type { OrderId } from '../../base/units.ts'
import type { AmendmentRow } from '../../history/account-history.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { shapes } from '../shapes/shapes.ts'
import { quantityText, timeOf } from './decimals.ts'
import { rendererOf } from './shape-text.ts'

const amendmentJson = rendererOf(shapes.Amendment)

export function amendmentRecord(
  spec: SymbolSpec,
  orderId: OrderId,
  row: AmendmentRow,
  microseconds: boolean,
): string {
  return amendmentJson({
    symbol: spec.name,
    orderId,
    executionId: row.executionId,
    origClientOrderId: row.origClientOrderId,
    newClientOrderId: row.newClientOrderId,
    origQty: quantityText(spec, row.oldLots),
    newQty: quantityText(spec, row.newLots),
    time: timeOf(row.timeMs, microseconds),
  })
}
