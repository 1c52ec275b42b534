/** What the threads that write journals share with the replica thread, which brings blocks to the quorum. */
import type { Time } from '../base/time.ts'
import type { BeforeAppend } from '../journal/control-store.ts'
import { StorageError } from '../journal/environment.ts'
import type { JournalQuorum } from '../journal/journal.ts'
import { joinFacts } from '../replica/control-facts.ts'
import { blockSlot, controlSlot, ReplicaSlot } from '../replica/slots.ts'
import { DOORBELL_BYTES, Doorbell } from '../ring/doorbell.ts'
import { QUORUM_COUNTS_BYTES } from '../shared/quorum-counts.ts'

export interface ReplicaMemory {
  /** By matcher, which offers. */
  readonly blocks: readonly SharedArrayBuffer[]
  /** The main thread offers. */
  readonly control: SharedArrayBuffer
  /** Wakes the replica thread. */
  readonly bell: SharedArrayBuffer
  /** What the replica thread counts. */
  readonly counts: SharedArrayBuffer
}

export const replicaMemory = (matchers: number): ReplicaMemory => ({
  blocks: Array.from({ length: matchers }, blockSlot),
  control: controlSlot(),
  bell: new SharedArrayBuffer(DOORBELL_BYTES),
  counts: new SharedArrayBuffer(QUORUM_COUNTS_BYTES),
})

/** For the matcher: a block waits at most `seconds`. */
export function journalQuorum(
  memory: ReplicaMemory,
  matcher: number,
  seconds: number,
  time: Time,
): JournalQuorum {
  const slot = new ReplicaSlot(memory.blocks[matcher]!)
  const bell = new Doorbell(memory.bell)
  return {
    offer: (block, position) => {
      slot.offer(position, position, block)
      bell.ring()
    },
    wait: (position) => {
      if (slot.wait(time, position, seconds * 1_000)) return
      throw new StorageError(sentence(`block ${position} of journal-${matcher}`, seconds))
    },
  }
}

/** For the main thread: facts wait at most `seconds`. After a failure it refuses everything. */
export function controlQuorum(memory: ReplicaMemory, seconds: number, time: Time): BeforeAppend {
  const slot = new ReplicaSlot(memory.control)
  const bell = new Doorbell(memory.bell)
  let hasFailed = false
  return (first, texts) => {
    const bytes = joinFacts(texts)
    if (!slot.hasRoom(bytes.length)) {
      throw new StorageError(
        `An action notes ${bytes.length} bytes, too many for the quorum at once.`,
      )
    }
    if (hasFailed) throw new StorageError(sentence('an earlier action', seconds))
    const last = first + texts.length - 1
    slot.offer(first, last, bytes)
    bell.ring()
    hasFailed = !slot.wait(time, last, seconds * 1_000)
    if (hasFailed) throw new StorageError(sentence('the action', seconds))
  }
}

const sentence = (what: string, seconds: number) =>
  `The quorum did not confirm ${what} within ${seconds} s (--replica-seconds).`
