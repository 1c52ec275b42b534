/**
 * Notes on the quorum what this member has on its disk, so that an operator may remove it there
 * (quorum-trim). A member whose servers accept no writes notes nothing.
 */

import { StorageError } from '../journal/environment.ts'
import { CONTROL_JOURNAL, OutcomeUnknown } from '../replica/quorum.ts'
import { Retention } from '../replica/retention.ts'

/** Between two notes. */
const NOTE_MS = 60_000
const ANSWER_MS = 2_000

export interface NotesParts {
  /** Of PostgreSQL. */
  readonly url: string
  readonly member: string
  /** What clients use to reach this member. */
  readonly address: string
  /** Facts in the control journal. */
  readonly facts: () => number
  /** By matcher: the last block that is in LMDB, and so on the disk. */
  readonly carried: () => readonly number[]
  /** Called with the reason when the note could not be made, once in a row. */
  readonly failed: (reason: string) => void
}

export class MemberNotes {
  readonly #parts: NotesParts
  readonly #timer: NodeJS.Timeout
  #isNoting = false
  #hasFailed = false

  constructor(parts: NotesParts) {
    this.#parts = parts
    this.#timer = setInterval(() => this.#start(), NOTE_MS)
    this.#start()
  }

  /** A note that is under way may end later. */
  stop(): void {
    clearInterval(this.#timer)
  }

  #start(): void {
    if (this.#isNoting) return
    this.#isNoting = true
    void this.#note().finally(() => {
      this.#isNoting = false
    })
  }

  async #note(): Promise<void> {
    const { member, address, facts, carried, failed } = this.#parts
    // Read before the quorum is asked: they only rise.
    const places = new Map([[CONTROL_JOURNAL, facts()]])
    for (const [matcher, position] of carried().entries()) places.set(matcher, position)
    const retention = new Retention({ url: this.#parts.url, answerMs: ANSWER_MS })
    try {
      if (await retention.open()) await retention.note(member, address, places)
      this.#hasFailed = false
    } catch (error) {
      if (!(error instanceof OutcomeUnknown || error instanceof StorageError)) throw error
      if (!this.#hasFailed) failed(error.message)
      this.#hasFailed = true
    } finally {
      retention.close()
    }
  }
}
