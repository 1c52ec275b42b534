/** All operations. The gateway builds its routes and its methods from this list alone. */
import { accountOperations } from './account.ts'
import { historyOperations } from './history.ts'
import { marketOperations } from './market.ts'
import { marketHistoryOperations } from './market-history.ts'
import type { Operation } from './operation.ts'
import { orderListOperations } from './order-lists.ts'
import { tradingOperations } from './trading.ts'

export type { Handler, Operation } from './operation.ts'

export const operations: readonly Operation[] = [
  ...marketOperations,
  ...marketHistoryOperations,
  ...tradingOperations,
  ...orderListOperations,
  ...historyOperations,
  ...accountOperations,
]
