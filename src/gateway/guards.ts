/** The guards that keep clients within bounds: rate limits, memory, unread responses, sockets, signatures. */
import type { ThreadCounters } from '../shared/counters.ts'
import type { GatewayOptions } from './gateway-options.ts'
import { BanLog } from './limits/ban-log.ts'
import { ClientAddresses } from './limits/client-address.ts'
import { MemoryGuard } from './limits/memory-guard.ts'
import { Quota } from './limits/quota.ts'
import { RateLimits } from './limits/rate-limits.ts'
import { SignatureBudget } from './limits/signature-budget.ts'
import { SocketCounts } from './limits/socket-counts.ts'
import { UnreadBytes } from './limits/unread.ts'

const MIB = 1 << 20

export interface Guards {
  readonly rateLimits: RateLimits
  readonly banLog: BanLog
  readonly memory: MemoryGuard
  readonly unread: UnreadBytes
  readonly clients: ClientAddresses
  readonly budget: SignatureBudget
  readonly socketCounts: SocketCounts
}

export function makeGuards(options: GatewayOptions, counters: ThreadCounters): Guards {
  const { address, settings, limits, cells, services } = options
  const { time, readMemory, warn } = services
  const { wall } = time
  const banLog = new BanLog(warn)
  const rateLimits = new RateLimits(cells.limits, settings.accountsMax, limits, counters, banLog)
  const unreadPerAddressMax = limits.unreadMbPerAddress * MIB
  const unreadMax = limits.unreadMb * MIB
  const bounds = { unreadMax, unreadPerAddressMax }
  const { index: gateway, socketsInAll } = address
  return {
    rateLimits,
    banLog,
    memory: new MemoryGuard({ gateway, clock: wall, counters, ...bounds, readMemory, warn }),
    unread: new UnreadBytes(new Quota(unreadPerAddressMax, unreadMax), counters),
    clients: new ClientAddresses(limits.trustedProxies, address.tls === undefined),
    budget: new SignatureBudget(rateLimits.guard, counters),
    socketCounts: new SocketCounts(rateLimits.guard, limits.socketsMax, socketsInAll),
  }
}
