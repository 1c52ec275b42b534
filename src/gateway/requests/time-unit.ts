/** The unit of times in answers, as a header or an address asks for it (supplement 2g, 2d). */

const units: ReadonlyMap<string, boolean> = new Map([
  ['MILLISECOND', false],
  ['millisecond', false],
  ['MICROSECOND', true],
  ['microsecond', true],
])

/** Whether microseconds are asked for; undefined for text that names no unit (-1194). */
export const microsecondsOf = (text: string): boolean | undefined =>
  text === '' ? false : units.get(text)
