/** The last acts: who asked for what, and when. Folded from the control journal, which keeps all of them. */
import type { ActFact } from './facts.ts'

/** Acts kept in memory for reading. */
export const LOG_KEPT = 10_000
/** Characters kept of one argument. */
const ARGUMENT_CHARS_MAX = 200

export interface LoggedAct extends Omit<ActFact, 'fact'> {
  /** Counts the acts of the data folder, from 1. */
  readonly number: number
}

export class ActLog {
  #acts: LoggedAct[] = []
  #count = 0

  add({ fact: _, ...act }: ActFact): void {
    this.#acts.push({ number: ++this.#count, ...act })
    if (this.#acts.length === 2 * LOG_KEPT) this.#acts = this.#acts.slice(LOG_KEPT)
  }

  /** Returns up to `limit` acts, the newest first, of those numbered below `before`. */
  newest(limit: number, before = this.#count + 1): readonly LoggedAct[] {
    const first = this.#count - this.#acts.length + 1
    const end = Math.max(0, Math.min(this.#acts.length, before - first))
    const kept = Math.max(0, this.#acts.length - LOG_KEPT)
    return this.#acts.slice(Math.max(kept, end - limit), end).reverse()
  }
}

/** Returns arguments as the journal keeps them: texts of bounded length. */
export function loggedArguments(given: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts = Object.entries(given).map(([name, value]) => {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
    const isLong = text.length > ARGUMENT_CHARS_MAX
    return [name, isLong ? `${text.slice(0, ARGUMENT_CHARS_MAX)}…` : text] as const
  })
  return Object.fromEntries(texts)
}
