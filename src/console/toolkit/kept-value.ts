/** What the browser has kept, read: a text is a value only where it is a known one. Pure. */

const LENGTH_MAX = 32_768

/** Returns the value that `read` takes from text; undefined when it takes none. */
export function keptValue<Value>(
  text: string | null,
  read: (value: unknown) => Value | undefined,
): Value | undefined {
  if (text === null || text.length > LENGTH_MAX) return undefined
  try {
    return read(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Readers of what was kept. */
export const isFlag = (value: unknown): boolean | undefined =>
  typeof value === 'boolean' ? value : undefined

export const oneOf =
  <Value>(values: readonly Value[]) =>
  (value: unknown): Value | undefined =>
    values.find((it) => it === value)
