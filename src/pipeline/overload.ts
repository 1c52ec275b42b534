/**
 * Refuses requests that change orders, once this gateway has so many commands under way that one more
 * would wait too long; and requests that place orders, once only the reserve of the disk is left. It comes
 * before the checks of keys and parameters, because a refusal must cost far less than an order. Queries
 * continue, since clients need them to learn the fate of their orders. They have room of their own
 * (queriesMax), so that they take none from orders. Cancels continue on the reserve, which is there for them.
 */
import { Fault } from '../api/errors.ts'
import type { Operation } from '../api/operations/index.ts'
import type { Pending } from '../gateway/engine-link/pending.ts'
import { GatewayCounter, type ThreadCounters } from '../shared/counters.ts'
import type { DiskCells } from '../shared/disk.ts'

const busy = new Fault('SERVER_BUSY')
const diskReserve = new Fault('DISK_RESERVE')

type Effect = Pick<Operation, 'effect'>

export class Overload {
  private readonly pending: Pending
  private readonly pendingOrders: number
  private readonly disk: Pick<DiskCells, 'isRefusing'>
  private readonly counters: ThreadCounters

  /** `pendingOrders` is the number of commands under way at which orders are refused. */
  constructor(
    pending: Pending,
    pendingOrders: number,
    disk: Pick<DiskCells, 'isRefusing'>,
    counters: ThreadCounters,
  ) {
    this.pending = pending
    this.pendingOrders = pendingOrders
    this.disk = disk
    this.counters = counters
  }

  /** Whether the caller must respond with refuse(). */
  turnsAway({ effect }: Effect): boolean {
    if (effect === 'NONE') return false
    const { count, queries } = this.pending
    return count - queries >= this.pendingOrders || this.isBeyondDisk(effect)
  }

  /** Returns the refusal, and counts it. */
  refuse({ effect }: Effect): Fault {
    if (this.isBeyondDisk(effect)) {
      this.counters.add(GatewayCounter.diskRefused, 1)
      return diskReserve
    }
    this.counters.add(GatewayCounter.pendingFull, 1)
    return busy
  }

  /** The handler of a replacement refuses its new order, and cancels the other one (replace-order.ts). */
  private isBeyondDisk(effect: Operation['effect']): boolean {
    return effect === 'PLACES' && this.disk.isRefusing
  }
}
