// Generated from layout/schema.ts by `npm run generate`. Do not edit.

/** Positions that the threads of one journal's tail share (journal/tail-cells.ts). */
export const TailCell = {
  /** last block that the tail holds; written by the matcher */
  WRITTEN: 0,
  /** last block that LMDB holds on the disk; written by the carrier */
  CARRIED: 16,
  /** for each segment, its first block, 0 while it has none; by the matcher */
  FIRST: 32,
  FIRST_COUNT: 4,
  /** last block that is in files of old blocks; written by the mover */
  MOVED: 48,
  bytes: 392,
} as const
