/** Files of the long tests that do more at night: `npm run test:night`. */
export const isNight = process.env.RINGBOOK_NIGHT !== undefined

/** Returns the cases that this run tries: by day the chosen ones, at night the others. */
export function casesOf<T>(cases: readonly T[], isByDay: (it: T) => boolean): T[] {
  return cases.filter((it) => isByDay(it) !== isNight)
}
