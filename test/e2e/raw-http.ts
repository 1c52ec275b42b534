/** HTTP by hand: bytes out, whatever comes back in. For requests that no client would send. */
import net from 'node:net'

/** Longer than the server may think; only reached when a test fails. */
const BOUND_MS = 120_000

export interface RawAnswer {
  readonly status: number
  readonly body: string
}

/**
 * Sends the bytes on a separate connection and reads until the server closes, or until as many
 * answers as expected are complete. What is not HTTP ends in an answer with status NaN.
 */
export async function exchangeBytes(
  port: number,
  bytes: string | Uint8Array,
  answers = 1,
): Promise<RawAnswer[]> {
  const socket = net.connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
    if (parseAnswers(received).length >= answers) socket.destroy()
  })
  // A reset is one of the ways to be closed.
  socket.on('error', () => {})
  socket.write(bytes)
  const timer = setTimeout(() => socket.destroy(new Error('neither answer nor end')), BOUND_MS)
  const failed = await new Promise<Error | undefined>((resolve) => {
    socket.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === undefined ? error : undefined),
    )
    socket.once('close', () => resolve(undefined))
  })
  clearTimeout(timer)
  if (failed !== undefined) throw failed
  return parseAnswers(received)
}

/** The complete answers at the start of the text. */
function parseAnswers(text: string): RawAnswer[] {
  const found: RawAnswer[] = []
  for (let at = 0; at < text.length; ) {
    const headEnd = text.indexOf('\r\n\r\n', at)
    if (headEnd < 0) break
    const head = text.slice(at, headEnd)
    const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0)
    const end = headEnd + 4 + length
    if (end > text.length) break
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1])
    found.push({ status, body: text.slice(headEnd + 4, end) })
    at = end
  }
  return found
}
