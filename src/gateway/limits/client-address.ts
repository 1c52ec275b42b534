/**
 * The address that a request counts for: the socket's peer, unless the peer is a trusted proxy. Then
 * it is the client that the proxy names, by a PROXY protocol header (version 2, without TLS) or by
 * X-Forwarded-For. Headers of other peers are ignored.
 *
 * The walk begins at the peer, or at the address that its PROXY header names. It goes through
 * X-Forwarded-For from the right, while the hop before is trusted. It ends at the first address that
 * is not trusted. At an entry that is no address it ends too, at the proxy that sent that entry.
 */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import {
  type AddressRange,
  isInRange,
  mappedAddress,
  parseAddress,
  parseAddressRanges,
} from '../../base/address-range.ts'
import { assert } from '../../base/assert.ts'

const IPV4_BYTES = 4
const IPV6_BYTES = 16
/** `[address]`, `[address]:port`; `IPv4:port` */
const BRACKETED = /^\[([^\]]*)\](?::\d{1,5})?$/
const WITH_PORT = /^([\d.]+):\d{1,5}$/

/** What a trusted proxy states of a request. */
export interface Forwarded {
  /** 4 or 16 bytes. */
  readonly address: ArrayBuffer
  /**
   * Whether a PROXY header named it. The client behind such a proxy may write another one before its
   * next request, so its connection serves one request only.
   */
  readonly byPreamble: boolean
}

export class ClientAddresses {
  private trusted: readonly AddressRange[] = []
  private readonly readsPreambles: boolean

  /** `readsPreambles`: whether PROXY headers are read, which uWebSockets.js cannot before TLS. */
  constructor(trustedProxies: string, readsPreambles: boolean) {
    this.readsPreambles = readsPreambles
    this.trust(trustedProxies)
  }

  /** Trusts these from now on, and no others. */
  trust(trustedProxies: string): void {
    const trusted = parseAddressRanges(trustedProxies)
    assert(trusted !== undefined, 'the settings were checked when they were read')
    this.trusted = trusted
  }

  /** Whether the peer, 4 or 16 bytes, is a trusted proxy. */
  isTrusted(peer: ArrayBuffer): boolean {
    if (this.trusted.length === 0) return false
    return this.trusts(mappedAddress(new Uint8Array(peer)))
  }

  /** Returns the client that the peer names; undefined when the peer is not trusted. */
  forwarded(response: HttpResponse, request: HttpRequest): Forwarded | undefined {
    if (this.trusted.length === 0) return undefined
    const peer = response.getRemoteAddress().slice(0)
    if (!this.isTrusted(peer)) return undefined
    const named = this.readsPreambles ? response.getProxiedRemoteAddress().slice(0) : peer
    const byPreamble =
      this.readsPreambles && (named.byteLength === IPV4_BYTES || named.byteLength === IPV6_BYTES)
    const first = byPreamble ? named : peer
    return { address: this.walk(first, request), byPreamble }
  }

  /** Returns the address that the request counts for. */
  of(response: HttpResponse, request: HttpRequest): ArrayBuffer {
    return this.forwarded(response, request)?.address ?? response.getRemoteAddress().slice(0)
  }

  private walk(first: ArrayBuffer, request: HttpRequest): ArrayBuffer {
    let hop = mappedAddress(new Uint8Array(first))
    if (!this.trusts(hop)) return first
    let list = ''
    // Some proxies append their own header instead of an entry.
    request.forEach((name, value) => {
      if (name === 'x-forwarded-for') list = list === '' ? value : `${list},${value}`
    })
    for (let end = list.length; end > 0; ) {
      const comma = list.lastIndexOf(',', end - 1)
      const next = hopOf(list.slice(comma + 1, end).trim())
      if (next === undefined) break
      hop = next
      if (!this.trusts(hop)) break
      end = comma
    }
    return Uint8Array.from(hop).buffer
  }

  private trusts(address: Uint8Array): boolean {
    return this.trusted.some((range) => isInRange(address, range))
  }
}

/** Returns the 16 bytes of an entry, with or without a port; undefined when it is no address. */
function hopOf(entry: string): Uint8Array | undefined {
  const inside = BRACKETED.exec(entry)?.[1] ?? WITH_PORT.exec(entry)?.[1] ?? entry
  return parseAddress(inside)
}
