/** The last actions: who asked for what, and when. Applied from the control journal, which keeps all of them. */
import type { Ms } from '../base/units.ts'
import type { ActionFact } from './facts.ts'

/** Actions kept in memory for reading. */
export const LOG_KEPT = 10_000
/** Characters kept of one argument. */
const ARGUMENT_CHARS_MAX = 200

export interface LoggedAction extends Omit<ActionFact, 'fact'> {
  /** Counts the actions of the data folder, from 1. */
  readonly number: number
}

export class ActionLog {
  private actions: LoggedAction[] = []
  private count = 0

  add({ fact: _, ...action }: ActionFact): void {
    this.actions.push({ number: ++this.count, ...action })
    if (this.actions.length === 2 * LOG_KEPT) this.actions = this.actions.slice(LOG_KEPT)
  }

  /** Returns up to `limit` actions, the newest first, of those numbered below `before`. */
  newest(limit: number, before = this.count + 1): readonly LoggedAction[] {
    const first = this.count - this.actions.length + 1
    const end = Math.max(0, Math.min(this.actions.length, before - first))
    const kept = Math.max(0, this.actions.length - LOG_KEPT)
    return this.actions.slice(Math.max(kept, end - limit), end).reverse()
  }

  /** Returns the operator's action of that key, if it was carried out at `sinceMs` or later. */
  keyed(by: string, key: string, sinceMs: Ms): LoggedAction | undefined {
    return this.actions.findLast(
      (action) => action.once?.key === key && action.by === by && action.timeMs >= sinceMs,
    )
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
