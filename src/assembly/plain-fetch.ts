/**
 * Fetches by node:http. The global fetch may be another program's, and Node.js's own waits for the globals' timers, which
 * a test may have stopped.
 */
import { type IncomingMessage, type RequestOptions, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { VenueFetch } from './options.ts'

/** Responses that have no body, by the rules of fetch. */
const BODILESS = new Set([204, 205, 304])

export const plainFetch: VenueFetch = async (target, { body, ...given } = {}) => {
  const [answer, answerText] = await exchanged(target, given, body).catch((error) => {
    throw given.signal?.aborted ? given.signal.reason : error
  })
  const pairs = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  return responseOf(answer.statusCode!, pairs, answerText)
}

async function exchanged(
  target: string,
  given: RequestOptions,
  body: string | undefined,
): Promise<readonly [IncomingMessage, string]> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(target, given)
    sent.on('response', resolve).on('error', reject).end(body)
  })
  return [answer, await text(answer)]
}

export const responseOf = (
  status: number,
  headers: [string, string][] | Record<string, string>,
  body: string | Uint8Array<ArrayBuffer>,
): Response => new Response(BODILESS.has(status) ? null : body, { status, headers })
