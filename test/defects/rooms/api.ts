/** Defects of src/api. */
import { inRoom } from '../defect.ts'

export const api = inRoom('api', [
  [
    'a mass cancel takes orders without a price by a highest price',
    'protocol/mass-cancel-answers',
    'handlers/cancel-where.ts',
    'minUnits === undefined && maxUnits === undefined ? 0 : 1',
    '0',
  ],
  [
    'a mass cancel reads a highest price without its last digits',
    'protocol/mass-cancel-answers',
    'handlers/cancel-where.ts',
    'const maxUnits = params.units(RareParam.maxPrice)',
    'const maxUnits = params.number(RareParam.maxPrice)',
  ],
  [
    'a mass cancel that was done in part is refused as if nothing was',
    'protocol/mass-cancel-answers',
    'handlers/cancel-where.ts',
    'const isPartly = this.canceled.length > 0',
    'const isPartly = false',
  ],
  [
    'a quote may cross itself',
    'unit/pipeline/quote: that is crossed',
    'handlers/quote-orders.ts',
    'const isCrossed = Math.max',
    'const isCrossed = false && Math.max',
  ],
  [
    'a quote may have a level more',
    'unit/pipeline/quote: with 21 levels',
    'handlers/quote-orders.ts',
    'list.length > QUOTE_LEVELS_MAX',
    'list.length > QUOTE_LEVELS_MAX + 1',
  ],
  [
    'a batch stops at its first refusal',
    'unit/pipeline/batch: stops none',
    'handlers/batch.ts',
    'for (const [index, order] of orders.entries()) {',
    "for (const [index, order] of orders.entries()) {\n      if (batch['outcomes'].some((it) => it)) {\n        batch.responderOf(index).error('UNKNOWN_ORDER')\n        continue\n      }",
  ],
  [
    'a batch is answered in the order of its outcomes',
    'unit/pipeline/batch: stops none',
    'handlers/batch.ts',
    'this.outcomes[index] = outcome',
    'this.outcomes[this.outcomes.length - this.waiting] = outcome',
  ],
  [
    'a number in a batch loses its digits',
    'unit/pipeline/batch: every digit',
    'handlers/read-list.ts',
    'JSON.parse(quoted)',
    'JSON.parse(text)',
  ],
  [
    'a MARKET order before the first trade is judged by the best price of its own side',
    'unit/assembly/embedded: before the first trade',
    'handlers/order-draft.ts',
    'side === Side.BUY ? depth.bestAskTicks : depth.bestBidTicks',
    'side === Side.BUY ? depth.bestBidTicks : depth.bestAskTicks',
  ],
  [
    'a MARKET order before the first trade is judged by no price',
    'unit/assembly/embedded: before the first trade',
    'handlers/order-draft.ts',
    'bestAcross(context.depth(spec.id), sideOf(draft.terms)) || stepsIn(stopUnits, spec.tickUnits)',
    'stepsIn(stopUnits, spec.tickUnits)',
  ],
  [
    'execution rules of many symbols weigh more than those of all',
    'protocol/market-answers: weigh',
    'operations/market.ts',
    'perSymbol(2, 40)',
    'perSymbol(2, 80)',
  ],
  [
    'an OTOCO needs no type of its order below',
    'protocol/errors: placeOtoco',
    'handlers/order-list-legs.ts',
    'if (!params.has(type)) return',
    'if (params.has(type) && false) return',
  ],
])
