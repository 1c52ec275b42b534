/**
 * Pages for browsers: the console with its page at `/`, the documents, and the demo's keys for one-click
 * signing in. Everything is sent from memory.
 */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { formOf, isKnown, type PageFile } from '../../base/page-files.ts'
import type { Forwarded } from '../limits/client-address.ts'
import { browserRequest, type DemoKey, isOwnBrowser, isOwnReader } from './demo-sign-in.ts'
import type { HttpParts } from './http-parts.ts'
import { endEmpty, endHead, writeAnswer } from './http-response.ts'
import type { Routes } from './routes.ts'

export const DEMO_KEYS_PATH = '/console/demo-keys'
const LLMS_FILE = '/docs/llms.txt'

export interface ConsoleParts {
  /** None without a console. */
  readonly files: readonly PageFile[]
  /** None where they were not built. */
  readonly docs: readonly PageFile[]
  /** None where the console does not offer them. */
  readonly demoKeys: readonly DemoKey[]
}

/** Charges a request, and calls back unless a limit refuses it. */
type Serve = (
  response: HttpResponse,
  request: HttpRequest,
  answer: (weightUsed: number, from: Forwarded | undefined) => number,
  passesBans?: boolean,
) => void

export class ConsoleRequests {
  private readonly parts: HttpParts
  private readonly serve: Serve
  private readonly console: ConsoleParts
  /** The console's files, which a ban does not keep from a browser on this machine. */
  private readonly own: ReadonlySet<PageFile>

  constructor(parts: HttpParts, serve: Serve, console: ConsoleParts) {
    this.parts = parts
    this.serve = serve
    this.console = console
    this.own = new Set(console.files)
  }

  /** Adds the routes of all files but the page: plain-requests.ts chooses who sees it. */
  route(routes: Routes): void {
    const { files, docs } = this.console
    const add = (path: string, file: PageFile) => {
      routes.add('head', path, (response, request) => this.send(file, response, request, true))
      routes.add('get', path, (response, request) => this.send(file, response, request, false))
    }
    for (const file of [...files, ...docs]) if (file !== this.page) add(file.path, file)
    // At its usual address too.
    const llms = docs.find(({ path }) => path === LLMS_FILE)
    if (llms !== undefined) add('/llms.txt', llms)
    routes.add('post', DEMO_KEYS_PATH, (response, request) => this.sendDemoKeys(response, request))
  }

  /** The page of `/`; undefined without a console. */
  get page(): PageFile | undefined {
    return this.console.files.find(({ path }) => path === '/')
  }

  /** Sends a file, or that it has not changed. */
  send(file: PageFile, response: HttpResponse, request: HttpRequest, isHead: boolean): void {
    const encodings = request.getHeader('accept-encoding')
    const knownTags = request.getHeader('if-none-match')
    const isOwnPage = this.own.has(file) && isOwnReader(browserRequest(response, request))
    const passesBans = isOwnPage && !this.parts.clients.isTrusted(response.getRemoteAddress())
    const answer = (_: number, from: Forwarded | undefined) => {
      const { outcomes, unread } = this.parts
      const isTheSame = isKnown(knownTags, file)
      outcomes.answered(isTheSame ? 304 : 200)
      if (isTheSame) {
        response.writeStatus(`304 Not Modified\r\nETag: ${file.etag}`)
        endEmpty(response, from)
        return 0
      }
      const [encoding, bytes] = formOf(encodings, file)
      response.writeStatus('200 OK')
      for (const [name, value] of file.headers) response.writeHeader(name, value)
      if (!this.own.has(file)) response.writeHeader('Access-Control-Allow-Origin', '*')
      if (encoding !== '') response.writeHeader('Content-Encoding', encoding)
      if (isHead) endHead(response, bytes.length, from)
      else unread.end(response, bytes, from)
      return isHead ? 0 : bytes.length
    }
    this.serve(response, request, answer, passesBans)
  }

  /** The list is empty for all but the console in a browser on this machine. */
  private sendDemoKeys(response: HttpResponse, request: HttpRequest): void {
    const { outcomes, unread, clients, authenticator, forwarding } = this.parts
    const isTrustedProxy = clients.isTrusted(response.getRemoteAddress())
    const isOwn = !isTrustedProxy && isOwnBrowser(browserRequest(response, request))
    this.serve(response, request, (weightUsed, from) => {
      outcomes.answered(200)
      const keys = isOwn && !forwarding.wasSeen ? this.console.demoKeys : []
      const usable = keys.filter(({ apiKey }) => authenticator.isUsable(apiKey))
      const moreHeaders = '\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff'
      const answer = { status: 200, payload: JSON.stringify(usable), weightUsed, moreHeaders }
      writeAnswer(response, answer, true, unread, from)
      return answer.payload.length
    })
  }
}
