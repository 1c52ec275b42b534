/** Breaks texts for terminals between words. */

/** The longest line of a help text. */
export const HELP_WIDTH = 100

/** Returns lines of at most `width` characters; a longer word has its own line. */
export function wrapLines(words: readonly string[], width: number): string[] {
  const lines: string[] = []
  for (const word of words) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${last} ${word}`
    } else lines.push(word)
  }
  return lines
}

/** Returns a name and its text, broken into lines beside the name. */
export function helpRow(name: string, nameWidth: number, ...texts: readonly string[]): string {
  const lines = texts.flatMap((text) => wrapLines(text.split(' '), HELP_WIDTH - nameWidth))
  return lines.map((line, i) => `${(i === 0 ? name : '').padEnd(nameWidth)}${line}\n`).join('')
}
