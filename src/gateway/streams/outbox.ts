/**
 * Frames for WebSockets written while the gateway reads matchers' records: several often go to one
 * socket, and each would be a system call of its own. Between `open` and `flush` they are kept, then sent
 * socket by socket. Outside of that a frame is sent at once.
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

  /** Keeps the frame for later. Returns false outside of `open` and `flush`. */
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
