/** Fills by the counterparty of the house as a method of an embedded exchange. */
import { decimalText } from './embedded-accounts.ts'
import type { Operate } from './operate.ts'
import type { EmbeddedExchange, VenueFill } from './options.ts'

export const venueFill =
  (operate: Operate): EmbeddedExchange['fill'] =>
  async ({ symbol, orderId }, quantity) => {
    const wish = quantity === undefined ? {} : { quantity: decimalText(quantity) }
    const { rows } = await operate('fill', { symbol, id: orderId, ...wish })
    return rows[0] as unknown as VenueFill
  }
