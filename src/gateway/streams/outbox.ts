/**
 * Frames for WebSockets that were written while records of matchers are read: many answers often go
 * to the same socket, and each would be a system call of its own. Between `open` and `flush` they are
 * kept, and then sent socket by socket. Outside of that nothing is kept: a frame goes at once.
 */
export interface Sender {
  /** Sends these frames, in this order, together. */
  sendAll(texts: readonly string[]): void
}

export class Outbox {
  readonly #texts = new Map<Sender, string[]>()
  #isOpen = false

  open(): void {
    this.#isOpen = true
  }

  /** Whether the frame was taken: then it is sent later. */
  take(sender: Sender, text: string): boolean {
    if (!this.#isOpen) return false
    const texts = this.#texts.get(sender)
    if (texts === undefined) this.#texts.set(sender, [text])
    else texts.push(text)
    return true
  }

  flush(): void {
    this.#isOpen = false
    if (this.#texts.size === 0) return
    for (const [sender, texts] of this.#texts) sender.sendAll(texts)
    this.#texts.clear()
  }
}
