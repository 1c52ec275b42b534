/**
 * The replica thread of a leader: brings to the quorum what matchers and the main thread offer, and beats.
 * While the quorum does not answer it tries again and again; those that offered give up.
 */
import { elapsedMs, pause, type Time } from '../base/time.ts'
import { BlockReader } from '../journal/block.ts'
import { factBlocks } from '../replica/control-facts.ts'
import { handOver } from '../replica/handover.ts'
import { ANY_MEMBER } from '../replica/lead-watch.ts'
import { quorumBlock } from '../replica/local-journals.ts'
import {
  CONTROL_JOURNAL,
  OutcomeUnknown,
  type Quorum,
  type QuorumPoint,
} from '../replica/quorum.ts'
import { type ReplicaSource, Replicator } from '../replica/replicator.ts'
import { ReplicaSlot } from '../replica/slots.ts'
import { Doorbell } from '../ring/doorbell.ts'
import { QuorumCounts } from '../shared/quorum-counts.ts'
import type { ThreadReport } from './messages.ts'
import type { ReplicaMemory } from './replica-link.ts'

/** Between two tries to reach the quorum. */
export const PAUSE_MS = 100
/** Blocks that follow each other within this time carry the watermark. */
const MARK_PAUSE_MS = 0.5

/** Reasons that are logged of one loss. */
const REASONS_MAX = 8

/** The lead, once it is taken and the folder is as the quorum. */
export interface TakenLead {
  readonly epoch: number
  /** The ends of the journals, here and on the quorum. */
  readonly ends: ReadonlyMap<number, QuorumPoint>
  /** A sequence that is known to be on the quorum. */
  readonly watermark: number
}

/** What the main thread asks of it. */
export interface LeadRequests {
  isStopping: boolean
  /** This member can write nothing more. */
  isResigning: boolean
  /** Since the last handover: the member that shall lead. */
  successor: { readonly name: string; readonly number: number } | undefined
}

export interface LeadQuorum {
  readonly time: Time
  /** Open, and of this leader. */
  readonly quorum: Quorum
  readonly memory: ReplicaMemory
  /** The name of this member. */
  readonly member: string
  readonly requests: LeadRequests
  /** The longest wait for a successor. */
  readonly patienceMs: number
  /** Between two beats. */
  readonly beatMs: number
  readonly report: (message: ThreadReport) => void
}

/** Leads until it has to stop or to resign. Rejects with QuorumRefusal when another member leads. */
export async function leadQuorum(options: LeadQuorum, taken: TakenLead): Promise<void> {
  const { quorum, memory } = options
  const { epoch, ends, watermark } = taken
  const sources = sourcesOf(memory, ends)
  const replicator = new Replicator({ quorum, epoch, sources, ends, watermark })
  const hasLeft = await new LeaderWork(options, epoch, replicator, sources).run()
  if (options.requests.isResigning) await resign(options, epoch)
  else if (!hasLeft) await stop(options, epoch, replicator)
}

/**
 * Shows followers everything that was acknowledged to clients; if the quorum does not answer, the next leader does. Names this
 * member as the successor: it need not wait for its own silence when it starts again.
 */
async function stop({ quorum, member }: LeadQuorum, epoch: number, replicator: Replicator) {
  try {
    await replicator.mark()
    await quorum.nameSuccessor(epoch, member)
  } catch {
    // What is left undone costs time, and nothing else.
  }
}

/** Names any member as the successor, as soon as the quorum answers. Beats no more. */
async function resign({ quorum, requests, time }: LeadQuorum, epoch: number): Promise<void> {
  while (!requests.isStopping) {
    try {
      return await quorum.nameSuccessor(epoch, ANY_MEMBER)
    } catch (error) {
      // Another member leads already.
      if (!(error instanceof OutcomeUnknown)) return
      await quorum.open().catch(() => {})
      await pause(time, PAUSE_MS)
    }
  }
}

class LeaderWork {
  private readonly options: LeadQuorum
  private readonly epoch: number
  private readonly replicator: Replicator
  private readonly sources: readonly SlotSource[]
  private readonly bell: Doorbell
  private readonly counts: QuorumCounts
  private beatMs = 0
  /** Why the quorum has been lost since it last answered. */
  private readonly reasons = new Set<string>()

  constructor(
    options: LeadQuorum,
    epoch: number,
    replicator: Replicator,
    sources: readonly SlotSource[],
  ) {
    this.options = options
    this.epoch = epoch
    this.replicator = replicator
    this.sources = sources
    this.bell = new Doorbell(options.memory.bell)
    this.counts = new QuorumCounts(options.memory.counts, options.time)
  }

  /** Resolves to whether another member leads now, after a handover. */
  async run(): Promise<boolean> {
    const { requests } = this.options
    while (!requests.isStopping && !requests.isResigning) {
      try {
        const isIdle = await this.step()
        const lostMs = this.counts.find()
        if (lostMs > 0) this.reportFound(lostMs)
        this.reasons.clear()
        if (!isIdle) continue
        if (requests.successor !== undefined && (await this.handOver())) return true
        await this.rest()
      } catch (error) {
        if (!(error instanceof OutcomeUnknown)) throw error
        this.reportLost(error)
        this.counts.lose()
        await this.pause()
      }
    }
    return false
  }

  /** Sends what is offered, and beats. Returns whether there was nothing to do. */
  private async step(): Promise<boolean> {
    const isIdle = (await this.replicator.send()) === 0
    const { blocks, bytes } = this.replicator.sent
    this.counts.noteSent(blocks, bytes)
    if (this.passedMs() - this.beatMs < this.options.beatMs) return isIdle
    await this.replicator.beat()
    this.beatMs = this.passedMs()
    return false
  }

  private async rest(): Promise<void> {
    const hasWork = () => this.hasWork()
    if (this.replicator.isMarked) {
      await this.bell.sleepAtMost(this.options.beatMs, hasWork, this.options.time)
      return
    }
    // Blocks the thread, which a bell wakes sooner than its event loop. No call is under way.
    this.bell.sleep(hasWork, MARK_PAUSE_MS, this.options.time)
    if (!hasWork()) await this.replicator.mark()
  }

  private passedMs(): number {
    return elapsedMs(this.options.time)
  }

  private pause(): Promise<void> {
    return pause(this.options.time, PAUSE_MS)
  }

  private hasWork(): boolean {
    const { isStopping, isResigning, successor } = this.options.requests
    if (isStopping || isResigning || successor !== undefined) return true
    return this.sources.some((source) => source.hasOffer())
  }

  /** Nothing is offered meanwhile. Resolves to whether another member leads now. */
  private async handOver(): Promise<boolean> {
    const { quorum, requests, patienceMs, report } = this.options
    const { name: successor, number } = requests.successor!
    requests.successor = undefined
    const passedMs = () => this.passedMs()
    const goOn = async () => {
      await this.pause()
      return !requests.isStopping && !requests.isResigning
    }
    const isDone = await handOver({
      quorum,
      epoch: this.epoch,
      successor,
      patienceMs,
      passedMs,
      pause: goOn,
    })
    report({ report: 'applied', number, said: isDone ? 'left' : '' })
    const isStopping = () => requests.isStopping
    if (isDone) while (!isStopping()) await this.bell.sleepAsync(isStopping)
    return isDone
  }

  /** Each reason once: hosts are tried in turn, and fail each in its way. */
  private reportLost({ message: reason }: Error): void {
    if (this.reasons.has(reason) || this.reasons.size === REASONS_MAX) return
    const message =
      this.reasons.size === 0
        ? 'lost the quorum; orders wait'
        : 'still without the quorum; orders wait'
    this.reasons.add(reason)
    this.options.report({ report: 'log', level: 'warn', fields: { reason }, message })
  }

  private reportFound(lostMs: number): void {
    const message = 'the quorum answers again'
    const fields = { lostMs }
    this.options.report({ report: 'log', level: 'info', fields, message })
  }
}

interface SlotSource extends ReplicaSource {
  hasOffer(): boolean
}

/** The journals of the matchers, and the control journal. */
function sourcesOf(memory: ReplicaMemory, ends: TakenLead['ends']): readonly SlotSource[] {
  const slotOf = (memory: SharedArrayBuffer, journal: number) => {
    const slot = new ReplicaSlot(memory)
    slot.acknowledge(ends.get(journal)?.position ?? 0)
    return {
      slot,
      journal,
      hasOffer: () => slot.take() !== undefined,
      acknowledge: (position: number) => slot.acknowledge(position),
    }
  }
  const { slot: control, ...controlSource } = slotOf(memory.control, CONTROL_JOURNAL)
  const matchers = memory.blocks.map((memory, matcher) => {
    const { slot, ...source } = slotOf(memory, matcher)
    const reader = new BlockReader()
    return {
      ...source,
      offered: () => {
        const offer = slot.take()
        if (offer === undefined) return []
        reader.open(offer.bytes, `Block ${offer.last} of journal-${matcher}`)
        return [quorumBlock(reader, offer.bytes)]
      },
    }
  })
  const offered: ReplicaSource['offered'] = (end) => {
    const offer = control.take()
    return offer === undefined ? [] : factBlocks(offer.bytes, end)
  }
  return [{ ...controlSource, offered }, ...matchers]
}
