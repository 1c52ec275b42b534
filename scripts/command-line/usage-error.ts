/** What is in the way of a tool's work (arguments, files, a target), in one sentence for who called it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
