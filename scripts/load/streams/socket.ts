/** A WebSocket that hands on each frame as JSON, and reports when it ends though the load did not close it. */
import WebSocket from 'ws'
import { fileFault } from '../../../src/base/file-fault.ts'
import { UsageError } from '../../command-line/usage-error.ts'

export class Socket {
  private readonly socket: WebSocket
  private isClosing = false

  private constructor(socket: WebSocket) {
    this.socket = socket
  }

  /** Resolves when the connection stands. Rejects with UsageError. */
  static async open(
    url: string,
    onFrame: (frame: Readonly<Record<string, unknown>>) => void,
    onLost: (why: string) => void,
  ): Promise<Socket> {
    const ws = new WebSocket(url, { perMessageDeflate: false, maxPayload: 256 * 1024 * 1024 })
    const socket = new Socket(ws)
    ws.on('message', (data) => onFrame(JSON.parse(String(data))))
    await new Promise<void>((resolve, reject) => {
      ws.once('open', resolve)
      ws.once('error', (error) =>
        reject(new UsageError(`${url} cannot be opened: ${fileFault(error)}.`)),
      )
    })
    ws.on('error', () => {})
    ws.on('close', (code) => {
      if (!socket.isClosing) onLost(`${url} was closed with code ${code}`)
    })
    return socket
  }

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN
  }

  send(message: object): void {
    this.socket.send(JSON.stringify(message))
  }

  close(): void {
    this.isClosing = true
    this.socket.terminate()
  }
}
