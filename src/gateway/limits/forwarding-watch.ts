/**
 * Whether anything on this machine forwards requests of others: a proxy or a tunnel with a name. Its
 * requests come from a loopback address too, and it may leave out on one path what it adds on another. So
 * from the first sign of it, to any gateway, the demo's keys are offered no more until the next start.
 */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { isInRange, mappedAddress, parseAddressRanges } from '../../base/address-range.ts'

const loopback = parseAddressRanges('127.0.0.0/8, ::1')!
const OWN_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/
/** Headers that proxies add; a name with `-` at its end stands for all that begin so. */
const PROXY_HEADERS = [
  ...['forwarded', 'x-forwarded-', 'x-original-', 'via', 'x-real-ip', 'x-client-ip'],
  ...['x-cluster-client-ip', 'true-client-ip', 'cf-connecting-ip', 'fastly-client-ip'],
  ...['x-envoy-', 'x-proxyuser-ip', 'x-azure-', 'x-amzn-', 'proxy-connection'],
]
/** The name as bytes, which uWebSockets.js need not convert. */
const bytesOf = (name: string): ArrayBuffer => new TextEncoder().encode(name).buffer
const HOST = bytesOf('host')
/** A proxy forwards many requests; five headers of each would take 3 in 100 of an order's instructions. */
export const GLANCE_EVERY = 16
/** What nearly every proxy adds. */
const USUAL = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'].map(bytesOf)

export class ForwardingWatch {
  /** One cell, 1 once something forwards. Written by all gateways. */
  private readonly seen: Int32Array
  /** Whether there is anything to offer. */
  private readonly watches: boolean
  /** The last host that is one of this machine. */
  private knownHost = ''
  private requests = 0

  constructor(memory: SharedArrayBuffer, watches: boolean) {
    this.seen = new Int32Array(memory)
    this.watches = watches
  }

  get wasSeen(): boolean {
    return Atomics.load(this.seen, 0) !== 0
  }

  /** Reads the most informative headers of one request in GLANCE_EVERY: requests must be fast. */
  glance(response: HttpResponse, request: HttpRequest): void {
    if (!this.watches || this.requests++ % GLANCE_EVERY !== 0 || this.wasSeen) return
    const host = request.getHeader(HOST)
    const isOwn = host === this.knownHost || isOwnHost(host)
    if (isOwn) this.knownHost = host
    const isPlain = isOwn && USUAL.every((name) => request.getHeader(name) === '')
    if (!isPlain) this.note(response)
  }

  /** Looks at all headers. */
  look(response: HttpResponse, request: HttpRequest): void {
    if (!this.watches || this.wasSeen) return
    let hasForeign = false
    request.forEach((name, value) => {
      hasForeign ||= isForwarded(name) || (name === 'host' && !isOwnHost(value))
    })
    if (hasForeign || response.getProxiedRemoteAddress().byteLength > 0) this.note(response)
  }

  /** Requests from elsewhere are offered nothing in any case, and may have any name. */
  private note(response: HttpResponse): void {
    if (isLoopback(new Uint8Array(response.getRemoteAddress()))) Atomics.store(this.seen, 0, 1)
  }
}

/** `peer` is 4 or 16 bytes. */
export const isLoopback = (peer: Uint8Array): boolean =>
  loopback.some((range) => isInRange(mappedAddress(peer), range))

export const isOwnHost = (host: string): boolean => OWN_HOST.test(host)

/** Whether the header is one that proxies add. */
export const isForwarded = (name: string): boolean =>
  PROXY_HEADERS.some((header) => (header.endsWith('-') ? name.startsWith(header) : name === header))
