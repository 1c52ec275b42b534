/** Requests to the operator's door that served the page, and what it responds with. */

export interface ActParam {
  readonly name: string
  readonly kind: 'text' | 'integer' | 'amount' | 'rate' | 'flag' | 'list' | 'filters'
  readonly about: string
  readonly required?: true
  readonly choices?: readonly string[]
}

/** A row of the acts' table. */
export interface ActRow {
  readonly name: string
  readonly group: string
  readonly role: string
  readonly example: string
  readonly about: string
  readonly isImmediate: boolean
  readonly params: readonly ActParam[]
}

export interface Identity {
  readonly name: string
  readonly role: string
  /** Those that the role allows. */
  readonly acts: readonly ActRow[]
}

export type ResultRow = Readonly<Record<string, string | number | boolean>>

export interface ActResult {
  readonly said: string
  readonly rows: readonly ResultRow[]
  /** What `after` must be for the next page. */
  readonly more?: string
}

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
