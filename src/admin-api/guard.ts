/**
 * Which requests the admin server takes. It is on the loopback address, which every web page in a
 * browser on this machine can send requests to. A page that made its own name point to this machine still
 * says its name in Host. A page of another origin says so in Origin or Sec-Fetch-Site. Ports are not
 * compared with the admin server's own: a tunnel may have another one. Programs send no Origin.
 */
import type { IncomingMessage } from 'node:http'

const OWN_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/
const WRONG_HOST = 'Host must be localhost or a loopback address: this is the admin server.'
const WRONG_ORIGIN = 'A page of another origin asks: the admin server serves its own page alone.'
/** The page itself, or an address that the user typed. */
const OWN_SITES: readonly string[] = ['same-origin', 'none']

/** Returns why a request is refused before anything else is read of it, in one sentence. */
export function guardRefusal(request: IncomingMessage): string | undefined {
  const { host: hosts = [], origin: origins = [] } = request.headersDistinct
  const [host = ''] = hosts
  if (hosts.length !== 1 || !OWN_HOST.test(host)) return WRONG_HOST
  const isOwn = origins.every((it) => it === `http://${host}` || it === `https://${host}`)
  return isOwn && origins.length <= 1 && isOwnSite(request) ? undefined : WRONG_ORIGIN
}

/** A link elsewhere may open the page; it may cause no other request. */
function isOwnSite({ method, url, headersDistinct: headers }: IncomingMessage): boolean {
  const sites = headers['sec-fetch-site'] ?? []
  if (sites.every((site) => OWN_SITES.includes(site))) return true
  return method === 'GET' && url === '/' && headers['sec-fetch-dest']?.join() === 'document'
}
