/**
 * Takes the lead from another member, for one that follows: one conditional update of the leader's row,
 * which one of several members wins. Then it commits a beat: that commit proves that the lead and all blocks
 * that the server shows are on the quorum. From then on the leader before can write nothing.
 */
import type { Follower } from './follower.ts'
import { BEAT_MS } from './join.ts'
import { LACK_MAX, type LeadWatch } from './lead-watch.ts'
import {
  type Claim,
  NO_POINT,
  OutcomeUnknown,
  type Quorum,
  type QuorumPoint,
  type QuorumReader,
  QuorumRefusal,
} from './quorum.ts'

export interface TakeOverOptions {
  readonly quorum: Quorum
  readonly watch: Pick<LeadWatch, 'saw' | 'cause'>
  readonly claimer: Pick<Claim, 'member' | 'address'>
  readonly follower: Pick<Follower, 'cursor' | 'lag'>
  /** The highest epoch that this member knows of. */
  readonly lastEpoch: number
  readonly passedMs: () => number
  /** Called after an unknown outcome. Resolves to false when the member stops. */
  readonly pause: () => Promise<boolean>
}

export interface TakenOver {
  readonly epoch: number
  /** The last sequence of all leaders before. */
  readonly watermark: number
}

/**
 * Resolves to undefined when there is no cause any more, no server accepts writes, another member was
 * quicker, or this one stops.
 * Rejects with QuorumRefusal.
 */
export async function takeOver(options: TakeOverOptions): Promise<TakenOver | undefined> {
  const { quorum, watch, claimer, follower, passedMs, pause } = options
  let claimed: number | undefined
  do {
    try {
      await quorum.open()
      await quorum.prepare()
      const lead = await quorum.lead()
      // A claim whose answer was lost may have been granted.
      const isGranted = claimed !== undefined && lead?.epoch === claimed
      if (!isGranted || lead?.member !== claimer.member) {
        watch.saw(lead, passedMs())
        if (watch.cause(passedMs(), follower.lag) === undefined) return undefined
        claimed = Math.max(lead?.epoch ?? 0, options.lastEpoch) + 1
        // The server that this member reads from may hide how far it is behind.
        const mayLack = watch.cause(passedMs(), Number.POSITIVE_INFINITY) !== undefined
        const level = mayLack ? {} : { sequenceMax: follower.cursor + LACK_MAX }
        const claim = { ...claimer, epoch: claimed, ...level }
        if (!(await quorum.takeLead(lead, claim))) return undefined
      }
      return { epoch: claimed!, watermark: await quorum.beat(claimed!) }
    } catch (error) {
      if (error instanceof QuorumRefusal && (await isSucceeded(quorum, claimed))) return undefined
      if (!(error instanceof OutcomeUnknown)) throw error
      // Nothing was claimed: the member follows until a server accepts writes.
      if (claimed === undefined) return undefined
    }
  } while (await pause())
  return undefined
}

/** Whether another member has taken the lead since. */
async function isSucceeded(
  quorum: Pick<Quorum, 'lead'>,
  claimed: number | undefined,
): Promise<boolean> {
  if (claimed === undefined) return false
  const lead = await quorum.lead().catch(() => undefined)
  return lead !== undefined && lead.epoch > claimed
}

export interface ReadRestOptions {
  /** The new leader's quorum, open. */
  readonly quorum: Pick<Quorum, 'open' | 'mark' | 'beat' | 'lead' | 'ends'>
  readonly taken: TakenOver
  readonly follower: Pick<Follower, 'cursor' | 'ends' | 'step'>
  readonly reader: Pick<QuorumReader, 'open'>
  readonly passedMs: () => number
  /** Called when a server shows nothing more. Resolves to false when the member stops. */
  readonly pause: () => Promise<boolean>
}

/**
 * Shows followers, this one too, all blocks of the leaders before, and delivers them here. Beats meanwhile.
 * A server that does not show them, because it receives nothing any more, is left for the next one.
 * Resolves to false when another member has taken the lead, or this one stops. Rejects with QuorumRefusal.
 */
export async function readRest(options: ReadRestOptions): Promise<boolean> {
  const { quorum, taken, follower, reader, passedMs, pause } = options
  let isMarked = false
  let beatMs = passedMs()
  for (;;) {
    try {
      if (passedMs() - beatMs >= BEAT_MS) {
        await quorum.beat(taken.epoch)
        beatMs = passedMs()
      }
      if (follower.cursor >= taken.watermark) return checkEnds(await quorum.ends(), follower.ends)
      if (!isMarked) await quorum.mark(taken.watermark)
      isMarked = true
      if ((await follower.step()) > 0) continue
      await reader.open()
    } catch (error) {
      if (error instanceof QuorumRefusal && (await isSucceeded(quorum, taken.epoch))) return false
      if (!(error instanceof OutcomeUnknown)) throw error
      // A mark waits for no standby: a failover may have lost it.
      isMarked = false
      await quorum.open().catch(() => {})
    }
    if (!(await pause())) return false
  }
}

/** Returns true. Throws QuorumRefusal unless this member has the journals of the quorum. */
function checkEnds(
  there: ReadonlyMap<number, QuorumPoint>,
  here: ReadonlyMap<number, QuorumPoint>,
): true {
  for (const [journal, { position, checksum }] of there) {
    const end = here.get(journal) ?? NO_POINT
    if (end.position === position && end.checksum === checksum) continue
    throw new QuorumRefusal(
      `Journal ${journal} ends with block ${position} on the quorum, and with ${end.position} here.`,
    )
  }
  return true
}
