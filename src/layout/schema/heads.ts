/** Heads of blocks, files and frames: what stands before records and images. */
import type { Structure } from './field.ts'

/**
 * Cells that threads share. Each begins its own line, except one that is `beside` the last: they have
 * one writer. A line is two cache lines, because processors fetch lines in pairs.
 */
export interface SharedCells {
  readonly name: string
  readonly meaning: string
  readonly cells: readonly SharedCell[]
  /** Bytes of another kind follow, on their own line. */
  readonly isFollowed?: true
}
export type SharedCell = readonly [
  name: string,
  carrier: 'i32' | 'i64',
  count: number,
  meaning: string,
  beside?: 'beside',
]

export const sharedCells: readonly SharedCells[] = [
  {
    name: 'WalCell',
    meaning:
      "Positions that the threads of one journal's write-ahead log share (journal/wal-cells.ts).",
    cells: [
      ['written', 'i64', 1, 'last block that the write-ahead log holds; written by the matcher'],
      [
        'checkpointed',
        'i64',
        1,
        'last block that LMDB holds on the disk; written by the checkpointer',
      ],
      ['first', 'i64', 4, 'for each segment, its first block, 0 while it has none; by the matcher'],
      ['sealed', 'i64', 1, 'last block that is in a sealed segment; written by the compactor'],
    ],
  },
  {
    name: 'ReplicaCell',
    meaning: "Control words of a journal's way to the quorum; bytes follow (replica/slots.ts).",
    cells: [
      ['first', 'i64', 1, 'first block that is offered; written by its journal'],
      ['length', 'i64', 1, 'bytes of all that is offered; by the same', 'beside'],
      ['offered', 'i64', 1, 'last block that is offered; by the same', 'beside'],
      ['replicated', 'i64', 1, 'last block on the quorum; written by the replica thread'],
    ],
    isFollowed: true,
  },
  {
    name: 'QuorumCountCell',
    meaning: 'What the replica thread counts of its way to the quorum (shared/quorum-counts.ts).',
    cells: [
      ['blocks', 'i64', 1, 'blocks and facts that this leader brought to the quorum'],
      ['bytes', 'i64', 1, 'their bytes', 'beside'],
      ['losses', 'i64', 1, 'how often the quorum was lost', 'beside'],
      ['lostMs', 'i64', 1, 'ms without the quorum, before the present wait', 'beside'],
      ['waitBeganMs', 'i64', 1, 'steady ms at which the present wait began; 0 for none', 'beside'],
    ],
  },
  {
    name: 'RoleCell',
    meaning:
      "A member's role among those of a quorum; the leader's address follows (shared/role.ts).",
    cells: [
      ['role', 'i32', 1, 'Role'],
      ['writes', 'i32', 1, 'number of writes of the address, odd during one', 'beside'],
      ['length', 'i32', 1, 'length of the address', 'beside'],
      ['epoch', 'i64', 1, 'of the leader that this member knows', 'beside'],
      ['lagPositions', 'i64', 1, 'positions that this member has not published', 'beside'],
      ['lagMs', 'i64', 1, 'how long the oldest of them has waited', 'beside'],
      [
        'confirmedUntilMs',
        'i64',
        1,
        'until when the quorum confirms that this member leads, monotonic; 0 without a quorum',
        'beside',
      ],
    ],
    isFollowed: true,
  },
  {
    name: 'DiskCell',
    meaning: "The data folder's disk (shared/disk.ts); written by the main thread.",
    cells: [
      ['refusing', 'i32', 1, '1 while new orders are refused'],
      ['level', 'i32', 1, 'DiskLevel', 'beside'],
      ['journalAlarm', 'i32', 1, '1 while the journals alone would soon fill the disk', 'beside'],
      ['freeBytes', 'i64', 1, 'that this process may write', 'beside'],
      ['totalBytes', 'i64', 1, 'of those and of what is used', 'beside'],
      ['reserveBytes', 'i64', 1, 'free bytes below which new orders are refused', 'beside'],
      ['journalBytes', 'i64', 1, 'of journals on that disk', 'beside'],
      ['growth', 'i64', 1, 'bytes an hour of what is used; -1 before it is known', 'beside'],
      ['journalGrowth', 'i64', 1, 'bytes an hour of the journals; -1 likewise', 'beside'],
      ['storeBytes', 'i64', 1, "of the data folder's content on that disk", 'beside'],
      ['storeGrowth', 'i64', 1, 'bytes an hour of it; -1 likewise', 'beside'],
    ],
  },
  {
    name: 'CommandRingCell',
    meaning: 'Control words of a command ring; its slots follow (ring/command-ring.ts).',
    cells: [
      ['head', 'i32', 1, 'slots released, modulo 2^32; written by the matcher'],
      ['deferredOrders', 'i32', 1, 'commands taken that it executes later, no queries', 'beside'],
      ['deferredQueries', 'i32', 1, 'the same of queries', 'beside'],
      ['tail', 'i32', 1, 'slots published, modulo 2^32; written by the gateway'],
    ],
    isFollowed: true,
  },
  {
    name: 'EventRingCell',
    meaning: 'Positions of an event ring; its bytes follow (ring/event-ring.ts).',
    cells: [
      [
        'intent',
        'i64',
        1,
        'bytes ever written, raised before the bytes are; written by the matcher',
      ],
      ['published', 'i64', 1, 'bytes that readers may read; written by the matcher'],
    ],
    isFollowed: true,
  },
  {
    name: 'ReplyRingCell',
    meaning: 'Control words of a reply ring; its words follow (ring/reply-ring.ts).',
    cells: [
      ['cursor', 'i32', 1, 'words read, modulo 2^32; written by the gateway'],
      [
        ...(['passed', 'i64', 1] as const),
        'bytes of the event ring that the gateway has read; written by the gateway',
        'beside',
      ],
      ['tail', 'i32', 1, 'words published, modulo 2^32; written by the matcher'],
    ],
    isFollowed: true,
  },
]

export const heads: readonly Structure[] = [
  {
    name: 'BlockHead',
    // This head is the same in every layout, so that each block can state which one it has.
    meaning: "The journal's block begins with this; records follow (journal/block.ts).",
    fields: [
      ['magic', 'i32', '"RBJ1"'],
      ['checksum', 'i32', 'CRC-32 of the bytes from `layout` to the end of the block'],
      ['layout', 'i32', 'of the records (layout/conversions.ts)'],
      ['length', 'i32', 'bytes of the whole block'],
      ['matcher', 'i32', ''],
      ['records', 'i32', 'how many follow'],
      ['position', 'int', 'counts the blocks of the journal from 1'],
      ['epoch', 'int', 'counts the starts of the exchange'],
      ['timeMs', 'ms', 'the ordering time of the batch (base/corrections.ts)'],
      ['previous', 'i32', 'checksum of the block before; 0 for the first'],
      [
        ...(['unflushed', 'i32'] as const),
        '1 + the blocks before this one that were not flushed when it was written; 0: unknown',
      ],
    ],
    start: 'layout',
  },
  {
    name: 'WalNote',
    meaning:
      "What a journal's LMDB log says of the write-ahead log beside it (journal/wal-note.ts).",
    fields: [
      ['magic', 'i32', '"RBN1"'],
      ['checksum', 'i32', 'CRC-32 of the bytes from `state` to the end'],
      ['state', 'i32', 'WalState'],
      ['durability', 'i32', 'of its blocks; 0: unknown'],
      ['segmentBytes', 'int', 'of each segment at least'],
    ],
    start: 'state',
  },
  {
    name: 'FlushMark',
    meaning:
      'The file beside a write-ahead log that says how far it is flushed (journal/flush-mark.ts).',
    fields: [
      ['magic', 'i32', '"RBF1"'],
      ['checksum', 'i32', 'CRC-32 of the bytes from `position` to the end'],
      ['position', 'int', 'last block that is on the disk'],
      ['boot', 'i32', 'CRC-32 of the name of the system run that wrote it; 0: unknown'],
      ['zero', 'i32', ''],
    ],
    start: 'position',
  },
  {
    name: 'SegmentHead',
    meaning: 'A sealed segment begins with this; blocks follow (journal/sealed-segments.ts).',
    fields: [
      ['magic', 'i32', '"RBG1"'],
      ['checksum', 'i32', 'CRC-32 of the bytes from `version` to the end of the head'],
      ['version', 'i32', "of the file's form"],
      ['codec', 'i32', 'how blocks are stored; 0: as they are'],
      ['matcher', 'i32', ''],
      ['zero', 'i32', ''],
      ['first', 'int', 'position of the first block'],
      ['last', 'int', 'position of the last block'],
      ['length', 'int', 'bytes of all blocks'],
    ],
    start: 'version',
  },
  {
    name: 'SnapshotHead',
    meaning: 'A snapshot begins with this; sections follow (journal/snapshot.ts).',
    fields: [
      ['magic', 'i32', '"RBS1"'],
      ['layout', 'i32', 'rises with every change of an image'],
      ['corrections', 'i32', 'how many of the clock there were (base/corrections.ts)'],
      ['zero2', 'i32', ''],
      ['number', 'int', "the snapshot's"],
    ],
  },
  {
    name: 'SnapshotSectionHead',
    meaning: 'A section of a snapshot begins with this; its image follows.',
    fields: [
      ['kind', 'i32', 'SectionKind'],
      ['id', 'i32', ''],
      ['checksum', 'i32', 'CRC-32 of all before it, and of its own length and image'],
      ['zero', 'i32', ''],
      ['length', 'int', 'bytes of the image'],
    ],
  },
  {
    name: 'ImageHead',
    meaning: 'An image begins with this; doubles and then words follow (layout/image.ts).',
    fields: [
      ['doubles', 'int', 'how many'],
      ['words', 'int', 'how many'],
    ],
  },
  {
    name: 'ReplyFrame',
    meaning: 'A frame of a reply ring begins with this; replies follow (ring/reply-ring.ts).',
    fields: [
      [
        'position',
        'int',
        'bytes of events that gateways read first; -1: no frame to the end of the ring',
      ],
      ['length', 'i32', 'bytes of the replies'],
      ['zero', 'i32', ''],
    ],
  },
]
