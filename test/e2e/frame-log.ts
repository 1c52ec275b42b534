/** A WebSocket that keeps every frame it is sent, and waits for those that a test wants. */
import WebSocket, { type ClientOptions } from 'ws'
import { eventually } from '../fixtures/eventually.ts'

/** One JSON frame; tests know which fields it has. */
export type Frame = Readonly<Record<string, unknown>>

export class FrameLog {
  readonly frames: Frame[] = []
  private readonly socket: WebSocket
  private _closed = false

  private constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('message', (data) => this.frames.push(JSON.parse(String(data))))
    socket.on('error', () => {})
    socket.on('close', () => {
      this._closed = true
    })
  }

  /** Resolves when the connection stands. */
  static async open(url: string, options: ClientOptions = {}): Promise<FrameLog> {
    const socket = new WebSocket(url, options)
    const log = new FrameLog(socket)
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    return log
  }

  get closed(): boolean {
    return this._closed
  }

  /** Text and bytes go as they are, everything else as JSON. */
  send(message: unknown): void {
    const plain = typeof message === 'string' || message instanceof Uint8Array
    this.socket.send(plain ? message : JSON.stringify(message))
  }

  /** Sends a request of the subscription protocol or the WebSocket API; resolves to its answer. */
  async ask(request: Frame & { readonly id: number | string }): Promise<Frame> {
    this.send(request)
    return this.first(`an answer to ${request.id}`, (frame) => frame.id === request.id)
  }

  /** The first frame, received or to come, that matches. */
  first(what: string, matches: (frame: Frame) => boolean): Promise<Frame> {
    return eventually(what, () => this.frames.find(matches))
  }

  /** All frames that match, once there are at least `count`. */
  atLeast(count: number, what: string, matches: (frame: Frame) => boolean): Promise<Frame[]> {
    return eventually(`${count} times ${what}`, () => {
      const found = this.frames.filter(matches)
      return found.length >= count ? found : undefined
    })
  }

  /** Closes in the middle of things, once all that was given to `send` is on its way. */
  async leave(): Promise<void> {
    await new Promise((resolve) => this.socket.send('', resolve))
    await this.close()
  }

  async close(): Promise<void> {
    this.socket.terminate()
    await eventually('the end of the connection', () => this._closed || undefined)
  }
}
