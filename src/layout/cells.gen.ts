// Generated from layout/schema.ts by `npm run generate`. Do not edit.

/** Positions that the threads of one journal's write-ahead log share (journal/wal-cells.ts). */
export const WalCell = {
  /** last block that the write-ahead log holds; written by the matcher */
  WRITTEN: 0,
  /** last block that LMDB holds on the disk; written by the checkpointer */
  CHECKPOINTED: 16,
  /** for each segment, its first block, 0 while it has none; by the matcher */
  FIRST: 32,
  FIRST_COUNT: 4,
  /** last block that is in a sealed segment; written by the compactor */
  SEALED: 48,
  bytes: 392,
} as const

/** Control words of a journal's way to the quorum; bytes follow (replica/slots.ts). */
export const ReplicaCell = {
  /** first block that is offered; written by its journal */
  FIRST: 0,
  /** bytes of all that is offered; by the same */
  LENGTH: 1,
  /** last block that is offered; by the same */
  OFFERED: 2,
  /** last block on the quorum; written by the replica thread */
  REPLICATED: 16,
  bytes: 256,
} as const

/** What the replica thread counts of its way to the quorum (shared/quorum-counts.ts). */
export const QuorumCountCell = {
  /** blocks and facts that this leader brought to the quorum */
  BLOCKS: 0,
  /** their bytes */
  BYTES: 1,
  /** how often the quorum was lost */
  LOSSES: 2,
  /** ms without the quorum, before the present wait */
  LOST_MS: 3,
  /** steady ms at which the present wait began; 0 for none */
  WAIT_BEGAN_MS: 4,
  bytes: 40,
} as const

/** A member's role among those of a quorum; the leader's address follows (shared/role.ts). */
export const RoleCell = {
  /** Role */
  ROLE: 0,
  /** number of writes of the address, odd during one */
  WRITES: 1,
  /** length of the address */
  LENGTH: 2,
  /** of the leader that this member knows */
  EPOCH: 2,
  /** positions that this member has not published */
  LAG_POSITIONS: 3,
  /** how long the oldest of them has waited */
  LAG_MS: 4,
  /** until when the quorum confirms that this member leads, monotonic; 0 without a quorum */
  CONFIRMED_UNTIL_MS: 5,
  bytes: 128,
} as const

/** The data folder's disk (shared/disk.ts); written by the main thread. */
export const DiskCell = {
  /** 1 while new orders are refused */
  REFUSING: 0,
  /** DiskLevel */
  LEVEL: 1,
  /** 1 while the journals alone would soon fill the disk */
  JOURNAL_ALARM: 2,
  /** that this process may write */
  FREE_BYTES: 2,
  /** of those and of what is used */
  TOTAL_BYTES: 3,
  /** free bytes below which new orders are refused */
  RESERVE_BYTES: 4,
  /** of journals on that disk */
  JOURNAL_BYTES: 5,
  /** bytes an hour of what is used; -1 before it is known */
  GROWTH: 6,
  /** bytes an hour of the journals; -1 likewise */
  JOURNAL_GROWTH: 7,
  /** of the data folder's content on that disk */
  STORE_BYTES: 8,
  /** bytes an hour of it; -1 likewise */
  STORE_GROWTH: 9,
  bytes: 80,
} as const

/** Control words of a command ring; its slots follow (ring/command-ring.ts). */
export const CommandRingCell = {
  /** slots released, modulo 2^32; written by the matcher */
  HEAD: 0,
  /** commands taken that it executes later, no queries */
  DEFERRED_ORDERS: 1,
  /** the same of queries */
  DEFERRED_QUERIES: 2,
  /** slots published, modulo 2^32; written by the gateway */
  TAIL: 32,
  bytes: 256,
} as const

/** Positions of an event ring; its bytes follow (ring/event-ring.ts). */
export const EventRingCell = {
  /** bytes ever written, raised before the bytes are; written by the matcher */
  INTENT: 0,
  /** bytes that readers may read; written by the matcher */
  PUBLISHED: 16,
  bytes: 256,
} as const

/** Control words of a reply ring; its words follow (ring/reply-ring.ts). */
export const ReplyRingCell = {
  /** words read, modulo 2^32; written by the gateway */
  CURSOR: 0,
  /** bytes of the event ring that the gateway has read; written by the gateway */
  PASSED: 1,
  /** words published, modulo 2^32; written by the matcher */
  TAIL: 32,
  bytes: 256,
} as const
