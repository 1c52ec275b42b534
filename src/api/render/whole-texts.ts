/**
 * Texts that wait for others. V8 keeps a text that was put together as a tree of its parts, thirty to an
 * order, until it is read as a whole; the collector copies them all while an answer of thousands of
 * orders is waited for (`npm run siege -- --attacks order-status,cancel-all`). Here they become whole.
 */

/** Texts that become one at a time. */
const GROUP = 64

/** The same texts, as slices of a whole one. */
export function slicesOfWhole(texts: readonly string[]): readonly string[] {
  const whole = texts.join('')
  let end = 0
  return texts.map(({ length }) => {
    end += length
    return whole.slice(end - length, end)
  })
}

/** A list that grows, with commas between. */
export class JoinedTexts {
  readonly #whole: string[] = []
  #latest: string[] = []

  add(text: string): void {
    this.#latest.push(text)
    if (this.#latest.length < GROUP) return
    this.#whole.push(this.#latest.join())
    this.#latest = []
  }

  text(): string {
    return [...this.#whole, ...this.#latest].join()
  }
}
