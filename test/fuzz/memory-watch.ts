/** Watches whether memory grows with what is done: after a warm-up it may not, beyond a bound. */
import { assert } from '../../src/base/assert.ts'
import { collectGarbage } from '../sim/collect-garbage.ts'

/** The share of all that is done before memory is taken for warm. */
const WARM_SHARE = 0.3
const HEAP_GROWTH_MAX = 24 << 20
/** Pages that the allocator keeps are not a leak until they continue growing. */
const RESIDENT_GROWTH_MAX = 160 << 20

interface Reading {
  readonly heapBytes: number
  readonly residentBytes: number
}

export class MemoryWatch {
  private readonly total: number
  private warm: Reading | undefined = undefined

  constructor(total: number) {
    this.total = total
  }

  /** So much is done. */
  look(done: number): void {
    if (this.warm === undefined && done >= this.total * WARM_SHARE) this.warm = read()
  }

  /** After the last: answers what memory did, in a sentence. Throws when it grew. */
  judge(): string {
    const warm = this.warm ?? read()
    const now = read()
    const heap = now.heapBytes - warm.heapBytes
    const resident = now.residentBytes - warm.residentBytes
    const said =
      `heap ${mebibytes(warm.heapBytes)} to ${mebibytes(now.heapBytes)} MiB, resident ` +
      `${mebibytes(warm.residentBytes)} to ${mebibytes(now.residentBytes)} MiB`
    assert(heap <= HEAP_GROWTH_MAX, `the heap does not grow: ${said}`)
    assert(resident <= RESIDENT_GROWTH_MAX, `resident memory does not grow: ${said}`)
    return said
  }
}

function read(): Reading {
  collectGarbage()
  const { heapUsed, external, rss } = process.memoryUsage()
  return { heapBytes: heapUsed + external, residentBytes: rss }
}

const mebibytes = (bytes: number): number => Math.round(bytes / (1 << 20))
