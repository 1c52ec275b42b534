/** Pages of long lists: how many rows one has, and behind which row it begins. */
import { ActionError, type ActionParam, type Arguments } from '../action.ts'

/** Rows of the longest page. */
const PAGE_MAX = 1_000
const PAGE_USUAL = 100

export const pageParams: readonly [ActionParam, ActionParam] = [
  { name: 'limit', kind: 'integer', about: `Rows; ${PAGE_USUAL}, at most ${PAGE_MAX}.` },
  { name: 'after', kind: 'text', about: 'The end of the previous page, as its answer said.' },
]

export interface Page {
  readonly limit: number
  /** The numbers of the last row of the page before; empty for the first page. */
  readonly after: readonly number[]
}

/** Reads both parameters; `parts` is how many numbers name a row. Throws ActionError. */
export function pageOf(args: Arguments, parts: number): Page {
  const limit = args.integer('limit', 1, PAGE_MAX, PAGE_USUAL)
  if (parts === 0 || !args.has('after')) return { limit, after: [] }
  const texts = args.text('after').split(':')
  if (texts.length !== parts || !texts.every((text) => /^[0-9]{1,15}$/.test(text))) {
    throw new ActionError('after must be what the page before said.')
  }
  return { limit, after: texts.map(Number) }
}

/** Returns the rows in the order of their times; rows of one time stay as they are. */
export const oldestFirst = <Row>(rows: readonly Row[], timeOf: (row: Row) => number): Row[] =>
  [...rows].sort((a, b) => timeOf(a) - timeOf(b))
