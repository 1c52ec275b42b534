/** Requests to the operator's door that served the page, and what it responds with. */

/** Arguments by name, as texts. */
export type Given = Readonly<Record<string, string>>

/** A refusal, in the door's words. */
export class DoorError extends Error {
  override readonly name = 'DoorError'
  /** 0 when there was no response. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Sends a request with the token. Throws DoorError for a refusal, and for a door that cannot be reached. */
export async function askDoor<Body>(
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
    throw new DoorError(0, 'The exchange cannot be reached.')
  })
  const body = await response.json().catch(() => undefined)
  if (response.ok && body !== undefined) return body
  throw new DoorError(response.status, body?.error ?? `The exchange responded ${response.status}.`)
}
