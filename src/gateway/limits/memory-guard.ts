/**
 * Keeps a gateway within its memory. It checks once a second, or more often while readers are far
 * behind. It drops the slowest readers first, then refuses new names and sockets, then ends
 * connections. All of it stops by itself when there is room again.
 */
import type { Clock } from '../../base/time.ts'
import { GatewayCounter, type ThreadCounters } from '../../shared/counters.ts'
import { dropSlowest, type Reader } from './backlog.ts'
import { MemoryLevel, type MemoryReading, memoryLevel } from './memory-watch.ts'

const LOOK_NS = 1_000_000_000
const WARNING_NS = 60 * LOOK_NS
/** The share of their room that readers have while memory is short. */
const SHORT_PART = 1 / 8
/** Above this share of their room, readers are checked at every call. */
const CLOSE_PART = 1 / 4
/** The share of all connections that end at a time. */
const SHED_PART = 1 / 20

/** A connection, as the guard sees it. */
export interface Guarded extends Reader {
  /** Ends it for lack of memory. */
  shed(): void
}

export interface MemoryGuardParts {
  readonly gateway: number
  readonly readMemory: () => MemoryReading
  readonly unreadMax: number
  readonly unreadPerAddressMax: number
  readonly clock: Clock
  readonly counters: ThreadCounters
  readonly warn: (fields: object, message: string) => void
}

/** The gateway ends before its heap is full, which would end the process by a signal. */
export class OutOfMemoryError extends Error {
  override readonly name = 'OutOfMemoryError'

  constructor(sentence: string) {
    super(sentence)
    // An operator reads the sentence; the stack would not help.
    this.stack = sentence
  }
}

export class MemoryGuard {
  private readonly parts: MemoryGuardParts
  private level: MemoryLevel = MemoryLevel.FINE
  private unread = 0
  private lookedNs = Number.NEGATIVE_INFINITY
  private warnedNs = Number.NEGATIVE_INFINITY

  constructor(parts: MemoryGuardParts) {
    this.parts = parts
  }

  /** Whether the caller must refuse new things; counts the refusal. */
  refuses(): boolean {
    if (this.level === MemoryLevel.FINE) return false
    this.parts.counters.add(GatewayCounter.memoryShed, 1)
    return true
  }

  /** Call it often, with all connections. Throws OutOfMemoryError when nothing else helps. */
  look(connections: ReadonlySet<Guarded>): void {
    const { unreadMax, unreadPerAddressMax, clock } = this.parts
    const nowNs = clock.elapsedNs()
    const isDue = nowNs - this.lookedNs >= LOOK_NS
    if (!isDue && this.unread < CLOSE_PART * unreadMax) return
    if (isDue) {
      this.lookedNs = nowNs
      this.judge(nowNs)
    }
    const part = this.level === MemoryLevel.FINE ? 1 : SHORT_PART
    const all = [...connections]
    this.unread = dropSlowest(all, part * unreadPerAddressMax, part * unreadMax)
    this.parts.counters.set(GatewayCounter.backlogBytes, this.unread)
    if (isDue && this.level >= MemoryLevel.SHED) this.shed(connections)
  }

  private judge(nowNs: number): void {
    const { readMemory, counters, warn, gateway } = this.parts
    const reading = readMemory()
    const level = memoryLevel(reading)
    if (level > this.level && nowNs - this.warnedNs >= WARNING_NS) {
      this.warnedNs = nowNs
      warn(
        { ...reading, level },
        'memory is short; what is new is refused, slow readers are closed',
      )
    }
    this.level = level
    counters.set(GatewayCounter.memoryLevel, level)
    if (level < MemoryLevel.OVER) return
    const megabytes = Math.round(reading.heapMax / 2 ** 20)
    throw new OutOfMemoryError(
      `gateway-${gateway} ran out of memory (${megabytes} MiB; --gateway-heap-mb)`,
    )
  }

  /** Ends some connections of the address with the most. */
  private shed(connections: ReadonlySet<Guarded>): void {
    const byAddress = new Map<string, Guarded[]>()
    for (const connection of connections) {
      const others = byAddress.get(connection.peer)
      if (others === undefined) byAddress.set(connection.peer, [connection])
      else others.push(connection)
    }
    let most: Guarded[] = []
    for (const group of byAddress.values()) if (group.length > most.length) most = group
    for (const connection of most.slice(-Math.ceil(connections.size * SHED_PART))) {
      this.parts.counters.add(GatewayCounter.memoryShed, 1)
      connection.shed()
    }
  }
}
