/** What a load is made of: actors that decide, at each arrival, what they send. */
import type { Market } from '../../../src/liquidity/market.ts'
import type { Answer, Request } from '../target.ts'

export interface Work {
  /** What is measured together. */
  readonly action: string
  readonly request: Request
  /** Called once, with whatever came of it. */
  readonly settle: (answer: Answer) => void
}

export interface Actor {
  /** Undefined when there is nothing that it could send now. */
  next(): Work | undefined
}

/** A symbol as actors see it. */
export interface Place {
  readonly market: Market
  /** The middle of its book, or what stands for it while there is none. */
  readonly middle: () => number
}
