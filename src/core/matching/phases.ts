/**
 * The phase of one symbol (docs/phases.md): compares what the operator or the schedule wants with what the
 * journal says, writes the event that brings them together, and begins calls that prices cause. Trades of
 * an auction: uncrossing.ts. Reads no clock: its caller decides when a call is over.
 */
import { PhaseCause, SymbolStatus } from '../../base/codes.ts'
import { Ms, OrderId } from '../../base/units.ts'
import type { PhaseSettings, SymbolSpec } from '../../market/listing.ts'
import { Counter } from './counters.ts'
import type { EventWriter } from './event-writer.ts'
import type { SymbolState } from './symbol-state.ts'
import type { Uncrossing } from './uncrossing.ts'

const NO_ORDER = OrderId(0)
const NEVER = Ms(0)

/** Whether the end of AUCTION_MATCH is an auction when this phase follows. */
const endsInAuction = (status: SymbolStatus): boolean =>
  status === SymbolStatus.TRADING ||
  status === SymbolStatus.POST_TRADING ||
  status === SymbolStatus.END_OF_DAY

export interface PhasesParts {
  readonly spec: SymbolSpec
  readonly state: SymbolState
  readonly events: EventWriter
}

export class Phases {
  private readonly state: SymbolState
  private readonly events: EventWriter
  private readonly uncrossing: Pick<Uncrossing, 'begin'>
  private wanted: SymbolStatus
  /** When it was due; 0 for the present. */
  private wantedMs: Ms
  private settings: PhaseSettings
  /** Whether the time has come at which the phase ends by itself. */
  private isOver = false

  constructor({ spec, state, events }: PhasesParts, uncrossing: Pick<Uncrossing, 'begin'>) {
    this.state = state
    this.events = events
    this.uncrossing = uncrossing
    this.wanted = spec.status
    this.wantedMs = spec.statusMs
    this.settings = spec.phases
  }

  /** Another status is wanted, or other settings hold. What follows is `change`'s to do. */
  respecify({ status, statusMs, phases }: SymbolSpec): void {
    this.wanted = status
    this.wantedMs = statusMs
    this.settings = phases
  }

  /** When the phase ends by itself; 0 when it does not. */
  get endsMs(): Ms {
    return Ms(this.state.counters[Counter.endsMs]!)
  }

  /** The time at which the phase ends by itself has come. */
  end(): void {
    this.isOver = true
  }

  /** Whether the phase or its settings are to change, between two commands. */
  get isDue(): boolean {
    const { state } = this
    if (state.auctionTicks !== 0) return false
    return this.isEnding || this.wanted !== this.coming || this.isBandOld
  }

  /** Changes what is due, in an execution of its own: an event, or the first of an auction. */
  change(): void {
    const { state, events } = this
    events.beginConsequence()
    if (this.wanted !== this.coming) this.ask(this.wanted)
    else if (this.isEnding) this.enter(this.coming, PhaseCause.CALL_ENDED)
    else this.say(state.phase, this.coming, this.endsMs, PhaseCause.OPERATOR)
    this.isOver = false
    events.end()
  }

  /** The last trade of an auction was made: the phase follows that it was for. */
  ended(): void {
    const next = this.state.counters[Counter.nextPhase]! as SymbolStatus
    this.say(next, next, NEVER, PhaseCause.CALL_ENDED)
  }

  /**
   * An order would trade too far from the reference: a call begins, within the execution of the order. Returns
   * whether what is left of the order may rest.
   */
  interrupt(orderId: OrderId): boolean {
    const { interruptionCallMs, interruptionRests } = this.settings
    const endsMs = Ms(this.state.timeMs + interruptionCallMs + this.drawMs())
    const { AUCTION_MATCH, TRADING } = SymbolStatus
    this.say(AUCTION_MATCH, TRADING, endsMs, PhaseCause.VOLATILITY, orderId)
    return interruptionRests
  }

  /** The phase that the symbol is in, or that it comes to by itself. */
  private get coming(): SymbolStatus {
    const { counters, phase } = this.state
    return this.endsMs === 0 ? phase : (counters[Counter.nextPhase]! as SymbolStatus)
  }

  private get isEnding(): boolean {
    return this.isOver && this.endsMs !== 0
  }

  private get bandBasisPoints(): number {
    const { interruptionWindowMs, interruptionBasisPoints } = this.settings
    return interruptionWindowMs === 0 ? 0 : interruptionBasisPoints
  }

  private get windowMs(): number {
    return this.bandBasisPoints === 0 ? 0 : this.settings.interruptionWindowMs
  }

  private get isBandOld(): boolean {
    const { counters } = this.state
    return (
      counters[Counter.bandBasisPoints] !== this.bandBasisPoints ||
      counters[Counter.windowMs] !== this.windowMs
    )
  }

  /**
   * A call that is to end in an auction does so at random, or at the time that it has already. The random part
   * counts from when the end was due, so an end that was missed is at once.
   */
  private ask(status: SymbolStatus): void {
    const { state, endsMs } = this
    const isEnding = state.phase === SymbolStatus.AUCTION_MATCH && endsInAuction(status)
    const drawnMs = Ms((this.wantedMs === 0 ? state.timeMs : this.wantedMs) + this.drawMs())
    const atMs = endsMs !== 0 ? endsMs : drawnMs
    if (isEnding && (endsMs !== 0 || drawnMs > state.timeMs)) {
      this.say(state.phase, status, atMs, PhaseCause.OPERATOR)
    } else this.enter(status, PhaseCause.OPERATOR)
  }

  /** Buyers and sellers who meet trade first: at the end of AUCTION_MATCH, and before TRADING. */
  private enter(status: SymbolStatus, cause: PhaseCause): void {
    const { state } = this
    const isAuction =
      status === SymbolStatus.TRADING ||
      (state.phase === SymbolStatus.AUCTION_MATCH && endsInAuction(status))
    if (isAuction && state.isCrossed) this.uncrossing.begin(status)
    else this.say(status, status, NEVER, cause)
  }

  private say(
    phase: SymbolStatus,
    nextPhase: SymbolStatus,
    endsMs: Ms,
    cause: PhaseCause,
    orderId = NO_ORDER,
  ): void {
    const { bandBasisPoints, windowMs } = this
    const change = { phase, nextPhase, endsMs, bandBasisPoints, windowMs }
    this.events.phaseChanged(change, cause, orderId)
    this.state.changePhase(change)
  }

  /** The random part of an end: of the seed and the event's place, so that a journal has it again. */
  private drawMs(): number {
    const { seed, randomEndMs } = this.settings
    if (randomEndMs === 0) return 0
    return mixed(seed, this.state.counters[Counter.sequence]!) % (randomEndMs + 1)
  }
}

/** 32 bits of two numbers: who knows one of them learns nothing of the other. */
function mixed(seed: number, place: number): number {
  let bits = seed ^ Math.imul(place + 1, 0x9e3779b1)
  for (let round = 0; round < 2; round++) {
    bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
    bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  }
  return (bits ^ (bits >>> 16)) >>> 0
}
