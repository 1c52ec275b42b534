/**
 * Hands the lead over, for a leader that writes nothing more: names the successor in the leader's row, and
 * waits until that member has taken the lead. A successor that does not come is unnamed again.
 */
import { OutcomeUnknown, type Quorum, QuorumRefusal } from './quorum.ts'

const LOST = 'The quorum does not answer, so it is unknown whether the lead was handed over.'

export interface HandOverOptions {
  readonly quorum: Pick<Quorum, 'open' | 'lead' | 'beat' | 'nameSuccessor'>
  /** Epoch of this leader. */
  readonly epoch: number
  readonly successor: string
  readonly patienceMs: number
  readonly passedMs: () => number
  /** Called between two looks. Resolves to false when this member stops. */
  readonly pause: () => Promise<boolean>
}

/**
 * Resolves to whether another member leads. When it does not, none will because of this handover. Rejects
 * with OutcomeUnknown when it stops before that is known.
 */
export async function handOver(options: HandOverOptions): Promise<boolean> {
  const { quorum, epoch, successor, patienceMs, passedMs, pause } = options
  const deadlineMs = passedMs() + patienceMs
  let isNamed = false
  let wanted = successor
  for (;;) {
    try {
      // Only the named member shall take the lead: others see no silence.
      await quorum.beat(epoch)
      if (!isNamed) await quorum.nameSuccessor(epoch, wanted)
      isNamed = true
      if (wanted === '') return false
      if (passedMs() >= deadlineMs) {
        wanted = ''
        isNamed = false
        continue
      }
    } catch (error) {
      if (error instanceof QuorumRefusal && (await isLeft(options))) return true
      if (!(error instanceof OutcomeUnknown)) throw error
      if (passedMs() >= deadlineMs + patienceMs) throw new QuorumRefusal(LOST)
      await quorum.open().catch(() => {})
    }
    if (!(await pause())) throw new OutcomeUnknown('this member stops')
  }
}

async function isLeft({ quorum, epoch }: HandOverOptions): Promise<boolean> {
  const lead = await quorum.lead().catch(() => undefined)
  return lead !== undefined && lead.epoch !== epoch
}
