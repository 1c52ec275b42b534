/**
 * What clients know an event by: a count per symbol. An event makes at most two reports, so its
 * sequence gives two ids; that of a trade's maker is one more than the taker's.
 */
export const executionIdOf = (sequence: number, isMaker = false): number =>
  sequence * 2 + (isMaker ? 1 : 0)
