/**
 * Phases and auctions of one symbol (docs/phases.md), plainly: the price of an auction is found by asking of
 * every price at which anything changes what would trade at it.
 */
import { PhaseCause, Side, SymbolStatus } from '../../src/base/codes.ts'
import { int64 } from '../../src/base/int64.ts'
import type { PlainMarket } from './plain-market.ts'
import type { PlainOrder } from './plain-order.ts'
import { greater, lesser } from './plain-sizing.ts'

const { AUCTION_MATCH, TRADING, POST_TRADING, END_OF_DAY } = SymbolStatus

/** What one side of a book asks: a price and lots. */
export interface PlainQuote {
  readonly side: number
  readonly price: bigint
  readonly lots: bigint
}

export interface PlainAuction {
  readonly price: bigint
  readonly volume: bigint
  readonly surplus: bigint
}

/** The auction of the quotes at one of the prices; undefined where nothing trades. */
export function plainAuction(
  quotes: readonly PlainQuote[],
  prices: readonly bigint[],
  reference: bigint,
): PlainAuction | undefined {
  const sum = (side: number, isIn: (price: bigint) => boolean) =>
    quotes.reduce((all, it) => (it.side === side && isIn(it.price) ? all + it.lots : all), 0n)
  const found = prices.map((price) => {
    const demand = sum(Side.BUY, (limit) => limit >= price)
    const supply = sum(Side.SELL, (limit) => limit <= price)
    const surplus = demand - supply
    return { price, volume: lesser(demand, supply), surplus, left: greater(surplus, -surplus) }
  })
  const most = found.reduce((all, { volume }) => greater(all, volume), 0n)
  if (most === 0n) return undefined
  const traded = found.filter(({ volume }) => volume === most)
  const least = traded.reduce((all, { left }) => lesser(all, left), traded[0]!.left)
  const best = traded.filter(({ left }) => left === least).sort((a, b) => Number(a.price - b.price))
  const low = best[0]!
  const high = best.at(-1)!
  if (best.every(({ surplus }) => surplus > 0n)) return high
  if (best.every(({ surplus }) => surplus < 0n)) return low
  const aim = reference === 0n ? (low.price + high.price) / 2n : reference
  const distance = ({ price }: PlainAuction) => greater(price - aim, aim - price)
  return best.reduce((nearest, it) => (distance(it) < distance(nearest) ? it : nearest))
}

/** Two orders that rest meet, the later one as the taker. */
type Meeting = (taker: PlainOrder, maker: PlainOrder, price: bigint) => void

export class PlainPhases {
  /** Whether the time has come at which the phase ends by itself. */
  isOver = false
  private readonly market: PlainMarket
  private readonly meet: Meeting

  constructor(market: PlainMarket, meet: Meeting) {
    this.market = market
    this.meet = meet
  }

  /** Whether there is something to do before the next command. */
  get isDue(): boolean {
    const { state, spec } = this.market
    if (state.auctionTicks !== 0) return true
    if (spec.status !== this.coming || (this.isOver && state.endsMs !== 0)) return true
    const { bandBasisPoints, windowMs } = this.band
    return state.bandBasisPoints !== bandBasisPoints || state.windowMs !== windowMs
  }

  /** Does the next of it: one execution. */
  step(): void {
    const { state, spec, phase, timeMs } = this.market
    const { coming } = this
    if (state.auctionTicks !== 0) {
      this.uncross()
      return
    }
    const isEndingCall = phase === AUCTION_MATCH && endsInAuction(spec.status)
    const drawnMs = (spec.statusMs === 0 ? timeMs : spec.statusMs) + this.draw()
    const mayWait = state.endsMs !== 0 || drawnMs > timeMs
    if (spec.status === coming && this.isOver && state.endsMs !== 0) {
      this.enter(coming, PhaseCause.CALL_ENDED)
    } else if (spec.status !== coming && isEndingCall && mayWait) {
      const endsMs = state.endsMs === 0 ? drawnMs : state.endsMs
      this.say(phase, spec.status, endsMs, PhaseCause.OPERATOR)
    } else if (spec.status !== coming) this.enter(spec.status, PhaseCause.OPERATOR)
    else this.say(phase, coming, state.endsMs, PhaseCause.OPERATOR)
    this.isOver = false
  }

  /** Returns whether what is left of the order may rest. */
  interrupt({ orderId }: PlainOrder): boolean {
    const { interruptionCallMs, interruptionRests } = this.market.spec.phases
    const endsMs = this.market.timeMs + interruptionCallMs + this.draw()
    this.say(AUCTION_MATCH, TRADING, endsMs, PhaseCause.VOLATILITY, orderId)
    return interruptionRests
  }

  private get coming(): number {
    const { state, phase } = this.market
    return state.endsMs === 0 ? phase : state.nextPhase
  }

  private get band() {
    const { interruptionBasisPoints, interruptionWindowMs } = this.market.spec.phases
    const isOn = interruptionBasisPoints !== 0 && interruptionWindowMs !== 0
    return {
      bandBasisPoints: isOn ? interruptionBasisPoints : 0,
      windowMs: isOn ? interruptionWindowMs : 0,
    }
  }

  private get best(): [bid: PlainOrder | undefined, ask: PlainOrder | undefined] {
    return [this.market.queue(Side.BUY)[0], this.market.queue(Side.SELL)[0]]
  }

  private enter(status: number, cause: number): void {
    const { market } = this
    const isAuction =
      status === TRADING || (market.phase === AUCTION_MATCH && endsInAuction(status))
    const auction = isAuction ? this.auction() : undefined
    if (auction === undefined) {
      this.say(status, status, 0, cause)
      return
    }
    market.say('AuctionUncrossed', {
      priceTicks: Number(auction.price),
      referenceTicks: Number(market.last),
      volume: int64(auction.volume),
      surplus: int64(auction.surplus),
      cutOrderId: market.state.orderId,
      nextPhase: status,
      spare: 0,
    })
    market.state.auctionTicks = Number(auction.price)
    market.state.nextPhase = status
    market.state.endsMs = 0
  }

  /** Asks of each price at which what trades may change, and of the reference. */
  private auction(): PlainAuction | undefined {
    const quotes = this.market
      .resting()
      .map(({ side, price, open }) => ({ side, price, lots: open }))
    const limits = quotes.flatMap(({ price }) => [price - 1n, price, price + 1n])
    const { last } = this.market
    const low = plainAuction(quotes, limits, 1n)
    const high = plainAuction(quotes, limits, 2n ** 40n)
    if (low === undefined || high === undefined) return undefined
    const middle = (low.price + high.price) / 2n
    return plainAuction(quotes, [...limits, middle, last], last)
  }

  /** One pair, or the end. */
  private uncross(): void {
    const { market } = this
    const { state } = market
    const [bid, ask] = this.best
    if (bid === undefined || ask === undefined || bid.price < ask.price) {
      this.say(state.nextPhase, state.nextPhase, 0, PhaseCause.CALL_ENDED)
      return
    }
    const price = BigInt(state.auctionTicks)
    const [maker, taker] = bid.orderId < ask.orderId ? [bid, ask] : [ask, bid]
    const isAccepted = bid.price >= price && ask.price <= price
    this.meet(taker, maker, isAccepted ? price : maker.price)
  }

  private say(phase: number, nextPhase: number, endsMs: number, cause: number, orderId = 0): void {
    const change = { phase, nextPhase, endsMs, ...this.band }
    this.market.say('PhaseChanged', { ...change, cause, orderId })
    const windowTicks = 0
    const { state, timeMs } = this.market
    const isOver = (it: number | undefined) => it === POST_TRADING || it === END_OF_DAY
    if (isOver(phase) && !isOver(state.phase) && state.lastPriceTicks > 0) {
      Object.assign(state, { closeTicks: state.lastPriceTicks, closeMs: timeMs })
    }
    Object.assign(state, { ...change, auctionTicks: 0, windowTicks, windowBeganMs: 0 })
  }

  /** The random part of an end, in numbers without a bound. */
  private draw(): number {
    const { seed, randomEndMs } = this.market.spec.phases
    const word = (value: bigint) => BigInt.asUintN(32, value)
    let bits = word(BigInt(seed) ^ (BigInt(this.market.state.sequence + 1) * 0x9e3779b1n))
    for (let round = 0; round < 2; round++) {
      bits = word((bits ^ (bits >> 16n)) * 0x85ebca6bn)
      bits = word((bits ^ (bits >> 13n)) * 0xc2b2ae35n)
    }
    return Number((bits ^ (bits >> 16n)) % BigInt(randomEndMs + 1))
  }
}

const endsInAuction = (status: number): boolean =>
  status === TRADING || status === POST_TRADING || status === END_OF_DAY
