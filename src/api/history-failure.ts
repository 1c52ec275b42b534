/** Why the archive gave no answer, as an error of the protocol. */
import type { ErrorId } from './errors.ts'

export class HistoryFailure extends Error {
  override readonly name = 'HistoryFailure'
  readonly id: ErrorId

  /** TIMEOUT: the archive did not answer in time. SERVER_BUSY: too many wait for it already. */
  constructor(id: 'TIMEOUT' | 'SERVER_BUSY', message: string) {
    super(message)
    this.id = id
  }
}

/**
 * The archive is being brought up to date, which may take minutes. Queries of it are refused meanwhile,
 * because missing rows would not show. The error tells the client to try again in a few minutes (-1008).
 */
export class ArchiveBehind extends HistoryFailure {
  constructor() {
    super('SERVER_BUSY', 'The archive is being brought up to date.')
  }
}

/** Returns the error of any failure; for an unexpected one the fate is unknown. */
export const historyError = (failure: unknown): ErrorId =>
  failure instanceof HistoryFailure ? failure.id : 'TIMEOUT'
