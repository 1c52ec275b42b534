/** Requests of a program to its own exchange, in the form of fetch. */
import type { Gateway } from '../gateway/gateway.ts'
import type { InnerAnswer } from '../gateway/http/inner-request.ts'
import type { VenueFetch } from './options.ts'

const LOOPBACK = new Uint8Array([127, 0, 0, 1]).buffer
/** Responses that have no body, by the rules of fetch. */
const BODILESS = new Set([204, 205, 304])

/** Without connections: to a gateway on the event loop of the caller. `url` is the exchange's. */
export const fetchHere =
  (gateway: () => Pick<Gateway, 'request'>, url: string): VenueFetch =>
  async (target, { method = 'GET', headers = {}, body } = {}) => {
    const { pathname, search } = new URL(target, url)
    const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
    const answer = await gateway().request({
      method: method.toUpperCase(),
      target: pathname + search,
      headers: Object.fromEntries(named),
      ...(body !== undefined && { body }),
      address: LOOPBACK,
    })
    return responseOf(answer)
  }

/** Over connections. */
export const fetchOver =
  (url: string): VenueFetch =>
  (target, init) =>
    fetch(new URL(target, url), init)

const responseOf = ({ status, headers, body }: InnerAnswer): Response =>
  new Response(BODILESS.has(status) ? null : body, { status, headers })
