/**
 * Patterns of addresses and memos, as operators set them and clients are shown them (`addressRegex`). A part of
 * regular expressions that both read alike, and that is matched in bounded time whatever the pattern: characters,
 * classes, `.`, `\d`, `\w`, groups, alternatives, and counts (`?`, `*`, `+`, `{3}`, `{3,9}`) behind a single character.
 */

export const PATTERN_CHARS_MAX = 256
/** A longer text matches no pattern. */
export const MATCHED_CHARS_MAX = 128
const DEPTH_MAX = 8

type IsChar = (char: string) => boolean

/** A character so many times, or a group once. */
type Piece =
  | { readonly isChar: IsChar; readonly least: number; readonly most: number }
  | { readonly group: readonly (readonly Piece[])[] }

/** Returns a judge of texts. Throws RangeError with the reason. */
export function addressPattern(pattern: string): (text: string) => boolean {
  const alternatives = new PatternReader(pattern).read()
  return (text) => {
    if (text.length > MATCHED_CHARS_MAX) return false
    return ends(alternatives, text, new Set([0])).has(text.length)
  }
}

/** Returns where matches end that begin at one of the places. */
function ends(
  alternatives: readonly (readonly Piece[])[],
  text: string,
  starts: ReadonlySet<number>,
): ReadonlySet<number> {
  const found = new Set<number>()
  for (const pieces of alternatives) {
    let places = starts
    for (const piece of pieces) {
      places = 'group' in piece ? ends(piece.group, text, places) : repeated(piece, text, places)
    }
    for (const place of places) found.add(place)
  }
  return found
}

function repeated(
  { isChar, least, most }: Extract<Piece, { readonly isChar: IsChar }>,
  text: string,
  starts: ReadonlySet<number>,
): ReadonlySet<number> {
  const found = new Set<number>()
  for (const start of starts) {
    for (let count = 0; ; count++) {
      if (count >= least) found.add(start + count)
      if (count === most || start + count >= text.length || !isChar(text[start + count]!)) break
    }
  }
  return found
}

/** Reads a pattern, each of whose outer alternatives has its bounds: `^a$|^b$`. */
class PatternReader {
  private readonly pattern: string
  private at = 0

  constructor(pattern: string) {
    this.pattern = pattern
  }

  read(): readonly (readonly Piece[])[] {
    if (this.pattern.length > PATTERN_CHARS_MAX) {
      this.refuse(`has more than ${PATTERN_CHARS_MAX} characters`)
    }
    if (!/^[\x20-\x7e]*$/.test(this.pattern)) this.refuse('has characters outside of ASCII')
    const alternatives: (readonly Piece[])[] = []
    do {
      this.take('^', 'must begin with ^')
      alternatives.push(this.sequence(0))
      this.take('$', 'must end with $')
    } while (this.accepts('|'))
    if (this.at < this.pattern.length) this.refuse(`has a ${this.pattern[this.at]} out of place`)
    return alternatives
  }

  private sequence(depth: number): readonly Piece[] {
    const pieces: Piece[] = []
    while (this.at < this.pattern.length && !'$|)'.includes(this.pattern[this.at]!)) {
      pieces.push(this.accepts('(') ? this.group(depth + 1) : this.characters())
    }
    return pieces
  }

  private group(depth: number): Piece {
    if (depth > DEPTH_MAX) this.refuse(`has groups more than ${DEPTH_MAX} deep`)
    this.accepts('?:')
    const group: (readonly Piece[])[] = []
    do group.push(this.sequence(depth))
    while (this.accepts('|'))
    this.take(')', 'has an open group')
    if (!this.accepts('?')) {
      if ('*+{'.includes(this.pattern[this.at] ?? ' ')) this.refuse('repeats a group')
      return { group }
    }
    return { group: [...group, []] }
  }

  private characters(): Piece {
    const isChar = this.accepts('[') ? this.charClass() : this.character()
    const [least, most] = this.count()
    return { isChar, least, most }
  }

  private count(): readonly [number, number] {
    if (this.accepts('?')) return [0, 1]
    if (this.accepts('*')) return [0, MATCHED_CHARS_MAX]
    if (this.accepts('+')) return [1, MATCHED_CHARS_MAX]
    if (!this.accepts('{')) return [1, 1]
    const [count, least, comma, most] =
      /^(\d{1,3})(,?)(\d{0,3})\}/.exec(this.pattern.slice(this.at)) ??
      this.refuse('has a count that is none')
    this.at += count!.length
    const atLeast = Number(least)
    const atMost = comma === '' ? atLeast : most === '' ? MATCHED_CHARS_MAX : Number(most)
    if ((comma === '' && most !== '') || atMost < atLeast) this.refuse('has a count that is none')
    return [atLeast, atMost]
  }

  private charClass(): IsChar {
    const isOther = this.accepts('^')
    const tests: IsChar[] = []
    while (!this.accepts(']')) {
      const first = this.pattern[this.at]
      if (first === undefined) this.refuse('has an open class')
      const from = this.member()
      const ranges = this.pattern[this.at] === '-' && this.pattern[this.at + 1] !== ']'
      if (!ranges || typeof from !== 'string') {
        tests.push(typeof from === 'string' ? (char) => char === from : from)
        continue
      }
      this.at++
      const to = this.member()
      if (typeof to !== 'string' || to < from) this.refuse('has a range that is none')
      else tests.push((char) => char >= from && char <= to)
    }
    return (char) => tests.some((test) => test(char)) !== isOther
  }

  /** A character of a class, or a class of its own. */
  private member(): string | IsChar {
    return this.accepts('\\') ? this.escaped() : this.next()
  }

  private character(): IsChar {
    if (this.accepts('\\')) {
      const escaped = this.escaped()
      return typeof escaped === 'string' ? (char) => char === escaped : escaped
    }
    const char = this.next()
    if (char === '.') return (it) => /./.test(it)
    if ('*+?{}]^'.includes(char)) this.refuse(`has a ${char} out of place`)
    return (it) => it === char
  }

  private escaped(): string | IsChar {
    const char = this.next()
    if (char === 'd') return (it) => it >= '0' && it <= '9'
    if (char === 'w') return (it) => /^\w$/.test(it)
    if (/[A-Za-z0-9]/.test(char)) this.refuse(`has \\${char}, which is not known here`)
    return char
  }

  private next(): string {
    return this.pattern[this.at++] ?? this.refuse('ends early')
  }

  private accepts(text: string): boolean {
    if (!this.pattern.startsWith(text, this.at)) return false
    this.at += text.length
    return true
  }

  private take(text: string, otherwise: string): void {
    if (!this.accepts(text)) this.refuse(otherwise)
  }

  private refuse(why: string): never {
    throw new RangeError(`the pattern ${why}`)
  }
}
