/** Runs house liquidity in all its symbols, each on its own: one that fails stops no other. */
import { ExchangeClient, type HouseKey } from './exchange-client.ts'
import { keepQuotes } from './keep-quotes.ts'
import type { LeavePlan, LiquidityPlan } from './plan.ts'
import { QuoteWorker } from './quote-worker.ts'
import { replay } from './replay.ts'
import { Stop } from './stop.ts'

export interface HouseLiquidityParts {
  /** The address of the exchange's clients. */
  readonly host: string
  readonly port: number
  /** The exchange's certificate, PEM; undefined without TLS. */
  readonly certificate: string | undefined
  readonly plans: readonly (LiquidityPlan | LeavePlan)[]
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
  readonly #client: ExchangeClient
  readonly #work: Promise<unknown>
  /** Resolves when every symbol has its first quotes, or cannot have them. */
  readonly opened: Promise<unknown>

  /** Starts at once. */
  constructor(parts: HouseLiquidityParts) {
    this.#client = new ExchangeClient(parts.host, parts.port, parts.certificate)
    const actions = parts.plans.map((plan) => {
      let opened: () => void = () => {}
      const opening = new Promise<void>((resolve) => {
        opened = resolve
      })
      return { opening, ended: this.#act(plan, parts, opened).finally(opened) }
    })
    this.opened = Promise.all(actions.map(({ opening }) => opening))
    this.#work = Promise.all(actions.map(({ ended }) => ended))
  }

  /** The exchange serves this certificate (PEM) from now on. */
  trust(certificate: string): void {
    this.#client.trust(certificate)
  }

  /** Cancels all orders of the house; resolves when they are canceled. */
  async stop(): Promise<void> {
    this.#stop.want()
    await this.#work
    this.#client.close()
  }

  async #act(
    plan: LiquidityPlan | LeavePlan,
    { keys, passedMs, warn, say }: HouseLiquidityParts,
    opened: () => void,
  ): Promise<void> {
    const { symbol } = plan
    const [maker, taker] = [keys[makerAccount(symbol)], keys[TAKER_ACCOUNT]]
    if (maker === undefined || taker === undefined) {
      warn(`House market maker is off on ${symbol}: it has no key.`)
      return
    }
    const worker = new QuoteWorker({
      client: this.#client,
      symbol,
      maker,
      taker,
      stop: this.#stop,
      warn,
      say: (sentence) => say({}, sentence),
    })
    try {
      if (plan.kind === 'leave') await worker.cancelAll()
      else if (plan.kind === 'keep') await keepQuotes(plan, worker, this.#stop, warn, opened)
      else {
        opened()
        const ended = (counts: object) => say({ symbol, ...counts }, 'a recording was played')
        await replay({ plan, worker, stop: this.#stop, passedMs, warn, ended })
      }
    } catch (error) {
      warn(`House market maker ended on ${symbol}: ${(error as Error).message}`)
    }
  }
}
