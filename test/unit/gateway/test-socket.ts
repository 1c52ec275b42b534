/** A WebSocket client for tests. */
import { WebSocket } from 'ws'
import type { Json } from './one-thread-exchange.ts'

/** A WebSocket whose frames wait until a test asks for them. */
export class TestSocket {
  readonly #socket: WebSocket
  readonly #frames: string[] = []
  #closeCode: number | undefined
  /** Pings that came; the library answers them. */
  pings = 0
  /** What the server said when it closed the connection. */
  closeReason = ''
  #wake: () => void = () => {}

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data) => {
      this.#frames.push(String(data))
      this.#wake()
    })
    socket.on('close', (code, reason) => {
      this.#closeCode = code
      this.closeReason = String(reason)
      this.#wake()
    })
    socket.on('ping', () => {
      this.pings++
    })
    socket.on('error', () => {})
  }

  static open(url: string): Promise<TestSocket> {
    const socket = new WebSocket(url)
    const opened = new TestSocket(socket)
    return new Promise((resolve, reject) => {
      socket.once('open', () => resolve(opened))
      socket.once('error', reject)
    })
  }

  send(frame: unknown): void {
    this.#socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
  }

  /** The next frame; rejects when the connection ends before one comes. */
  async next(): Promise<Json> {
    return JSON.parse(await this.nextText())
  }

  async nextText(): Promise<string> {
    while (this.#frames.length === 0) {
      if (this.#closeCode !== undefined) throw new Error(`closed with ${this.#closeCode}`)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    return this.#frames.shift()!
  }

  async ask(frame: unknown): Promise<Json> {
    this.send(frame)
    return this.next()
  }

  async closed(): Promise<number> {
    while (this.#closeCode === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    return this.#closeCode
  }

  get waiting(): number {
    return this.#frames.length
  }

  ping(): void {
    this.#socket.ping()
  }

  close(): void {
    this.#socket.close()
  }

  /** As when the client's machine is gone. */
  terminate(): void {
    this.#socket.terminate()
  }
}
