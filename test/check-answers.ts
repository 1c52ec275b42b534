/**
 * Loaded before every test file: whatever comes from this machine, by `fetch`, over node's http (the
 * official connector) or over the package undici (ccxt), is held to the OpenAPI document on the way, and
 * so is what the WebSocket API answers over the package ws (all of them), so that every answer that any
 * test sees is checked.
 */
import { subscribe } from 'node:diagnostics_channel'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import path from 'node:path'
import { afterAll } from 'vitest'
import type { RawData, WebSocket } from 'ws'
import type * as AnswerShapes from './fixtures/answer-shapes.ts'

const isOurs = (hostname: string, path: string): boolean =>
  hostname === '127.0.0.1' && /^\/s?api\//.test(path)

const isJson = (type: string | null | undefined): boolean =>
  type?.startsWith('application/json') ?? false

/** Built, it is one file instead of hundreds. Tests of a built exchange take it so. */
const built = path.resolve('dist/test/fixtures/answer-shapes.js')
const loadShapes = (): Promise<typeof AnswerShapes> =>
  process.env.ANSWER_SHAPES === 'built'
    ? import(/* @vite-ignore */ built)
    : import('./fixtures/answer-shapes.ts')

/** Only few test files ask anything, and only they pay for the document. */
async function check(method: string, target: string, status: number, text: string): Promise<void> {
  const { expectShape } = await loadShapes()
  if (text !== '') expectShape(method, target, status, JSON.parse(text))
}

/** Checks that have begun and not ended, and what those that ended have found. */
interface Checks {
  readonly pending: Set<Promise<void>>
  readonly failures: unknown[]
}

/** Test files that share a process share its checks. */
const shared = globalThis as { ringbookChecks?: Checks }
const isFirst = shared.ringbookChecks === undefined
shared.ringbookChecks ??= { pending: new Set(), failures: [] }
const { pending, failures } = shared.ringbookChecks

/** A check that its caller does not wait for: the test file does, at its end. */
function checkBeside(check: Promise<void>): void {
  const ended = check
    .catch((failure) => void failures.push(failure))
    .finally(() => pending.delete(ended))
  pending.add(ended)
}

afterAll(async () => {
  while (pending.size > 0) await Promise.all(pending)
  const [failure] = failures.splice(0)
  if (failure !== undefined) throw failure
})

const plainFetch = globalThis.fetch

async function checkedFetch(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const response = await plainFetch(input, init)
  const { pathname, hostname } = new URL(response.url)
  if (isOurs(hostname, pathname) && isJson(response.headers.get('content-type'))) {
    const text = await response.clone().text()
    await check(init?.method ?? 'GET', pathname, response.status, text)
  }
  return response
}

/** What `http.client.response.finish` carries, which comes before the body. */
interface Exchanged {
  readonly request: ClientRequest
  readonly response: IncomingMessage
}

function checkResponse(message: unknown): void {
  const { request, response } = message as Exchanged
  const path = request.path.split('?')[0]!
  if (!isOurs(request.host, path) || !isJson(response.headers['content-type'])) return
  const chunks: Buffer[] = []
  const push = response.push.bind(response)
  response.push = (chunk: Buffer | null, encoding) => {
    if (chunk !== null) chunks.push(chunk)
    else {
      const text = Buffer.concat(chunks).toString()
      checkBeside(check(request.method, path, response.statusCode ?? 0, text))
    }
    return push(chunk, encoding)
  }
}

/** A request of the package undici, and what has come of its answer. */
interface UndiciRequest {
  readonly origin: string | URL
  readonly method: string
  readonly path: string
}
interface Received {
  readonly status: number
  readonly chunks: Uint8Array[]
}

const received = new WeakMap<UndiciRequest, Received>()

function noteHeaders(message: unknown): void {
  const { request, response } = message as {
    readonly request: UndiciRequest
    readonly response: { readonly statusCode: number; readonly headers: readonly Buffer[] }
  }
  const { hostname } = new URL(request.origin)
  if (!isOurs(hostname, request.path)) return
  const texts = response.headers.map(String)
  const at = texts.findIndex((text) => text.toLowerCase() === 'content-type')
  if (isJson(texts[at + 1])) received.set(request, { status: response.statusCode, chunks: [] })
}

/** What is built into node does not say this, and is read above. */
function noteChunk(message: unknown): void {
  const { request, chunk } = message as {
    readonly request: UndiciRequest
    readonly chunk: Uint8Array
  }
  received.get(request)?.chunks.push(chunk.slice())
}

function checkReceived(message: unknown): void {
  const { request } = message as { readonly request: UndiciRequest }
  const answer = received.get(request)
  if (answer === undefined) return
  const [path] = request.path.split('?')
  const text = Buffer.concat(answer.chunks).toString()
  checkBeside(check(request.method, path!, answer.status, text))
}

/** By connection to the WebSocket API: the methods that were called, by id. */
const asked = new WeakMap<WebSocket, Map<string, string>>()
let areSocketsWatched = false

/** Who opens a WebSocket has loaded the package; the others do not pay for it. */
function watchSocketsOnce(message: unknown): void {
  const { request } = message as { readonly request: ClientRequest }
  if (areSocketsWatched || request.getHeader('upgrade') !== 'websocket') return
  areSocketsWatched = true
  watchSockets(createRequire(import.meta.url)('ws').WebSocket.prototype)
}

function watchSockets(prototype: WebSocket): void {
  const { send, emit } = prototype
  prototype.send = function (this: WebSocket, ...words: Parameters<WebSocket['send']>) {
    noteRequest(this, words[0])
    return send.apply(this, words)
  } as WebSocket['send']
  prototype.emit = function (this: WebSocket, event: string, ...values: unknown[]) {
    if (event === 'message') checkBeside(checkFrame(this, values[0] as RawData))
    return emit.call(this, event, ...values)
  } as WebSocket['emit']
}

/** The object that the text is, if it is one. */
function objectOf(text: unknown): Readonly<Record<string, unknown>> | undefined {
  try {
    return Object(JSON.parse(String(text)))
  } catch {
    return undefined
  }
}

function noteRequest(socket: WebSocket, data: unknown): void {
  if (!/^ws:\/\/127\.0\.0\.1:\d+\/ws-api\//.test(socket.url)) return
  const { id, method } = objectOf(data) ?? {}
  const methods = asked.get(socket) ?? new Map<string, string>()
  asked.set(socket, methods.set(JSON.stringify(id), String(method)))
}

async function checkFrame(socket: WebSocket, data: RawData): Promise<void> {
  const methods = asked.get(socket)
  const frame = methods === undefined ? undefined : objectOf(data)
  const method = methods?.get(JSON.stringify(frame?.id))
  if (frame === undefined || method === undefined || typeof frame.status !== 'number') return
  const { expectFrame } = await loadShapes()
  expectFrame(method, { ...frame, status: frame.status })
}

if (isFirst) {
  globalThis.fetch = checkedFetch
  subscribe('http.client.response.finish', checkResponse)
  subscribe('undici:request:headers', noteHeaders)
  subscribe('undici:request:bodyChunkReceived', noteChunk)
  subscribe('undici:request:trailers', checkReceived)
  subscribe('http.client.request.start', watchSocketsOnce)
}
