/**
 * How an order may end other than by being filled: the status and the reason that OrderClosed carries and
 * clients see (enums.md, Order status). One name for each, used by all code that ends an order.
 */
import { ExpiryReason, OrderStatus } from '../../base/codes.ts'

export interface Ending {
  readonly status: OrderStatus
  readonly reason: ExpiryReason
}

const expired = (reason: ExpiryReason): Ending => ({ status: OrderStatus.EXPIRED, reason })

export const Ending = {
  /** By its owner, or because its session ended. */
  CANCELED: { status: OrderStatus.CANCELED, reason: ExpiryReason.NONE },
  /** Self-trade prevention took what was left of it. */
  PREVENTED: { status: OrderStatus.EXPIRED_IN_MATCH, reason: ExpiryReason.NONE },
  /** It was to execute, and admission refused it. */
  REFUSED: expired(ExpiryReason.REJECTED),
  /** The other leg of its pair works or has ended. */
  SIBLING_CHOSEN: expired(ExpiryReason.OCO_TRIGGER),
  /** The leg that it waited for ended before it was filled. */
  NEVER_RELEASED: expired(ExpiryReason.OTO_PHASE_ONE_EXPIRED),
  /** IOC: the rest of what could be filled at once. */
  REST_EXPIRED: expired(ExpiryReason.UNFILLED_IOC_QUANTITY_EXPIRED),
  /** FOK: it could not be filled whole. */
  NOT_FILLABLE: expired(ExpiryReason.UNFILLED_FOK_ORDER_EXPIRED),
  /** It met a price that the execution rule PRICE_RANGE does not allow. */
  BEYOND_RANGE: expired(ExpiryReason.EXECUTION_RULE_PRICE_RANGE_EXCEEDED),
  /** Its price interrupted trading, and it does not rest. */
  BEYOND_BAND: expired(ExpiryReason.EXECUTION_RULE_PRICE_RANGE_EXCEEDED),
  /** MARKET: the book had no more to offer. */
  NO_LIQUIDITY: expired(ExpiryReason.INSUFFICIENT_LIQUIDITY),
} as const satisfies Record<string, Ending>
