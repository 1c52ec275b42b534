/** What is wrong with the arguments, the keys, the scenario or the target: one sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
