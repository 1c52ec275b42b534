/**
 * One HTTP response: status, the headers of rest-api.md, limits, the answer. Every response of REST is written here,
 * in one corked call, and never after the client has gone.
 */

import type { HttpResponse } from 'uWebSockets.js'
import { getBuiltinModule } from 'node:process'
import { jsonEncoder } from '../../api/answers/encoders.ts'
import type { Ms } from '../../base/units.ts'
import type { Forwarded } from '../limits/client-address.ts'
import { retryAfterSeconds } from '../limits/limiters.ts'
import type { UnreadBytes } from '../limits/unread.ts'

const REASONS: Readonly<Record<number, string>> = {
  200: 'OK',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  406: 'Not Acceptable',
  409: 'Conflict',
  413: 'Payload Too Large',
  418: "I'm a teapot",
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

/** `404 Not Found`. Loads the names of others with the first: node:http takes 5 ms of each gateway's start. */
const statusText = (status: number): string =>
  `${status} ${REASONS[status] ?? getBuiltinModule('node:http').STATUS_CODES[status] ?? 'Unknown'}`

const JSON_TYPE = jsonEncoder.mediaType
/** The pages have their own style and nothing else: a browser must not run or fetch more. */
const HTML_TYPE =
  'text/html;charset=UTF-8\r\nX-Content-Type-Options: nosniff\r\nContent-Security-Policy: ' +
  "default-src 'none'; style-src 'unsafe-inline'"

/** Names the fault rules of the sandbox that touched the request, in a header for each. */
export const FAULT_HEADER = 'X-Ringbook-Fault'
/** Stands where the request named an older version of SBE's schema. */
export const SBE_DEPRECATED_HEADER = 'X-MBX-SBE-DEPRECATED'

/**
 * uWebSockets.js closes a connection that is idle for 8 to 12 seconds. Clients that know it open another
 * one in time, instead of losing a request.
 */
export const KEEP_ALIVE_SECONDS = 8
const KEEP_ALIVE = `\r\nKeep-Alive: timeout=${KEEP_ALIVE_SECONDS}`

/** The weight used, where the exchange has no limits and shows none. */
export const UNCOUNTED = -1

const HEADS_MAX = 16_384
const heads = new Map<number, string>()

/**
 * Status and the headers of every response, as one text: uWebSockets.js copies the text between status
 * line and body, and each call into it has a cost.
 */
function headOf(status: number, weightUsed: number, mediaType = JSON_TYPE): string {
  // Encoders write JSON, or messages of one other type.
  const key = (weightUsed * 1_000 + status) * 2 + (mediaType === JSON_TYPE ? 0 : 1)
  let head = heads.get(key)
  if (head === undefined) {
    head = `${statusText(status)}${KEEP_ALIVE}\r\nContent-Type: ${mediaType}`
    if (weightUsed !== UNCOUNTED) {
      head += `\r\nX-MBX-USED-WEIGHT: ${weightUsed}\r\nX-MBX-USED-WEIGHT-1M: ${weightUsed}`
    }
    if (heads.size < HEADS_MAX) heads.set(key, head)
  }
  return head
}

export interface HttpAnswer {
  readonly status: number
  readonly payload: string | Uint8Array
  /** Of the payload; JSON's when left out. */
  readonly mediaType?: string
  readonly weightUsed: number
  /** Further header lines, each begun with CRLF; or ''. */
  readonly moreHeaders: string
  /** Whether the method is HEAD: the headers alone are sent, those of GET. */
  readonly isHead?: boolean
}

/** Ends a response to HEAD, whose status and headers are written. GET would send so many bytes. */
export function endHead(response: HttpResponse, bytes: number, from: Forwarded | undefined): void {
  if (from?.byPreamble !== true) response.writeHeader('Content-Length', String(bytes))
  endEmpty(response, from)
}

/**
 * Ends a response that has no body. After a PROXY header it is its connection's last, which
 * uWebSockets.js closes only behind a length of 0. With an argument endWithoutBody() ends the process.
 */
export function endEmpty(response: HttpResponse, from: Forwarded | undefined): void {
  if (from?.byPreamble === true) response.end('', true)
  else response.endWithoutBody()
}

/**
 * Writes the response; `corked` when called within uWebSockets.js's own callback for the request.
 * `from` is the client that a trusted proxy named.
 */
export function writeAnswer(
  response: HttpResponse,
  answer: HttpAnswer,
  corked: boolean,
  kept: UnreadBytes,
  from: Forwarded | undefined,
): void {
  if (!corked) {
    response.cork(() => writeAnswer(response, answer, true, kept, from))
    return
  }
  const { status, payload, mediaType, weightUsed, moreHeaders, isHead } = answer
  const head = headOf(status, weightUsed, mediaType)
  response.writeStatus(moreHeaders === '' ? head : head + moreHeaders)
  if (isHead === true) endHead(response, Buffer.byteLength(payload), from)
  else kept.end(response, payload, from)
}

/** Status and headers of a response that ends its connection. */
const lastHeadOf = (status: number, weightUsed: number, mediaType?: string): string =>
  headOf(status, weightUsed, mediaType).replace(KEEP_ALIVE, '')

/** Writes a response without a body, for unknown paths, and ends the connection after it. */
export function writeEmpty(response: HttpResponse, status: number, weightUsed: number): void {
  response.writeStatus(lastHeadOf(status, weightUsed)).end('', true)
}

/** Writes a response and closes the connection, since the remaining request is not read. */
export function writeLast(response: HttpResponse, answer: Omit<HttpAnswer, 'moreHeaders'>): void {
  const { status, weightUsed, mediaType, payload } = answer
  response.writeStatus(lastHeadOf(status, weightUsed, mediaType)).end(payload, true)
}

/** The page for an unknown path that a browser requested (errors.md). */
export const NOT_FOUND_PAGE = '<html><body><h2>404 Not Found</h2></body></html>'

export interface HtmlAnswer extends Pick<HttpAnswer, 'status' | 'weightUsed' | 'isHead'> {
  readonly html: string
  /** Further header lines, each begun with CRLF. */
  readonly moreHeaders?: string
}

/** Writes HTML, within uWebSockets.js's own callback for the request. */
export function writePage(
  response: HttpResponse,
  { status, weightUsed, html, isHead, moreHeaders = '' }: HtmlAnswer,
  kept: UnreadBytes,
  from: Forwarded | undefined,
): void {
  response.writeStatus(headOf(status, weightUsed).replace(JSON_TYPE, HTML_TYPE) + moreHeaders)
  if (isHead === true) endHead(response, Buffer.byteLength(html), from)
  else kept.end(response, html, from)
}

/** Writes the first half of a response, within a cork: its connection is to end then. */
export function writeHalf(response: HttpResponse, answer: HttpAnswer): void {
  const { status, payload, mediaType, weightUsed, moreHeaders } = answer
  const body = Buffer.from(payload)
  response.writeStatus(headOf(status, weightUsed, mediaType) + moreHeaders)
  response.tryEnd(body.subarray(0, body.length >> 1), body.length)
}

/** Returns the header line of 429 and 418: `untilMs` is the time for a retry. */
export const retryAfterHeader = (untilMs: Ms, nowMs: Ms): string =>
  `\r\nRetry-After: ${retryAfterSeconds(untilMs, nowMs)}`
