/**
 * Brings a data folder up to the watermark, at the start of a member that follows and before any other
 * thread opens the folder. Afterwards it has exactly the blocks up to one sequence, of all journals.
 *
 * The write-ahead logs are dropped: a leader that returns may have blocks there that it never
 * acknowledged. Anything else that the quorum lacks makes the folder another history, which follows
 * nothing and keeps its write-ahead logs.
 */
import { journalsIn } from '../journal/recovery.ts'
import { dropWals, type LocalJournal, localJournal, nameOf } from './local-journals.ts'
import {
  CONTROL_JOURNAL,
  NO_POINT,
  type QuorumBlock,
  type QuorumPoint,
  type QuorumReader,
  QuorumRefusal,
  type SequencedBlock,
  tooFarBehind,
} from './quorum.ts'

/** Bytes of one transaction. */
const PAGE_BYTES = 1 << 20

export interface CatchUpOptions {
  readonly dataFolder: string
  readonly reader: QuorumReader
  /** Whether a fact of the control journal is of a leader's start. */
  readonly isStart: (fact: Uint8Array) => boolean
  /** Gets the damage of a write-ahead log, whose blocks the quorum has. */
  readonly damaged: (sentence: string) => void
  /** Waits for more to be there. Returns false when the start was given up. */
  readonly pause: (why: Wait) => Promise<boolean>
}

/** BEHIND: the server shows less than the folder has. LEADER: no leader has started yet. */
export const Wait = { BEHIND: 'behind', LEADER: 'leader' } as const
export type Wait = (typeof Wait)[keyof typeof Wait]

export interface CaughtUp {
  /** The folder has all blocks up to this sequence, and none behind it. */
  readonly cursor: number
  /** The last block of each journal. */
  readonly ends: ReadonlyMap<number, QuorumPoint>
  readonly loaded: number
}

/**
 * For a reader that is open. Returns undefined when the start was given up. Rejects with OutcomeUnknown,
 * after which it may be called again, and with QuorumRefusal.
 */
export async function catchUp(options: CatchUpOptions): Promise<CaughtUp | undefined> {
  const folder = new Folder(options)
  try {
    folder.open()
    return await new CatchUp(options, folder).run()
  } finally {
    folder.close()
  }
}

class CatchUp {
  private readonly options: CatchUpOptions
  private readonly folder: Folder
  private loaded = 0

  constructor(options: CatchUpOptions, folder: Folder) {
    this.options = options
    this.folder = folder
  }

  async run(): Promise<CaughtUp | undefined> {
    const { reader, pause } = this.options
    const own = await this.ownEnd()
    if (own === undefined) return undefined
    let cursor = await this.cursor(own)
    for (;;) {
      const { blocks, watermark } = await reader.follow(cursor, PAGE_BYTES)
      this.loaded += this.folder.append(blocks)
      cursor = blocks.at(-1)?.sequence ?? cursor
      // A server that took another's place may show less than before.
      const isLevel = cursor >= watermark && cursor >= own
      if (isLevel && this.folder.hasStart) break
      if (blocks.length > 0) continue
      if (!(await pause(this.folder.hasStart ? Wait.BEHIND : Wait.LEADER))) return undefined
    }
    return { cursor, ends: this.folder.ends(), loaded: this.loaded }
  }

  /**
   * Returns the highest sequence of the folder's blocks, once the server shows all of them; undefined when
   * the start was given up. Throws QuorumRefusal when one is not what the quorum has.
   */
  private async ownEnd(): Promise<number | undefined> {
    const { dataFolder, reader, pause } = this.options
    let highest = 0
    for (const [journal, { position, checksum }] of this.folder.ends()) {
      let sequence = await reader.sequenceAt(journal, position)
      while (sequence === undefined) {
        const there = (await reader.ends()).get(journal)?.position ?? 0
        if (there > position) throw gone(journal, position + 1)
        if (!(await pause(Wait.BEHIND))) return undefined
        sequence = await reader.sequenceAt(journal, position)
      }
      if ((await reader.checksumAt(journal, position)) !== checksum)
        throw another(journal, position)
      highest = Math.max(highest, sequence)
    }
    // Only of a folder that has the history of the quorum.
    dropWals(dataFolder, this.folder.endOf(CONTROL_JOURNAL).position, this.options.damaged)
    return highest
  }

  /** Returns the sequence up to which the folder lacks nothing. */
  private async cursor(own: number): Promise<number> {
    const { reader } = this.options
    const ends = await reader.ends()
    const journals = new Set([...ends.keys(), ...this.folder.ends().keys()])
    let cursor = own
    for (const journal of journals) {
      const next = this.folder.endOf(journal).position + 1
      const lacking = await reader.sequenceAt(journal, next)
      const isGone = lacking === undefined && (ends.get(journal)?.position ?? 0) >= next
      if (isGone) throw gone(journal, next)
      if (lacking !== undefined) cursor = Math.min(cursor, lacking - 1)
    }
    return cursor
  }
}

/** The journals of the folder, opened when they are first needed. */
class Folder {
  /** Whether a leader has started: then all facts that a start needs are here. */
  hasStart = false
  private readonly dataFolder: string
  private readonly isStart: (fact: Uint8Array) => boolean
  private readonly damaged: (sentence: string) => void
  private readonly journals = new Map<number, LocalJournal>()
  private readonly endsByMatcher = new Map<number, QuorumPoint>()

  constructor({ dataFolder, isStart, damaged }: CatchUpOptions) {
    this.dataFolder = dataFolder
    this.isStart = isStart
    this.damaged = damaged
  }

  open(): void {
    for (const journal of [CONTROL_JOURNAL, ...journalsIn(this.dataFolder)]) {
      const local = this.journal(journal)
      const [last] = local.last === 0 ? [] : local.read(local.last - 1)
      if (last !== undefined) this.endsByMatcher.set(journal, pointOf(last))
    }
    this.look(this.journal(CONTROL_JOURNAL).read(0))
  }

  ends(): ReadonlyMap<number, QuorumPoint> {
    return this.endsByMatcher
  }

  endOf(journal: number): QuorumPoint {
    return this.endsByMatcher.get(journal) ?? NO_POINT
  }

  /** Appends the blocks that it lacks. Returns their number. */
  append(blocks: readonly SequencedBlock[]): number {
    let appended = 0
    for (const journal of new Set(blocks.map((block) => block.journal))) {
      const { position } = this.endOf(journal)
      const lacking = blocks.filter((it) => it.journal === journal && it.position > position)
      if (lacking.length === 0) continue
      checkNext(lacking[0]!, this.endOf(journal))
      this.journal(journal).append(lacking)
      if (journal === CONTROL_JOURNAL) this.look(lacking)
      this.endsByMatcher.set(journal, pointOf(lacking.at(-1)!))
      appended += lacking.length
    }
    return appended
  }

  close(): void {
    for (const journal of this.journals.values()) journal.close()
  }

  private journal(journal: number): LocalJournal {
    const open = this.journals.get(journal)
    if (open !== undefined) return open
    const local = localJournal(this.dataFolder, journal, this.damaged)
    this.journals.set(journal, local)
    return local
  }

  private look(facts: Iterable<QuorumBlock>): void {
    for (const { bytes } of facts) this.hasStart ||= this.isStart(bytes)
  }
}

/** Throws QuorumRefusal when the block does not follow the journal's end. */
export function checkNext(block: SequencedBlock, end: QuorumPoint): void {
  const { journal, position, previous } = block
  if (position > end.position + 1) {
    throw gone(journal, end.position + 1)
  }
  if (position <= end.position || previous !== end.checksum) throw another(journal, position)
}

const pointOf = ({ position, checksum }: QuorumPoint): QuorumPoint => ({ position, checksum })

const gone = (journal: number, position: number) =>
  tooFarBehind(`Block ${position} of ${nameOf(journal)}`)

const another = (journal: number, position: number) =>
  new QuorumRefusal(
    `Block ${position} of ${nameOf(journal)} in the data folder is not the one on the quorum: this ` +
      'folder continued by itself. Follow with an empty folder with the same secret.key.',
  )
