/**
 * A gateway without sockets: the real producers, readers and views, on rings so small that commands
 * are refused and readers are overrun. It remembers every command that it sent until its answer is
 * complete, and objects to any record that is not due.
 */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { assert } from '../../src/base/assert.ts'
import { RejectReason } from '../../src/base/codes.ts'
import { Counter } from '../../src/core/matching/counters.ts'
import { DepthView } from '../../src/core/views/depth.ts'
import { Tape, type TapeTrade } from '../../src/core/views/tape.ts'
import { EventHeader, RecordHeader, Rejected } from '../../src/layout/accessors.gen.ts'
import {
  type RecordBuffer,
  recordFlags,
  recordLength,
  recordType,
} from '../../src/layout/record-buffer.ts'
import { FLAG_LAST, RecordType } from '../../src/layout/records.gen.ts'
import { WALLET } from '../../src/market/listing.ts'
import { type CommandRingProducer, commandSlots } from '../../src/ring/command-ring.ts'
import type { Inbox } from '../../src/ring/inbox.ts'
import { type AnyCommand, encode } from './commands.ts'
import { inboxesOf, producersOf } from './gateway-rings.ts'
import { LocalDepth } from './pipeline-depth.ts'
import type { Execution } from './pipeline-engine.ts'
import { COMMAND_SLOTS, type PipelineExchange, waitingIn } from './pipeline-exchange.ts'
import { type NamedRecord, readRecords } from './records.ts'
import { allSymbols, cellOf, matcherOf } from './world.ts'

/** Replies that go to the sending gateway, and to no other. */
const privateReplies = new Set([
  ...['Rejected', 'OrderState', 'QueryEnd', 'CountdownState', 'ProtectionState'],
  ...['BookBegin', 'ReferenceState', 'ReferenceBucket', 'BookLevel', 'BookEnd', 'BlockTradeState'],
  ...['WalletRejected', 'DepositState', 'WithdrawalState', 'TransactionState', 'ChainState'],
  ...['FundsState', 'WithdrawingState', 'MovementState', 'WalletEnd'],
])

/** What answers a command that was executed before. */
const known = new Set(['BlockTradeState', 'WithdrawalState', 'MovementState'])

/** Slots that at most are left empty before the ring's end: a DecideWithdrawal takes six. */
const PADDING_MAX = 5

/** A command on its way. */
export interface Asked {
  readonly command: AnyCommand
  readonly matcher: number
  /** Slots of the command ring that it takes. */
  readonly slots: number
  readonly bytes: number
  /** In which order matchers have looked at it first; 0 before. */
  arrival: number
  /** When it arrived: whether it is an order that its account could pay. */
  isPaid: boolean
  /** Its symbol was unfinished when it arrived, or it was deferred before. */
  wasBlocked: boolean
  /** Its matcher had no room to defer it. */
  isRefused: boolean
  /** Its whole answer, once it was executed. */
  due: readonly NamedRecord[] | undefined
  /** The symbol's last event when it was executed. */
  sequence: number
  /** Whether its replies are visible, and all of its answer. */
  isReplied: boolean
  isPublished: boolean
  /** A piece of a book that this gateway loads. */
  readonly isPiece: boolean
  /** The book has been loaded again since this was requested. */
  isStale: boolean
  /** Records of the answer that came back. */
  got: number
}

/** What a gateway needs of the simulation. */
export interface GatewaySurroundings {
  /** The symbol's last journaled sequence. */
  journaledSequence(symbolId: number): number
  /** The symbol's journaled trades, oldest first. */
  trades(symbolId: number): readonly TapeTrade[]
  count(what: string): void
  below(bound: number): number
}

export class PipelineGateway {
  /** By symbol, and of the wallet: the last event seen, whether or not it was this gateway's command. */
  readonly seenSequence: number[] = [WALLET, ...allSymbols].map(() => 0)
  private readonly index: number
  private readonly producers: readonly CommandRingProducer[]
  /** By matcher. */
  private readonly rings: readonly SharedArrayBuffer[]
  private readonly inboxes: readonly Inbox[]
  private readonly depths = allSymbols.map((spec) => new DepthView(spec))
  private readonly tapes = allSymbols.map((spec) => new Tape(spec))
  private readonly locals = this.depths.map((depth) => new LocalDepth(depth))
  private readonly around: GatewaySurroundings
  private readonly asked = new Map<number, Asked>()
  /** By symbol id: a piece of the book must be requested. */
  private readonly mustAsk: boolean[] = allSymbols.map(() => true)
  /** By symbol id: the tape lacks trades, until history is taken in. */
  private readonly lacksTrades: boolean[] = allSymbols.map(() => true)
  /** By symbol, and of the wallet: the next event follows the last one seen. */
  private readonly isContiguous: boolean[] = [WALLET, ...allSymbols].map(() => false)
  private correlation = 0

  constructor(index: number, exchange: PipelineExchange, around: GatewaySurroundings) {
    this.index = index
    this.around = around
    this.producers = producersOf(exchange.regions, index)
    this.rings = exchange.regions.commandRings[index]!
    this.inboxes = inboxesOf(
      exchange.regions,
      index,
      (buffer, at) => this.visit(buffer, at),
      (buffer, at) => this.visitReply(buffer, at),
    )
  }

  /** Sends a command; false when the ring is full, and then it is as if it had never been. */
  submit(command: AnyCommand, isPiece = false): boolean {
    const matcher = matcherOf(command.record.symbolId)
    const producer = this.producers[matcher]!
    const correlation = this.correlation + 1
    const record = { ...command.record, gateway: this.index, correlation }
    const addressed = { ...command, record } as AnyCommand
    const encoded = encode(addressed)
    const bytes = recordLength(encoded, 0)
    const slots = commandSlots(bytes)
    let unexecuted = 0
    let unpublished = 0
    const inRing = waitingIn(this.rings[matcher]!)
    for (const [other, asked] of this.asked) {
      if (asked.matcher !== matcher) continue
      if (asked.due === undefined && inRing.has(other)) unexecuted += asked.slots
      if (!asked.isPublished) unpublished += asked.slots
    }
    const at = producer.claim(slots)
    // In the middle of a batch the slots of what it executed may be free again or not, and a command
    // of several slots may have to begin at the ring's beginning.
    const padding = slots > 1 ? 2 * PADDING_MAX : PADDING_MAX
    const isTight = unpublished + padding + slots > COMMAND_SLOTS
    if (at < 0) assert(isTight, 'a ring that has room takes a command')
    else assert(unexecuted + slots <= COMMAND_SLOTS, 'a ring takes no more than it has room for')
    if (at < 0) return false
    this.correlation = correlation
    producer.buffer.bytes.set(encoded.bytes.subarray(0, bytes), at)
    producer.commit()
    producer.publish()
    this.asked.set(correlation, {
      command: addressed,
      matcher,
      slots,
      bytes,
      arrival: 0,
      isPaid: false,
      wasBlocked: false,
      isRefused: false,
      due: undefined,
      sequence: 0,
      isReplied: false,
      isPublished: false,
      isPiece,
      isStale: false,
      got: 0,
    })
    return true
  }

  /** The command was executed, this once; answers it as it was sent. */
  executed<Executed extends AnyCommand>(execution: Execution<Executed>): Executed {
    const { gateway, correlation, records, sequence } = execution
    const asked = this.asked.get(correlation)
    assert(asked !== undefined && asked.due === undefined, 'a command is executed once')
    asked.due = records.filter((record) => record.gateway === gateway)
    asked.sequence = sequence
    return asked.command as Executed
  }

  /** What was sent under this number. */
  sent(correlation: number): Asked {
    const asked = this.asked.get(correlation)
    assert(asked !== undefined, 'a command comes from its gateway')
    return asked
  }

  /** Another batch continued with a command of this gateway. */
  wentOn(correlation: number, records: readonly NamedRecord[]): void {
    const asked = this.asked.get(correlation)
    assert(asked?.due !== undefined, 'what continues has begun')
    // What the matcher does by itself may stand behind it.
    asked.due = [...asked.due, ...records.filter(({ gateway }) => gateway === this.index)]
  }

  /** The matcher has published the replies to all that it executed. */
  replied(matcher: number): void {
    for (const asked of this.asked.values()) {
      if (asked.matcher === matcher && asked.due !== undefined) asked.isReplied = true
    }
  }

  /** The matcher has published all that it executed. */
  published(matcher: number): void {
    for (const asked of this.asked.values()) {
      if (asked.matcher === matcher && asked.due !== undefined) asked.isPublished = true
    }
  }

  /** Takes some of what one matcher has sent, and begins again if records were missed. Returns whether there was any. */
  poll(matcher: number): boolean {
    const inbox = this.inboxes[matcher]!
    const replyBytes = this.around.below(3) === 0 ? 64 : undefined
    const count = inbox.poll(undefined, replyBytes)
    const { isOverrun } = inbox.events
    if (isOverrun) this.missed(matcher)
    this.askForBooks(matcher)
    return isOverrun || count > 0
  }

  /** Compares the views with the engines as far as this gateway has read all there is. */
  check(exchange: PipelineExchange): void {
    for (const { id } of allSymbols) {
      const inbox = this.inboxes[matcherOf(id)]!
      const depth = this.depths[id]!
      if (inbox.hasNext() || inbox.events.isOverrun || !depth.synced) continue
      const { book, counters } = exchange.engines[id]!
      for (const side of [0, 1]) {
        const levels: [number, number][] = []
        book.forEachLevel(side, (priceTicks, lots) => levels.push([priceTicks, lots]))
        const applied: [number, number][] = []
        depth.levels(side as 0, Number.POSITIVE_INFINITY, (...row) => applied.push(row))
        deepStrictEqual(applied, levels, 'the depth is the book')
      }
      this.checkTape(id, counters)
    }
  }

  /** A subscriber takes its diffs of the symbol, if it has a book to apply them to. */
  takeDiff(symbolId: number): void {
    if (this.locals[symbolId]!.take()) this.around.count('diff')
  }

  /** Whether everything was read, answered and rebuilt. */
  isQuiet(): boolean {
    return (
      this.asked.size === 0 &&
      this.inboxes.every((inbox) => !inbox.hasNext() && !inbox.events.isOverrun) &&
      this.depths.every((depth) => depth.synced)
    )
  }

  private visit(buffer: RecordBuffer, at: number): void {
    const symbolId = RecordHeader.symbolId(buffer, at)
    const type = recordType(buffer, at)
    if (type >= RecordType.OrderAccepted && type < RecordType.Rejected) {
      this.follow(symbolId, EventHeader.sequence(buffer, at))
    }
    if (symbolId !== WALLET) this.view(symbolId, buffer, at)
    if (RecordHeader.gateway(buffer, at) === this.index) this.deliver(buffer, at)
  }

  private view(symbolId: number, buffer: RecordBuffer, at: number): void {
    const depth = this.depths[symbolId]!
    const tape = this.tapes[symbolId]!
    depth.apply(buffer, at)
    tape.apply(buffer, at)
    if (!depth.synced || !this.lacksTrades[symbolId]) return
    tape.seed(this.around.trades(symbolId).slice(-1000))
    this.lacksTrades[symbolId] = false
  }

  /** A reply stands after the events that were executed before it, and before all others. */
  private visitReply(buffer: RecordBuffer, at: number): void {
    const symbolId = RecordHeader.symbolId(buffer, at)
    const asked = this.asked.get(RecordHeader.correlation(buffer, at))
    strictEqual(RecordHeader.gateway(buffer, at), this.index, 'replies go to who asked')
    assert(asked !== undefined, 'a reply is to what was asked')
    if (asked.isRefused) {
      strictEqual(Rejected.reason(buffer, at), RejectReason.SYMBOL_BUSY)
      this.asked.delete(RecordHeader.correlation(buffer, at))
      if (asked.isPiece && !asked.isStale) this.mustAsk[symbolId] = true
      return
    }
    assert(asked.isReplied || asked.isPublished, 'a reply is to what was published')
    const cell = cellOf(symbolId)
    if (this.isContiguous[cell]) {
      strictEqual(this.seenSequence[cell], asked.sequence, 'a reply stands among the events')
    }
    const isRefused =
      recordType(buffer, at) === RecordType.Rejected &&
      Rejected.reason(buffer, at) === RejectReason.NO_ROOM_FOR_ANSWER
    if (asked.isPiece && !asked.isStale) {
      const depth = this.depths[symbolId]!
      depth.apply(buffer, at)
      if ((recordFlags(buffer, at) & FLAG_LAST) !== 0) this.mustAsk[symbolId] = !depth.synced
    }
    if (isRefused) this.refused(asked, RecordHeader.correlation(buffer, at))
    else this.deliver(buffer, at)
  }

  private refused({ command, got, due }: Asked, correlation: number): void {
    this.around.count('no room for an answer')
    // What was done before changes nothing.
    const isQuery = command.name.startsWith('Query') || known.has(due?.[0]?.name ?? '')
    assert(isQuery && got === 0, 'only queries find no room')
    this.asked.delete(correlation)
  }

  private follow(symbolId: number, sequence: number): void {
    assert(
      sequence <= this.around.journaledSequence(symbolId),
      'nothing is published before it is journaled',
    )
    const cell = cellOf(symbolId)
    if (this.isContiguous[cell]) {
      strictEqual(sequence, this.seenSequence[cell]! + 1, 'events follow each other')
    }
    this.isContiguous[cell] = true
    this.seenSequence[cell] = sequence
  }

  private deliver(buffer: RecordBuffer, at: number): void {
    const correlation = RecordHeader.correlation(buffer, at)
    const asked = this.asked.get(correlation)
    assert(asked?.due !== undefined, 'an answer is to what was executed')
    assert(asked.isPublished || asked.isReplied, 'an answer is to what was published')
    const [record] = readRecords(buffer, at, at + recordLength(buffer, at))
    deepStrictEqual(record, asked.due[asked.got], 'an answer is what the engine wrote')
    asked.got++
    const isWhole = asked.due.at(-1)!.last && asked.got === asked.due.length
    strictEqual(record!.last, isWhole, 'LAST ends an answer')
    if (record!.last) this.asked.delete(correlation)
  }

  /**
   * Events that were published and not yet read are lost; replies are not, nor what still waits in
   * the command ring.
   */
  private missed(matcher: number): void {
    this.around.count('overrun')
    this.inboxes[matcher]!.events.resume()
    for (const [correlation, asked] of this.asked) {
      if (asked.matcher !== matcher) continue
      asked.isStale = true
      const isPrivate = asked.due?.every(({ name }) => privateReplies.has(name))
      if (asked.isPublished && !isPrivate) this.asked.delete(correlation)
    }
    if (matcherOf(WALLET) === matcher) this.isContiguous[cellOf(WALLET)] = false
    for (const { id } of allSymbols) {
      if (matcherOf(id) !== matcher) continue
      this.depths[id]!.invalidate()
      this.locals[id]!.reset()
      this.mustAsk[id] = true
      this.lacksTrades[id] = true
      this.isContiguous[cellOf(id)] = false
    }
  }

  private askForBooks(matcher: number): void {
    for (const { id } of allSymbols) {
      if (matcherOf(id) !== matcher || !this.mustAsk[id]) continue
      const asked = { symbolId: id, gateway: this.index, correlation: 0 }
      const limit = 1 + this.around.below(5)
      const record = { ...asked, ...this.depths[id]!.nextPiece, limit }
      if (this.submit({ name: 'QueryBook', record }, true)) this.mustAsk[id] = false
    }
  }

  private checkTape(symbolId: number, counters: Float64Array): void {
    const trades = this.around.trades(symbolId)
    strictEqual(trades.length, counters[Counter.tradeId])
    if (this.lacksTrades[symbolId]) return
    deepStrictEqual(this.tapes[symbolId]!.recent(20), trades.slice(-20), 'the tape is the trades')
  }
}
