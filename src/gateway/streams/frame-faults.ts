/**
 * Faults of the sandbox, for frames of streams. A connection that a rule may touch has its frames delivered to it
 * alone (fanout.ts), and passes each through its gate, where rules are tried in their order. Other
 * connections have no gate to pass. Nothing of it is there while the sandbox is off.
 */
import {
  type AddressRange,
  isInRange,
  mappedAddress,
  parseAddressRanges,
} from '../../base/address-range.ts'
import { elapsedMs, type Time, type Timer } from '../../base/time.ts'
import type { AccountId, Ms } from '../../base/units.ts'
import {
  type FaultRule,
  faultEffects,
  matchesPattern,
  type PostedFault,
  USER_STREAM,
} from '../../market/fault-rule.ts'
import { FaultTrigger } from '../../market/fault-trigger.ts'
import { GatewayCounter, type ThreadCounters } from '../../shared/counters.ts'
import type { Frame } from './outbox.ts'

/** Bytes that a stalled connection is behind by when it is closed as a slow reader. */
const HELD_BYTES_MAX = 1024 * 1024

/** A connection, as far as faults concern it. */
export interface FaultedReader {
  /** Of the client, 4 or 16 bytes. */
  readonly remoteAddress: ArrayBuffer
  /** Whose events it reads. */
  readonly accounts: readonly number[]
  send(frame: Frame): void
  announceShutdown(nowMs: Ms): void
  closeWith(code: number, reason: string): void
  /** Ends it without a close frame. */
  cut(): void
  /** Ends it as one that reads too slowly. */
  drop(): void
}

/** A frame's place: the stream, or USER_STREAM with the account of the event. */
export interface FramePlace {
  readonly stream: string
  readonly account?: AccountId
  /** Has the listen key of the event expire; undefined where it has none. */
  readonly expire?: () => void
}

export class FrameFaults {
  readonly time: Time
  private readonly counters: ThreadCounters
  private readonly gates = new Set<FrameGate>()
  private rules: readonly FrameRule[] = []

  constructor(time: Time, counters: ThreadCounters) {
    this.time = time
    this.counters = counters
  }

  /** These rules are in force from now on, instead of others. */
  set(posted: readonly PostedFault[]): void {
    this.rules = posted
      .filter(({ rule }) => faultEffects[rule.do].touches === 'frames')
      .map((fault) => new FrameRule(fault))
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

  /** Returns the rules that touch the frame, which they number. */
  touching(place: FramePlace, reader: FaultedReader): readonly FaultRule[] {
    const nowMs = elapsedMs(this.time)
    const touching = this.rules.filter(
      (rule) => rule.matches(place, reader) && rule.trigger.pull(nowMs) > 0,
    )
    this.counters.add(GatewayCounter.faultsTouched, touching.length)
    return touching.map(({ rule }) => rule)
  }

  /** No connection is stalled any longer: the gateway stops. */
  stop(): void {
    this.rules = []
    for (const gate of [...this.gates]) gate.release()
  }
}

class FrameRule {
  readonly rule: FaultRule
  readonly trigger: FaultTrigger
  private readonly addresses: readonly AddressRange[] | undefined
  private readonly prefix: string

  constructor(fault: PostedFault) {
    const { address, symbol } = fault.rule
    this.rule = fault.rule
    this.trigger = new FaultTrigger(fault)
    this.addresses = address === undefined ? undefined : parseAddressRanges(address)
    this.prefix = symbol === undefined ? '' : `${symbol.toLowerCase()}@`
  }

  matches(place: FramePlace, reader: FaultedReader): boolean {
    return this.isAt(place) && this.isFor(reader, place.account)
  }

  isAt({ stream, expire }: FramePlace): boolean {
    const { rule } = this
    if (rule.do === 'expire' && expire === undefined) return false
    if (rule.stream !== undefined && !matchesPattern(rule.stream, stream)) return false
    return stream.startsWith(this.prefix)
  }

  /** A rule of an account is for its events, and for streams of connections that read them. */
  isFor(reader: FaultedReader, account?: AccountId): boolean {
    const { rule } = this
    if (rule.account !== undefined) {
      const isOwn =
        account === undefined ? reader.accounts.includes(rule.account) : account === rule.account
      if (!isOwn) return false
    }
    if (this.addresses === undefined) return true
    const address = mappedAddress(new Uint8Array(reader.remoteAddress))
    return this.addresses.some((range) => isInRange(address, range))
  }
}

/** What the frames of one connection pass. */
export class FrameGate {
  private readonly faults: FrameFaults
  private readonly reader: FaultedReader
  /** Frames that are held back; undefined while none are. */
  private held: Frame[] | undefined = undefined
  private heldBytes = 0
  private timer: Timer | undefined = undefined

  constructor(faults: FrameFaults, reader: FaultedReader) {
    this.faults = faults
    this.reader = reader
  }

  /** Sends the frame as the rules say; a frame behind one that is held back waits for it. */
  pass(place: FramePlace, frame: Frame): void {
    if (this.held !== undefined) {
      this.keep(frame)
      return
    }
    const rules = this.faults.touching(place, this.reader)
    if (rules.length === 0) this.reader.send(frame)
    else this.passBy(rules, place, copied(frame))
  }

  private passBy(rules: readonly FaultRule[], place: FramePlace, frame: Frame): void {
    let copies = 1
    let expire: (() => void) | undefined
    for (const rule of rules) {
      switch (rule.do) {
        case 'drop':
          return
        case 'close':
          this.closeWith(rule)
          return
        case 'stall':
          this.hold()
          this.timer = this.faults.time.after(rule.ms ?? 0, () => this.release())
          this.keep(frame)
          return
        case 'duplicate':
          copies++
          break
        case 'expire':
          expire = place.expire
          break
        default:
          this.reader.announceShutdown(this.faults.time.nowMs())
      }
    }
    for (let i = 0; i < copies; i++) this.reader.send(frame)
    expire?.()
  }

  /** Holds frames back from now on. */
  hold(): void {
    this.held ??= []
  }

  /** Sends what was held back, in its order. */
  release(): void {
    const held = this.held ?? []
    this.timer?.cancel()
    this.timer = undefined
    this.held = undefined
    this.heldBytes = 0
    for (const frame of held) this.reader.send(frame)
  }

  /** The connection is gone. */
  close(): void {
    this.timer?.cancel()
    this.held = undefined
    this.faults.forget(this)
  }

  private closeWith({ code, message = '' }: FaultRule): void {
    if (code === undefined) this.reader.cut()
    else this.reader.closeWith(code, message)
  }

  private keep(frame: Frame): void {
    this.held?.push(copied(frame))
    this.heldBytes += frame.length
    if (this.heldBytes > HELD_BYTES_MAX) this.reader.drop()
  }
}

/** Copies bytes, which may be others later. */
const copied = (frame: Frame): Frame => (typeof frame === 'string' ? frame : Buffer.from(frame))

/** The place of an account's event. */
export const userPlace = (account: AccountId, expire?: () => void): FramePlace =>
  expire === undefined ? { stream: USER_STREAM, account } : { stream: USER_STREAM, account, expire }
