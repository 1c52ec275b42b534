/**
 * Keeps a gateway within its memory: it looks once a second, or more often while readers are far
 * behind, and drops first who reads slowest, then refuses what is new, then ends connections. All that
 * ends by itself when there is room again.
 */
import type { Clock } from '../../base/clock.ts'
import { GatewayCounter, type ThreadCounters } from '../../shared/counters.ts'
import { dropSlowest, type Reader } from './backlog.ts'
import { MemoryLevel, type MemoryReading, memoryLevel } from './memory-watch.ts'

const LOOK_NS = 1_000_000_000
const WARNING_NS = 60 * LOOK_NS
/** Readers have this part of their room while memory is short. */
const SHORT_PART = 1 / 8
/** From this part of their room on, they are looked at every time. */
const CLOSE_PART = 1 / 4
/** Of all connections, how many end at a time. */
const SHED_PART = 1 / 20

/** A connection, as the guard sees it. */
export interface Guarded extends Reader {
  /** Ends it for want of memory. */
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

/** The gateway must end before its heap does: that would end the process by a signal. */
export class OutOfMemoryError extends Error {
  override readonly name = 'OutOfMemoryError'

  constructor(sentence: string) {
    super(sentence)
    // An operator reads the sentence; where it was made says nothing.
    this.stack = sentence
  }
}

export class MemoryGuard {
  readonly #parts: MemoryGuardParts
  #level: MemoryLevel = MemoryLevel.FINE
  #unread = 0
  #lookedNs = Number.NEGATIVE_INFINITY
  #warnedNs = Number.NEGATIVE_INFINITY

  constructor(parts: MemoryGuardParts) {
    this.#parts = parts
  }

  /** Whether nothing new may be kept; counts what the caller refuses then. */
  refuses(): boolean {
    if (this.#level === MemoryLevel.FINE) return false
    this.#parts.counters.add(GatewayCounter.memoryShed, 1)
    return true
  }

  /** To be called often, with all connections. Throws OutOfMemoryError when nothing else helps. */
  look(connections: ReadonlySet<Guarded>): void {
    const { unreadMax, unreadPerAddressMax, clock } = this.#parts
    const nowNs = clock.elapsedNs()
    const isDue = nowNs - this.#lookedNs >= LOOK_NS
    if (!isDue && this.#unread < CLOSE_PART * unreadMax) return
    if (isDue) {
      this.#lookedNs = nowNs
      this.#judge(nowNs)
    }
    const part = this.#level === MemoryLevel.FINE ? 1 : SHORT_PART
    const all = [...connections]
    this.#unread = dropSlowest(all, part * unreadPerAddressMax, part * unreadMax)
    this.#parts.counters.set(GatewayCounter.backlogBytes, this.#unread)
    if (isDue && this.#level >= MemoryLevel.SHED) this.#shed(connections)
  }

  #judge(nowNs: number): void {
    const { readMemory, counters, warn, gateway } = this.#parts
    const reading = readMemory()
    const level = memoryLevel(reading)
    if (level > this.#level && nowNs - this.#warnedNs >= WARNING_NS) {
      this.#warnedNs = nowNs
      warn(
        { ...reading, level },
        'memory is short; what is new is refused, slow readers are closed',
      )
    }
    this.#level = level
    counters.set(GatewayCounter.memoryLevel, level)
    if (level < MemoryLevel.OVER) return
    const megabytes = Math.round(reading.heapMax / 2 ** 20)
    throw new OutOfMemoryError(
      `gateway-${gateway} ran out of memory (${megabytes} MiB; --gateway-heap-mb)`,
    )
  }

  /** Ends some connections of the address that has most. */
  #shed(connections: ReadonlySet<Guarded>): void {
    const byAddress = new Map<string, Guarded[]>()
    for (const connection of connections) {
      const others = byAddress.get(connection.peer)
      if (others === undefined) byAddress.set(connection.peer, [connection])
      else others.push(connection)
    }
    let most: Guarded[] = []
    for (const group of byAddress.values()) if (group.length > most.length) most = group
    for (const connection of most.slice(-Math.ceil(connections.size * SHED_PART))) {
      this.#parts.counters.add(GatewayCounter.memoryShed, 1)
      connection.shed()
    }
  }
}
