/** Words of sentences for operators: counts, ordinals, and the name that was probably meant. */

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

/** Longer names are not compared. */
const NAME_CHARS_MAX = 64

/** Returns the known name that is closest to the given one; undefined when none is close. */
export function closest(given: string, known: readonly string[]): string | undefined {
  if (given.length > NAME_CHARS_MAX) return undefined
  const mostEdits = Math.max(1, Math.floor(given.length / 3))
  let best: string | undefined
  let fewest = mostEdits + 1
  for (const name of known) {
    const edits = editsBetween(given, name)
    if (edits >= fewest) continue
    fewest = edits
    best = name
  }
  return best
}

/** Returns how many letters must be inserted, removed, replaced or swapped with their neighbour. */
function editsBetween(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)]
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = rows[i - 1]![j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      row[j] = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, replaced)
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      if (isSwapped) row[j] = Math.min(row[j]!, rows[i - 2]![j - 2]! + 1)
    }
    rows.push(row)
  }
  return rows[from.length]![to.length]!
}
