/** The smallest signing client: the spec's Authentication, and nothing more. */
import { createHmac } from 'node:crypto'
import type { DemoKey } from './exchange-process.ts'

export interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

export class SignedClient {
  private readonly url: string
  private readonly key: DemoKey
  private readonly nowMs: () => number

  constructor(url: string, key: DemoKey, nowMs: () => number = Date.now) {
    this.url = url
    this.key = key
    this.nowMs = nowMs
  }

  /** The query string of a signed request made now. */
  sign(params: Record<string, string | number>): string {
    const query = new URLSearchParams(
      Object.entries({ ...params, timestamp: this.nowMs() }).map(
        ([name, value]): [string, string] => [name, String(value)],
      ),
    ).toString()
    const signature = createHmac('sha256', this.key.secretKey).update(query).digest('hex')
    return `${query}&signature=${signature}`
  }

  async send(
    method: string,
    path: string,
    params: Record<string, string | number> = {},
    signal?: AbortSignal,
  ): Promise<Answer> {
    const response = await fetch(`${this.url}${path}?${this.sign(params)}`, {
      method,
      headers: { 'X-MBX-APIKEY': this.key.apiKey },
      ...(signal !== undefined && { signal }),
    })
    return { status: response.status, body: (await response.json()) as Answer['body'] }
  }
}
