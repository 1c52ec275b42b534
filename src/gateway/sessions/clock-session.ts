/** One connection's part in a virtual clock: time stands still for it while it has events to acknowledge. */
import type { ClockPart, Participant, Participants } from '../../base/participants.ts'
import type { AccountId } from '../../base/units.ts'

export class ClockSession {
  private readonly participants: Participants
  private readonly late: () => void
  private participant: Participant | undefined = undefined
  private ordersCount = true

  /** `late` is called when an event was not acknowledged in time; it takes part no more then. */
  constructor(participants: Participants, late: () => void) {
    this.participants = participants
    this.late = late
  }

  get isTakingPart(): boolean {
    return this.participant !== undefined
  }

  /** Undefined while it takes no part. */
  get part(): ClockPart | undefined {
    const { participant, ordersCount } = this
    return participant && { account: participant.account, ordersCount }
  }

  /** Takes part again, with so many events that its client has still to acknowledge. */
  resume({ account, ordersCount }: ClockPart, unacknowledged: number): void {
    this.join(account, ordersCount)
    for (let i = 0; i < unacknowledged; i++) this.sent()
  }

  /** Events that its client did not acknowledge. */
  get unacknowledged(): number {
    return this.participant?.unacknowledged ?? 0
  }

  /**
   * Takes part for an account from now on; `ordersCount`: whether an order acknowledges the oldest event. Returns false
   * when there are too many participants.
   */
  join(account: AccountId, ordersCount: boolean): boolean {
    this.ordersCount = ordersCount
    this.participant ??= this.participants.join(account, () => {
      this.participant = undefined
      this.late()
    })
    return this.participant !== undefined
  }

  leave(): void {
    this.participant?.leave()
    this.participant = undefined
  }

  /** Notes an event that its client is sent. */
  sent(): void {
    this.participant?.sent()
  }

  acknowledge(events: number): void {
    this.participant?.acknowledge(events)
  }

  /** Notes an order of its client. */
  placed(): void {
    if (this.ordersCount) this.acknowledge(1)
  }
}
