/** Runs market making in all its symbols, each on its own: one that fails stops no other. */
import type { Time } from '../base/time.ts'
import { type Carry, ExchangeClient, type LiquidityKey } from './exchange-client.ts'
import { keepQuotes } from './keep-quotes.ts'
import type { LeavePlan, LiquidityPlan } from './plan.ts'
import { QuoteWorker } from './quote-worker.ts'
import { replay } from './replay.ts'
import { Stop } from './stop.ts'

export interface MarketMakersParts {
  /** The address of the exchange's clients. */
  readonly host: string
  readonly port: number
  /** The exchange's certificate, PEM; undefined without TLS. */
  readonly certificate: string | undefined
  readonly plans: readonly (LiquidityPlan | LeavePlan)[]
  /** By account name. */
  readonly keys: Readonly<Record<string, LiquidityKey>>
  readonly time: Time
  /** Carries requests to an exchange in this process; connections do when left out. */
  readonly carry?: Carry
  readonly warn: (sentence: string) => void
  readonly say: (fields: Readonly<Record<string, unknown>>, sentence: string) => void
}

/** The account that takes in all symbols, and the account that quotes in one. */
export const TAKER_ACCOUNT = 'house-taker'
export const makerAccount = (symbol: string): string => `house-maker-${symbol}`

export class MarketMakers {
  private readonly stopWish: Stop
  private readonly client: ExchangeClient
  private readonly work: Promise<unknown>
  /** Resolves when every symbol has its first quotes, or cannot have them. */
  readonly opened: Promise<unknown>

  /** Starts at once. */
  constructor(parts: MarketMakersParts) {
    const { host, port, time, certificate, carry } = parts
    this.stopWish = new Stop(time)
    this.client = new ExchangeClient(host, port, time, certificate, carry)
    const actions = parts.plans.map((plan) => {
      let opened: () => void = () => {}
      const opening = new Promise<void>((resolve) => {
        opened = resolve
      })
      return { opening, ended: this.act(plan, parts, opened).finally(opened) }
    })
    this.opened = Promise.all(actions.map(({ opening }) => opening))
    this.work = Promise.all(actions.map(({ ended }) => ended))
  }

  /** The exchange serves this certificate (PEM) from now on. */
  trust(certificate: string): void {
    this.client.trust(certificate)
  }

  /** Cancels all orders of the market makers; resolves when they are canceled. */
  async stop(): Promise<void> {
    this.stopWish.want()
    await this.work
    this.client.close()
  }

  private async act(
    plan: LiquidityPlan | LeavePlan,
    { keys, time, warn, say }: MarketMakersParts,
    opened: () => void,
  ): Promise<void> {
    const { symbol } = plan
    const [maker, taker] = [keys[makerAccount(symbol)], keys[TAKER_ACCOUNT]]
    if (maker === undefined || taker === undefined) {
      warn(`Market maker is off on ${symbol}: it has no key.`)
      return
    }
    const worker = new QuoteWorker({
      client: this.client,
      symbol,
      maker,
      taker,
      stop: this.stopWish,
      warn,
      say: (sentence) => say({}, sentence),
    })
    try {
      if (plan.kind === 'leave') await worker.cancelAll()
      else if (plan.kind === 'keep') await keepQuotes(plan, worker, this.stopWish, warn, opened)
      else {
        opened()
        const ended = (counts: object) => say({ symbol, ...counts }, 'a recording was played')
        await replay({ plan, worker, stop: this.stopWish, time, warn, ended })
      }
    } catch (error) {
      warn(`Market maker ended on ${symbol}: ${(error as Error).message}`)
    }
  }
}
