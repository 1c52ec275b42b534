/** The unit of times in responses, by a header or the URL (rest-api.md, limits). */

const units: ReadonlyMap<string, boolean> = new Map([
  ['MILLISECOND', false],
  ['millisecond', false],
  ['MICROSECOND', true],
  ['microsecond', true],
])

/** Whether the text names microseconds; undefined when it names no unit (-1194). */
export const microsecondsOf = (text: string): boolean | undefined =>
  text === '' ? false : units.get(text)
