/**
 * The book of a recording, kept as one order at each price: returns the orders and cancels
 * that turn the exchange's book into the recorded one.
 */

import type { Market } from './market.ts'
import type { QuoteAction, Side } from './quote-planner.ts'
import type { RecordedEvent, RecordedLevel } from './recording.ts'

type DepthEvent = Extract<RecordedEvent, { event: 'depth' }>

interface Standing {
  readonly side: Side
  readonly quantity: string
  /** 0 until the response arrives. */
  orderId: number
  /** Whether something traded at this price, so that the order's remainder is unknown. */
  isTouched: boolean
}

/** The request for one level; `placed` reports the resulting order. */
export interface LevelAction {
  readonly key: string
  readonly action: QuoteAction
}

export class RecordedBook {
  private readonly market: Market
  private readonly orders = new Map<string, Standing>()
  private _unfit = 0

  constructor(market: Market) {
    this.market = market
  }

  /** Levels that the symbol's filters refuse. */
  get unfit(): number {
    return this._unfit
  }

  /** Returns cancels first, so that nothing crosses, then orders to place. */
  actions({ levels, isWhole }: DepthEvent): { cancels: LevelAction[]; places: LevelAction[] } {
    const wanted = new Map(levels.map((level) => [keyOf(level), level]))
    const cancels: LevelAction[] = []
    const places: LevelAction[] = []
    if (isWhole) {
      for (const key of this.orders.keys()) if (!wanted.has(key)) this.remove(key, cancels)
    }
    for (const [key, level] of wanted) {
      if (Number(level.quantity) === 0) this.remove(key, cancels)
      else this.set(key, level, places)
    }
    return { cancels, places }
  }

  /** Notes the id of the level's order; 0 when it was refused, or is filled already. */
  placed(key: string, orderId: number): void {
    const standing = this.orders.get(key)
    if (standing === undefined) return
    if (orderId === 0) this.orders.delete(key)
    else standing.orderId = orderId
  }

  /** Notes a trade at the price. */
  touch(price: string): void {
    for (const side of ['BUY', 'SELL'] as const) {
      const standing = this.orders.get(keyOf({ side, price }))
      if (standing !== undefined) standing.isTouched = true
    }
  }

  private remove(key: string, cancels: LevelAction[]): void {
    const standing = this.orders.get(key)
    if (standing === undefined) return
    this.orders.delete(key)
    cancels.push({ key, action: { action: 'cancel', orderId: standing.orderId } })
  }

  private set(key: string, { side, price, quantity }: RecordedLevel, places: LevelAction[]): void {
    if (!this.market.prices.holds(price) || !this.market.quantities.holds(quantity)) {
      this._unfit++
      return
    }
    const before = this.orders.get(key)
    if (before?.quantity === quantity && !before.isTouched) return
    this.orders.set(key, { side, quantity, orderId: 0, isTouched: false })
    const quote = { side, price, quantity }
    const action: QuoteAction =
      before === undefined
        ? { action: 'place', ...quote }
        : { action: 'replace', orderId: before.orderId, ...quote }
    places.push({ key, action })
  }
}

const keyOf = ({ side, price }: Pick<RecordedLevel, 'side' | 'price'>): string =>
  `${side} ${Number(price)}`
