/** Defects of src/history. */
import { inRoom } from '../defect.ts'

export const history = inRoom('history', [
  [
    'trades at several prices are one aggregate',
    'unit/history/rules',
    'aggregate.ts',
    '  open.priceTicks === trade.priceTicks &&\n',
    '',
  ],
  [
    'trades of several orders are one aggregate',
    'unit/history/rules',
    'aggregate.ts',
    'open.takerOrderId === trade.takerOrderId &&\n',
    'open.takerOrderId > 0 &&\n',
  ],
  [
    'a span without trades counts',
    'unit/history/rules',
    'bar.ts',
    '    if (later.count === 0) return\n',
    '',
  ],
  [
    'trades without ids hide the first id',
    'unit/history/rules',
    'bar.ts',
    'else if (this.firstTradeId < 0) this.firstTradeId = later.firstTradeId',
    'else this.firstTradeId = later.firstTradeId',
  ],
  [
    'the volume of buyers has what sellers took',
    'unit/history/rules',
    'bar.ts',
    '    if (isBuyerMaker) return\n',
    '',
  ],
  [
    'an order too few locks an account',
    'unit/history/rules',
    'trading-indicators.ts',
    'count >= trigger.orders',
    'count >= trigger.orders - 1',
  ],
  [
    'the least number of orders locks none',
    'unit/history/rules',
    'trading-indicators.ts',
    'count >= trigger.orders',
    'count > trigger.orders',
  ],
  [
    'the least share locks none',
    'unit/history/rules',
    'trading-indicators.ts',
    'share >= trigger.share',
    'share > trigger.share',
  ],
])
