/** Runs house liquidity in all its symbols, each on its own: one that fails stops no other. */
import { FrontDoor, type HouseKey } from './front-door.ts'
import { keepQuotes } from './keep-quotes.ts'
import type { LiquidityPlan } from './plan.ts'
import { QuoteWorker } from './quote-worker.ts'
import { replay } from './replay.ts'
import { Stop } from './stop.ts'

export interface HouseLiquidityParts {
  /** The address of the exchange's clients. */
  readonly host: string
  readonly port: number
  /** The exchange's certificate, PEM; undefined without TLS. */
  readonly certificate: string | undefined
  readonly plans: readonly LiquidityPlan[]
  /** By account name. */
  readonly keys: Readonly<Record<string, HouseKey>>
  readonly passedMs: () => number
  readonly warn: (sentence: string) => void
  readonly say: (fields: Readonly<Record<string, unknown>>, sentence: string) => void
}

/** The account that takes in all symbols, and the account that quotes in one. */
export const TAKER_ACCOUNT = 'house-taker'
export const makerAccount = (symbol: string): string => `house-maker-${symbol}`

export class HouseLiquidity {
  readonly #stop = new Stop()
  readonly #door: FrontDoor
  readonly #work: Promise<unknown>

  /** Starts at once. */
  constructor(parts: HouseLiquidityParts) {
    this.#door = new FrontDoor(parts.host, parts.port, parts.certificate)
    this.#work = Promise.all(parts.plans.map((plan) => this.#act(plan, parts)))
  }

  /** Cancels all orders of the house; resolves when they are canceled. */
  async stop(): Promise<void> {
    this.#stop.want()
    await this.#work
    this.#door.close()
  }

  async #act(
    plan: LiquidityPlan,
    { keys, passedMs, warn, say }: HouseLiquidityParts,
  ): Promise<void> {
    const { symbol } = plan
    const [maker, taker] = [keys[makerAccount(symbol)], keys[TAKER_ACCOUNT]]
    if (maker === undefined || taker === undefined) {
      warn(`the house does not act in ${symbol}: it has no key`)
      return
    }
    const worker = new QuoteWorker({
      door: this.#door,
      symbol,
      maker,
      taker,
      stop: this.#stop,
      warn,
    })
    try {
      if (plan.kind === 'keep') await keepQuotes(plan, worker, this.#stop, warn)
      else {
        const ended = (counts: object) => say({ symbol, ...counts }, 'a recording was played')
        await replay({ plan, worker, stop: this.#stop, passedMs, warn, ended })
      }
    } catch (error) {
      warn(`the house acts in ${symbol} no more: ${(error as Error).message}`)
    }
  }
}
