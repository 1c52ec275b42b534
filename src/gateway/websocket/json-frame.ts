/**
 * Reads one JSON text frame and keeps the text of its numbers: signatures cover it, and ids are echoed
 * with all their digits. A strict reader of RFC 8259 that remembers the places of the outermost
 * object's members, and the first place that is not JSON.
 */

import type { FrameMembers } from '../../api/params.ts'

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
/** Longest part of a string that is scanned by character codes: a regular expression scans a longer one four times faster. */
const SHORT_CHARS = 128

/** Bytes of one UTF-16 character in UTF-8, at most. */
const CODE_BYTES_MAX = 3
/** Stands for every character beyond ASCII, which only strings may hold. */
const FOREIGN = 128
/** Stands behind the text. No string may hold it, and no other value. */
const END = 0

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
  SMALL_N: 110,
  BRACE: 123,
  BRACE_END: 125,
} as const

/** The places of one member: its name with quotes, its value, and what precedes it in inner. */
const Part = { NAME: 0, NAME_END: 1, VALUE: 2, VALUE_END: 3, FIRST_INNER: 4 } as const
const PARTS = 5

/**
 * Members of one object, as places in the text: reading a frame makes no object (bench `wsapi`). The places
 * are kept for the next frame; they are at most as many as a frame has characters.
 */
class Members implements FrameMembers {
  count = 0
  /** Whether no string of the text has an escape. */
  isPlain = true
  private text = ''
  private readonly offsets: number[] = []

  begin(text: string): void {
    this.text = text
    this.count = 0
    this.isPlain = true
  }

  add(nameAt: number, nameEnd: number, valueAt: number, firstInner: number): number {
    const offsets = this.offsets
    const at = PARTS * this.count
    offsets[at + Part.NAME] = nameAt
    offsets[at + Part.NAME_END] = nameEnd
    offsets[at + Part.VALUE] = valueAt
    offsets[at + Part.VALUE_END] = valueAt
    offsets[at + Part.FIRST_INNER] = firstInner
    return this.count++
  }

  endValue(index: number, end: number): void {
    this.offsets[PARTS * index + Part.VALUE_END] = end
  }

  offsetOf(index: number, offsetOf: number): number {
    return this.offsets[PARTS * index + offsetOf]!
  }

  /** Whether the member has this name, which has no character that JSON escapes. */
  isNamed(index: number, name: string): boolean {
    const at = this.offsetOf(index, Part.NAME) + 1
    const end = this.offsetOf(index, Part.NAME_END) - 1
    if (end - at === name.length) return this.text.slice(at, end) === name
    return !this.isPlain && this.nameOf(index) === name
  }

  nameOf(index: number): string {
    return this.stringAt(this.offsetOf(index, Part.NAME), this.offsetOf(index, Part.NAME_END))
  }

  jsonOf(index: number): string {
    return this.text.slice(this.offsetOf(index, Part.VALUE), this.offsetOf(index, Part.VALUE_END))
  }

  isNull(index: number): boolean {
    return this.firstCode(index) === Code.SMALL_N
  }

  /** Returns the value as a query would have it: numbers and booleans keep their text. */
  textOf(index: number): string {
    const at = this.offsetOf(index, Part.VALUE)
    const end = this.offsetOf(index, Part.VALUE_END)
    const first = this.firstCode(index)
    if (first === Code.QUOTE) return this.stringAt(at, end)
    const json = this.text.slice(at, end)
    const isNested = first === Code.BRACKET || first === Code.BRACE
    return isNested ? JSON.stringify(JSON.parse(json)) : json
  }

  /** The first character of the value. */
  firstCode(index: number): number {
    return this.text.charCodeAt(this.offsetOf(index, Part.VALUE))
  }

  /** Returns the last member of this name; -1 when there is none. */
  find(name: string): number {
    let index = this.count - 1
    while (index >= 0 && !this.isNamed(index, name)) index--
    return index
  }

  /** Returns the text of the JSON string between these places. */
  private stringAt(at: number, end: number): string {
    const plain = this.text.slice(at + 1, end - 1)
    const isPlain = this.isPlain || !plain.includes('\\')
    return isPlain ? plain : (JSON.parse(this.text.slice(at, end)) as string)
  }
}

/**
 * Compares character codes: the parts of orders (members without escapes, strings, whole numbers) take
 * a third of the time that patterns take (bench `wsapi`). Patterns read other values.
 */
class Reader {
  text = ''
  at = 0
  /** Members of the outermost object, and those of the objects that are their values. */
  readonly outer = new Members()
  readonly inner = new Members()
  /** Whether the text is an object. */
  isObject = false

  /** The text's character codes, or FOREIGN. Bytes are read in half the time of a string's characters. */
  private codes = Buffer.alloc(0)

  /** Reads a whole text. Returns the fault when it is not JSON. */
  read(text: string): JsonFault | undefined {
    this.text = text
    this.readCodes(text)
    this.at = 0
    this.outer.begin(text)
    this.inner.begin(text)
    try {
      this.space()
      this.isObject = this.codes[this.at] === Code.BRACE
      this.value(0)
      this.space()
      if (this.at < text.length) throw new JsonFault(this.at)
      return undefined
    } catch (error) {
      if (error instanceof JsonFault) return error
      throw error
    }
  }

  /** One code for each character of the text, and one more that no value has. */
  private readCodes(text: string): void {
    const { length } = text
    if (this.codes.length <= CODE_BYTES_MAX * length) {
      this.codes = Buffer.alloc(2 * CODE_BYTES_MAX * length + 1)
    }
    const codes = this.codes
    if (codes.write(text) > length) {
      for (let i = 0; i < length; i++) codes[i] = Math.min(text.charCodeAt(i), FOREIGN)
    }
    codes[length] = END
  }

  /** Reads past one value. Throws JsonFault, caught by read(). */
  private value(depth: number): void {
    if (depth > NESTING_MAX) throw new JsonFault(this.at)
    const first = this.codes[this.at]!
    if (first === Code.QUOTE) this.string()
    else if (first > Code.ZERO && first <= Code.NINE) this.digits()
    else if (first === Code.BRACE) this.object(depth)
    else if (first === Code.BRACKET) this.array(depth)
    else if (first > Code.NINE) this.token(WORD)
    else this.token(NUMBER)
  }

  private space(): void {
    for (;;) {
      const code = this.codes[this.at]!
      // Most characters at a place for white space are none, and above all white space.
      if (code > Code.SPACE) return
      const isSpace =
        code === Code.SPACE || code === Code.LINE_FEED || code === Code.RETURN || code === Code.TAB
      if (!isSpace) return
      this.at++
    }
  }

  private object(depth: number): void {
    this.at++
    this.space()
    if (this.skip(Code.BRACE_END)) return
    const members = depth === 0 ? this.outer : depth === 1 ? this.inner : undefined
    do {
      this.space()
      const nameAt = this.at
      this.string()
      const nameEnd = this.at
      this.space()
      this.expect(Code.COLON)
      this.space()
      const index = members?.add(nameAt, nameEnd, this.at, this.inner.count) ?? 0
      this.value(depth + 1)
      members?.endValue(index, this.at)
      this.space()
    } while (this.skip(Code.COMMA))
    this.expect(Code.BRACE_END)
  }

  private array(depth: number): void {
    this.at++
    this.space()
    if (this.skip(Code.BRACKET_END)) return
    do {
      this.space()
      this.value(depth + 1)
      this.space()
    } while (this.skip(Code.COMMA))
    this.expect(Code.BRACKET_END)
  }

  private string(): void {
    this.expect(Code.QUOTE)
    const codes = this.codes
    let { at } = this
    let longAt = at + SHORT_CHARS
    for (;;) {
      const code = codes[at]!
      if (code === Code.QUOTE) break
      if (code !== Code.BACKSLASH && code >= Code.SPACE) {
        if (++at < longAt) continue
        at = this.tokenAt(PLAIN, at)
        longAt = at + SHORT_CHARS
      } else if (code === Code.BACKSLASH) at = this.escape(at)
      else throw new JsonFault(at)
    }
    this.at = at + 1
  }

  private escape(at: number): number {
    this.outer.isPlain = false
    this.inner.isPlain = false
    return this.tokenAt(ESCAPE, at)
  }

  /** A number that begins with 1 to 9. */
  private digits(): void {
    const codes = this.codes
    let { at } = this
    let code: number
    do code = codes[++at]!
    while (code >= Code.ZERO && code <= Code.NINE)
    if (code !== Code.POINT && code !== Code.SMALL_E && code !== Code.BIG_E) this.at = at
    else this.token(NUMBER)
  }

  private skip(code: number): boolean {
    if (this.codes[this.at]! !== code) return false
    this.at++
    return true
  }

  private expect(code: number): void {
    if (!this.skip(code)) throw new JsonFault(this.at)
  }

  private token(pattern: RegExp): void {
    this.at = this.tokenAt(pattern, this.at)
  }

  /** Returns the end of the token that begins at `at`. */
  private tokenAt(pattern: RegExp, at: number): number {
    pattern.lastIndex = at
    const match = pattern.exec(this.text)
    if (match === null) throw new JsonFault(at)
    return at + match[0].length
  }
}

const reader = new Reader()

/**
 * Returns the members of the object `text`, in order; undefined when it is JSON but no object;
 * JsonFault when it is not JSON.
 */
export function readMembers(text: string): readonly Member[] | undefined | JsonFault {
  const fault = reader.read(text)
  if (fault !== undefined) return fault
  if (!reader.isObject) return undefined
  const { outer } = reader
  return Array.from({ length: outer.count }, (_, index) => ({
    name: outer.nameOf(index),
    text: outer.jsonOf(index),
    end: outer.offsetOf(index, Part.VALUE_END),
  }))
}

/** One request of the WebSocket API, read in one pass. It is valid until the next frame is read. */
export class RequestFrame {
  /** The members of `params`, in order: those from paramsBegin up to paramsEnd. */
  readonly params: FrameMembers = reader.inner
  paramsBegin = 0
  paramsEnd = 0

  /** Returns false for a text that is no JSON object. */
  read(text: string): boolean {
    return reader.read(text) === undefined && reader.isObject
  }

  /** Returns the member's JSON text; undefined when there is none. */
  jsonOf(name: string): string | undefined {
    const index = reader.outer.find(name)
    return index < 0 ? undefined : reader.outer.jsonOf(index)
  }

  /** Returns the member's string; undefined when it is no string. */
  stringOf(name: string): string | undefined {
    const { outer } = reader
    const index = outer.find(name)
    const isString = index >= 0 && outer.firstCode(index) === Code.QUOTE
    return isString ? outer.textOf(index) : undefined
  }

  /** Finds the members of `params`: none where the frame has none. Returns false when it is no object. */
  findParams(): boolean {
    const { outer, inner } = reader
    const index = outer.find('params')
    this.paramsBegin = 0
    this.paramsEnd = 0
    if (index < 0) return true
    if (outer.firstCode(index) !== Code.BRACE) return false
    this.paramsBegin = outer.offsetOf(index, Part.FIRST_INNER)
    const isLast = index === outer.count - 1
    this.paramsEnd = isLast ? inner.count : outer.offsetOf(index + 1, Part.FIRST_INNER)
    return true
  }
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
