/**
 * HTTP requests that are no operation: pages, the OpenAPI document, preflight requests of browsers,
 * unknown paths. Each is charged like the lightest operation.
 */

import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { errorRows, shownError } from '../../api/answers/errors.ts'
import { bytesOf } from '../../api/answers/json.ts'
import { errorCode, errorStatus, type Fault } from '../../api/errors.ts'
import { OPENAPI_PATH, openapiDocument } from '../../api/openapi/document.ts'
import { FRONT_PATH, frontPage, frontText } from '../../api/openapi/front-page.ts'
import type { Operation } from '../../api/operations/index.ts'
import type { PageFile } from '../../base/page-files.ts'
import type { Ms } from '../../base/units.ts'
import { ROLE_PATH } from '../../pipeline/leadership.ts'
import type { MadeError } from '../../pipeline/request.ts'
import { GatewayCounter } from '../../shared/counters.ts'
import type { AddressHandle } from '../limits/address-table.ts'
import type { Forwarded } from '../limits/client-address.ts'
import type { Refusal } from '../limits/rate-limits.ts'
import { type ConsoleParts, ConsoleRequests } from './console-requests.ts'
import { PUBLIC } from './cross-origin.ts'
import type { HttpParts } from './http-parts.ts'
import {
  NOT_FOUND_PAGE,
  retryAfterHeader,
  UNCOUNTED,
  writeAnswer,
  writeEmpty,
  writePage,
} from './http-response.ts'
import type { Routes } from './routes.ts'

const LEAST_WEIGHT = 1
/** Below them paths are operations: clients expect JSON. */
const OPERATIONS = /^\/s?api(?:\/|$)/

/** Makers of a document as JSON, or as a page. */
interface DocumentForms {
  readonly json: () => string
  readonly page?: () => string
  /** The page as a file, which wins over `page`. */
  readonly file?: PageFile | undefined
}

export class PlainRequests {
  private readonly parts: HttpParts
  private readonly console: ConsoleRequests

  constructor(parts: HttpParts, console: ConsoleParts) {
    this.parts = parts
    this.console = new ConsoleRequests(parts, this.serve.bind(this), console)
  }

  /** Adds the routes of documents, of pages, and of preflight requests for these operations. */
  route(routes: Routes, operations: readonly Operation[]): void {
    for (const [path, same] of byPath(operations)) this.preflight(routes, path, same)
    this.document(routes, OPENAPI_PATH, {
      json: () => JSON.stringify(openapiDocument(operations)),
    })
    this.document(routes, FRONT_PATH, {
      json: frontText,
      page: frontPage,
      file: this.console.page,
    })
    this.console.route(routes)
    this.role(routes)
  }

  /** Tells load balancers and clients who leads: 200 for the leader, 503 for others. */
  private role(routes: Routes): void {
    readable(routes, ROLE_PATH, (response, request, isHead) => {
      this.serve(response, request, (used, from) => {
        const { leadership, outcomes, unread } = this.parts
        const { status, json } = leadership.report()
        outcomes.answered(status)
        const moreHeaders = `\r\nCache-Control: no-store${leadership.headerLine()}`
        const answer = { status, payload: json, weightUsed: used, moreHeaders, isHead }
        writeAnswer(response, answer, true, unread, from)
        return json.length
      })
    })
  }

  /** Answers the preflight request of browsers: whether a page of another origin may send a request. */
  private preflight(routes: Routes, path: string, operations: readonly Operation[]): void {
    routes.add('options', path, (response, request) => {
      const { crossOrigin, outcomes, unread } = this.parts
      const moreHeaders = crossOrigin.preflightHeaders(operations, request)
      this.serve(response, request, (used, from) => {
        outcomes.answered(200)
        const answer = { status: 200, payload: '{}', weightUsed: used, moreHeaders }
        writeAnswer(response, answer, true, unread, from)
        return 0
      })
    })
  }

  /**
   * A text that never changes, made at its first request; charged like the lightest request. Where there
   * are both forms, browsers receive the page.
   */
  private document(routes: Routes, path: string, { json, page, file }: DocumentForms): void {
    const texts = new Map<() => string, string>()
    readable(routes, path, (response, request, isHead) => {
      const isPage = page !== undefined && acceptsPage(request)
      if (isPage && file !== undefined) {
        this.console.send(file, response, request, isHead)
        return
      }
      const make = isPage ? page : json
      this.serve(response, request, (used, from) => {
        const { outcomes, unread } = this.parts
        const text = texts.get(make) ?? make()
        texts.set(make, text)
        outcomes.answered(200)
        const shared = { status: 200, weightUsed: used, isHead }
        if (isPage) writePage(response, { ...shared, html: text }, unread, from)
        else {
          const answer = { ...shared, payload: text, moreHeaders: PUBLIC }
          writeAnswer(response, answer, true, unread, from)
        }
        return text.length
      })
    })
  }

  /** Whether the address sent so much after refusals that it gets no more responses. */
  isShutOut(address: AddressHandle, nowMs: Ms): boolean {
    return this.parts.rateLimits.guard.isShutOut(address, nowMs)
  }

  /**
   * Charges a request that is no operation. Calls `answer` unless a limit refuses it; it returns the
   * length of the body. No ban refuses a request that `passesBans`.
   */
  serve(
    response: HttpResponse,
    request: HttpRequest,
    answer: (weightUsed: number, from: Forwarded | undefined) => number,
    passesBans = false,
  ): void {
    const { rateLimits, clients, clock, counters, forwarding } = this.parts
    counters.add(GatewayCounter.requests, 1)
    forwarding.look(response, request)
    const nowMs = clock.nowMs()
    const from = clients.forwarded(response, request)
    const address = rateLimits.addressOf(from?.address ?? response.getRemoteAddress(), nowMs)
    const refusal = rateLimits.chargeRequest(address, LEAST_WEIGHT, nowMs)
    const used = this.weightUsed
    const { guard } = rateLimits
    const respond = () => guard.answered(address, answer(used, from), nowMs)
    const passes = passesBans && refusal?.fault.id === 'ADDRESS_BANNED'
    if (refusal === undefined || passes) this.answerLast(response, from, respond)
    else if (from === undefined && this.isShutOut(address, nowMs)) response.close()
    else this.refuse(response, from, refusal, nowMs)
  }

  /** The weight used by the last charged request, for headers. */
  private get weightUsed(): number {
    const { enabled, weightUsed } = this.parts.rateLimits
    return enabled ? weightUsed : UNCOUNTED
  }

  /** Refuses with the time for a retry. */
  refuse(
    response: HttpResponse,
    from: Forwarded | undefined,
    { fault, untilMs }: Refusal,
    nowMs: Ms,
  ): void {
    this.fail(response, from, fault, retryAfterHeader(untilMs, nowMs))
  }

  /** Refuses; `moreHeaders` as writeAnswer takes them. */
  fail(
    response: HttpResponse,
    from: Forwarded | undefined,
    { id, detail }: Fault,
    moreHeaders: string,
  ): void {
    const { outcomes, unread } = this.parts
    const status = errorStatus(id)
    outcomes.answered(status)
    outcomes.refused(errorCode(id))
    const shared = { status, weightUsed: this.weightUsed, moreHeaders }
    this.answerLast(response, from, () => {
      const answer = { ...shared, payload: bytesOf(errorRows(id, detail)) }
      writeAnswer(response, answer, true, unread, from)
    })
  }

  /** Refuses a handshake with an error of the sandbox. */
  failMade(response: HttpResponse, from: Forwarded | undefined, error: MadeError): void {
    const { outcomes, unread } = this.parts
    const { status, row, html, retrySeconds } = error
    outcomes.answered(status)
    outcomes.refused(row.code)
    const moreHeaders = retrySeconds === undefined ? '' : `\r\nRetry-After: ${retrySeconds}`
    const shared = { status, weightUsed: this.weightUsed, moreHeaders }
    this.answerLast(response, from, () => {
      if (html !== undefined) writePage(response, { ...shared, html }, unread, from)
      else {
        const answer = { ...shared, payload: bytesOf(shownError(row)) }
        writeAnswer(response, answer, true, unread, from)
      }
    })
  }

  serveNotFound(response: HttpResponse, request: HttpRequest): void {
    const isPage = acceptsPage(request)
    const isHead = request.getMethod() === 'head'
    const isOperation = OPERATIONS.test(request.getUrl())
    this.serve(response, request, (used, from) => {
      const { outcomes, unread } = this.parts
      outcomes.answered(404)
      const shared = { status: 404, weightUsed: used, isHead }
      if (isPage) writePage(response, { ...shared, html: NOT_FOUND_PAGE }, unread, from)
      else if (isOperation) {
        outcomes.refused(errorCode('UNSUPPORTED_OPERATION'))
        const payload = bytesOf(errorRows('UNSUPPORTED_OPERATION'))
        writeAnswer(response, { ...shared, payload, moreHeaders: PUBLIC }, true, unread, from)
      }
      // Responses without a body have no bound: a client that reads none would hold megabytes.
      else writeEmpty(response, 404, used)
      return 0
    })
  }

  /**
   * Calls `answer`. Where a PROXY header names the client it calls it in a later tick. The response is
   * the connection's last, so that no second header counts (rest.ts).
   */
  private answerLast(
    response: HttpResponse,
    from: Forwarded | undefined,
    answer: () => void,
  ): void {
    if (from?.byPreamble !== true) {
      answer()
      return
    }
    let isGone = false
    response.onAborted(() => {
      isGone = true
    })
    this.parts.clock.defer(() => {
      if (!isGone) response.cork(answer)
    })
  }
}

/** Adds a route for GET and HEAD. */
function readable(
  routes: Routes,
  path: string,
  serve: (response: HttpResponse, request: HttpRequest, isHead: boolean) => void,
): void {
  routes.add('get', path, (response, request) => serve(response, request, false))
  routes.add('head', path, (response, request) => serve(response, request, true))
}

/** Whether a browser sent it. */
const acceptsPage = (request: HttpRequest): boolean =>
  request.getHeader('accept').includes('text/html')

function byPath(operations: readonly Operation[]): ReadonlyMap<string, readonly Operation[]> {
  const paths = new Map<string, Operation[]>()
  for (const operation of operations) {
    const others = paths.get(operation.path)
    if (others === undefined) paths.set(operation.path, [operation])
    else others.push(operation)
  }
  return paths
}
