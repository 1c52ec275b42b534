/**
 * The phase of one symbol (docs/phases.md): compares what the operator or the schedule wants with what the
 * journal states, writes the event that brings them together, and begins calls that prices cause. Trades of
 * an auction: uncrossing.ts. Reads no clock: its caller decides when a call is over.
 */
import { CorridorEnd, PhaseCause, SymbolStatus } from '../../base/codes.ts'
import { isMore } from '../../base/int64.ts'
import { BASIS_POINTS } from '../../base/limits.ts'
import { Ms, OrderId, type QuoteAtoms, Ticks } from '../../base/units.ts'
import { HOUR_MS } from '../../market/intervals.ts'
import { bandOf, type PhaseSettings, type SymbolSpec } from '../../market/listing.ts'
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
  private readonly uncrossing: Pick<Uncrossing, 'price' | 'priceAt' | 'begin'>
  private wanted: SymbolStatus
  /** When it was due; 0 for the present. */
  private wantedMs: Ms
  private settings: PhaseSettings
  private notionalAtomsMin: QuoteAtoms
  /** Whether the time has come at which the phase ends by itself. */
  private isOver = false

  constructor(
    { spec, state, events }: PhasesParts,
    uncrossing: Pick<Uncrossing, 'price' | 'priceAt' | 'begin'>,
  ) {
    this.state = state
    this.events = events
    this.uncrossing = uncrossing
    this.wanted = spec.status
    this.wantedMs = spec.statusMs
    this.settings = spec.phases
    this.notionalAtomsMin = spec.notionalAtomsMin
  }

  /** Another status is wanted, or other settings hold. What follows is `change`'s to do. */
  respecify({ status, statusMs, phases, notionalAtomsMin }: SymbolSpec): void {
    this.wanted = status
    this.wantedMs = statusMs
    this.settings = phases
    this.notionalAtomsMin = notionalAtomsMin
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
    if (this.isWaiting) return this.isResumed || this.isBandOld
    return this.isEnding || this.wanted !== this.coming || this.isBandOld
  }

  /** Whether the call lasts until an operator ends it. */
  get isWaiting(): boolean {
    const { counters, phase } = this.state
    const isCallOpen = phase === SymbolStatus.AUCTION_MATCH && this.endsMs === 0
    return isCallOpen && counters[Counter.nextPhase] !== phase
  }

  /** Changes what is due, in a separate execution: an event, or the first of an auction. */
  change(): void {
    const { state, events } = this
    events.beginConsequence()
    // An operator has seen the price, so no corridor holds it.
    if (this.isWaiting && this.isResumed) this.enter(this.wanted, PhaseCause.OPERATOR, true)
    else if (this.isWaiting) this.wait(PhaseCause.OPERATOR)
    else if (this.wanted !== this.coming) this.ask(this.wanted)
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

  /** Whether an order that does not rest may interrupt trading, after it traded for so much. */
  mayInterrupt(filledAtoms: QuoteAtoms): boolean {
    return filledAtoms > 0 && !isMore(this.notionalAtomsMin, filledAtoms)
  }

  /** An order would trade too far from the anchor: a call begins, within the execution of the order. */
  interrupt(orderId: OrderId): void {
    const { interruptionCallMs, hourlyInterruptions } = this.settings
    const { state } = this
    const isWaiting =
      hourlyInterruptions !== 0 && state.hasInterrupted(hourlyInterruptions, HOUR_MS)
    const endsMs = isWaiting ? NEVER : Ms(state.timeMs + interruptionCallMs + this.drawMs())
    const { AUCTION_MATCH, TRADING } = SymbolStatus
    this.say(AUCTION_MATCH, TRADING, endsMs, PhaseCause.VOLATILITY, { orderId })
  }

  /** The phase that the symbol is in, or that it comes to by itself. */
  private get coming(): SymbolStatus {
    const { counters, phase } = this.state
    return this.endsMs === 0 ? phase : (counters[Counter.nextPhase]! as SymbolStatus)
  }

  /**
   * Whether an operator has resumed the symbol since the phase changed, or wants another status. A schedule ends
   * no call that waits.
   */
  private get isResumed(): boolean {
    const isOperators =
      this.wantedMs === 0 && this.wanted !== this.state.counters[Counter.nextPhase]
    return isOperators || this.settings.resumptions !== this.state.counters[Counter.resumptions]
  }

  private get isEnding(): boolean {
    return this.isOver && this.endsMs !== 0
  }

  private get bandBasisPoints(): number {
    return bandOf(this.settings)
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

  /**
   * Buyers and sellers who meet trade first: at the end of AUCTION_MATCH, and before TRADING. A price out of the
   * corridor extends the call.
   */
  private enter(status: SymbolStatus, cause: PhaseCause, isFree = false): void {
    const { state } = this
    const isAuction =
      status === SymbolStatus.TRADING ||
      (state.phase === SymbolStatus.AUCTION_MATCH && endsInAuction(status))
    const auction = isAuction ? this.uncrossing.price() : undefined
    if (auction === undefined) {
      this.say(status, status, NEVER, cause)
      return
    }
    const priceTicks = isFree ? auction.priceTicks : this.withinCorridor(auction.priceTicks)
    if (priceTicks === auction.priceTicks) this.uncrossing.begin(auction, status, false)
    else if (this.extensions < this.settings.extensionsMax) this.extend(status)
    else if (this.settings.corridorEnd === CorridorEnd.OPERATOR) {
      this.say(SymbolStatus.AUCTION_MATCH, status, NEVER, PhaseCause.EXTENDED)
    } else this.uncrossing.begin(this.uncrossing.priceAt(priceTicks), status, true)
  }

  private extend(status: SymbolStatus): void {
    const endsMs = Ms(this.state.timeMs + this.settings.extensionMs + this.drawMs())
    const extensions = this.extensions + 1
    this.say(SymbolStatus.AUCTION_MATCH, status, endsMs, PhaseCause.EXTENDED, { extensions })
  }

  /** The call continues until an operator ends it. */
  private wait(cause: PhaseCause): void {
    this.say(
      this.state.phase,
      this.state.counters[Counter.nextPhase]! as SymbolStatus,
      NEVER,
      cause,
    )
  }

  /** The price, or the nearest that the corridors allow: the last price's counts where both cannot hold. */
  private withinCorridor(priceTicks: Ticks): Ticks {
    const { settings, state } = this
    const { auctioned, lastPriceTicks } = state
    const fixed = within(priceTicks, auctioned.priceTicks, settings.staticCorridorBasisPoints)
    return within(fixed, lastPriceTicks, settings.corridorBasisPoints)
  }

  /** How often the call was extended; a phase that is no call resets it. */
  private get extensions(): number {
    const { counters, phase } = this.state
    return phase === SymbolStatus.AUCTION_MATCH ? counters[Counter.extensions]! : 0
  }

  private say(
    phase: SymbolStatus,
    nextPhase: SymbolStatus,
    endsMs: Ms,
    cause: PhaseCause,
    { orderId = NO_ORDER, extensions = this.extensionsIn(phase) } = {},
  ): void {
    const { bandBasisPoints, windowMs } = this
    const { resumptions } = this.settings
    const band = { bandBasisPoints, windowMs }
    const change = { phase, nextPhase, endsMs, ...band, cause, resumptions, extensions }
    this.events.phaseChanged(change, orderId)
    this.state.changePhase(change)
  }

  private extensionsIn(phase: SymbolStatus): number {
    return phase === SymbolStatus.AUCTION_MATCH ? this.extensions : 0
  }

  /** The random part of an end: of the seed and the event's place, so that a journal has it again. */
  private drawMs(): number {
    const { seed, randomEndMs } = this.settings
    if (randomEndMs === 0) return 0
    return mixed(seed, this.state.counters[Counter.sequence]!) % (randomEndMs + 1)
  }
}

/** The price, or the nearest within so many basis points of the middle; 0 of them, or no middle, bound nothing. */
function within(priceTicks: Ticks, middleTicks: Ticks, basisPoints: number): Ticks {
  if (basisPoints === 0 || middleTicks === 0) return priceTicks
  const distance = (middleTicks * basisPoints) / BASIS_POINTS
  const low = Math.ceil(middleTicks - distance)
  const high = Math.floor(middleTicks + distance)
  return Ticks(Math.min(Math.max(priceTicks, low), high))
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
