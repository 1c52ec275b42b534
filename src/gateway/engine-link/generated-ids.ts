/**
 * Client order ids for orders without one: 22 letters and digits, a random prefix for each start of a
 * gateway, then a count.
 */
import { randomBytes } from 'node:crypto'

const ALPHANUMERICS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const RANDOM_CHARS = 14
const COUNT_CHARS = 8
/** The last two letters, in the order of the count: an id is the concatenation of two texts. */
const pairs = [...ALPHANUMERICS].flatMap((first) => [...ALPHANUMERICS].map((last) => first + last))

export class GeneratedIds {
  readonly #random = Array.from(randomBytes(RANDOM_CHARS), letterOf).join('')
  #count = 0
  #head = ''

  /** Returns a new id. */
  next(): string {
    const last = this.#count % pairs.length
    if (last === 0) this.#head = this.#random + textOf(this.#count / pairs.length)
    this.#count++
    return this.#head + pairs[last]
  }
}

const letterOf = (number: number): string => ALPHANUMERICS[number % ALPHANUMERICS.length]!

/** All of the count but its last two letters. */
function textOf(count: number): string {
  let text = ''
  for (
    let rest = count;
    text.length < COUNT_CHARS - 2;
    rest = Math.floor(rest / ALPHANUMERICS.length)
  ) {
    text = letterOf(rest) + text
  }
  return text
}
