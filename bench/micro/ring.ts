/**
 * `npm run bench -- ring`: commands and events between two threads, and the way there and back.
 * Beside them, in the same run: the same bytes written and read by one thread alone (the ceiling),
 * and the same commands by postMessage (what Node.js offers). Both sides' sums are compared before a
 * clock counts.
 *
 * Options: `--rounds N` (5).
 */

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Prng } from '../../src/base/prng.ts'
import { Trade } from '../../src/layout/accessors.gen.ts'
import { RecordBuffer, writeHead } from '../../src/layout/record-buffer.ts'
import { COMMAND_SLOT_BYTES } from '../../src/layout/records.gen.ts'
import { CommandRingProducer, commandRingBytes } from '../../src/ring/command-ring.ts'
import { Doorbell } from '../../src/ring/doorbell.ts'
import { EventRingReader, EventRingWriter, eventRingBytes } from '../../src/ring/event-ring.ts'
import type { Flags, SettingsOf } from '../harness/flags.ts'
import { type BenchResult, median, printTable } from '../harness/report.ts'
import { PeerCell, type PeerRegions, type PeerTask, SLOT_WORDS, sumWords } from './ring-peer.ts'

const SLOTS = 4096
const COMMANDS = 2_000_000
/** Some 5 µs, in which a matcher executes and others' commands gather. */
const AWAY_TURNS = 4_000
const MESSAGES = 100_000
const EVENT_RING_BYTES = 8 << 20
/** A batch as a matcher publishes it: 32 records of the size of a trade. */
const BATCH_RECORDS = 32
const RECORD_BYTES = 200
const BATCHES = 40_000
const PINGS = 5_000

export const flags = { rounds: 5 } as const satisfies Flags

export async function run({ rounds }: SettingsOf<typeof flags>): Promise<BenchResult> {
  const bench = new RingBench()
  const names = Object.keys(measures) as (keyof typeof measures)[]
  const results = Object.fromEntries(names.map((name) => [name, [] as number[]]))
  try {
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      for (const name of names) {
        const value = await measures[name](bench)
        if (round > 0) results[name]!.push(value)
      }
    }
    const pings = {
      polling: await bench.ping(bench.awaitPolling),
      sleeping: await bench.ping(bench.awaitSleeping),
      messages: await bench.pingMessages(),
    }
    const rate = (name: keyof typeof measures) => median(results[name]!)
    return report(rate, pings)
  } finally {
    await bench.close()
  }
}

/** Each answers records per second. */
const measures = {
  bareCommands: (bench: RingBench) => bench.bareCommands(),
  commands: (bench: RingBench) => bench.commands(AWAY_TURNS),
  watchedCommands: (bench: RingBench) => bench.commands(0),
  messages: (bench: RingBench) => bench.messages(),
  bareEvents: (bench: RingBench) => bench.bareEvents(),
  events: (bench: RingBench) => bench.events(),
}

/** The way there and back between two threads: of who looks in every turn, and of who sleeps. */
export async function measureHop(): Promise<Readonly<Record<'polling' | 'sleeping', Latency>>> {
  const bench = new RingBench()
  try {
    const polling = await bench.ping(bench.awaitPolling)
    return { polling, sleeping: await bench.ping(bench.awaitSleeping) }
  } finally {
    await bench.close()
  }
}

interface Latency {
  readonly p50Us: number
  readonly p99Us: number
}

function report(
  rate: (name: keyof typeof measures) => number,
  pings: Readonly<Record<'polling' | 'sleeping' | 'messages', Latency>>,
): BenchResult {
  const { polling, sleeping, messages } = pings
  printTable('Records between two threads, per second', [
    ['commands of 128 bytes, written and read by one thread', rate('bareCommands')],
    ['commands of 128 bytes, command ring, looked at every few µs', rate('commands')],
    ['commands of 128 bytes, command ring, looked at all the time', rate('watchedCommands')],
    ['commands of 128 bytes, postMessage', rate('messages')],
    ['events of 200 bytes, copied in and out and read by one thread', rate('bareEvents')],
    ['events of 200 bytes, event ring, published by 32', rate('events')],
  ])
  printTable('There and back, µs', [
    ['', 'p50', 'p99'],
    ['rings, poller on setImmediate', polling.p50Us, polling.p99Us],
    ['rings, poller asleep in waitAsync', sleeping.p50Us, sleeping.p99Us],
    ['postMessage', messages.p50Us, messages.p99Us],
  ])
  return {
    ratios: {
      commandOverMemcpy: rate('commands') / rate('bareCommands'),
      watchedCommandOverMemcpy: rate('watchedCommands') / rate('bareCommands'),
      commandOverPostMessage: rate('commands') / rate('messages'),
      eventOverMemcpy: rate('events') / rate('bareEvents'),
      postMessageOverPolling: messages.p50Us / polling.p50Us,
      sleepingOverPolling: sleeping.p50Us / polling.p50Us,
    },
    figures: {
      commandsPerSecond: rate('commands'),
      watchedCommandsPerSecond: rate('watchedCommands'),
      messagesPerSecond: rate('messages'),
      eventsPerSecond: rate('events'),
      eventBytesPerSecond: rate('events') * RECORD_BYTES,
      pollingP50Us: polling.p50Us,
      pollingP99Us: polling.p99Us,
      sleepingP50Us: sleeping.p50Us,
      sleepingP99Us: sleeping.p99Us,
      postMessageP50Us: messages.p50Us,
      postMessageP99Us: messages.p99Us,
      commandSlots: SLOTS,
      eventRingBytes: EVENT_RING_BYTES,
    },
  }
}

class RingBench {
  private readonly regions: PeerRegions = {
    commands: new SharedArrayBuffer(commandRingBytes(SLOTS)),
    events: new SharedArrayBuffer(eventRingBytes(EVENT_RING_BYTES)),
    answers: new SharedArrayBuffer(eventRingBytes(1 << 20)),
    bells: new SharedArrayBuffer(256),
    cells: new SharedArrayBuffer(16),
  }
  private readonly cells = new Int32Array(this.regions.cells)
  private readonly peer = new Worker(new URL('./ring-peer.js', import.meta.url), {
    workerData: this.regions,
  })
  private readonly producer = new CommandRingProducer(this.regions.commands)
  private readonly writer = new EventRingWriter(this.regions.events)
  private readonly answers = new EventRingReader(this.regions.answers)
  private readonly peerBell = new Doorbell(this.regions.bells, 128)
  private readonly bell = new Doorbell(this.regions.bells, 0)
  /** A slot's worth of words to write, and a batch of events. */
  private readonly command = new Int32Array(SLOT_WORDS)
  private readonly batch = RecordBuffer.allocate(BATCH_RECORDS * RECORD_BYTES)

  constructor() {
    const prng = new Prng(1)
    for (let word = 0; word < SLOT_WORDS; word++) this.command[word] = prng.uint32()
    for (let word = 0; word < this.batch.i32.length; word++) this.batch.i32[word] = prng.uint32()
    for (let at = 0; at < this.batch.bytes.length; at += RECORD_BYTES) {
      writeHead(this.batch, at, Trade.type, RECORD_BYTES)
    }
  }

  async close(): Promise<void> {
    await this.peer.terminate()
  }

  bareCommands(): number {
    const { i32 } = RecordBuffer.share(SLOTS * COMMAND_SLOT_BYTES)
    const beganMs = performance.now()
    let sum = 0
    for (let done = 0; done < COMMANDS; done++) {
      const word = (done % SLOTS) * SLOT_WORDS
      writeCommand(i32, word, this.command)
      sum = (sum + sumWords(i32, word, SLOT_WORDS)) | 0
    }
    return this.rate(COMMANDS, beganMs, sum, this.commandSum(COMMANDS))
  }

  async commands(awayTurns: number): Promise<number> {
    await this.start({ task: 'takeCommands', count: COMMANDS, awayTurns })
    const ring = this.producer
    const beganMs = performance.now()
    for (let sent = 0; sent < COMMANDS; ) {
      const at = ring.claim()
      if (at < 0) continue
      writeCommand(ring.buffer.i32, at >> 2, this.command)
      ring.commit()
      ring.publish()
      sent++
    }
    return this.finish(COMMANDS, beganMs, this.commandSum(COMMANDS))
  }

  async messages(): Promise<number> {
    await this.start({ task: 'takeMessages', count: MESSAGES })
    const beganMs = performance.now()
    for (let sent = 0; sent < MESSAGES; sent++) this.peer.postMessage(this.command)
    return this.finish(MESSAGES, beganMs, this.commandSum(MESSAGES))
  }

  bareEvents(): number {
    const { bytes: source, i32: words } = this.batch
    const ring = new Uint8Array(new SharedArrayBuffer(EVENT_RING_BYTES))
    const copy = RecordBuffer.allocate(source.length)
    const places = Math.floor(ring.length / source.length)
    const beganMs = performance.now()
    let sum = 0
    for (let done = 0; done < BATCHES; done++) {
      const at = (done % places) * source.length
      ring.set(source, at)
      copy.bytes.set(ring.subarray(at, at + source.length))
      sum = (sum + sumWords(copy.i32, 0, words.length)) | 0
    }
    return this.rate(BATCHES * BATCH_RECORDS, beganMs, sum, this.batchSum())
  }

  /** The writer stays within the ring of its one reader, which a matcher would not. */
  async events(): Promise<number> {
    const count = BATCHES * BATCH_RECORDS
    await this.start({ task: 'readEvents', count })
    const length = this.batch.bytes.length
    const beganMs = performance.now()
    for (let sent = 0; sent < BATCHES; ) {
      const read = Atomics.load(this.cells, PeerCell.READ_BYTES)
      if ((sent + 1) * length - read > EVENT_RING_BYTES) continue
      this.writer.write(this.batch, length)
      this.writer.publish()
      sent++
    }
    return this.finish(count, beganMs, this.batchSum())
  }

  /** One command there and one event back, one at a time; `wait` resolves when the event is seen. */
  async ping(wait: () => Promise<void>): Promise<Latency> {
    await this.start({ task: 'answerCommands', count: PINGS * 2 })
    this.answers.resume()
    return latencies(async () => {
      const at = this.producer.claim()
      writeCommand(this.producer.buffer.i32, at >> 2, this.command)
      this.producer.commit()
      this.producer.publish()
      this.peerBell.ring()
      await wait()
    })
  }

  readonly awaitPolling = (): Promise<void> =>
    new Promise((resolve) => {
      const look = () => {
        if (this.answers.poll(ignore) > 0) resolve()
        else setImmediate(look)
      }
      setImmediate(look)
    })

  readonly awaitSleeping = async (): Promise<void> => {
    while (this.answers.poll(ignore) === 0) {
      await this.bell.sleepAsync(() => this.answers.hasNext())
    }
  }

  async pingMessages(): Promise<Latency> {
    await this.start({ task: 'answerMessages', count: PINGS * 2 })
    return latencies(async () => {
      const answer = once(this.peer, 'message')
      this.peer.postMessage(this.command)
      await answer
    })
  }

  private async start(task: PeerTask): Promise<void> {
    this.cells.fill(0)
    this.peer.postMessage(task)
    while (Atomics.load(this.cells, PeerCell.READY) === 0) {
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  private finish(count: number, beganMs: number, expected: number): number {
    while (Atomics.load(this.cells, PeerCell.DONE) === 0);
    return this.rate(count, beganMs, Atomics.load(this.cells, PeerCell.SUM), expected)
  }

  private rate(count: number, beganMs: number, sum: number, expected: number): number {
    const elapsedMs = performance.now() - beganMs
    if (sum !== expected) throw new Error(`sums differ: ${sum} instead of ${expected}`)
    return (count / elapsedMs) * 1000
  }

  private commandSum(count: number): number {
    return Math.imul(sumWords(this.command, 0, SLOT_WORDS), count)
  }

  private batchSum(): number {
    return Math.imul(sumWords(this.batch.i32, 0, this.batch.i32.length), BATCHES)
  }
}

function ignore(): void {}

function writeCommand(words: Int32Array, at: number, command: Int32Array): void {
  for (let word = 0; word < SLOT_WORDS; word++) words[at + word] = command[word]!
}

async function latencies(ping: () => Promise<void>): Promise<Latency> {
  const us: number[] = []
  for (let i = 0; i < PINGS * 2; i++) {
    const beganMs = performance.now()
    await ping()
    if (i >= PINGS) us.push((performance.now() - beganMs) * 1000)
  }
  us.sort((a, b) => a - b)
  return { p50Us: us[us.length >> 1]!, p99Us: us[Math.floor(us.length * 0.99)]! }
}
