/**
 * Faults of the sandbox, for frames of streams. A connection that a rule may touch has its frames delivered to it
 * alone (fanout.ts). It passes each through its gate, where rules are tried in order. Other connections have no
 * gate to pass. None of it exists while the sandbox is off.
 */
import { elapsedMs, type Time, type Timer } from '../../base/time.ts'
import type { AccountId, Ms } from '../../base/units.ts'
import { delayOf } from '../../sandbox/fault-delay.ts'
import { type FaultRule, faultEffects, USER_STREAM } from '../../sandbox/fault-fields.ts'
import { FaultTrigger, type PostedFault } from '../../sandbox/fault-trigger.ts'
import { matchesPattern } from '../../sandbox/pattern.ts'
import { GatewayCounter, type ThreadCounters } from '../../shared/counters.ts'
import type { Frame } from './outbox.ts'

/** Bytes that a connection is behind by, for its stalls and lags, when it is closed as a slow reader. */
const HELD_BYTES_MAX = 1024 * 1024

/** A connection, as far as faults concern it. */
export interface FaultedReader {
  /** Address of the client, 4 or 16 bytes. */
  readonly remoteAddress: ArrayBuffer
  readonly over: 'streams' | 'sessions'
  /** Whose events it reads. */
  readonly accounts: readonly number[]
  sendEventFrame(frame: Frame): void
  announceShutdown(nowMs: Ms): void
  closeWith(code: number, reason: string): void
  /** Sends the first half of a frame, and ends it without a close frame. */
  sendHalf(frame: Frame): void
  /** Ends it without a close frame. */
  cut(): void
  /** Ends it as one that reads too slowly. */
  drop(): void
}

/** Where a frame comes from: the stream, or USER_STREAM with the account of the event. */
export interface FrameSource {
  readonly stream: string
  readonly account?: AccountId
  /** Has the listen key of the event expire; undefined where it has none. */
  readonly expire?: () => void
}

export class FrameFaults {
  readonly time: Time
  private readonly counters: ThreadCounters
  private readonly firstTouched: ((rule: FaultRule) => void) | undefined
  private readonly gates = new Set<FrameGate>()
  private rules: readonly FrameRule[] = []

  constructor(
    time: Time,
    counters: ThreadCounters,
    firstTouched?: ((rule: FaultRule) => void) | undefined,
  ) {
    this.time = time
    this.counters = counters
    this.firstTouched = firstTouched
  }

  /** These rules are in force from now on, instead of others. */
  set(posted: readonly PostedFault[]): void {
    this.rules = posted
      .filter(({ rule }) => faultEffects[rule.do].touches === 'frames')
      .map((fault) => new FrameRule(fault, this.firstTouched))
  }

  gateOf(reader: FaultedReader): FrameGate {
    const gate = new FrameGate(this, reader)
    this.gates.add(gate)
    return gate
  }

  forget(gate: FrameGate): void {
    this.gates.delete(gate)
  }

  /** Whether a rule is for frames of one of these market streams to this reader. Most readers have none. */
  mayTouch(streams: Iterable<string>, reader: FaultedReader): boolean {
    const rules = this.rules.filter((rule) => rule.isFor(reader))
    if (rules.length === 0) return false
    for (const stream of streams) {
      if (rules.some((rule) => rule.isAt({ stream }))) return true
    }
    return false
  }

  /** Returns the rules that touch the frame, with its number for each. */
  touching(source: FrameSource, reader: FaultedReader): readonly TouchingRule[] {
    const nowMs = elapsedMs(this.time)
    const touching: TouchingRule[] = []
    for (const { rule, trigger } of this.rules.filter((each) => each.matches(source, reader))) {
      const number = trigger.pull(nowMs)
      if (number > 0) touching.push({ rule, number })
    }
    this.counters.add(GatewayCounter.faultsTouched, touching.length)
    return touching
  }

  /** No connection is stalled any longer: the gateway stops. */
  stop(): void {
    this.rules = []
    for (const gate of [...this.gates]) gate.flush()
  }
}

interface TouchingRule {
  readonly rule: FaultRule
  readonly number: number
}

class FrameRule {
  readonly rule: FaultRule
  readonly trigger: FaultTrigger
  private readonly prefix: string

  constructor(fault: PostedFault, firstTouched: ((rule: FaultRule) => void) | undefined) {
    const { symbol } = fault.rule
    this.rule = fault.rule
    this.trigger = new FaultTrigger(fault, firstTouched)
    this.prefix = symbol === undefined ? '' : `${symbol.toLowerCase()}@`
  }

  matches(source: FrameSource, reader: FaultedReader): boolean {
    return this.isAt(source) && this.isFor(reader, source.account)
  }

  isAt({ stream, expire }: FrameSource): boolean {
    const { rule } = this
    if (rule.do === 'expire' && expire === undefined) return false
    if (rule.stream !== undefined && !matchesPattern(rule.stream, stream)) return false
    return stream.startsWith(this.prefix)
  }

  /** A rule of an account is for its events, and for streams of connections that read them. */
  isFor(reader: FaultedReader, account?: AccountId): boolean {
    const { rule } = this
    if (rule.over !== undefined && rule.over !== reader.over) return false
    if (rule.account !== undefined) {
      const isOwn =
        account === undefined ? reader.accounts.includes(rule.account) : account === rule.account
      if (!isOwn) return false
    }
    return rule.address === undefined || this.trigger.isFrom(reader.remoteAddress)
  }
}

/** A step that waits: a frame, or what a rule does instead. */
interface WaitingStep {
  readonly run: () => void
  readonly bytes: number
  /** Monotonic ms: not before those of the steps ahead. */
  readonly dueMs: number
}

/** What the frames of one connection pass. What waits stays in its order. */
export class FrameGate {
  private readonly faults: FrameFaults
  private readonly reader: FaultedReader
  private waiting: WaitingStep[] = []
  /** Bytes of the frames that wait. */
  heldBytes = 0
  private lastDueMs = 0
  private stalledUntilMs = 0
  /** Whether the connection itself holds frames back. */
  private isHeld = false
  private timer: Timer | undefined = undefined

  constructor(faults: FrameFaults, reader: FaultedReader) {
    this.faults = faults
    this.reader = reader
  }

  /** Sends the frame by the rules; a frame behind a stalled one waits for it, and is no match of a rule. */
  pass(source: FrameSource, frame: Frame): void {
    const isStalled = elapsedMs(this.faults.time) < this.stalledUntilMs
    const rules = this.isHeld || isStalled ? [] : this.faults.touching(source, this.reader)
    if (rules.length > 0) this.passBy(rules, source, copied(frame))
    else this.send(this.isHeld || this.waiting.length > 0 ? copied(frame) : frame, 0)
  }

  private passBy(rules: readonly TouchingRule[], source: FrameSource, frame: Frame): void {
    let delayMs = 0
    let copies = 1
    let expire: (() => void) | undefined
    for (const { rule, number } of rules) {
      switch (rule.do) {
        case 'drop':
          return
        case 'tear':
          this.step(() => this.reader.sendHalf(frame), frame.length, delayMs)
          return
        case 'close':
          this.step(() => this.closeWith(rule), 0, delayMs)
          return
        case 'lag':
          delayMs += delayOf(rule, number)
          break
        case 'stall':
          this.stalledUntilMs = elapsedMs(this.faults.time) + (rule.ms ?? 0)
          this.send(frame, rule.ms ?? 0)
          return
        case 'duplicate':
          copies++
          break
        case 'expire':
          expire = source.expire
          break
        default:
          this.step(() => this.reader.announceShutdown(this.faults.time.nowMs()), 0, delayMs)
      }
    }
    for (let i = 0; i < copies; i++) this.send(frame, delayMs)
    if (expire !== undefined) this.step(expire, 0, delayMs)
  }

  /** Holds frames back from now on. */
  hold(): void {
    this.isHeld = true
  }

  /** Holds none back any longer. */
  release(): void {
    this.isHeld = false
    this.runDue(elapsedMs(this.faults.time))
  }

  /** Sends all that waits, now. */
  flush(): void {
    this.stalledUntilMs = 0
    this.isHeld = false
    this.runDue(Number.POSITIVE_INFINITY)
  }

  /** The connection is gone. */
  close(): void {
    this.timer?.cancel()
    this.waiting = []
    this.heldBytes = 0
    this.faults.forget(this)
  }

  private closeWith({ code, message = '' }: FaultRule): void {
    if (code === undefined) this.reader.cut()
    else this.reader.closeWith(code, message)
  }

  private send(frame: Frame, delayMs: number): void {
    this.step(() => this.reader.sendEventFrame(frame), frame.length, delayMs)
  }

  /** Runs the step once the delay is over, and all steps ahead of it have run. */
  private step(run: () => void, bytes: number, delayMs: number): void {
    const nowMs = elapsedMs(this.faults.time)
    const mustWait = this.isHeld || this.waiting.length > 0 || delayMs > 0
    if (!mustWait) {
      run()
      return
    }
    this.lastDueMs = Math.max(this.lastDueMs, nowMs + delayMs)
    this.waiting.push({ run, bytes, dueMs: this.lastDueMs })
    this.heldBytes += bytes
    if (this.heldBytes > HELD_BYTES_MAX) this.reader.drop()
    else if (this.timer === undefined) this.wait()
  }

  private runDue(nowMs: number): void {
    this.timer?.cancel()
    this.timer = undefined
    let count = 0
    while (count < this.waiting.length && this.waiting[count]!.dueMs <= nowMs) count++
    for (const { run, bytes } of this.waiting.splice(0, count)) {
      this.heldBytes -= bytes
      run()
    }
    this.wait()
  }

  private wait(): void {
    const [next] = this.waiting
    if (next === undefined || this.isHeld) return
    const { time } = this.faults
    const waitMs = Math.max(0, next.dueMs - elapsedMs(time))
    // The clock of timers may be a fraction of a millisecond ahead.
    this.timer = time.after(waitMs, () => this.runDue(Math.max(next.dueMs, elapsedMs(time))))
  }
}

/** Copies bytes, which may be others later. */
const copied = (frame: Frame): Frame => Buffer.from(frame)

/** The source of an account's event. */
export const userSource = (account: AccountId, expire?: () => void): FrameSource =>
  expire === undefined ? { stream: USER_STREAM, account } : { stream: USER_STREAM, account, expire }
