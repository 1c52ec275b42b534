/**
 * Client order ids for orders without one: 22 letters and digits, a random prefix for each start of a
 * gateway, then a count.
 */
import { randomBytes } from 'node:crypto'

const ALPHANUMERICS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const RANDOM_CHARS = 14
const COUNT_CHARS = 8
/** The letter behind each letter, by character code; 0 behind the last one. */
const following = new Uint8Array(128)
for (let i = 1; i < ALPHANUMERICS.length; i++) {
  following[ALPHANUMERICS.charCodeAt(i - 1)] = ALPHANUMERICS.charCodeAt(i)
}
const FIRST = ALPHANUMERICS.charCodeAt(0)

export class GeneratedIds {
  /** The letters of the next id. One text is made of all: it is read letter by letter at once. */
  private readonly letters = Buffer.alloc(RANDOM_CHARS + COUNT_CHARS, FIRST)

  constructor() {
    for (const [at, number] of randomBytes(RANDOM_CHARS).entries()) {
      this.letters[at] = ALPHANUMERICS.charCodeAt(number % ALPHANUMERICS.length)
    }
  }

  /** Returns a new id. */
  next(): string {
    const letters = this.letters
    const id = letters.toString('latin1')
    for (let at = letters.length - 1; at >= RANDOM_CHARS; at--) {
      const letter = following[letters[at]!]!
      letters[at] = letter || FIRST
      if (letter !== 0) break
    }
    return id
  }
}
