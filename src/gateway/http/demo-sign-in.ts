/**
 * Which requests for the demo's keys come from the console in a browser on this machine. The keys are
 * no secret of an exchange that is in use, but a page of another site must not trade with them.
 *
 * A proxy on this machine looks like loopback: its headers give it away, and limits/forwarding-watch.ts
 * remembers it. A page that made its own name point to this machine still has its name in Host. A page of
 * another origin names it in Origin. Ports are not compared with this exchange's own: a tunnel may have
 * another one.
 */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { isForwarded, isLoopback, isOwnHost } from '../limits/forwarding-watch.ts'

/** An account of the demo and its key. */
export interface DemoKey {
  readonly account: string
  readonly apiKey: string
  readonly secretKey: string
}

/** Headers that the decision reads, by their names in lower case. */
export interface BrowserRequest {
  /** Bytes of the socket's peer. */
  readonly peer: Uint8Array
  readonly hasPreamble: boolean
  readonly headers: readonly (readonly [name: string, value: string])[]
}

export const browserRequest = (response: HttpResponse, request: HttpRequest): BrowserRequest => {
  const headers: [string, string][] = []
  request.forEach((name, value) => {
    headers.push([name, value])
  })
  return {
    peer: new Uint8Array(response.getRemoteAddress().slice(0)),
    hasPreamble: response.getProxiedRemoteAddress().byteLength > 0,
    headers,
  }
}

/** Whether the request comes from the console in a browser on this machine. */
export function isOwnBrowser(request: BrowserRequest): boolean {
  if (!isOwnReader(request)) return false
  const [host] = valuesOf(request, 'host')
  const origins = valuesOf(request, 'origin')
  if (origins.length !== 1 || !isOriginOf(host!, origins[0]!)) return false
  return valuesOf(request, 'sec-fetch-site').every((site) => site === 'same-origin')
}

/** Whether the request comes from this machine, under its own name, through no proxy. */
export function isOwnReader(request: BrowserRequest): boolean {
  const { peer, hasPreamble, headers } = request
  if (!isLoopback(peer) || hasPreamble || headers.some(([name]) => isForwarded(name))) return false
  const hosts = valuesOf(request, 'host')
  return hosts.length === 1 && isOwnHost(hosts[0]!)
}

const valuesOf = ({ headers }: BrowserRequest, wanted: string): readonly string[] =>
  headers.filter(([name]) => name === wanted).map(([, value]) => value)

const isOriginOf = (host: string, origin: string): boolean =>
  origin === `http://${host}` || origin === `https://${host}`
