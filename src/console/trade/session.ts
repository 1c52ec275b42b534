/**
 * A signed-in user: requests with the key's signature, over one connection of the WebSocket API; those that it does not
 * have, over REST. The secret is in the signer and nowhere else.
 */
import { type Params, queryOf, send } from '../net/api.ts'
import { ApiError } from '../net/api-error.ts'
import { type Answer, ApiSocket } from '../net/api-socket.ts'
import { serverNowMs } from '../net/server-clock.ts'
import { BLOCKED, type SocketState } from '../net/socket.ts'
import { roomToRead } from '../net/weight.ts'
import type { Signer } from './signer.ts'

/** A request that arrives later than this is refused. */
export const RECV_WINDOW_MS = 10_000

const SUBSCRIBE_AGAIN_MS = 5_000

export interface SessionOwner {
  /** Called with the state of the connection, and while it is `silent` with the time since the last message, ms. */
  readonly changed: (state: SocketState, silentMs: number) => void
  readonly event: (event: object) => void
  readonly refused: (error: ApiError) => void
  /** Called when the exchange has confirmed a subscription: events follow. */
  readonly subscribed: () => void
}

export class Session {
  readonly apiKey: string
  /** How the page names the user. */
  readonly name: string
  private readonly sign: Signer
  private socket: ApiSocket | undefined = undefined
  /** Whether the account's events arrive over the connection that is open. */
  private _isFollowing = false

  constructor(apiKey: string, name: string, sign: Signer) {
    this.apiKey = apiKey
    this.name = name
    this.sign = sign
  }

  /** Connects, and connects again after each loss. Resolves once a connection is open; throws when none opens. */
  connect({ changed, subscribed, ...owner }: SessionOwner): Promise<void> {
    return new Promise((resolve, reject) => {
      this.socket = new ApiSocket({
        ...owner,
        opened: () => {
          resolve()
          void this.follow(subscribed)
        },
        changed: (state, silentMs) => {
          if (state !== 'open' && state !== 'silent') this._isFollowing = false
          if (state === 'blocked') reject(new Error(BLOCKED))
          changed(state, silentMs)
        },
      })
    })
  }

  close(): void {
    this.socket?.close()
  }

  get isFollowing(): boolean {
    return this._isFollowing
  }

  /** Returns parameters with the key, the time and the signature: the names sorted, nothing encoded. */
  async signed(params: Params): Promise<Params & { readonly timestamp: number }> {
    const timestamp = serverNowMs()
    const given = Object.entries(params).filter(([, value]) => value !== undefined && value !== '')
    const fixed = { apiKey: this.apiKey, recvWindow: RECV_WINDOW_MS, timestamp }
    const all = { ...Object.fromEntries(given), ...fixed }
    const pairs = Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1))
    const payload = pairs.map(([name, value]) => `${name}=${value}`).join('&')
    return { ...all, signature: await this.sign(payload) }
  }

  /** Sends a request that is signed or needs no signature, once. Throws NotSent or ApiError. */
  async request<Body>(method: string, params: Params = {}): Promise<Answer<Body>> {
    if (this.socket === undefined) throw new Error('not signed in')
    return this.socket.request<Body>(method, params)
  }

  /** Queries data of the account. Throws NotSent or ApiError. */
  async ask<Body>(method: string, params: Params = {}): Promise<Body> {
    return (await this.request<Body>(method, await this.signed(params))).result
  }

  /** Queries data of the account, once the limits of this address have room. Throws NotSent or ApiError. */
  async read<Body>(method: string, params: Params = {}): Promise<Body> {
    await roomToRead()
    return this.ask<Body>(method, params)
  }

  /**
   * Sends a signed request to the REST API. A browser may send it again when its answer is lost: what changes something
   * has an id of its own. Throws ApiError.
   */
  async call<Body>(method: string, path: string, params: Params = {}): Promise<Body> {
    const times = { recvWindow: RECV_WINDOW_MS, timestamp: serverNowMs() }
    const query = queryOf({ ...params, ...times })
    const signature = encodeURIComponent(await this.sign(query))
    const headers = { 'X-MBX-APIKEY': this.apiKey }
    return (await send<Body>(method, path, `${query}&signature=${signature}`, headers)).body
  }

  private async follow(subscribed: () => void): Promise<void> {
    try {
      await this.subscribe()
      this._isFollowing = true
      subscribed()
    } catch (error) {
      // A lost connection subscribes when it is back.
      const isRefused = error instanceof ApiError && error.code !== 0
      if (isRefused) setTimeout(() => void this.follow(subscribed), SUBSCRIBE_AGAIN_MS)
    }
  }

  private async subscribe(): Promise<void> {
    const timestamp = serverNowMs()
    const payload = `apiKey=${this.apiKey}&timestamp=${timestamp}`
    const params = { apiKey: this.apiKey, timestamp, signature: await this.sign(payload) }
    await this.request('userDataStream.subscribe.signature', params)
  }
}
