/** Words of sentences for operators: counts, ordinals, lists, and the name that was probably meant. */
import { nearestName } from '../base/nearest-name.ts'

/** Returns a count with its noun: "1 key", "2 keys". */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth']

/** Returns the word for a place, counted from 1. */
export const ordinal = (place: number): string => ORDINALS[place - 1] ?? `argument ${place}`

/** Returns a text as a sentence: with a capital letter and a full stop. */
export const sentence = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`

/** Returns texts as a list for people: `a`, `a or b`, `a, b or c`. */
export function oneOf(texts: readonly string[]): string {
  const last = texts.at(-1) ?? ''
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} or ${last}`
}

/** Names that are compared with a wrong one: a venue may have very many. */
const NAMES_MAX = 2_000

/** Returns a sentence to follow the one that refuses a name; '' when no known name is near it. */
export function didYouMean(given: string, known: readonly string[]): string {
  const meant = nearestName(given.slice(0, 64), known.slice(0, NAMES_MAX))
  return meant === undefined ? '' : ` Did you mean ${meant}?`
}

const DECIMAL = /^([0-9]{1,20})(?:\.([0-9]{1,8})0*)?$/

/** Whether the text is a decimal of at most 8 places. */
export const isDecimal = (text: string): boolean => DECIMAL.test(text)

/** Returns a decimal in 10^-8. */
export function unitsOf(decimal: string): bigint {
  const [, whole = '0', fraction = ''] = DECIMAL.exec(decimal) ?? []
  return BigInt(whole + fraction.padEnd(8, '0'))
}
