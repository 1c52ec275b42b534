/** Returns the result of `action`. When it throws, closes `opened` first. */
export function orClose<T>(opened: readonly { close(): void }[], action: () => T): T {
  try {
    return action()
  } catch (error) {
    for (const it of opened) it.close()
    throw error
  }
}
