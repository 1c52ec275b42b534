/** The exchange's clock, as seen from here. It signs requests and measures lag. Only the distance to it is kept. */

let offsetMs = 0

/** Returns the exchange's time, ms. */
export const serverNowMs = (): number => Math.round(Date.now() + offsetMs)

/**
 * Takes a time that arrived now and was requested `wayMs` ago. It was read somewhere on the way: a distance between
 * both clocks that fits no place on it is replaced: a clock has jumped.
 */
export function takeServerTime(serverTime: number, wayMs: number): void {
  const middleMs = serverTime + wayMs / 2 - Date.now()
  // Both clocks count whole milliseconds.
  if (Math.abs(middleMs - offsetMs) > wayMs / 2 + 1) offsetMs = middleMs
}
