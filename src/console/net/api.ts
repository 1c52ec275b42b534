/** Calls of the public REST API at the address that served the page. */
import type { Wire } from '../../api/answers/element.ts'
import type { errorAnswer } from '../../api/answers/errors.ts'
import { ApiError } from './api-error.ts'
import { takeServerTime } from './server-clock.ts'
import { notePause, noteWeight, roomToRead } from './weight.ts'

export type Params = Readonly<Record<string, string | number | boolean | undefined>>

export interface Reply<Body> {
  readonly body: Body
  readonly headers: Headers
}

/** A request that hangs ends after this long. */
const TIMEOUT_MS = 15_000
/** Times of the exchange that a measurement of its clock takes. */
const SAMPLES = 3

/** Returns parameters as a query, in their order; those that are undefined or '' are left out. */
export function queryOf(params: Params): string {
  return Object.entries(params)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&')
}

/** Sends a request. Throws ApiError for a refusal, and for a server that cannot be reached. */
export async function send<Body>(
  method: string,
  path: string,
  query: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply<Body>> {
  const address = query === '' ? path : `${path}?${query}`
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const init: RequestInit = { method, headers, signal, credentials: 'omit', cache: 'no-store' }
  const response = await fetch(address, init).catch(({ name }: Error) => {
    const isLate = name === 'TimeoutError'
    const text = isLate ? 'has not responded in time' : 'cannot be reached'
    throw new ApiError(0, 0, `The exchange ${text}.`)
  })
  const used = response.headers.get('x-mbx-used-weight-1m')
  if (used !== null) noteWeight(Number(used))
  const pauseSeconds = response.headers.get('retry-after')
  if (pauseSeconds !== null) notePause(Number(pauseSeconds) * 1_000)
  const body = await response.json().catch(() => undefined)
  if (response.ok && body !== undefined) return { body, headers: response.headers }
  throw refusalOf(response.status, body)
}

type Refusal = Partial<Wire<typeof errorAnswer>>

function refusalOf(status: number, body: Refusal | undefined): ApiError {
  const code = body?.code ?? 0
  return new ApiError(status, code, body?.msg ?? `The exchange answered ${status}.`, body?.data)
}

/** Reads public data, once the limits of this address have room for it. */
export async function read<Body>(path: string, params: Params = {}): Promise<Body> {
  await roomToRead()
  return (await send<Body>('GET', path, queryOf(params))).body
}

/** Returns the address of a WebSocket of the exchange that served the page. */
export function socketAddress(path: string): string {
  return `${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}${path}`
}

/** Measures the distance to the exchange's clock, after a pause. Throws when the exchange cannot be reached. */
export async function measureClock(): Promise<void> {
  for (let i = 0; i < SAMPLES; i++) {
    await roomToRead(false)
    const sentMs = performance.now()
    const { body } = await send<{ readonly serverTime: number }>('GET', '/api/v3/time', '')
    takeServerTime(body.serverTime, performance.now() - sentMs)
  }
}
