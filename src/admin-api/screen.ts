/** Sends the files of the operator's screen, from memory. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { formOf, isKnown, type PageFile } from '../base/page-files.ts'

/** Returns whether the request asked for one of the files, and so was responded to. */
export function sendFile(
  files: readonly PageFile[],
  { method = '', url, headers }: IncomingMessage,
  response: ServerResponse,
): boolean {
  const file = files.find(({ path }) => path === url)
  if (file === undefined || !['GET', 'HEAD'].includes(method)) return false
  if (isKnown(headers['if-none-match'] ?? '', file)) {
    response.writeHead(304, { ETag: file.etag }).end()
    return true
  }
  const accepted = headers['accept-encoding'] ?? ''
  const [encoding, bytes] = formOf(Array.isArray(accepted) ? accepted.join() : accepted, file)
  for (const [name, value] of file.headers) response.setHeader(name, value)
  if (encoding !== '') response.setHeader('Content-Encoding', encoding)
  // Node.js leaves the bytes out for HEAD.
  response.writeHead(200, { 'Content-Length': bytes.length }).end(bytes)
  return true
}
