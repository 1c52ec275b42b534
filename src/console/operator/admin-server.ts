/** Requests to the admin server that served the page, and what it responds with. */

/** Arguments by name, as texts. */
export type Given = Readonly<Record<string, string>>

/** A refusal, in the admin server's words. */
export class AdminError extends Error {
  override readonly name = 'AdminError'
  /** 0 when there was no response. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Tries of an action whose answer is lost, and the pause before each. */
const SEND_AGAIN_TIMES = 10
const SEND_AGAIN_MS = 1_000

/**
 * Carries an action out, once: browsers send a POST again when its connection ends without an answer, and so does
 * this function; the key makes them one. Throws AdminError.
 */
export async function actOnce<Body>(
  token: string,
  path: string,
  given: Given,
  timeoutMs: number,
): Promise<Body> {
  const key = crypto.randomUUID()
  for (let left = SEND_AGAIN_TIMES; ; left--) {
    try {
      return await askAdminServer(token, path, given, timeoutMs, key)
    } catch (error) {
      if (!(error instanceof AdminError) || error.status !== 0) throw error
      if (left === 0) throw new AdminError(0, UNKNOWN)
      await new Promise((resolve) => setTimeout(resolve, SEND_AGAIN_MS))
    }
  }
}

const UNKNOWN =
  'The exchange did not answer: the action was carried out or not. See the log of actions.'

/** Sends a request with the token. Throws AdminError for a refusal, and for an admin server that cannot be reached. */
export async function askAdminServer<Body>(
  token: string,
  path: string,
  given: Given | undefined,
  timeoutMs: number,
  key?: string,
): Promise<Body> {
  const response = await fetch(path, {
    method: given === undefined ? 'GET' : 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      ...(key !== undefined && { 'Idempotency-Key': key }),
    },
    body: given === undefined ? null : JSON.stringify(given),
    signal: AbortSignal.timeout(timeoutMs),
    credentials: 'omit',
    cache: 'no-store',
  }).catch(() => {
    throw new AdminError(0, 'The exchange cannot be reached.')
  })
  const body = await response.json().catch(() => undefined)
  if (response.ok && body !== undefined) return body
  throw new AdminError(response.status, body?.error ?? `The exchange responded ${response.status}.`)
}
