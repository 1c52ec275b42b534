/** Until when this member may lead: the quorum's last answer, in the cells that gateways read. */
import type { RoleCells } from '../shared/role.ts'

/** The time until which a member leads that does not: 0 would mean that no quorum is asked. */
const NEVER_MS = 1

export class LeadLease {
  private readonly leaseMs: number
  /** Once the exchange has reserved its memory. */
  private cells: RoleCells | undefined = undefined
  /** When the quorum last confirmed that this member leads, monotonic. */
  private sinceMs: number | undefined = undefined
  private hasResigned = false

  /** A confirmed member leads for `leaseMs` after the quorum was asked. */
  constructor(leaseMs: number) {
    this.leaseMs = leaseMs
  }

  /** Writes to these cells, first of all what was confirmed before they were there. */
  deliver(cells: RoleCells): void {
    this.cells = cells
    this.write()
  }

  /** The quorum has confirmed that this member led at `sinceMs`. */
  confirmed(sinceMs: number): void {
    this.sinceMs = sinceMs
    this.write()
  }

  /** It leads no more, before another member knows, and whatever the quorum answers yet. */
  resign(): void {
    this.hasResigned = true
    this.write()
  }

  private write(): void {
    if (this.hasResigned) this.cells?.confirm(NEVER_MS)
    else if (this.sinceMs !== undefined) this.cells?.confirm(this.sinceMs + this.leaseMs)
  }
}
