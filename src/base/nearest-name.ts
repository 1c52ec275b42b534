/** Finds the name that a mistyped name probably means: "did you mean". */

/** Letters that may be wrong: one of three, at most this many. */
const WRONG_MAX = 3
const LETTERS_FOR_EACH = 3

/** Returns the name that is nearest to the given one, in either case; undefined when none is near. */
export function nearestName(given: string, names: Iterable<string>): string | undefined {
  const wrongMax = Math.min(WRONG_MAX, Math.floor(given.length / LETTERS_FOR_EACH))
  let nearest: string | undefined
  let least = wrongMax + 1
  for (const name of names) {
    if (Math.abs(name.length - given.length) >= least) continue
    const wrong = distance(given.toLowerCase(), name.toLowerCase())
    if (wrong < least) [nearest, least] = [name, wrong]
  }
  return nearest
}

/** Counts the letters to insert, remove, change, or swap with the next one (Damerau, Levenshtein). */
function distance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      let least = Math.min(last[column]! + 1, current[column - 1]! + 1)
      least = Math.min(least, last[column - 1]! + (isSame ? 0 : 1))
      const isSwap = row > 1 && from[row - 2] === to[column - 1] && from[row - 1] === to[column - 2]
      if (isSwap && column > 1) least = Math.min(least, beforeLast[column - 2]! + 1)
      current.push(least)
    }
    beforeLast = last
    last = current
  }
  return last[to.length]!
}
