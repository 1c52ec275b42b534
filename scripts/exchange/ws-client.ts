/** One connection to the WebSocket API: each request gets its own answer. */
import { type AccountKey, signedParams } from '../load/keys.ts'
import { Socket } from '../load/streams/socket.ts'
import type { Answer } from '../load/target.ts'

type Params = Readonly<Record<string, string | number>>

const lost: Answer = {
  status: 0,
  body: undefined,
  failure: 'connection lost',
  code: 0,
  retryAfter: 0,
}
const late: Answer = { ...lost, failure: 'timeout' }

export class WsClient {
  private readonly url: string
  private readonly key: AccountKey
  private readonly timeoutMs: number
  private socket: Socket | undefined = undefined
  private opening: Promise<Socket> | undefined = undefined
  private id = 0
  private readonly waiting = new Map<number, (answer: Answer) => void>()

  /** `url` is that of the WebSocket API. The connection opens with the first request. */
  constructor(url: string, key: AccountKey, timeoutMs: number) {
    this.url = url
    this.key = key
    this.timeoutMs = timeoutMs
  }

  get isOpen(): boolean {
    return this.socket?.isOpen === true
  }

  /** Signed. Never rejects. */
  send(method: string, params: Params): Promise<Answer> {
    return this.request(method, () => signedParams(this.key, params))
  }

  /** Never rejects. */
  query(method: string, params: Params): Promise<Answer> {
    return this.request(method, () => params)
  }

  private async request(method: string, params: () => Params): Promise<Answer> {
    try {
      const socket = await this.open()
      const id = ++this.id
      const answer = new Promise<Answer>((resolve) => this.waiting.set(id, resolve))
      socket.send({ id, method, params: params() })
      const timer = setTimeout(() => this.settle(id, late), this.timeoutMs)
      return await answer.finally(() => clearTimeout(timer))
    } catch (error) {
      return { ...lost, failure: (error as Error).name }
    }
  }

  close(): void {
    this.socket?.close()
    this.end()
  }

  private async open(): Promise<Socket> {
    if (this.socket !== undefined && this.isOpen) return this.socket
    this.opening ??= Socket.open(
      this.url,
      (frame) => this.take(frame),
      () => this.end(),
    ).finally(() => {
      this.opening = undefined
    })
    this.socket = await this.opening
    return this.socket
  }

  private take(frame: Readonly<Record<string, unknown>>): void {
    const { id, status, result, error } = frame
    const isWell = status === 200
    this.settle(Number(id), {
      status: Number(status),
      body: isWell ? result : error,
      failure: '',
      code: isWell ? 0 : Number((error as { code?: unknown } | undefined)?.code ?? 0),
      retryAfter: 0,
    })
  }

  private settle(id: number, answer: Answer): void {
    this.waiting.get(id)?.(answer)
    this.waiting.delete(id)
  }

  private end(): void {
    for (const id of [...this.waiting.keys()]) this.settle(id, lost)
  }
}
