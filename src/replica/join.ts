/**
 * Takes the lead of the quorum, at a start, and makes the data folder equal to it. A leader that is alive
 * keeps the lead: no member takes it while its beats continue.
 */
import { forgetDropped } from './local-journals.ts'
import { memberOf } from './member-name.ts'
import { type Lead, OutcomeUnknown, type Quorum, QuorumRefusal } from './quorum.ts'
import { fallBehind, type Reconciled, reconcile } from './reconcile.ts'

/** Between two beats of a leader. */
export const BEAT_MS = 500
/** A leader whose beats stop for this long may be succeeded. Fencing, not this time, makes that safe. */
export const SILENCE_MS = 3_000

export interface JoinOptions {
  readonly dataFolder: string
  readonly quorum: Quorum
  /** Epoch of the folder's last start, 0 before the first. */
  readonly lastEpoch: number
  /** What clients use to reach this member. */
  readonly address: string
  readonly sleep: (ms: number) => Promise<void>
  /** Gets the damage of a write-ahead log, whose blocks the quorum has. */
  readonly damaged: (sentence: string) => void
}

export interface Joined extends Reconciled {
  readonly epoch: number
  /** The leader before, when it was another member. */
  readonly succeeded: string | undefined
}

const COPY =
  'A member of this name leads, so this data folder is a copy of its folder: remove replica-member here.'

export class LeaderAlive extends QuorumRefusal {}

/** Rejects with OutcomeUnknown, after which it may be called again, and with QuorumRefusal. */
export async function join(options: JoinOptions): Promise<Joined> {
  const { dataFolder, quorum, lastEpoch, address, sleep, damaged } = options
  const member = memberOf(dataFolder)
  await quorum.open()
  await quorum.prepare()
  let before = await quorum.lead()
  const other = before?.member === member ? undefined : before
  // One of the same name may be alive on a machine that was cloned. One that stopped names itself.
  if (before !== undefined && before.successor !== member) {
    before = await silentLead(quorum, member, before, sleep)
  }
  if (other !== undefined) {
    // Before the lead is taken: after it, this member would count as the one that led last.
    await fallBehind({ dataFolder, quorum, damaged })
  }
  const epoch = Math.max(before?.epoch ?? 0, lastEpoch) + 1
  if (!(await quorum.takeLead(before, { epoch, member, address }))) {
    throw new OutcomeUnknown('another member took the lead at the same moment')
  }
  const watermark = await quorum.beat(epoch)
  const reconciled = await reconcile({ dataFolder, quorum, epoch, watermark, damaged })
  if (other === undefined) forgetDropped(dataFolder)
  return { ...reconciled, epoch, succeeded: other?.member }
}

/** Returns the row that stayed for a while. Throws QuorumRefusal when the leader beats. */
async function silentLead(
  quorum: Quorum,
  own: string,
  found: Lead,
  sleep: (ms: number) => Promise<void>,
): Promise<Lead> {
  let seen = found
  for (let passedMs = 0; passedMs < SILENCE_MS; passedMs += BEAT_MS) {
    await sleep(BEAT_MS)
    const now = await quorum.lead()
    if (now?.member === seen.member && now.beat === seen.beat) continue
    if (now?.member !== own) {
      throw new LeaderAlive(`Another member leads: ${now?.member}. Stop it first.`)
    }
    // One beat of the process before may have come late.
    if (seen !== found) throw new LeaderAlive(COPY)
    seen = now
    passedMs = -BEAT_MS
  }
  return seen
}
