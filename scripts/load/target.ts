/** The exchange under load, as REST clients see it: signs, sends, and reads what comes back. */
import { Pool } from 'undici'
import { UsageError } from '../command-line/usage-error.ts'
import type { AccountKey } from './keys.ts'

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly params?: Readonly<Record<string, string | number>>
  /** Names the account; signs unless `unsigned`. */
  readonly key?: AccountKey
  readonly unsigned?: true
}

/** Status 0 when no whole answer came; `failure` then has the reason. */
export interface Answer {
  readonly status: number
  readonly body: unknown
  readonly failure: string
  /** The error's code; 0 without one. */
  readonly code: number
  /** Seconds; 0 when the answer has none. */
  readonly retryAfter: number
}

/** What the target reported of its limits: the largest counts that its headers showed. */
export interface UsageSeen {
  readonly header: string
  readonly most: number
}

/** How often a request is sent that a limit refuses, and the longest wait in between. */
const ASKED_MAX = 5
const PAUSE_SECONDS_MAX = 180

const USAGE_HEADER = /^x-(mbx-used-weight|mbx-order-count|sapi-used)/
const TIMED_OUT = /^UND_ERR_(HEADERS|BODY|CONNECT)_TIMEOUT$/

export class Target {
  private readonly pool: Pool
  private readonly _usage = new Map<string, number>()
  /** Idle connections, and requests that wait for one. */
  private free: number
  private readonly waiting: (() => void)[] = []
  /** Added to this machine's clock to get the target's, ms. */
  private offsetMs = 0
  private _requests = 0

  /** `url` holds scheme, host and port; at most so many connections, answers waited for so long. */
  constructor(url: string, connections: number, timeoutMs: number) {
    this.free = connections
    this.pool = new Pool(url, {
      connections,
      pipelining: 1,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      connectTimeout: timeoutMs,
    })
  }

  /** All that were ever sent. */
  get requests(): number {
    return this._requests
  }

  get usage(): readonly UsageSeen[] {
    return [...this._usage].map(([header, most]) => ({ header, most }))
  }

  /** The target's time, ms. */
  nowMs(): number {
    return Date.now() + this.offsetMs
  }

  /** Measures how far the clocks are apart. Throws UsageError when the target does not answer. */
  async readClock(): Promise<void> {
    const beganMs = Date.now()
    const { serverTime } = await this.ask<{ serverTime: number }>('/api/v3/time')
    const half = (Date.now() - beganMs) / 2
    const apart = serverTime - beganMs - half
    // Within what the way there may take the clocks are the same.
    this.offsetMs = Math.abs(apart) <= half + 1 ? 0 : Math.round(apart)
  }

  /**
   * An answer that must be had; limits are waited for. Throws UsageError when it is refused otherwise,
   * or never comes.
   */
  async ask<Body>(path: string, rest: Omit<Request, 'path' | 'method'> = {}): Promise<Body> {
    let answer = await this.send({ method: 'GET', path, ...rest })
    for (let tried = 1; tried < ASKED_MAX && isLimit(answer.status); tried++) {
      await pauseFor(answer)
      answer = await this.send({ method: 'GET', path, ...rest })
    }
    if (answer.status === 200) return answer.body as Body
    const why = answer.failure || `${answer.status} ${JSON.stringify(answer.body)}`
    throw new UsageError(`GET ${path} was not answered: ${why}`)
  }

  /**
   * Never rejects. Signs when a connection is free, so that waiting for one makes nothing old; then `sent` is
   * called.
   */
  async send(request: Request, sent?: () => void): Promise<Answer> {
    if (this.free > 0) this.free--
    else await new Promise<void>((resolve) => this.waiting.push(resolve))
    sent?.()
    const answer = await this.sendNow(request)
    const next = this.waiting.shift()
    if (next === undefined) this.free++
    else next()
    return answer
  }

  private async sendNow(request: Request): Promise<Answer> {
    const { method, key } = request
    this._requests++
    try {
      const { statusCode, headers, body } = await this.pool.request({
        method,
        path: this.pathOf(request),
        ...(key === undefined ? {} : { headers: { 'X-MBX-APIKEY': key.apiKey } }),
      })
      const text = await body.text()
      this.noteUsage(headers)
      return answerOf(statusCode, text, Number(headers['retry-after'] ?? 0))
    } catch (error) {
      const { code, name } = error as NodeJS.ErrnoException
      const failure = TIMED_OUT.test(code ?? '') ? 'timeout' : (code ?? name)
      return { status: 0, body: undefined, failure, code: 0, retryAfter: 0 }
    }
  }

  /** The path with its query, signed now. */
  pathOf({ path, params = {}, key, unsigned }: Request): string {
    const isSigned = key !== undefined && unsigned !== true
    const query = isSigned ? this.sign(key, params) : queryOf(params)
    return query === '' ? path : `${path}?${query}`
  }

  sign(key: AccountKey, params: Readonly<Record<string, string | number>>): string {
    const query = queryOf({ ...params, timestamp: this.nowMs() })
    return `${query}&signature=${key.signatureOf(query)}`
  }

  close(): Promise<void> {
    return this.pool.destroy()
  }

  private noteUsage(headers: Readonly<Record<string, string | string[] | undefined>>): void {
    for (const header in headers) {
      if (!USAGE_HEADER.test(header)) continue
      const used = Number(headers[header])
      if (used > (this._usage.get(header) ?? -1)) this._usage.set(header, used)
    }
  }
}

/** Too many requests, or banned for that. */
export const isLimit = (status: number): boolean => status === 429 || status === 418

/** As long as the answer of a limit demands. */
export function pauseFor({ retryAfter }: Answer): Promise<void> {
  const seconds = Math.min(PAUSE_SECONDS_MAX, Math.max(1, retryAfter))
  return new Promise((resolve) => setTimeout(resolve, 1000 * seconds))
}

function queryOf(params: Readonly<Record<string, string | number>>): string {
  let query = ''
  for (const name in params) {
    query += `${query === '' ? '' : '&'}${name}=${encodeURIComponent(params[name]!)}`
  }
  return query
}

function answerOf(status: number, text: string, retryAfter: number): Answer {
  try {
    const body: unknown = JSON.parse(text)
    const code = status === 200 ? 0 : Number((body as { code?: unknown } | null)?.code ?? 0)
    return { status, body, failure: '', code, retryAfter }
  } catch {
    return {
      status: 0,
      body: undefined,
      failure: `${status} that is not JSON`,
      code: 0,
      retryAfter,
    }
  }
}
