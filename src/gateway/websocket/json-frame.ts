/**
 * Reads one JSON text frame and keeps the text of its numbers: signatures cover it, and ids are echoed
 * with all their digits. A strict reader of RFC 8259 that remembers the places of the outermost
 * object's members, and the first place that is not JSON.
 */

/** A value of the frame. */
export interface Member {
  readonly name: string
  /** Its JSON text, without surrounding white space. */
  readonly text: string
  /** Offset just after it. */
  readonly end: number
}

/** The text is not JSON from `offset` on. */
export class JsonFault {
  readonly offset: number

  constructor(offset: number) {
    this.offset = offset
  }
}

const NESTING_MAX = 16
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y
const WORD = /true|false|null/y
/** Characters of a string that stand for themselves, or none. */
const PLAIN = /[ !#-[\]-\uffff]*/y
/** A string is read by character codes so far. A pattern reads a long one four times faster. */
const SHORT_CHARS = 128

const Code = {
  TAB: 9,
  LINE_FEED: 10,
  RETURN: 13,
  SPACE: 32,
  QUOTE: 34,
  COMMA: 44,
  POINT: 46,
  ZERO: 48,
  NINE: 57,
  COLON: 58,
  BIG_E: 69,
  BRACKET: 91,
  BACKSLASH: 92,
  BRACKET_END: 93,
  SMALL_E: 101,
  BRACE: 123,
  BRACE_END: 125,
} as const

/**
 * Compares character codes: the parts of orders (members without escapes, strings, whole numbers) take
 * a third of the time that patterns take (bench `wsapi`). Patterns read other values.
 */
class Reader {
  readonly text: string
  at = 0
  readonly members: Member[] = []

  constructor(text: string) {
    this.text = text
  }

  /** Reads past one value. Throws JsonFault, caught by this file's functions. */
  readValue(depth: number): void {
    if (depth > NESTING_MAX) throw new JsonFault(this.at)
    const first = this.text.charCodeAt(this.at)
    if (first === Code.QUOTE) this.#string()
    else if (first > Code.ZERO && first <= Code.NINE) this.#digits()
    else if (first === Code.BRACE) this.#object(depth)
    else if (first === Code.BRACKET) this.#array(depth)
    else if (first > Code.NINE) this.#token(WORD)
    else this.#token(NUMBER)
  }

  space(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at)
      // Most characters at a place for white space are none, and above all white space.
      if (code > Code.SPACE) return
      const isSpace =
        code === Code.SPACE || code === Code.LINE_FEED || code === Code.RETURN || code === Code.TAB
      if (!isSpace) return
      this.at++
    }
  }

  #object(depth: number): void {
    this.at++
    this.space()
    if (this.#skip(Code.BRACE_END)) return
    do {
      this.space()
      const nameAt = this.at
      const isPlain = this.#string()
      const nameEnd = this.at
      this.space()
      this.#expect(Code.COLON)
      this.space()
      const valueAt = this.at
      this.readValue(depth + 1)
      if (depth === 0) {
        const name = isPlain
          ? this.text.slice(nameAt + 1, nameEnd - 1)
          : (JSON.parse(this.text.slice(nameAt, nameEnd)) as string)
        this.members.push({ name, text: this.text.slice(valueAt, this.at), end: this.at })
      }
      this.space()
    } while (this.#skip(Code.COMMA))
    this.#expect(Code.BRACE_END)
  }

  #array(depth: number): void {
    this.at++
    this.space()
    if (this.#skip(Code.BRACKET_END)) return
    do {
      this.space()
      this.readValue(depth + 1)
      this.space()
    } while (this.#skip(Code.COMMA))
    this.#expect(Code.BRACKET_END)
  }

  /** Reads a string. Returns whether no character of it is escaped. */
  #string(): boolean {
    this.#expect(Code.QUOTE)
    let isPlain = true
    let longAt = this.at + SHORT_CHARS
    for (;;) {
      const code = this.text.charCodeAt(this.at)
      if (code === Code.QUOTE) break
      if (code === Code.BACKSLASH) {
        this.#token(ESCAPE)
        isPlain = false
      } else if (code >= Code.SPACE) {
        if (++this.at < longAt) continue
        this.#token(PLAIN)
        longAt = this.at + SHORT_CHARS
      } else throw new JsonFault(this.at)
    }
    this.at++
    return isPlain
  }

  /** A number that begins with 1 to 9. */
  #digits(): void {
    const begin = this.at
    let code: number
    do code = this.text.charCodeAt(++this.at)
    while (code >= Code.ZERO && code <= Code.NINE)
    if (code !== Code.POINT && code !== Code.SMALL_E && code !== Code.BIG_E) return
    this.at = begin
    this.#token(NUMBER)
  }

  #skip(code: number): boolean {
    if (this.text.charCodeAt(this.at) !== code) return false
    this.at++
    return true
  }

  #expect(code: number): void {
    if (!this.#skip(code)) throw new JsonFault(this.at)
  }

  #token(pattern: RegExp): void {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.text)
    if (match === null) throw new JsonFault(this.at)
    this.at += match[0].length
  }
}

/**
 * Returns the members of the object `text`, in order; undefined when it is JSON but no object;
 * JsonFault when it is not JSON.
 */
export function readMembers(text: string): readonly Member[] | undefined | JsonFault {
  const reader = new Reader(text)
  try {
    reader.space()
    reader.readValue(0)
    reader.space()
    if (reader.at < text.length) throw new JsonFault(reader.at)
  } catch (error) {
    if (error instanceof JsonFault) return error
    throw error
  }
  return text.trimStart().startsWith('{') ? reader.members : undefined
}

/** Returns the member of this name, the last of several; undefined when there is none. */
export const memberNamed = (members: readonly Member[], name: string): Member | undefined =>
  members.findLast((member) => member.name === name)

/** Returns the string of a JSON text, or undefined when it is no string. */
export function stringOf(member: Member | undefined): string | undefined {
  if (!member?.text.startsWith('"')) return undefined
  const { text } = member
  return text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1)
}
