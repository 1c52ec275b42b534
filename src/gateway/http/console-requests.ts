/**
 * Pages for browsers: the console with its page at `/`, the documents, and the demo's keys for one-click
 * signing in. Everything is sent from memory.
 */
import type { HttpRequest, HttpResponse, TemplatedApp } from 'uWebSockets.js'
import { formOf, isKnown, type PageFile } from '../../base/page-files.ts'
import type { Forwarded } from '../limits/client-address.ts'
import type { RequestParts } from '../requests/request-parts.ts'
import { browserRequest, type DemoKey, isOwnBrowser } from './demo-sign-in.ts'
import { writeAnswer } from './http-response.ts'

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
) => void

export class ConsoleRequests {
  readonly #parts: RequestParts
  readonly #serve: Serve
  readonly #console: ConsoleParts

  constructor(parts: RequestParts, serve: Serve, console: ConsoleParts) {
    this.#parts = parts
    this.#serve = serve
    this.#console = console
  }

  /** Adds the routes of all files, of the page for HEAD alone: plain-requests.ts chooses who sees it. */
  route(app: TemplatedApp): void {
    const { files, docs } = this.#console
    for (const file of [...files, ...docs]) {
      app.head(file.path, (response, request) => this.send(file, response, request, true))
      if (file !== this.page) {
        app.get(file.path, (response, request) => this.send(file, response, request, false))
      }
    }
    // At its usual address too.
    const llms = docs.find(({ path }) => path === LLMS_FILE)
    if (llms !== undefined) app.get('/llms.txt', (to, from) => this.send(llms, to, from, false))
    app.post(DEMO_KEYS_PATH, (response, request) => this.#sendDemoKeys(response, request))
  }

  /** The page of `/`; undefined without a console. */
  get page(): PageFile | undefined {
    return this.#console.files.find(({ path }) => path === '/')
  }

  /** Sends a file, or that it has not changed. */
  send(file: PageFile, response: HttpResponse, request: HttpRequest, isHead: boolean): void {
    const encodings = request.getHeader('accept-encoding')
    const knownTags = request.getHeader('if-none-match')
    this.#serve(response, request, (_, from) => {
      const { outcomes, unread } = this.#parts
      const isTheSame = isKnown(knownTags, file)
      outcomes.answered(isTheSame ? 304 : 200)
      if (isTheSame) {
        response.writeStatus(`304 Not Modified\r\nETag: ${file.etag}`).endWithoutBody()
        return 0
      }
      const [encoding, bytes] = formOf(encodings, file)
      response.writeStatus('200 OK')
      for (const [name, value] of file.headers) response.writeHeader(name, value)
      if (encoding !== '') response.writeHeader('Content-Encoding', encoding)
      // With a length as its argument this ends the process: the header names it instead.
      if (isHead) response.writeHeader('Content-Length', String(bytes.length)).endWithoutBody()
      else unread.end(response, bytes, from)
      return isHead ? 0 : bytes.length
    })
  }

  /** The list is empty for all but the console in a browser on this machine. */
  #sendDemoKeys(response: HttpResponse, request: HttpRequest): void {
    const { outcomes, unread, clients, door, forwarding } = this.#parts
    const isTrustedProxy = clients.isTrusted(response.getRemoteAddress())
    const isOwn = !isTrustedProxy && isOwnBrowser(browserRequest(response, request))
    this.#serve(response, request, (weightUsed, from) => {
      outcomes.answered(200)
      const keys = isOwn && !forwarding.wasSeen ? this.#console.demoKeys : []
      const usable = keys.filter(({ apiKey }) => door.isUsable(apiKey))
      const moreHeaders = '\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff'
      const answer = { status: 200, json: JSON.stringify(usable), weightUsed, moreHeaders }
      writeAnswer(response, answer, true, unread, from)
      return answer.json.length
    })
  }
}
