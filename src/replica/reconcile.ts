/**
 * Makes a data folder and the quorum equal, at a start, by the member that has just taken the lead and
 * before any other thread opens the folder. What the folder lacks is loaded; what the quorum lacks is sent.
 *
 * The quorum may lack two things: journals of a folder that was never replicated, and blocks that this
 * leader flushed, and never acknowledged, before it ended. They are sent, unless another member has led
 * since: that member decided otherwise. Then the lead is taken only if the quorum lacks nothing else, and
 * only then are the write-ahead logs dropped that hold such blocks.
 */
import { journalsIn, recoverWals } from '../journal/recovery.ts'
import { dropWals, type LocalJournal, localJournal, nameOf } from './local-journals.ts'
import {
  CONTROL_JOURNAL,
  NO_POINT,
  type Quorum,
  type QuorumBlock,
  type QuorumPoint,
  QuorumRefusal,
  tooFarBehind,
} from './quorum.ts'

/** Bytes of one transaction in either direction, and its most blocks. */
const BATCH_BYTES = 1 << 20
const BATCH_BLOCKS = 512

export interface ReconcileOptions {
  readonly dataFolder: string
  readonly quorum: Quorum
  /** Epoch of this leader. */
  readonly epoch: number
  /** A sequence that is known to be on the quorum. */
  readonly watermark: number
  /** Gets the damage of a write-ahead log, whose blocks the quorum has. */
  readonly damaged: (sentence: string) => void
}

export interface Reconciled {
  /** The ends of all journals, here and on the quorum. */
  readonly ends: ReadonlyMap<number, QuorumPoint>
  /** Blocks and facts. */
  readonly loaded: number
  readonly sent: number
  /** The sequence of the last block that was sent, or what was known before. */
  readonly watermark: number
}

type Both = Pick<ReconcileOptions, 'dataFolder' | 'quorum' | 'damaged'>

/** Rejects with OutcomeUnknown, with QuorumRefusal, and with what a damaged journal throws. */
export async function reconcile(options: ReconcileOptions): Promise<Reconciled> {
  const ends = new Map<number, QuorumPoint>()
  let loaded = 0
  let sent = 0
  let { watermark } = options
  let isDamaged = false
  recoverWals(options.dataFolder, {
    damaged: (sentence) => {
      isDamaged = true
      options.damaged(sentence)
    },
  })
  const there = await options.quorum.ends()
  const journals = new Set([...journalsIn(options.dataFolder), ...matchersIn(there)])
  await eachJournal(options, there, journals, async (equal) => {
    watermark = await equal.run(options.epoch, watermark)
    ends.set(equal.journal, equal.end)
    loaded += equal.loaded
    sent += equal.sent
  })
  // Once the folder has what they held.
  if (isDamaged) dropWals(options.dataFolder, ends.get(CONTROL_JOURNAL)!.position, () => {})
  return { ends, loaded, sent, watermark }
}

/**
 * For a member that is about to succeed another: drops the write-ahead logs' blocks. Rejects with
 * QuorumRefusal, and changes nothing, when the folder has anything else that the quorum lacks.
 */
export async function fallBehind(options: Both): Promise<void> {
  const { dataFolder, quorum, damaged } = options
  let facts = 0
  await eachJournal(options, await quorum.ends(), journalsIn(dataFolder), async (equal) => {
    await equal.checkBehind()
    if (equal.journal === CONTROL_JOURNAL) facts = equal.last
  })
  dropWals(dataFolder, facts, damaged)
}

const matchersIn = (ends: ReadonlyMap<number, QuorumPoint>): readonly number[] =>
  [...ends.keys()].filter((it) => it >= 0)

/** Calls `action` for the control journal, and then for each journal of `matchers`. */
async function eachJournal(
  { dataFolder, quorum, damaged }: Both,
  there: ReadonlyMap<number, QuorumPoint>,
  matchers: Iterable<number>,
  action: (equal: Equalizer) => Promise<void>,
): Promise<void> {
  for (const journal of [CONTROL_JOURNAL, ...matchers]) {
    const local = localJournal(dataFolder, journal, damaged)
    try {
      await action(new Equalizer(quorum, journal, local, there.get(journal) ?? NO_POINT))
    } finally {
      local.close()
    }
  }
}

class Equalizer {
  loaded = 0
  sent = 0
  /** Its end on the quorum. */
  end: QuorumPoint
  readonly journal: number
  private readonly quorum: Quorum
  private readonly local: LocalJournal

  constructor(quorum: Quorum, journal: number, local: LocalJournal, there: QuorumPoint) {
    this.quorum = quorum
    this.journal = journal
    this.local = local
    this.end = there
  }

  /** Last position of the journal in the folder. */
  get last(): number {
    return this.local.last
  }

  /** Returns the watermark then. */
  async run(epoch: number, watermark: number): Promise<number> {
    const { last } = this.local
    await this.checkCommon(Math.min(last, this.end.position))
    if (last > this.end.position) return this.send(epoch, watermark)
    await this.load(last)
    return watermark
  }

  async checkBehind(): Promise<void> {
    const { last } = this.local
    await this.checkCommon(Math.min(last, this.end.position))
    if (last <= this.end.position) return
    throw new QuorumRefusal(
      `${nameOf(this.journal)} in the data folder has blocks that the quorum lacks, and another ` +
        'member has led since. Start on an empty folder with the same secret.key.',
    )
  }

  /** The last block that both have must be the same one: then all before are. */
  private async checkCommon(position: number): Promise<void> {
    if (position === 0) return
    const [own] = this.local.read(position - 1)
    const there = await this.quorum.checksumAt(this.journal, position)
    if (own?.checksum === there) return
    if (there === undefined && position < this.end.position) throw this.gone(position + 1)
    throw new QuorumRefusal(
      `Block ${position} of ${nameOf(this.journal)} in the data folder is not the one on the ` +
        'quorum: this folder continued by itself. Start on an empty folder with the same secret.key.',
    )
  }

  private async load(last: number): Promise<void> {
    for (let position = last; position < this.end.position; ) {
      const blocks = await this.quorum.read(this.journal, position, BATCH_BYTES)
      if (blocks[0]?.position !== position + 1) throw this.gone(position + 1)
      this.local.append(blocks)
      position = blocks.at(-1)!.position
      this.loaded += blocks.length
    }
  }

  private gone(position: number): QuorumRefusal {
    return tooFarBehind(`Block ${position} of ${nameOf(this.journal)}`)
  }

  private async send(epoch: number, watermark: number): Promise<number> {
    let sequence = watermark
    for (const blocks of batches(this.local.read(this.end.position))) {
      sequence = await this.quorum.append(epoch, blocks, sequence)
      const { position, checksum } = blocks.at(-1)!
      this.end = { position, checksum }
      this.sent += blocks.length
    }
    return sequence
  }
}

function* batches(blocks: Iterable<QuorumBlock>): Iterable<readonly QuorumBlock[]> {
  let batch: QuorumBlock[] = []
  let bytes = 0
  for (const block of blocks) {
    batch.push(block)
    bytes += block.bytes.length
    if (bytes < BATCH_BYTES && batch.length < BATCH_BLOCKS) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}
