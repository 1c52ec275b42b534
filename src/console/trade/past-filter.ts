/** Which rows of the past are shown. Pure. */

/** Rows of a page. */
export const PAGE = 50
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** '' for no rule. Days are those of the browser's zone, both included. */
export interface Filter {
  readonly from: string
  readonly until: string
  readonly side: string
  readonly status: string
}

export const NO_FILTER: Filter = { from: '', until: '', side: '', status: '' }

const startOf = (day: string, days = 0): number | undefined => {
  if (!DAY.test(day)) return undefined
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + days).getTime()
}

export function isWithin(filter: Filter, timeMs: number, isBuy: boolean, status: string): boolean {
  const { from, until, side } = filter
  if (timeMs < (startOf(from) ?? Number.NEGATIVE_INFINITY)) return false
  if (timeMs >= (startOf(until, 1) ?? Number.POSITIVE_INFINITY)) return false
  if (side !== '' && side !== (isBuy ? 'Buy' : 'Sell')) return false
  return filter.status === '' || filter.status === status
}
