/**
 * Messages of a socket, kept as text until a frame reads them. A frame reads for so long and leaves the
 * rest to the next one, so that no flood stops the page. When too much waits, everything that waits is
 * dropped: the reader begins again from a snapshot.
 */

/** Messages that may wait. */
export const MESSAGES_MAX = 8_192
/** Characters that may wait. */
export const CHARS_MAX = 8 * 1024 * 1024

export class Inbox {
  /** Messages dropped since the page was loaded. */
  dropped = 0
  private texts: string[] = []
  private next = 0
  private chars = 0

  get size(): number {
    return this.texts.length - this.next
  }

  /** Keeps a message. Returns false when it and all that waited were dropped. */
  put(text: string): boolean {
    if (this.size >= MESSAGES_MAX || this.chars + text.length > CHARS_MAX) {
      this.dropped += this.size + 1
      this.clear()
      return false
    }
    this.texts.push(text)
    this.chars += text.length
    return true
  }

  /** Hands messages to `take`, oldest first, until none is left or `isOver` returns true. */
  drain(take: (text: string) => void, isOver: () => boolean): void {
    while (this.next < this.texts.length) {
      const text = this.texts[this.next++]!
      this.chars -= text.length
      take(text)
      if (isOver()) break
    }
    if (this.size === 0) this.clear()
    else if (this.next > MESSAGES_MAX) {
      this.texts.splice(0, this.next)
      this.next = 0
    }
  }

  clear(): void {
    this.texts = []
    this.next = 0
    this.chars = 0
  }
}
