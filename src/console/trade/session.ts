/** A signed-in user: calls with the key's signature. The secret is in the signer and nowhere else. */
import { type Params, queryOf, type Reply, send } from '../net/api.ts'
import { serverNowMs } from '../net/server-clock.ts'
import type { Signer } from './signer.ts'

/** A request that arrives later than this is refused. */
export const RECV_WINDOW_MS = 10_000

export class Session {
  readonly apiKey: string
  /** How the page names the user. */
  readonly name: string
  private readonly sign: Signer

  constructor(apiKey: string, name: string, sign: Signer) {
    this.apiKey = apiKey
    this.name = name
    this.sign = sign
  }

  /** Sends a signed request that asks for its receipt. Throws ApiError. */
  async call<Body>(method: string, path: string, params: Params = {}): Promise<Reply<Body>> {
    const timestamp = serverNowMs()
    const query = queryOf({ ...params, recvWindow: RECV_WINDOW_MS, timestamp })
    const signature = encodeURIComponent(await this.sign(query))
    const receipt = method === 'GET' ? {} : { 'X-RINGBOOK-RECEIPT': '1' }
    const headers = { 'X-MBX-APIKEY': this.apiKey, ...receipt }
    return send<Body>(method, path, `${query}&signature=${signature}`, headers)
  }

  async read<Body>(path: string, params: Params = {}): Promise<Body> {
    return (await this.call<Body>('GET', path, params)).body
  }

  /** Returns the request that subscribes a WebSocket to the account's events. */
  async subscription(id: number): Promise<string> {
    const timestamp = serverNowMs()
    const payload = `apiKey=${this.apiKey}&timestamp=${timestamp}`
    const params = { apiKey: this.apiKey, timestamp, signature: await this.sign(payload) }
    return JSON.stringify({ id, method: 'userDataStream.subscribe.signature', params })
  }
}
