/** Bounded waiting for what happens soon, but not at once. */

/** Generous, because it is only reached when a test fails. */
const BOUND_MS = 15_000
const PAUSE_MS = 5

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
