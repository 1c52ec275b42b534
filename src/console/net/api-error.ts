/** What the exchange refused, and whether it may have done it all the same. Pure. */

/** A refusal, in the exchange's words. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: number
  /** Both halves of a refused cancel-replace; undefined otherwise. */
  readonly data: unknown

  constructor(status: number, code: number, message: string, data?: unknown) {
    super(message)
    this.status = status
    this.code = code
    this.data = data
  }

  /**
   * Whether the exchange may have done the request: no response arrived, or an inconclusive one.
   * Refusals with their own code are none of these, whatever their status.
   */
  get isUnknown(): boolean {
    if (this.code !== 0) return isUnknownCode(this.code)
    return this.status < 400 || this.status >= 500
  }
}

/** A request that was not handed to a connection: the exchange cannot have it. */
export class NotSent extends Error {
  override readonly name = 'NotSent'

  constructor() {
    super('not sent, because there is no connection to the exchange')
  }
}

/** An unexpected response, and a timeout, inside the exchange: the request may be carried out. */
const UNKNOWN_CODES = [-1006, -1007]

export const isUnknownCode = (code: number): boolean => UNKNOWN_CODES.includes(code)
