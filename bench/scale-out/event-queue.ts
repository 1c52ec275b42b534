/** The actions of a simulation, by time; those of one time in the order in which they were added. */

interface Entry {
  readonly atUs: number
  readonly number: number
  readonly action: () => void
}

export class EventQueue {
  /** A heap: no entry is before its parent, which is at half its index. */
  readonly #entries: Entry[] = []
  #count = 0
  #nowUs = 0

  get nowUs(): number {
    return this.#nowUs
  }

  after(us: number, action: () => void): void {
    const entry = { atUs: this.#nowUs + us, number: this.#count++, action }
    const entries = this.#entries
    let at = entries.length
    for (let parent = (at - 1) >> 1; at > 0 && isBefore(entry, entries[parent]!); ) {
      entries[at] = entries[parent]!
      at = parent
      parent = (at - 1) >> 1
    }
    entries[at] = entry
  }

  /** Runs the actions until none is left, or until a time. */
  run(untilUs = Number.POSITIVE_INFINITY): void {
    for (let first = this.#entries[0]; first && first.atUs <= untilUs; first = this.#entries[0]) {
      this.#removeFirst()
      this.#nowUs = first.atUs
      first.action()
    }
  }

  #removeFirst(): void {
    const entries = this.#entries
    const moved = entries.pop()!
    if (entries.length === 0) return
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= entries.length) break
      const other = child + 1
      if (other < entries.length && isBefore(entries[other]!, entries[child]!)) child = other
      if (!isBefore(entries[child]!, moved)) break
      entries[at] = entries[child]!
      at = child
    }
    entries[at] = moved
  }
}

const isBefore = (a: Entry, b: Entry): boolean =>
  a.atUs < b.atUs || (a.atUs === b.atUs && a.number < b.number)
