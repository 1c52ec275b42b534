/**
 * Checks that stay on in production. A failed assertion is a programmer's error: no code catches
 * it, and the process ends, because shared cells may be half-written.
 */
export class AssertionError extends Error {
  override readonly name = 'AssertionError'
}

/** Throws unless `condition` holds. `message` must be a constant, so that a call costs nothing. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new AssertionError(message)
}

/** For branches that the types exclude. */
export function unreachable(message: string): never {
  throw new AssertionError(message)
}
