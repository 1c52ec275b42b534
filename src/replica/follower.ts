/**
 * Delivers blocks as they are committed, in the order of their sequence: a run of blocks of one journal
 * is applied before the next run of another one is. So each block finds what it depends on.
 *
 * While a page is delivered the next one is on its way. A reader that is lost is opened again, perhaps on
 * a server that shows less; then there is nothing to deliver until it has caught up.
 */
import { checkNext } from './catch-up.ts'
import {
  type Followed,
  NO_POINT,
  OutcomeUnknown,
  type QuorumPoint,
  type QuorumReader,
  type SequencedBlock,
} from './quorum.ts'

const PAGE_BYTES = 1 << 20

/** Resolves once the blocks, all of one journal, are applied. */
export type Deliver = (journal: number, blocks: readonly SequencedBlock[]) => Promise<void>

export interface FollowerOptions {
  /** Open, or to be opened after the first failure. */
  readonly reader: QuorumReader
  /** All blocks up to this sequence are applied. */
  readonly cursor: number
  readonly ends: ReadonlyMap<number, QuorumPoint>
  readonly deliver: Deliver
  /** The most bytes of one run: at least the longest block. */
  readonly runBytes: number
}

export class Follower {
  private readonly options: FollowerOptions
  private readonly _ends: Map<number, QuorumPoint>
  private _cursor: number
  private watermark: number
  private isLost = false
  /** The page on its way. */
  private next: Promise<Followed> | undefined = undefined

  constructor(options: FollowerOptions) {
    this.options = options
    this._ends = new Map(options.ends)
    this._cursor = options.cursor
    this.watermark = options.cursor
  }

  /** The last block that is applied. */
  get cursor(): number {
    return this._cursor
  }

  /** Sequences that are known to be committed and are not applied. */
  get lag(): number {
    return this.watermark - this._cursor
  }

  /** The last applied block of each journal. */
  get ends(): ReadonlyMap<number, QuorumPoint> {
    return this._ends
  }

  /**
   * Delivers what is there now, at most a page. Returns the number of blocks. Rejects with OutcomeUnknown,
   * after which it may be called again, and with QuorumRefusal.
   */
  async step(): Promise<number> {
    try {
      if (this.isLost) await this.options.reader.open()
      this.isLost = false
      const { blocks, watermark } = await (this.next ?? this.follow(this._cursor))
      this.next = undefined
      this.watermark = Math.max(this.watermark, watermark)
      const last = blocks.at(-1)
      if (last === undefined) return 0
      this.next = this.follow(last.sequence)
      // The next step, which awaits it, meets the failure.
      this.next.catch(() => {})
      for (const run of runsOf(blocks, this.options.runBytes)) await this.deliver(run)
      return blocks.length
    } catch (error) {
      this.next = undefined
      this.isLost ||= error instanceof OutcomeUnknown
      throw error
    }
  }

  private follow(after: number): Promise<Followed> {
    return this.options.reader.follow(after, PAGE_BYTES)
  }

  private async deliver(run: readonly SequencedBlock[]): Promise<void> {
    const { journal } = run[0]!
    for (const block of run) {
      checkNext(block, this._ends.get(journal) ?? NO_POINT)
      const { position, checksum } = block
      this._ends.set(journal, { position, checksum })
    }
    await this.options.deliver(journal, run)
    this._cursor = run.at(-1)!.sequence
  }
}

/** Returns consecutive blocks of one journal, of at most `bytes` in all but at least one. */
export function* runsOf(
  blocks: readonly SequencedBlock[],
  bytes: number,
): Iterable<readonly SequencedBlock[]> {
  let run: SequencedBlock[] = []
  let length = 0
  for (const block of blocks) {
    const isNew = run[0] !== undefined && run[0].journal !== block.journal
    if (isNew || (run.length > 0 && length + block.bytes.length > bytes)) {
      yield run
      run = []
      length = 0
    }
    run.push(block)
    length += block.bytes.length
  }
  if (run.length > 0) yield run
}
