/** Patterns of rules of the sandbox, in which * stands for any characters. */

/** A longer text matches no pattern: matching takes up to its length times the pattern's. */
const MATCHED_CHARS_MAX = 256

/** Whether the text is what the pattern says. */
export function matchesPattern(pattern: string, text: string): boolean {
  if (text.length > MATCHED_CHARS_MAX) return false
  let at = 0
  let from = 0
  let star = -1
  let starFrom = 0
  while (from < text.length) {
    if (pattern[at] === '*') {
      star = at++
      starFrom = from
    } else if (pattern[at] === text[from]) {
      at++
      from++
    } else if (star >= 0) {
      at = star + 1
      from = ++starFrom
    } else return false
  }
  while (pattern[at] === '*') at++
  return at === pattern.length
}
