/** What REST and the WebSocket API need to serve a request. */
import type { Clock } from '../../base/clock.ts'
import type { ThreadCounters } from '../../shared/counters.ts'
import type { Outcomes } from '../../shared/outcomes.ts'
import type { Door } from '../authentication/door.ts'
import type { GatewayContext } from '../engine-link/context-impl.ts'
import type { ClientAddresses } from '../limits/client-address.ts'
import type { ForwardingWatch } from '../limits/forwarding-watch.ts'
import type { MemoryGuard } from '../limits/memory-guard.ts'
import type { RateLimits } from '../limits/rate-limits.ts'
import type { UnreadBytes } from '../limits/unread.ts'
import type { CrossOrigin } from './cross-origin.ts'
import type { Leadership } from './leadership.ts'
import type { Overload } from './overload.ts'
import type { Receipts } from './receipts.ts'

/** The text of a longer request is counted while it waits for its response. */
export const LONG_REQUEST_CHARS = 2_048

export interface RequestParts {
  readonly door: Door
  readonly context: GatewayContext
  readonly rateLimits: RateLimits
  readonly clients: ClientAddresses
  readonly crossOrigin: CrossOrigin
  readonly forwarding: ForwardingWatch
  readonly counters: ThreadCounters
  readonly outcomes: Outcomes
  readonly receipts: Receipts
  readonly clock: Clock
  readonly overload: Overload
  readonly leadership: Leadership
  readonly memory: MemoryGuard
  /** Requests sent in part, and unread responses. */
  readonly unread: UnreadBytes
  /** Whether requests that memory cannot serve are refused, because the exchange is stopping. */
  readonly isStopping: () => boolean
}
