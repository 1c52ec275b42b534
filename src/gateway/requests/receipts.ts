/**
 * Where the time of a request went that is answered by a matcher: for clients that ask for a receipt
 * with the answer, and for the histograms of the exchange, which take every SAMPLE_EVERY-th. Others are
 * not timed. The stages follow each other without gaps, so together they are the whole time.
 */
import type { Clock } from '../../base/clock.ts'
import { GatewayHistogram, type ThreadHistograms } from '../../shared/histograms.ts'
import type { StampReader } from '../../shared/stamps.ts'

export const SAMPLE_EVERY = 16

/** ns spent in each stage (shared/histograms.ts says what they are), in their order. */
export interface Stages {
  readonly parse: number
  readonly ring: number
  readonly match: number
  readonly journal: number
  readonly publish: number
  readonly answer: number
}
const stageNames = ['parse', 'ring', 'match', 'journal', 'publish', 'answer'] as const

/** One timed request. */
export class Receipt {
  /** Whether the client wants to have it. */
  readonly isAsked: boolean
  readonly arrivedNs: number
  /** Of its command, once that was sent. */
  correlation = -1
  sentNs = 0

  constructor(isAsked: boolean, arrivedNs: number) {
    this.isAsked = isAsked
    this.arrivedNs = arrivedNs
  }
}

export class Receipts {
  readonly #clock: Clock
  readonly #stamps: StampReader
  readonly #histograms: ThreadHistograms | undefined
  #untilSample = SAMPLE_EVERY

  /** Without histograms only receipts that are asked for are made. */
  constructor(clock: Clock, stamps: StampReader, histograms: ThreadHistograms | undefined) {
    this.#clock = clock
    this.#stamps = stamps
    this.#histograms = histograms
  }

  /** When a request came that may yet be sampled; undefined where none is, and only who asks is timed. */
  arrival(): number | undefined {
    return this.#histograms === undefined ? undefined : this.#clock.elapsedNs()
  }

  /** For a request that just arrived, or did at `arrivedNs`; undefined when nobody wants to know. */
  open(isAsked: boolean, arrivedNs?: number): Receipt | undefined {
    if (!isAsked && !this.#isSampleDue()) return undefined
    return new Receipt(isAsked, arrivedNs ?? this.#clock.elapsedNs())
  }

  /** The request's command is about to be handed over. */
  sent(receipt: Receipt, correlation: number): void {
    receipt.correlation = correlation
    receipt.sentNs = this.#clock.elapsedNs()
  }

  /** The answer is about to be sent. Undefined when no matcher answered. */
  close({ arrivedNs, sentNs, correlation }: Receipt): Stages | undefined {
    if (correlation < 0) return undefined
    const stamps = this.#stamps.of(correlation)
    // Who was not answered by a matcher finds what an earlier command left there.
    if (stamps === undefined || stamps.begunNs < sentNs) return undefined
    const { begunNs, matchedNs, journaledNs, publishedNs } = stamps
    // Nobody waits any more for one whose last stamps are still to come.
    if (publishedNs < matchedNs) return undefined
    const stages = {
      parse: sentNs - arrivedNs,
      ring: begunNs - sentNs,
      match: matchedNs - begunNs,
      journal: journaledNs - matchedNs,
      publish: publishedNs - journaledNs,
      answer: this.#clock.elapsedNs() - publishedNs,
    }
    this.#observe(stages)
    return stages
  }

  #isSampleDue(): boolean {
    if (this.#histograms === undefined || --this.#untilSample > 0) return false
    this.#untilSample = SAMPLE_EVERY
    return true
  }

  #observe(stages: Stages): void {
    const histograms = this.#histograms
    if (histograms === undefined) return
    for (const name of stageNames) histograms.observe(GatewayHistogram[name], stages[name])
  }
}

const totalOf = (stages: Stages): number => stageNames.reduce((sum, name) => sum + stages[name], 0)

/** The header line that goes with an answer over REST, begun with CRLF. */
export function stagesHeader(stages: Stages): string {
  const parts = stageNames.map((name) => `${name}=${stages[name]}`)
  return `\r\nX-RINGBOOK-STAGES: ${parts.join(';')};total=${totalOf(stages)}`
}

/** The object that goes with an answer over the WebSocket API. */
export const stagesJson = (stages: Stages): string =>
  JSON.stringify({ ...stages, total: totalOf(stages) })
