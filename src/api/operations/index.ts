/** All operations. The gateway builds its routes and its methods from this list alone. */
import { accountOperations } from './account.ts'
import { batchOperations } from './batches.ts'
import { capitalOperations } from './capital.ts'
import { historyOperations } from './history.ts'
import { marketOperations } from './market.ts'
import { marketHistoryOperations } from './market-history.ts'
import type { Operation } from './operation.ts'
import { orderListOperations } from './order-lists.ts'
import { safeguardOperations } from './safeguards.ts'
import { subAccountOperations } from './sub-accounts.ts'
import { tradingOperations } from './trading.ts'
import { unsigned, walletOperations } from './wallet.ts'

export {
  answersAtOnce,
  entersOrders,
  type Handler,
  type Operation,
  weightOf,
  weightOfRefusal,
} from './operation.ts'
export { sandboxOperations } from './sandbox.ts'

export const operations: readonly Operation[] = [
  ...marketOperations,
  ...marketHistoryOperations,
  ...tradingOperations,
  ...batchOperations,
  ...orderListOperations,
  ...safeguardOperations,
  ...historyOperations,
  ...accountOperations,
  ...walletOperations,
  ...subAccountOperations,
  ...capitalOperations,
]

/** Some clients ask for the system's status without a key (docs/api/decisions.md): both are served. */
export const withUnsignedStatus: readonly Operation[] = operations.map((operation) =>
  operation.id === 'systemStatus' ? unsigned(operation) : operation,
)
