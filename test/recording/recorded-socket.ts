/** A WebSocket that keeps its frames as they came, until they are written down. */
import WebSocket from 'ws'
import { eventually } from '../fixtures/eventually.ts'

export interface Answered {
  readonly status: number
  readonly body: unknown
}

/** Id of a request whose answer proves that all frames before it have come. */
const BARRIER = 'barrier'

export class RecordedSocket {
  readonly frames: string[] = []
  private readonly socket: WebSocket
  private readonly note: (text: string) => void
  private closing: string | undefined

  private constructor(socket: WebSocket, note: (text: string) => void) {
    this.socket = socket
    this.note = note
    socket.on('message', (data) => this.frames.push(String(data)))
    socket.on('error', () => {})
    socket.on('close', (code, reason) => {
      this.closing = `closed ${code} ${reason}`
    })
  }

  static async open(url: string, note: (text: string) => void): Promise<RecordedSocket> {
    const socket = new WebSocket(url)
    const opened = new RecordedSocket(socket, note)
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    return opened
  }

  /** Sends a frame and records what comes next, which is its answer. */
  async ask(frame: string): Promise<Answered> {
    this.socket.send(frame)
    const answer = await eventually(`an answer to ${frame}`, () => this.frames[0] ?? this.closing)
    this.frames.shift()
    this.note(`  ${answer}`)
    const { status = 0, result, error } = parsed(answer)
    return { status, body: result ?? error }
  }

  /** Records all frames so far, once all that were sent before `request` is answered have come. */
  async write(whose: string, request: string): Promise<void> {
    await this.reach(request)
    for (const frame of this.frames.splice(0)) this.note(`  ${whose}: ${frame}`)
  }

  /** Resolves when all frames have come that were sent before `request` is answered. */
  async reach(request: string): Promise<void> {
    this.socket.send(`{"id":"${BARRIER}",${request}}`)
    await eventually('the frames so far', () => {
      const at = this.frames.findIndex((frame) => frame.includes(`"id":"${BARRIER}"`))
      if (at >= 0) this.frames.splice(at, 1)
      return at >= 0 || this.closing !== undefined || undefined
    })
  }

  /** Resolves when so many frames match that are not recorded yet. */
  async heard(matches: (frame: string) => boolean, count: number): Promise<void> {
    await eventually(
      `${count} frames`,
      () => this.frames.filter(matches).length >= count || undefined,
    )
  }

  /** Records why the server closed the connection, once it has. */
  async ended(): Promise<void> {
    this.note(`  ${await eventually('the end of a connection', () => this.closing)}`)
  }

  send(frame: string | Uint8Array): void {
    this.socket.send(frame)
  }

  close(): void {
    this.socket.terminate()
  }
}

function parsed(text: string): { status?: number; result?: unknown; error?: unknown } {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
