/**
 * The process that runs a shard: it takes the commands that clients sent and the blocks that other shards
 * committed, decides, and waits until its own block is committed. Then the block is visible. A process
 * that is killed loses its memory and its waiting commands; of a block on its way the quorum decides. The
 * next process has the same journal, and goes on reading from the watermarks in it.
 */

import { BATCH_COMMANDS_MAX } from '../../src/base/limits.ts'
import type { Prng } from '../../src/base/prng.ts'
import type { EventQueue } from './event-queue.ts'
import type { Block, Command, Row, Shard } from './records.ts'

/** What a shard costs; defaults come from kept runs of benches. */
export interface Costs {
  /** Of a commit on the quorum. */
  readonly appendP50Us: number
  readonly appendP99Us: number
  readonly appendNsPerByte: number
  /** Of a row in a journal. */
  readonly rowBytes: number
  /** From a commit until a reader on another machine has the block. */
  readonly hopUs: number
  /** Processor time of a command, and of a row. */
  readonly rowNs: number
}

/** Faults that a simulation may plant, to show that its checks find them. */
export const Defect = {
  none: 'none',
  /** Readers see blocks before they are committed. */
  readsUncommitted: 'reads uncommitted blocks',
  /** A block has the watermarks from before what it took. */
  watermarkBehind: 'watermarks of the block before',
  /** A process that starts again reads from the end of the other journals. */
  skipsWhatItMissed: 'skips what it missed',
} as const
export type Defect = (typeof Defect)[keyof typeof Defect]

/** What the processes of a simulation share. */
export interface Surroundings {
  readonly events: EventQueue
  readonly prng: Prng
  readonly costs: Costs
  readonly defect: Defect
  onCommit(block: Block): void
  /** What followed from these commands is committed. */
  onDone(commands: readonly Command[]): void
}

export class ShardProcess {
  readonly #around: Surroundings
  readonly #create: () => Shard
  #shard: Shard
  /** Set once, when all processes are there. */
  #others: readonly ShardProcess[] = []
  readonly #journal: Block[] = []
  #committed = 0
  /** By process of the other kind: blocks that arrived here, and those that were taken. */
  #arrived: number[] = []
  #taken: readonly number[] = []
  #commands: Command[] = []
  #isBusy = false
  #isDown = false
  /** Rises with each kill: what an earlier process had planned does not happen. */
  #life = 0

  constructor(around: Surroundings, create: () => Shard) {
    this.#around = around
    this.#create = create
    this.#shard = create()
  }

  get shard(): Shard {
    return this.#shard
  }

  /** The state that its journal alone leads to. */
  recovered(): Shard {
    const shard = this.#create()
    for (const { rows } of this.#journal.slice(0, this.#committed)) {
      for (const row of rows) shard.apply(row)
    }
    return shard
  }

  follow(others: readonly ShardProcess[]): void {
    this.#others = others
    this.#arrived = others.map(() => 0)
    this.#taken = others.map(() => 0)
  }

  /** Commits rows before anything else happens. */
  begin(rows: readonly Row[]): void {
    for (const row of rows) this.#shard.apply(row)
    this.#journal.push({ watermarks: this.#taken, rows })
    this.#commit()
  }

  send(command: Command): void {
    if (this.#isDown) return
    this.#commands.push(command)
    this.#work()
  }

  kill(takeoverUs: number): void {
    if (this.#isDown) return
    this.#isDown = true
    this.#life++
    this.#commands = []
    if (this.#journal.length > this.#committed) {
      if (this.#around.prng.chance(0.5)) this.#commit()
      else this.#journal.length = this.#committed
    }
    this.#around.events.after(takeoverUs, () => this.#startAgain())
  }

  #startAgain(): void {
    this.#isDown = false
    this.#isBusy = false
    this.#shard = this.recovered()
    this.#arrived = this.#others.map((other) => other.#committed)
    const isSkipping = this.#around.defect === Defect.skipsWhatItMissed
    const last = this.#journal.at(-1)
    this.#taken = isSkipping ? [...this.#arrived] : (last?.watermarks ?? this.#others.map(() => 0))
    this.#work()
  }

  /** Decides all that has come, unless a block is on its way. */
  #work(): void {
    const hasNews = this.#taken.some((taken, other) => taken < this.#arrived[other]!)
    if (this.#isBusy || this.#isDown || !(hasNews || this.#commands.length > 0)) return
    const commands = this.#commands.splice(0, BATCH_COMMANDS_MAX)
    const taken = this.#taken
    const news = this.#others.flatMap((other, at) =>
      other.#journal.slice(taken[at], this.#arrived[at]),
    )
    this.#taken = [...this.#arrived]
    const rows = [
      ...news.flatMap((block) => this.#shard.take(block)),
      ...commands.flatMap((command) => this.#shard.execute(command)),
    ]
    const { costs, events, defect } = this.#around
    this.#isBusy = true
    const decideUs = ((commands.length + rows.length) * costs.rowNs) / 1_000
    const life = this.#life
    const finish = () => {
      if (life !== this.#life) return
      if (rows.length > 0) this.#commit()
      this.#isBusy = false
      this.#around.onDone(commands)
      this.#work()
    }
    // What led to no row may be read again, so it is no reason for a block.
    if (rows.length === 0) {
      events.after(decideUs, finish)
      return
    }
    const watermarks = defect === Defect.watermarkBehind ? taken : this.#taken
    this.#journal.push({ watermarks, rows })
    if (defect === Defect.readsUncommitted) this.#show()
    events.after(decideUs + this.#appendUs(rows.length), finish)
  }

  #commit(): void {
    this.#committed = this.#journal.length
    this.#around.onCommit(this.#journal.at(-1)!)
    this.#show()
  }

  /** Other machines have the block after a hop. */
  #show(): void {
    const position = this.#journal.length
    this.#around.events.after(this.#around.costs.hopUs, () => {
      for (const other of this.#others) other.#arrive(this, position)
    })
  }

  #arrive(from: ShardProcess, position: number): void {
    const at = this.#others.indexOf(from)
    this.#arrived[at] = Math.max(this.#arrived[at]!, position)
    this.#work()
  }

  /** A least time and an exponential one, with the median and the p99 that were measured. */
  #appendUs(rows: number): number {
    const { appendP50Us, appendP99Us, appendNsPerByte, rowBytes } = this.#around.costs
    const mean = Math.max(0, appendP99Us - appendP50Us) / Math.log(50)
    const least = Math.max(appendP50Us / 2, appendP50Us - mean * Math.LN2)
    const waited = -mean * Math.log(1 - this.#around.prng.unit())
    return least + waited + (rows * rowBytes * appendNsPerByte) / 1_000
  }
}
