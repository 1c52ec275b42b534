/**
 * What the replica thread counts of its way to the quorum, for metrics. The thread alone writes; other
 * threads see cells of different moments. The cells: QuorumCountCell in layout/schema/heads.ts.
 */
import { type Clock, elapsedMs } from '../base/time.ts'
import { QuorumCountCell } from '../layout/cells.gen.ts'

const { BLOCKS, BYTES, LOSSES, LOST_MS, WAIT_BEGAN_MS } = QuorumCountCell
export const QUORUM_COUNTS_BYTES = QuorumCountCell.bytes

export interface QuorumReading {
  /** Blocks and facts that this leader brought to the quorum, and their bytes. */
  readonly blocks: number
  readonly bytes: number
  /** How often the quorum was lost, and for how long in all. */
  readonly losses: number
  readonly lostMs: number
  /** How long the quorum has not answered; 0 while it does. */
  readonly waitMs: number
}

export class QuorumCounts {
  private readonly cells: BigInt64Array
  private readonly clock: Pick<Clock, 'elapsedNs'>

  constructor(memory: SharedArrayBuffer, clock: Pick<Clock, 'elapsedNs'>) {
    this.cells = new BigInt64Array(memory)
    this.clock = clock
  }

  /** What this leader has brought to the quorum until now. */
  noteSent(blocks: number, bytes: number): void {
    Atomics.store(this.cells, BLOCKS, BigInt(blocks))
    Atomics.store(this.cells, BYTES, BigInt(bytes))
  }

  /** The quorum does not answer. May be called again until it does. */
  lose(): void {
    if (this.readCell(WAIT_BEGAN_MS) !== 0) return
    Atomics.add(this.cells, LOSSES, 1n)
    Atomics.store(this.cells, WAIT_BEGAN_MS, BigInt(elapsedMs(this.clock)))
  }

  /** The quorum answers. Returns for how many ms it did not. */
  find(): number {
    const { waitMs } = this.read()
    if (waitMs === 0) return 0
    Atomics.add(this.cells, LOST_MS, BigInt(waitMs))
    Atomics.store(this.cells, WAIT_BEGAN_MS, 0n)
    return waitMs
  }

  read(): QuorumReading {
    const beganMs = this.readCell(WAIT_BEGAN_MS)
    const waitMs = beganMs === 0 ? 0 : Math.max(1, elapsedMs(this.clock) - beganMs)
    return {
      blocks: this.readCell(BLOCKS),
      bytes: this.readCell(BYTES),
      losses: this.readCell(LOSSES),
      lostMs: this.readCell(LOST_MS) + waitMs,
      waitMs,
    }
  }

  private readCell(cell: number): number {
    return Number(Atomics.load(this.cells, cell))
  }
}
