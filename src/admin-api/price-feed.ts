/**
 * The WebSocket of the admin port by which a feed sends reference prices: `/reference-prices`, as its route is called.
 * Each message is what the route takes, and gets one answer, in the order of the messages: what the route responds, or
 * `{"error": "…"}`. A connection that sends faster than prices are journaled is read no further for as long; one that does
 * not read its answers is ended. Its token is asked for at each message.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { CloseCode, ServerSocket } from './web-socket.ts'

export const MESSAGE_BYTES_MAX = 64 * 1024
export const UNANSWERED_MAX = 1_024

export interface FeedParts {
  /** Resolves to the answer to a message, or to undefined once the token is no longer valid. Never rejects. */
  readonly answer: (request: IncomingMessage, text: string) => Promise<unknown>
  /** Called around each message. */
  readonly begin: (connection: Duplex) => void
  readonly end: (connection: Duplex) => void
}

export class PriceFeeds {
  private readonly parts: FeedParts
  private readonly open = new Set<Duplex>()

  constructor(parts: FeedParts) {
    this.parts = parts
  }

  /** Serves the connection; returns false when the request is no handshake of a WebSocket. */
  serve(request: IncomingMessage, connection: Duplex, head: Buffer): boolean {
    const { answer, begin, end } = this.parts
    let unanswered = 0
    let earlier = Promise.resolve()
    const socket = ServerSocket.open(request, connection, MESSAGE_BYTES_MAX, (text) => {
      begin(connection)
      if (++unanswered >= UNANSWERED_MAX) socket?.pause()
      const answered = answer(request, text)
      earlier = earlier.then(async () => {
        const said = await answered
        if (said === undefined) socket?.close(CloseCode.POLICY, 'The token is no longer valid.')
        else socket?.send(JSON.stringify(said))
        end(connection)
        if (--unanswered < UNANSWERED_MAX) socket?.resume()
      })
    })
    if (socket === undefined) return false
    this.open.add(connection)
    connection.once('close', () => this.open.delete(connection))
    // What the client sent behind its handshake.
    if (head.length > 0) connection.unshift(head)
    return true
  }

  close(): void {
    for (const connection of this.open) connection.destroy()
  }
}
