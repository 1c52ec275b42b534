/** What an exchange on one event loop is handed in. */

import type { Matching } from '../../agents/matching-agent.ts'
import type { GatewayStart, ThreadStart } from '../../agents/messages.ts'
import type { VirtualClock } from '../../base/virtual-clock.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import type { GatewayServices } from '../../gateway/gateway-options.ts'
import type { Sockets } from '../../gateway/port.ts'
import type { JournalQuorum } from '../../journal/journal.ts'
import type { Doorbell } from '../../ring/doorbell.ts'
import type { Drive } from '../../workers/loop-worker.ts'

export interface LoopParts {
  /** Clients' sockets. */
  readonly sockets: Sockets
  /** Drives an agent until it is done; as soon as the loop gets to it when left out. */
  readonly drive?: Drive
  /** Services of a gateway, instead of its own. */
  readonly services?: (start: GatewayStart) => Partial<GatewayServices>
  /** Wakes a gateway. */
  readonly gatewayBell?: (start: GatewayStart) => Doorbell
  /** A matcher's way to the quorum, of a member that leads. */
  readonly quorumOf?: (matcher: number) => JournalQuorum
  /** Bytes of a segment of a write-ahead log. */
  readonly segmentBytes?: number
  /** Whether matchers leave flushes to libuv's pool, beside the loop; not where a simulator owns the disk. */
  readonly flushesBeside?: boolean
  readonly watch?: LoopWatch
  /** What moves the time; undefined where nothing does, or the caller. */
  readonly clock?: VirtualClock
}

/** Called with parts of workers as they are made: for tests that inspect a running exchange. */
export interface LoopWatch {
  /** The books are recovered, and nothing is written yet. */
  readonly matching?: (matching: Matching, start: ThreadStart) => void
  readonly gateway?: (gateway: Gateway, start: GatewayStart) => void
}
