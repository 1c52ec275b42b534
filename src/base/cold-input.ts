/**
 * Reads what people write: settings, arguments of actions, rules of the sandbox, files. A row of a table says how a value
 * is read. What a value must be is half a sentence, of which the caller makes its error. Requests of clients are read
 * by api/check.ts.
 */
import { isDate } from 'node:util/types'
import { nearestName } from './nearest-name.ts'
import { parseMoment } from './time-text.ts'
import type { Ms } from './units.ts'

interface TextRow {
  readonly kind: 'text'
  /** Characters at most; TEXT_CHARS_MAX. */
  readonly chars?: number
}
interface ChoiceRow {
  readonly kind: 'choice'
  readonly choices: readonly string[]
}
/** A `number` is not negative, and has at most 9 decimals. */
interface NumberRow {
  readonly kind: 'integer' | 'number'
  readonly min: number
  readonly max: number
}
interface MomentRow {
  readonly kind: 'moment'
}
/** How a value is read. */
export type InputRow = TextRow | ChoiceRow | NumberRow | MomentRow
export type InputOf<Row extends InputRow> = Row extends {
  readonly choices: readonly (infer Choice)[]
}
  ? Choice
  : Row extends NumberRow
    ? number
    : Row extends MomentRow
      ? Ms
      : string

/** Throws the caller's error; `must` is what the value must be. */
type Refuse = (must: string) => never

const TEXT_CHARS_MAX = 200
/** Operators' terminals show texts of clients. */
const CONTROLS = /\p{Cc}/u
const NUMBERS = { integer: /^-?[0-9]{1,15}$/, number: /^[0-9]{1,9}(\.[0-9]{1,9})?$/ }
const NUMBER_NAMES = { integer: 'a whole number', number: 'a number' }

const NAME = /^[A-Za-z0-9_.-]{1,32}$/
export const NAME_FORM = 'letters, digits, _ . and -, at most 32'
export const isName = (text: string): boolean => NAME.test(text)

/** Returns the value of a text, or of a value of JSON or TOML. */
export function readInput<const Row extends InputRow>(
  row: Row,
  given: unknown,
  refuse: Refuse,
): InputOf<Row> {
  return valueFrom(row, textOf(given), refuse) as InputOf<Row>
}

function valueFrom(row: InputRow, text: string, refuse: Refuse): string | number {
  if (row.kind === 'choice')
    return row.choices.includes(text)
      ? text
      : refuse(oneOf(row.choices.map((choice) => `"${choice}"`)))
  if (row.kind === 'moment') {
    return parseMoment(text) ?? refuse('a moment, as 2026-01-31T12:00:00Z or ms since 1970')
  }
  if (row.kind === 'text') {
    const { chars = TEXT_CHARS_MAX } = row
    if (text !== '' && text.length <= chars && !CONTROLS.test(text)) return text
    return refuse(`a text of 1 to ${chars} characters, none of them a control character`)
  }
  const { kind, min, max } = row
  const number = NUMBERS[kind].test(text) ? Number(text) : Number.NaN
  if (number >= min && number <= max) return number
  return refuse(`${NUMBER_NAMES[kind]} from ${min} to ${max}`)
}

/** TOML has dates. */
function textOf(value: unknown): string {
  if (isDate(value)) return value.toISOString()
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Calls `refuse` for the first name that is not known; `hint` is a sentence to follow, or ''. */
export function checkNames(
  given: readonly string[],
  known: readonly string[],
  refuse: (name: string, hint: string) => never,
): void {
  const strange = given.find((name) => !known.includes(name))
  if (strange !== undefined) refuse(strange, didYouMean(strange, known))
}

/** Names that are compared with a wrong one: a venue may have very many. */
const NAMES_MAX = 2_000
const NAME_CHARS_MAX = 64

/** Returns a sentence to follow the one that refuses a name; '' when no known name is near it. `prefix` stands before names. */
export function didYouMean(given: string, known: readonly string[], prefix = ''): string {
  const meant = nearestName(given.slice(0, NAME_CHARS_MAX), known.slice(0, NAMES_MAX))
  return meant === undefined ? '' : ` Did you mean ${prefix}${meant}?`
}

/** Returns texts as a list for people: `a`, `a or b`, `a, b or c`. */
export function oneOf(texts: readonly string[]): string {
  const last = texts.at(-1) ?? ''
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} or ${last}`
}

export type Table = Readonly<Record<string, unknown>>

/** Whether the value is an object of JSON, or a table of TOML. */
export const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isDate(value)
