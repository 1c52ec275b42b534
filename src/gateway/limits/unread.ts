/**
 * Bytes that a gateway keeps for clients of HTTP: incomplete bodies, long requests without a response
 * yet, unread responses. They are counted by address and in all. uWebSockets.js would buffer any number
 * of unread responses, so the remainder of a long one stays here. A connection that sends a further
 * request meanwhile is closed.
 */
import type { HttpResponse } from 'uWebSockets.js'
import { GatewayCounter, type ThreadCounters } from '../../shared/counters.ts'
import type { Forwarded } from './client-address.ts'
import { addressKey, type Quota } from './quota.ts'

/**
 * uWebSockets.js buffers shorter responses. It stops reading from a connection that does not read,
 * after at most half a megabyte of requests.
 */
const LONG_BYTES = 1_024
/** Longer texts are rare: each is encoded into separate memory. */
const ENCODED_BYTES_MAX = 1 << 20
/** A letter of a text takes at most so many bytes. */
const LETTER_BYTES_MAX = 3

export class UnreadBytes {
  private readonly quota: Quota
  private readonly counters: ThreadCounters
  /**
   * Holds the last long text, encoded. With new memory for each text V8 would collect its whole heap dozens
   * of times a second (the row `depth` of bench `wire`).
   */
  private readonly encoded = Buffer.allocUnsafeSlow(ENCODED_BYTES_MAX)

  constructor(quota: Quota, counters: ThreadCounters) {
    this.quota = quota
    this.counters = counters
  }

  /** Counts bytes kept for the address. Returns whether there was room. */
  take(address: string, bytes: number): boolean {
    if (this.quota.take(address, bytes)) {
      this.counters.set(GatewayCounter.unreadBytes, this.quota.total)
      return true
    }
    this.counters.add(GatewayCounter.unreadRefused, 1)
    return false
  }

  give(address: string, bytes: number): void {
    if (bytes === 0) return
    this.quota.give(address, bytes)
    this.counters.set(GatewayCounter.unreadBytes, this.quota.total)
  }

  /**
   * Ends the response, whose status and headers are written, with its body. `from` is the client that
   * a trusted proxy named. After a PROXY header the response is its connection's last: uWebSockets.js
   * then buffers it whole, since tryEnd() cannot close.
   */
  end(response: HttpResponse, body: string | Uint8Array, from: Forwarded | undefined): void {
    const isLast = from?.byPreamble === true
    if (isLast || body.length < LONG_BYTES) {
      response.end(body, isLast)
      return
    }
    // Encoded once: for a text, its length, the call and the remainder would each encode it.
    const bytes = typeof body === 'string' ? this.encode(body) : body
    const [, isWhole] = response.tryEnd(bytes, bytes.length)
    if (isWhole) return
    // The memory of an encoded text, and of bytes that are no Buffer, is used again: copy it.
    const kept = body instanceof Buffer ? body : Buffer.from(bytes)
    this.keepRest(response, kept, from?.address)
  }

  /** Valid until the next call. */
  private encode(text: string): Buffer {
    if (text.length * LETTER_BYTES_MAX > ENCODED_BYTES_MAX) return Buffer.from(text)
    return this.encoded.subarray(0, this.encoded.write(text))
  }

  /** Sends the remainder as the client reads, or closes the connection for lack of room. */
  private keepRest(response: HttpResponse, body: Buffer, client: ArrayBuffer | undefined): void {
    const address = addressKey(client ?? response.getRemoteAddress())
    if (!this.take(address, body.length)) {
      response.onAborted(() => {})
      response.close()
      return
    }
    const over = () => this.give(address, body.length)
    response.onAborted(over)
    response.onWritable((offset) => {
      const [isWritten, isWhole] = response.tryEnd(body.subarray(offset), body.length)
      if (isWhole) over()
      return isWritten
    })
  }
}
