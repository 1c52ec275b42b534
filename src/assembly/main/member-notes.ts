/**
 * Notes on the quorum what this member has on its disk, so that an operator may remove it there
 * (quorum-trim). A member whose servers accept no writes notes nothing.
 */

import type { Time, Timer } from '../../base/time.ts'
import { StorageError } from '../../journal/environment.ts'
import { JournalReader } from '../../journal/journal-reader.ts'
import { journalFolder } from '../../journal/lmdb-store.ts'
import { journalsIn } from '../../journal/recovery.ts'
import { CONTROL_JOURNAL, OutcomeUnknown } from '../../replica/quorum.ts'
import { Retention } from '../../replica/retention.ts'

/** Between two notes. */
const NOTE_MS = 60_000
const ANSWER_MS = 2_000

/** What a member's process has, and may be noted. */
export interface DiskParts {
  readonly dataFolder: string
  /** Facts in the control journal. */
  readonly facts: () => number
  /** By matcher: the last block that is in LMDB, and so on the disk. */
  readonly checkpointed: () => readonly number[]
}

export interface NotesParts extends DiskParts {
  readonly time: Time
  /** URL of PostgreSQL. */
  readonly url: string
  readonly member: string
  /** What clients use to reach this member. */
  readonly address: string
  /** Called with the reason when the note could not be made, once in a row. */
  readonly failed: (reason: string) => void
}

/** The last position of each journal that is on the disk here. */
export class PositionsOnDisk {
  private readonly parts: DiskParts
  /** Journals that no matcher writes: of a start with more matchers. All their blocks are in LMDB. */
  private readonly others: ReadonlyMap<number, number>

  constructor(parts: DiskParts) {
    const { dataFolder, checkpointed } = parts
    const matchers = checkpointed().length
    const others = journalsIn(dataFolder).filter((journal) => journal >= matchers)
    this.parts = parts
    this.others = new Map(others.map((it) => [it, lastIn(journalFolder(dataFolder, it))]))
  }

  read(): ReadonlyMap<number, number> {
    const { facts, checkpointed } = this.parts
    return new Map([[CONTROL_JOURNAL, facts()], ...checkpointed().entries(), ...this.others])
  }
}

function lastIn(folder: string): number {
  const reader = new JournalReader(folder)
  try {
    return reader.lastCheckpointed
  } finally {
    reader.close()
  }
}

export class MemberNotes {
  private readonly parts: NotesParts
  private readonly positions: PositionsOnDisk
  private readonly timer: Timer
  private isNoting = false
  private hasFailed = false

  constructor(parts: NotesParts) {
    this.parts = parts
    this.positions = new PositionsOnDisk(parts)
    this.timer = parts.time.every(NOTE_MS, () => this.start())
    this.start()
  }

  /** A note that is under way may end later. */
  stop(): void {
    this.timer.cancel()
  }

  private start(): void {
    if (this.isNoting) return
    this.isNoting = true
    void this.note().finally(() => {
      this.isNoting = false
    })
  }

  private async note(): Promise<void> {
    const { url, member, address, time, failed } = this.parts
    // Read before the quorum is asked: they only rise.
    const positions = this.positions.read()
    const retention = new Retention({ url, answerMs: ANSWER_MS, time })
    try {
      if (await retention.open()) await retention.note(member, address, positions)
      this.hasFailed = false
    } catch (error) {
      if (!(error instanceof OutcomeUnknown || error instanceof StorageError)) throw error
      if (!this.hasFailed) failed(error.message)
      this.hasFailed = true
    } finally {
      retention.close()
    }
  }
}
