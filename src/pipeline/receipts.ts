/**
 * The stages of a request that a matcher executes: for clients that ask for a receipt, and for the
 * histograms of the exchange and of the account, which take every SAMPLE_EVERY-th. Other requests are not timed. The stages
 * follow each other without gaps, so together they are the whole time.
 */
import { type Stages, stageNames, totalOf } from '../api/answers/session.ts'
import type { Clock } from '../base/time.ts'
import type { AccountId } from '../base/units.ts'
import type { LatencyWriter } from '../shared/account-latency.ts'
import { GatewayHistogram, type ThreadHistograms } from '../shared/histograms.ts'
import type { StampReader } from '../shared/stamps.ts'

export const SAMPLE_EVERY = 16

/** One timed request. */
export class Receipt {
  /** Whether the client asked for it. */
  readonly isAsked: boolean
  readonly arrivedNs: number
  /** The correlation id of its command, once that was sent. */
  correlation: number | undefined
  sentNs = 0

  constructor(isAsked: boolean, arrivedNs: number) {
    this.isAsked = isAsked
    this.arrivedNs = arrivedNs
  }
}

export class Receipts {
  private readonly clock: Clock
  private readonly stamps: StampReader
  private readonly histograms: ThreadHistograms | undefined
  private readonly latency: Pick<LatencyWriter, 'observe'>
  private untilSample = SAMPLE_EVERY

  /** Only clients' receipts are made without `histograms`. */
  constructor(
    clock: Clock,
    stamps: StampReader,
    histograms: ThreadHistograms | undefined,
    latency: Pick<LatencyWriter, 'observe'>,
  ) {
    this.latency = latency
    this.clock = clock
    this.stamps = stamps
    this.histograms = histograms
  }

  /**
   * Returns the arrival, ns, of a request that asks for a receipt, or is sampled if it opens one; undefined
   * for others.
   */
  arrival(isAsked: boolean): number | undefined {
    const isNext = this.histograms !== undefined && this.untilSample === 1
    return isAsked || isNext ? this.clock.elapsedNs() : undefined
  }

  /** Begins a receipt for a request that arrived now or at `arrivedNs`; undefined for an untimed one. */
  open(isAsked: boolean, arrivedNs?: number): Receipt | undefined {
    if (!isAsked && !this.isSampleDue()) return undefined
    return new Receipt(isAsked, arrivedNs ?? this.clock.elapsedNs())
  }

  /** Notes that the request's command is about to be sent. */
  sent(receipt: Receipt, correlation: number): void {
    receipt.correlation = correlation
    receipt.sentNs = this.clock.elapsedNs()
  }

  /** Ends the receipt before the response is sent. Returns undefined when no matcher replied. */
  close({ arrivedNs, sentNs, correlation }: Receipt, account: AccountId): Stages | undefined {
    if (correlation === undefined) return undefined
    const stamps = this.stamps.of(correlation)
    // Without a matcher's reply the row holds the stamps of an earlier command.
    if (stamps === undefined || stamps.begunNs < sentNs) return undefined
    const { begunNs, matchedNs, journaledNs, publishedNs } = stamps
    // A receipt whose last stamps are still missing was given up.
    if (publishedNs < matchedNs) return undefined
    const stages = {
      parse: sentNs - arrivedNs,
      ring: begunNs - sentNs,
      match: matchedNs - begunNs,
      journal: journaledNs - matchedNs,
      publish: publishedNs - journaledNs,
      answer: this.clock.elapsedNs() - publishedNs,
    }
    this.observe(stages)
    this.latency.observe(account, { ...stages, order: totalOf(stages) })
    return stages
  }

  private isSampleDue(): boolean {
    if (this.histograms === undefined || --this.untilSample > 0) return false
    this.untilSample = SAMPLE_EVERY
    return true
  }

  private observe(stages: Stages): void {
    const histograms = this.histograms
    if (histograms === undefined) return
    for (const name of stageNames) histograms.observe(GatewayHistogram[name], stages[name])
    histograms.observe(GatewayHistogram.order, totalOf(stages))
  }
}

/** Returns the header line of a response over REST, begun with CRLF. */
export function stagesHeader(stages: Stages): string {
  const parts = stageNames.map((name) => `${name}=${stages[name]}`)
  return `\r\nX-RINGBOOK-STAGES: ${parts.join(';')};total=${totalOf(stages)}`
}
