/**
 * Decides when a member that follows shall take the lead. It reads no clock: the caller passes the monotonic
 * time. A wrong decision costs a change of leader, never an order: the conditional update of the leader's
 * row decides who leads (take-over.ts).
 */
import type { Lead } from './quorum.ts'

/** Sequences that a member may lack when it takes the lead before others had time to. */
export const LACK_MAX = 1_000

/** A handover to any member that takes the lead by itself. */
export const ANY_MEMBER = 'any'

/**
 * ASKED: an operator's action. NAMED: the leader hands over, or named itself when it stopped. SILENCE: the
 * leader's beats have stopped. OWN: so have those of this member, which has started again: beats under its
 * name are those of a copy of its folder that is alive. FIRST: no member has ever led.
 */
export const Cause = {
  ASKED: 'asked',
  NAMED: 'named',
  OWN: 'own',
  SILENCE: 'silence',
  FIRST: 'first',
} as const
export type Cause = (typeof Cause)[keyof typeof Cause]

export interface LeadWatchOptions {
  /** This member's name. */
  readonly member: string
  /** Silence after which it takes the lead; undefined: never by itself. */
  readonly afterMs: number | undefined
  readonly passedMs: number
}

export class LeadWatch {
  private readonly member: string
  private readonly afterMs: number | undefined
  private lead: Lead | undefined = undefined
  /** When the leader's last beat was seen, or the quorum was lost. */
  private sinceMs: number
  /** When the row first named any member. */
  private anySinceMs: number | undefined = undefined
  private isAsked = false

  constructor({ member, afterMs, passedMs }: LeadWatchOptions) {
    this.member = member
    this.afterMs = afterMs
    this.sinceMs = passedMs
  }

  /** Notes the row of the leader, as a server shows it. A server that is behind counts for nothing. */
  saw(lead: Lead | undefined, passedMs: number): void {
    const before = this.lead
    if (lead === undefined || isBehind(lead, before)) return
    if (before !== undefined && lead.epoch !== before.epoch) this.isAsked = false
    if (lead.epoch !== before?.epoch || lead.beat !== before.beat) this.sinceMs = passedMs
    this.lead = lead
    if (lead.successor !== ANY_MEMBER) this.anySinceMs = undefined
    else this.anySinceMs ??= passedMs
  }

  /** No server answers: the silence may be this member's, not the leader's. */
  lost(passedMs: number): void {
    this.sinceMs = passedMs
  }

  /** An operator wants this member to lead, until another one takes the lead. */
  ask(): void {
    this.isAsked = true
  }

  /**
   * Returns why this member, which lacks `lag` sequences, shall take the lead now. One that lacks many waits
   * twice as long, so that one that is level is quicker.
   */
  cause(passedMs: number, lag = 0): Cause | undefined {
    const lead = this.lead
    const isBehind = lag > LACK_MAX
    if (this.isAsked) return Cause.ASKED
    if (lead?.successor === this.member) return Cause.NAMED
    if (this.afterMs === undefined) return undefined
    if (this.anySinceMs !== undefined) {
      const isLate = passedMs - this.anySinceMs >= this.afterMs
      if (isLate || !isBehind) return Cause.NAMED
    }
    if (passedMs - this.sinceMs < this.afterMs * (isBehind ? 2 : 1)) return undefined
    if (lead?.member === this.member) return Cause.OWN
    return lead === undefined ? Cause.FIRST : Cause.SILENCE
  }
}

/** A standby may show an earlier row than another server did. */
const isBehind = (lead: Lead, before: Lead | undefined): boolean =>
  before !== undefined &&
  (lead.epoch < before.epoch || (lead.epoch === before.epoch && lead.beat < before.beat))
