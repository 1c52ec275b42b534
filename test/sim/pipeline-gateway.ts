/**
 * A gateway without sockets: the real producers, readers and folds, on rings so small that commands
 * are refused and readers are lapped. It remembers every command that it sent until its answer is
 * complete, and objects to any record that is not due.
 */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { assert } from '#base/assert.ts'
import { DepthFold } from '#core/folds/depth.ts'
import { Tape, type TapeTrade } from '#core/folds/tape.ts'
import { Counter } from '#core/matching/counters.ts'
import { type RecordBuffer, recordLength, recordType } from '#layout/record-buffer.ts'
import { EventHeader, RecordHeader, RecordType } from '#layout/records.gen.ts'
import { CommandRingProducer, commandSlots } from '#ring/command-ring.ts'
import { EventRingReader } from '#ring/event-ring.ts'
import { type Command, encode } from './commands.ts'
import { LocalDepth } from './pipeline-depth.ts'
import type { Execution } from './pipeline-engine.ts'
import { COMMAND_SLOTS, type PipelineExchange } from './pipeline-exchange.ts'
import { type NamedRecord, readRecords } from './records.ts'
import { matcherOf, symbols } from './world.ts'

/** Slots that at most are left empty before the ring's end. */
const PADDING_MAX = 2

/** A command on its way. */
interface Asked {
  readonly command: Command
  readonly matcher: number
  /** Slots of the command ring that it takes. */
  readonly slots: number
  /** Its whole answer, once it was executed. */
  due: readonly NamedRecord[] | undefined
  isPublished: boolean
  /** Records of the answer that came back. */
  got: number
}

/** What a gateway asks of the simulation. */
export interface GatewaySurroundings {
  /** The symbol's last journaled sequence. */
  journaledSequence(symbolId: number): number
  /** The symbol's journaled trades, oldest first. */
  trades(symbolId: number): readonly TapeTrade[]
  count(what: string): void
}

export class PipelineGateway {
  /** By symbol id: the last event seen, whether or not it was this gateway's command. */
  readonly seenSequence: number[] = symbols.map(() => 0)
  readonly #index: number
  readonly #producers: readonly CommandRingProducer[]
  readonly #readers: readonly EventRingReader[]
  readonly #depths = symbols.map((spec) => new DepthFold(spec))
  readonly #tapes = symbols.map((spec) => new Tape(spec))
  readonly #locals = this.#depths.map((depth) => new LocalDepth(depth))
  readonly #around: GatewaySurroundings
  readonly #asked = new Map<number, Asked>()
  /** By symbol id: records were missed, and the book must be asked for (again). */
  readonly #mustAsk: boolean[] = symbols.map(() => true)
  /** By symbol id: the tape lacks trades, until history is taken in. */
  readonly #lacksTrades: boolean[] = symbols.map(() => true)
  /** By symbol id: the next event follows the last one seen. */
  readonly #isContiguous: boolean[] = symbols.map(() => false)
  #correlation = 0

  constructor(index: number, exchange: PipelineExchange, around: GatewaySurroundings) {
    this.#index = index
    this.#around = around
    this.#producers = exchange.commandRings[index]!.map((ring) => new CommandRingProducer(ring))
    this.#readers = exchange.eventRings.map((ring) => new EventRingReader(ring))
  }

  /** Sends a command; false when the ring is full, and then it is as if it had never been. */
  submit(command: Command): boolean {
    const matcher = matcherOf(command.record.symbolId)
    const producer = this.#producers[matcher]!
    const correlation = this.#correlation + 1
    const record = { ...command.record, gateway: this.#index, correlation }
    const addressed = { ...command, record } as Command
    const encoded = encode(addressed)
    const bytes = recordLength(encoded, 0)
    const slots = commandSlots(bytes)
    let unexecuted = 0
    let unpublished = 0
    for (const asked of this.#asked.values()) {
      if (asked.matcher !== matcher) continue
      if (asked.due === undefined) unexecuted += asked.slots
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
    this.#correlation = correlation
    producer.buffer.bytes.set(encoded.bytes.subarray(0, bytes), at)
    producer.commit()
    producer.publish()
    this.#asked.set(correlation, {
      command: addressed,
      matcher,
      slots,
      due: undefined,
      isPublished: false,
      got: 0,
    })
    return true
  }

  /** The command was executed, this once; answers it as it was sent. */
  executed({ gateway, correlation, records }: Execution): Command {
    const asked = this.#asked.get(correlation)
    assert(asked !== undefined && asked.due === undefined, 'a command is executed once')
    asked.due = records.filter((record) => record.gateway === gateway)
    return asked.command
  }

  /** Another batch went on with a command of this gateway. */
  wentOn(correlation: number, records: readonly NamedRecord[]): void {
    const asked = this.#asked.get(correlation)
    assert(asked?.due !== undefined, 'what goes on has begun')
    asked.due = [...asked.due, ...records]
  }

  /** The matcher has published all that it executed. */
  published(matcher: number): void {
    for (const asked of this.#asked.values()) {
      if (asked.matcher === matcher && asked.due !== undefined) asked.isPublished = true
    }
  }

  /** Takes what waits in one matcher's event ring, and begins anew if records were missed. */
  poll(matcher: number): number {
    const reader = this.#readers[matcher]!
    const count = reader.poll((buffer, at) => this.#visit(buffer, at))
    if (reader.lapped) this.#missed(matcher)
    this.#askForBooks(matcher)
    return count
  }

  /** Compares the folds with the engines as far as this gateway has read all there is. */
  check(exchange: PipelineExchange): void {
    for (const { id } of symbols) {
      const reader = this.#readers[matcherOf(id)]!
      const depth = this.#depths[id]!
      if (reader.hasNext() || reader.lapped || !depth.synced) continue
      const { book, counters } = exchange.engines[id]!
      for (const side of [0, 1]) {
        const levels: [number, number][] = []
        book.forEachLevel(side, (priceTicks, lots) => levels.push([priceTicks, lots]))
        const folded: [number, number][] = []
        depth.levels(side as 0, Number.POSITIVE_INFINITY, (...row) => folded.push(row))
        deepStrictEqual(folded, levels, 'the depth is the book')
      }
      this.#checkTape(id, counters)
    }
  }

  /** A subscriber takes its diffs of the symbol, if it has a book to apply them to. */
  takeDiff(symbolId: number): void {
    if (this.#locals[symbolId]!.take()) this.#around.count('diff')
  }

  /** Whether everything was read, answered and rebuilt. */
  isQuiet(): boolean {
    return (
      this.#asked.size === 0 &&
      this.#readers.every((reader) => !reader.hasNext() && !reader.lapped) &&
      this.#depths.every((depth) => depth.synced)
    )
  }

  #visit(buffer: RecordBuffer, at: number): void {
    const { i32, f64 } = buffer
    const symbolId = i32[(at >> 2) + RecordHeader.symbolId]!
    const type = recordType(buffer, at)
    if (type >= RecordType.OrderAccepted && type < RecordType.Rejected) {
      this.#follow(symbolId, f64[(at >> 3) + EventHeader.sequence]!)
    }
    this.#depths[symbolId]!.apply(buffer, at)
    this.#tapes[symbolId]!.apply(buffer, at)
    if (this.#depths[symbolId]!.synced && this.#lacksTrades[symbolId]) {
      this.#tapes[symbolId]!.seed(this.#around.trades(symbolId).slice(-1000))
      this.#lacksTrades[symbolId] = false
    }
    if (i32[(at >> 2) + RecordHeader.gateway] === this.#index) this.#deliver(buffer, at)
  }

  #follow(symbolId: number, sequence: number): void {
    assert(
      sequence <= this.#around.journaledSequence(symbolId),
      'nothing is published before it is journaled',
    )
    if (this.#isContiguous[symbolId]) {
      strictEqual(sequence, this.seenSequence[symbolId]! + 1, 'events follow each other')
    }
    this.#isContiguous[symbolId] = true
    this.seenSequence[symbolId] = sequence
  }

  #deliver(buffer: RecordBuffer, at: number): void {
    const correlation = buffer.i32[(at >> 2) + RecordHeader.correlation]!
    const asked = this.#asked.get(correlation)
    assert(asked?.due !== undefined && asked.isPublished, 'an answer is to what was published')
    const [record] = readRecords(buffer, at, at + recordLength(buffer, at))
    deepStrictEqual(record, asked.due[asked.got], 'an answer is what the engine wrote')
    asked.got++
    const isWhole = asked.due.at(-1)!.last && asked.got === asked.due.length
    strictEqual(record!.last, isWhole, 'LAST ends an answer')
    if (record!.last) this.#asked.delete(correlation)
  }

  /** What was published and not yet read is lost; what still waits in the command ring is not. */
  #missed(matcher: number): void {
    this.#around.count('lap')
    this.#readers[matcher]!.resume()
    for (const [correlation, asked] of this.#asked) {
      if (asked.matcher === matcher && asked.isPublished) this.#asked.delete(correlation)
    }
    for (const { id } of symbols) {
      if (matcherOf(id) !== matcher) continue
      this.#depths[id]!.invalidate()
      this.#locals[id]!.reset()
      this.#mustAsk[id] = true
      this.#lacksTrades[id] = true
      this.#isContiguous[id] = false
    }
  }

  #askForBooks(matcher: number): void {
    for (const { id } of symbols) {
      if (matcherOf(id) !== matcher || !this.#mustAsk[id]) continue
      const record = { symbolId: id, gateway: this.#index, correlation: 0 }
      if (this.submit({ name: 'QueryBook', record })) this.#mustAsk[id] = false
    }
  }

  #checkTape(symbolId: number, counters: Float64Array): void {
    const trades = this.#around.trades(symbolId)
    strictEqual(trades.length, counters[Counter.tradeId])
    if (this.#lacksTrades[symbolId]) return
    deepStrictEqual(this.#tapes[symbolId]!.recent(20), trades.slice(-20), 'the tape is the trades')
  }
}
