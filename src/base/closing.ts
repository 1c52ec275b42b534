/** Answers what `action` answers; when it throws, closes what was opened before it. */
export function orClose<T>(opened: readonly { close(): void }[], action: () => T): T {
  try {
    return action()
  } catch (error) {
    for (const it of opened) it.close()
    throw error
  }
}
