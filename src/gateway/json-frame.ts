/**
 * Reads one JSON text frame without losing what its numbers look like: signatures cover their text,
 * and ids are echoed with all their digits. A strict reader of RFC 8259 that remembers where the
 * members of the outermost object stand, and where the text stops being JSON.
 */

/** A value as it stands in the frame. */
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
const SPACE = /[ \t\n\r]*/y

class Reader {
  readonly text: string
  at = 0
  readonly members: Member[] = []

  constructor(text: string) {
    this.text = text
  }

  /** Reads past one value. Throws JsonFault, caught by this file's functions. */
  value(depth: number): void {
    this.space()
    if (depth > NESTING_MAX) throw new JsonFault(this.at)
    const first = this.text[this.at]
    if (first === '{') this.#object(depth)
    else if (first === '[') this.#array(depth)
    else if (first === '"') this.#string()
    else if (first === 't' || first === 'f' || first === 'n') this.#token(WORD)
    else this.#token(NUMBER)
    this.space()
  }

  space(): void {
    this.#token(SPACE)
  }

  #object(depth: number): void {
    this.at++
    this.space()
    if (this.#skip('}')) return
    do {
      this.space()
      const nameAt = this.at
      this.#string()
      const nameEnd = this.at
      this.space()
      this.#expect(':')
      this.space()
      const valueAt = this.at
      this.value(depth + 1)
      if (depth === 0) this.#remember(nameAt, nameEnd, valueAt)
    } while (this.#skip(','))
    this.#expect('}')
  }

  #remember(nameAt: number, nameEnd: number, valueAt: number): void {
    const text = this.text.slice(valueAt, this.at).trimEnd()
    const name = JSON.parse(this.text.slice(nameAt, nameEnd)) as string
    this.members.push({ name, text, end: valueAt + text.length })
  }

  #array(depth: number): void {
    this.at++
    this.space()
    if (this.#skip(']')) return
    do {
      this.value(depth + 1)
    } while (this.#skip(','))
    this.#expect(']')
  }

  #string(): void {
    this.#expect('"')
    while (!this.#skip('"')) {
      if (this.text[this.at] === '\\') this.#token(ESCAPE)
      else if (this.text.charCodeAt(this.at) >= 32) this.at++
      else throw new JsonFault(this.at)
    }
  }

  #skip(character: string): boolean {
    if (this.text[this.at] !== character) return false
    this.at++
    return true
  }

  #expect(character: string): void {
    if (!this.#skip(character)) throw new JsonFault(this.at)
  }

  #token(pattern: RegExp): void {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.text)
    if (match === null) throw new JsonFault(this.at)
    this.at += match[0].length
  }
}

/**
 * The members of the object that `text` is, in order; undefined when it is JSON but no object;
 * JsonFault when it is not JSON.
 */
export function readMembers(text: string): readonly Member[] | undefined | JsonFault {
  const reader = new Reader(text)
  try {
    reader.value(0)
    if (reader.at < text.length) throw new JsonFault(reader.at)
  } catch (error) {
    if (error instanceof JsonFault) return error
    throw error
  }
  return text.trimStart().startsWith('{') ? reader.members : undefined
}

/** The member of this name, the last of several; undefined when there is none. */
export const memberNamed = (members: readonly Member[], name: string): Member | undefined =>
  members.findLast((member) => member.name === name)

/** The string that a JSON text stands for, or undefined when it is no string. */
export const stringOf = (member: Member | undefined): string | undefined =>
  member?.text.startsWith('"') ? (JSON.parse(member.text) as string) : undefined
