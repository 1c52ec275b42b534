/** Bounded waiting for what happens soon, but not at once. */

/** Generous, because it is only reached when a test fails. */
const BOUND_MS = 120_000
const PAUSE_MS = 5
/** How long something is waited for before it is provoked once more. */
const PATIENCE_MS = 5_000

/** Repeats the attempt until it answers something; `what` names it when it never does. */
export async function eventually<T>(
  what: string,
  attempt: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const deadline = Date.now() + BOUND_MS
  for (;;) {
    const found = await attempt()
    if (found !== undefined) return found
    if (Date.now() > deadline) throw new Error(`it never happened: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

/**
 * The same for what only follows from something, and may be missed: does it first, then looks for what
 * should follow; and does it again whenever that has not come for a while.
 */
export async function provoked<Cause, T>(
  what: string,
  provoke: () => Promise<Cause>,
  attempt: (cause: Cause) => T | undefined | Promise<T | undefined>,
): Promise<T> {
  let cause = await provoke()
  let provokedAtMs = Date.now()
  return eventually(what, async () => {
    const found = await attempt(cause)
    if (found === undefined && Date.now() - provokedAtMs > PATIENCE_MS) {
      cause = await provoke()
      provokedAtMs = Date.now()
    }
    return found
  })
}
