/** Lengths of time and moments, as people write them. */
import { Ms } from './units.ts'

const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}
const PART = /(\d{1,15}(?:\.\d{1,6})?)(ms|s|m|h|d|w)/g
const LENGTH = /^(?:\d{1,15}(?:\.\d{1,6})?(?:ms|s|m|h|d|w)){1,6}$/
const WHOLE = /^\d{1,15}$/
/** A time with an offset: without one it would be of the machine's zone. */
const MOMENT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/

/** Returns the ms of `1h`, `1d12h` or `90000`; undefined for anything else. */
export function parseLength(text: string): number | undefined {
  if (WHOLE.test(text)) return Number(text)
  if (!LENGTH.test(text)) return undefined
  let ms = 0
  for (const [, count, unit] of text.matchAll(PART)) ms += Number(count) * UNITS_MS[unit!]!
  return ms
}

/** Returns a length as "400.0 days" or "90 s". */
export const lengthText = (ms: number): string =>
  ms >= UNITS_MS.d! ? `${(ms / UNITS_MS.d!).toFixed(1)} days` : `${Math.round(ms / 1_000)} s`

/** Returns the moment of `2027-01-31`, `2027-01-31T12:00:00Z` or ms since the Unix epoch; or undefined. */
export function parseMoment(text: string): Ms | undefined {
  if (WHOLE.test(text)) return Ms(Number(text))
  const ms = MOMENT.test(text) && isDay(text.slice(0, DATE_CHARS)) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? undefined : Ms(ms)
}

const DATE_CHARS = '2027-01-31'.length

/** `Date.parse` takes 31 February for 3 March. */
function isDay(date: string): boolean {
  const ms = Date.parse(date)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date)
}
