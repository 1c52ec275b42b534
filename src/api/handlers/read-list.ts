/** Lists that a request carries as one parameter. */

/** Strings, and the numbers of a JSON text that is valid. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

/** Reads a JSON array. Its numbers become strings, so that they keep their digits. */
export function readList(text: string): readonly unknown[] | undefined {
  try {
    // Only in a valid text does every string end, so that the pattern takes linear time.
    JSON.parse(text)
    const quoted = text.replace(STRING_OR_NUMBER, (one) => (one[0] === '"' ? one : `"${one}"`))
    const list = JSON.parse(quoted) as unknown
    return Array.isArray(list) ? list : undefined
  } catch {
    return undefined
  }
}
