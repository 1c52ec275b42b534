/**
 * Headers that let web pages of other origins read responses (CORS). Public data may be read from any
 * origin. Operations that need a key may be called from the origins that a setting names.
 *
 * The exchange keeps no cookies: a page without a key can do no more than a stranger.
 */
import type { HttpRequest } from 'uWebSockets.js'
import type { Operation } from '../../api/operations/index.ts'
import { assert } from '../../base/assert.ts'
import { parseOrigins } from '../../base/origins.ts'
import { LEADER_HEADER } from '../../pipeline/leadership.ts'
import { FAULT_HEADER, SBE_DEPRECATED_HEADER } from './http-response.ts'

/** Time for which a browser may keep the answer to a preflight request. */
const PREFLIGHT_SECONDS = 7_200
/** Header lines of what pages of every origin may read. */
export const PUBLIC =
  '\r\nAccess-Control-Allow-Origin: *\r\nAccess-Control-Allow-Methods: GET, OPTIONS'
/** Headers of responses that a page may read besides those that every page may. */
const EXPOSED = [
  ...['X-MBX-USED-WEIGHT', 'X-MBX-USED-WEIGHT-1M', 'X-MBX-ORDER-COUNT-1S'],
  ...['X-MBX-ORDER-COUNT-1D', 'Retry-After', 'X-RINGBOOK-STAGES', LEADER_HEADER],
  FAULT_HEADER,
  SBE_DEPRECATED_HEADER,
].join(', ')
/** Headers that a page may send besides those that every page may. */
const ACCEPTED = [
  ...['X-MBX-APIKEY', 'X-MBX-TIME-UNIT', 'X-MBX-SBE', 'X-RINGBOOK-RECEIPT', 'Content-Type'],
].join(', ')

export class CrossOrigin {
  private readonly origins: ReadonlySet<string>

  /** `origins`: the setting's text, which was checked when it was read. */
  constructor(origins: string) {
    const parsed = parseOrigins(origins)
    assert(parsed !== undefined, 'the settings were checked when they were read')
    this.origins = new Set(parsed)
  }

  /** Returns the header lines of a response, each begun with CRLF; or ''. */
  headers(operation: Operation, request: HttpRequest): string {
    if (operation.security === 'NONE') return PUBLIC
    if (this.origins.size === 0) return ''
    const origin = request.getHeader('origin')
    return this.isNamed(origin) ? `${allowed(origin)}${exposed}` : '\r\nVary: Origin'
  }

  /** Returns the header lines of the answer to a preflight request for one path's operations. */
  preflightHeaders(operations: readonly Operation[], request: HttpRequest): string {
    const origin = request.getHeader('origin')
    if (this.isNamed(origin)) return `${allowed(origin)}${methodsOf(operations)}${accepted}`
    return operations.some(({ security }) => security === 'NONE') ? PUBLIC : '\r\nVary: Origin'
  }

  private isNamed(origin: string): boolean {
    return this.origins.has(origin)
  }
}

const allowed = (origin: string) => `\r\nVary: Origin\r\nAccess-Control-Allow-Origin: ${origin}`
const exposed = `\r\nAccess-Control-Expose-Headers: ${EXPOSED}`
const accepted =
  `\r\nAccess-Control-Allow-Headers: ${ACCEPTED}` +
  `\r\nAccess-Control-Max-Age: ${PREFLIGHT_SECONDS}`
const methodsOf = (operations: readonly Operation[]) =>
  `\r\nAccess-Control-Allow-Methods: ${operations.map(({ method }) => method).join(', ')}, OPTIONS`
