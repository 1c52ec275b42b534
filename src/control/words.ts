/** Words of sentences for operators: counts and ordinals; decimals. */

/** Returns a count with its noun: "1 key", "2 keys". */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth']

/** Returns the word for a place, counted from 1. */
export const ordinal = (position: number): string =>
  ORDINALS[position - 1] ?? `argument ${position}`

/** Returns a text as a sentence: with a capital letter and a full stop. */
export const sentence = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`

const DECIMAL = /^([0-9]{1,20})(?:\.([0-9]{1,8})0*)?$/

/** Whether the text is a decimal of at most 8 places. */
export const isDecimal = (text: string): boolean => DECIMAL.test(text)

/** Returns a decimal in 10^-8. */
export function unitsOf(decimal: string): bigint {
  const [, whole = '0', fraction = ''] = DECIMAL.exec(decimal) ?? []
  return BigInt(whole + fraction.padEnd(8, '0'))
}
