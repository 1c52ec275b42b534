/** All symbols in which the house acts, each on its own; none of them can stop another. */
import { FrontDoor, type HouseKey } from './front-door.ts'
import { Hand } from './hand.ts'
import { keep } from './keep.ts'
import type { LiquidityPlan } from './plan.ts'
import { replay } from './replay.ts'
import { Stop } from './stop.ts'

export interface HouseParts {
  /** Where the exchange answers clients. */
  readonly host: string
  readonly port: number
  /** That it answers with, PEM; undefined when it answers in the clear. */
  readonly certificate: string | undefined
  readonly plans: readonly LiquidityPlan[]
  /** By account name. */
  readonly keys: Readonly<Record<string, HouseKey>>
  readonly passedMs: () => number
  readonly warn: (sentence: string) => void
  readonly say: (fields: Readonly<Record<string, unknown>>, sentence: string) => void
}

/** The account that takes in all symbols, and the one that quotes in one of them. */
export const TAKER_ACCOUNT = 'house-taker'
export const makerAccount = (symbol: string): string => `house-maker-${symbol}`

export class House {
  readonly #stop = new Stop()
  readonly #door: FrontDoor
  readonly #work: Promise<unknown>

  /** It acts from now on. */
  constructor(parts: HouseParts) {
    this.#door = new FrontDoor(parts.host, parts.port, parts.certificate)
    this.#work = Promise.all(parts.plans.map((plan) => this.#act(plan, parts)))
  }

  /** Takes all its orders back; resolves when they are. */
  async stop(): Promise<void> {
    this.#stop.want()
    await this.#work
    this.#door.close()
  }

  async #act(plan: LiquidityPlan, { keys, passedMs, warn, say }: HouseParts): Promise<void> {
    const { symbol } = plan
    const [maker, taker] = [keys[makerAccount(symbol)], keys[TAKER_ACCOUNT]]
    if (maker === undefined || taker === undefined) {
      warn(`the house does not act in ${symbol}: it has no key`)
      return
    }
    const hand = new Hand({ door: this.#door, symbol, maker, taker, stop: this.#stop, warn })
    try {
      if (plan.kind === 'keep') await keep(plan, hand, this.#stop, warn)
      else {
        const ended = (counts: object) => say({ symbol, ...counts }, 'a recording was played')
        await replay({ plan, hand, stop: this.#stop, passedMs, warn, ended })
      }
    } catch (error) {
      warn(`the house acts in ${symbol} no more: ${(error as Error).message}`)
    }
  }
}
