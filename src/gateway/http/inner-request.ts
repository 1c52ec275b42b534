/**
 * A request of this process to a gateway on the same event loop: it passes the handlers that requests of the
 * network pass, without sockets. No time passes on its way, and nothing else of the loop decides when it arrives.
 */

import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { nextTick } from 'node:process'

export interface InnerRequest {
  /** In capitals. */
  readonly method: string
  /** Path and query, encoded as in a URL. */
  readonly target: string
  /** By name in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The client's address, 4 or 16 bytes, by which limits count it. */
  readonly address: ArrayBuffer
}

export interface InnerAnswer {
  readonly status: number
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
}

export type ServeInner = (response: HttpResponse, request: HttpRequest) => void

/** Resolves to the answer. Rejects when the connection would end without a whole one. */
export function askInner(request: InnerRequest, serve: ServeInner): Promise<InnerAnswer> {
  return new Promise((resolve, reject) => {
    const response = new InnerResponse(request, resolve, reject)
    serve(response as unknown as HttpResponse, requestOf(request))
  })
}

/** What handlers use of a request. */
function requestOf({ method, target, headers = {}, body = '' }: InnerRequest): HttpRequest {
  const [path = '', ...query] = target.split('?')
  const length: Readonly<Record<string, string>> =
    body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const all = { ...headers, ...length }
  return {
    getUrl: () => path,
    getQuery: () => query.join('?'),
    getMethod: () => method.toLowerCase(),
    getHeader: (name: string | ArrayBuffer) =>
      all[typeof name === 'string' ? name : Buffer.from(name).toString()] ?? '',
    forEach: (each: (name: string, value: string) => void) => {
      for (const [name, value] of Object.entries(all)) each(name, value)
    },
  } as unknown as HttpRequest
}

/** What handlers use of a response. */
class InnerResponse {
  private readonly request: InnerRequest
  private readonly resolve: (answer: InnerAnswer) => void
  private readonly reject: (error: Error) => void
  private status = 0
  private readonly headers: Record<string, string> = {}

  constructor(
    request: InnerRequest,
    resolve: (answer: InnerAnswer) => void,
    reject: (error: Error) => void,
  ) {
    this.request = request
    this.resolve = resolve
    this.reject = reject
  }

  getRemoteAddress(): ArrayBuffer {
    return this.request.address
  }

  getProxiedRemoteAddress(): ArrayBuffer {
    return new ArrayBuffer(0)
  }

  /** Ignored: the client waits until the end. */
  onAborted(): this {
    return this
  }

  onData(take: (chunk: ArrayBuffer, isLast: boolean) => void): this {
    const { body = '' } = this.request
    // As the body of a socket, which arrives in a separate callback.
    nextTick(() => take(new TextEncoder().encode(body).buffer, true))
    return this
  }

  cork(write: () => void): this {
    write()
    return this
  }

  /** `head` is a status, which header lines may follow. */
  writeStatus(head: string): this {
    const [status = '', ...lines] = head.split('\r\n')
    this.status = Number(status.slice(0, 3))
    for (const line of lines) {
      const colon = line.indexOf(': ')
      this.writeHeader(line.slice(0, colon), line.slice(colon + 2))
    }
    return this
  }

  /** A header that comes twice has both values, as fetch joins them. */
  writeHeader(name: string, value: string): this {
    const lower = name.toLowerCase()
    const before = this.headers[lower]
    this.headers[lower] = before === undefined ? value : `${before}, ${value}`
    return this
  }

  end(body: string | Uint8Array = ''): this {
    // The memory of bytes is used again.
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body.slice()
    this.resolve({ status: this.status, headers: this.headers, body: bytes })
    return this
  }

  endWithoutBody(): this {
    return this.end()
  }

  tryEnd(body: string | Uint8Array, length: number): [boolean, boolean] {
    const isWhole = body.length >= length
    if (isWhole) this.end(body)
    return [true, isWhole]
  }

  close(): this {
    this.reject(new Error('The connection was closed.'))
    return this
  }
}
