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

/** Sends a request with the token. Throws AdminError for a refusal, and for an admin server that cannot be reached. */
export async function askAdminServer<Body>(
  token: string,
  path: string,
  given: Given | undefined,
  timeoutMs: number,
): Promise<Body> {
  const response = await fetch(path, {
    method: given === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${token}` },
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
