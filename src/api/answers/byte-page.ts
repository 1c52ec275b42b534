/**
 * A page in which an encoder writes answers again and again. A view is valid until the next answer begins, or if
 * it was kept, until all kept ones are released.
 *
 *   | kept text | kept text | text since begin() |  room  |
 *                           start               end
 */

/** A longer answer gets a page of its size. */
export const PAGE_BYTES = 64 * 1024
/** Words are written whole: up to so many bytes behind an answer's end are overwritten. */
export const WORD_BYTES = 8

export abstract class BytePage {
  protected page = new Uint8Array(PAGE_BYTES)
  /** The page's memory: `page.buffer` is a call in V8, this is a field. */
  private buffer = this.page.buffer
  protected words = new DataView(this.buffer)
  private keptEnd = 0
  protected start = 0
  protected end = 0
  /** Bytes of the last answer that was written within another. */
  innerBytes = 0

  /** Begins a text. */
  begin(): void {
    this.start = this.keptEnd
    this.end = this.keptEnd
    if (this.page.length > PAGE_BYTES) this.turnPage(0)
  }

  /** Bytes since begin(). */
  get length(): number {
    return this.end - this.start
  }

  /** Returns the text since begin(), until the next begin() unless it is kept. */
  view(): Uint8Array {
    return new Uint8Array(this.buffer, this.start, this.end - this.start)
  }

  /** Keeps the text since begin() until releaseKept(). */
  keep(): void {
    this.keptEnd = this.end
  }

  /** Views of kept texts are no longer used. */
  releaseKept(): void {
    this.keptEnd = 0
  }

  /** Bytes that were written before. */
  bytes(bytes: Uint8Array): void {
    const at = this.roomFor(bytes.length)
    this.page.set(bytes, at)
    this.end += bytes.length
  }

  /** Makes room for so many bytes and a word. Returns their place. */
  protected roomFor(bytes: number): number {
    if (this.end + bytes + WORD_BYTES > this.page.length) this.turnPage(bytes)
    return this.end
  }

  /** Continues the text in a new page. The old one stays as long as its views. */
  private turnPage(bytes: number): void {
    const begun = this.page.subarray(this.start, this.end)
    const needed = 2 * (begun.length + bytes + WORD_BYTES)
    this.page = new Uint8Array(Math.max(PAGE_BYTES, needed))
    this.buffer = this.page.buffer
    this.words = new DataView(this.buffer)
    this.page.set(begun)
    this.keptEnd = 0
    this.start = 0
    this.end = begun.length
  }
}
