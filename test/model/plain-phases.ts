/**
 * Phases and auctions of one symbol (docs/phases.md), plainly: the price of an auction is found by asking of
 * every price at which anything changes what would trade at it.
 */
import { CorridorEnd, PhaseCause, Side, SymbolStatus } from '../../src/base/codes.ts'
import { int64 } from '../../src/base/int64.ts'
import type { PlainMarket } from './plain-market.ts'
import type { PlainOrder } from './plain-order.ts'
import { greater, lesser } from './plain-sizing.ts'

const { AUCTION_MATCH, TRADING, POST_TRADING, END_OF_DAY } = SymbolStatus

/** One order of a side of a book: a price and lots. */
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
  const found = prices.map((price) => {
    const auction = plainAuctionAt(quotes, price)
    return { ...auction, left: greater(auction.surplus, -auction.surplus) }
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

/** What becomes of orders that rest in an auction. */
interface Meeting {
  /** Two meet, the later one as the taker. */
  meet(taker: PlainOrder, maker: PlainOrder, price: bigint): void
  expireBeyondBound(order: PlainOrder): void
}

const noAuction = { lots: 0n, surplus: 0n, isBound: false }

/** What trades at a price, and what is left of those that accept it. */
function plainAuctionAt(quotes: readonly PlainQuote[], price: bigint): PlainAuction {
  const sum = (side: number, isIn: (limit: bigint) => boolean) =>
    quotes.reduce((all, it) => (it.side === side && isIn(it.price) ? all + it.lots : all), 0n)
  const demand = sum(Side.BUY, (limit) => limit >= price)
  const supply = sum(Side.SELL, (limit) => limit <= price)
  return { price, volume: lesser(demand, supply), surplus: demand - supply }
}

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
    const { bandBasisPoints, windowMs } = this.band
    if (state.bandBasisPoints !== bandBasisPoints || state.windowMs !== windowMs) return true
    if (this.isWaiting) return this.isResumed
    return spec.status !== this.coming || (this.isOver && state.endsMs !== 0)
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
    if (this.isWaiting && this.isResumed) this.enter(spec.status, PhaseCause.OPERATOR, true)
    else if (this.isWaiting) this.say(phase, state.nextPhase, 0, PhaseCause.OPERATOR)
    else if (spec.status === coming && this.isOver && state.endsMs !== 0) {
      this.enter(coming, PhaseCause.CALL_ENDED)
    } else if (spec.status !== coming && isEndingCall && mayWait) {
      const endsMs = state.endsMs === 0 ? drawnMs : state.endsMs
      this.say(phase, spec.status, endsMs, PhaseCause.OPERATOR)
    } else if (spec.status !== coming) this.enter(spec.status, PhaseCause.OPERATOR)
    else this.say(phase, coming, state.endsMs, PhaseCause.OPERATOR)
    this.isOver = false
  }

  /** After so many interruptions within an hour the next has no end. */
  interrupt({ orderId }: PlainOrder): void {
    const { state, timeMs, spec } = this.market
    const { interruptionCallMs, hourlyInterruptions } = spec.phases
    const recent = state.interruptions.filter((beganMs) => timeMs - beganMs < 3_600_000)
    const isLast = hourlyInterruptions > 0 && recent.length >= hourlyInterruptions
    const endsMs = isLast ? 0 : timeMs + interruptionCallMs + this.draw()
    this.say(AUCTION_MATCH, TRADING, endsMs, PhaseCause.VOLATILITY, { orderId })
    state.interruptions = [...state.interruptions, timeMs].slice(-8)
  }

  /** A call without an end that another phase is to follow lasts until an operator ends it. */
  private get isWaiting(): boolean {
    const { state, phase } = this.market
    return phase === AUCTION_MATCH && state.endsMs === 0 && state.nextPhase !== phase
  }

  private get isResumed(): boolean {
    const { state, spec } = this.market
    const isAnother = spec.statusMs === 0 && spec.status !== state.nextPhase
    return isAnother || spec.phases.resumptions !== state.resumptions
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

  private enter(status: number, cause: number, isFree = false): void {
    const { market } = this
    const { extensionMs, extensionsMax, corridorEnd } = market.spec.phases
    const isAuction =
      status === TRADING || (market.phase === AUCTION_MATCH && endsInAuction(status))
    const auction = isAuction ? this.auction() : undefined
    if (auction === undefined) {
      this.say(status, status, 0, cause)
      return
    }
    const extensions = market.phase === AUCTION_MATCH ? market.state.extensions : 0
    const bound = isFree ? auction.price : this.withinCorridors(auction.price)
    if (bound === auction.price) this.begin(auction, status, false)
    else if (extensions < extensionsMax) {
      const endsMs = market.timeMs + extensionMs + this.draw()
      this.say(AUCTION_MATCH, status, endsMs, PhaseCause.EXTENDED, { extensions: extensions + 1 })
    } else if (corridorEnd === CorridorEnd.OPERATOR) {
      this.say(AUCTION_MATCH, status, 0, PhaseCause.EXTENDED)
    } else this.begin(plainAuctionAt(this.quotes, bound), status, true)
  }

  private begin(auction: PlainAuction, nextPhase: number, isBound: boolean): void {
    const { market } = this
    market.say('AuctionUncrossed', {
      priceTicks: Number(auction.price),
      lastPriceTicks: Number(market.last),
      volume: int64(auction.volume),
      surplus: int64(auction.surplus),
      cutOrderId: market.state.orderId,
      nextPhase,
      isBound: isBound ? 1 : 0,
    })
    const under = { lots: 0n, surplus: auction.surplus, isBound }
    const changed = { auctionTicks: Number(auction.price), nextPhase, endsMs: 0, under }
    Object.assign(market.state, changed)
  }

  /** First the corridor around the last auction's price, then that around the last price, which counts more. */
  private withinCorridors(price: bigint): bigint {
    const { state, spec, last } = this.market
    const { corridorBasisPoints, staticCorridorBasisPoints } = spec.phases
    const within = (wish: bigint, reference: bigint, points: bigint): bigint => {
      if (points === 0n || reference === 0n) return wish
      const high = (reference * (10_000n + points)) / 10_000n
      const low = (reference * (10_000n - points) + 9_999n) / 10_000n
      return lesser(greater(wish, low), high)
    }
    const fixed = within(price, BigInt(state.auctioned.ticks), BigInt(staticCorridorBasisPoints))
    return within(fixed, last, BigInt(corridorBasisPoints))
  }

  private get quotes(): PlainQuote[] {
    return this.market.resting().map(({ side, price, open }) => ({ side, price, lots: open }))
  }

  /** Tries each price at which what trades may change, and the reference. */
  private auction(): PlainAuction | undefined {
    const { quotes } = this
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
    if (isAccepted || !state.under.isBound) {
      this.meet.meet(taker, maker, isAccepted ? price : maker.price)
    } else if (state.nextPhase === TRADING) this.meet.expireBeyondBound(taker)
    else this.say(state.nextPhase, state.nextPhase, 0, PhaseCause.CALL_ENDED)
  }

  private say(
    phase: number,
    nextPhase: number,
    endsMs: number,
    cause: number,
    more: { readonly orderId?: number; readonly extensions?: number } = {},
  ): void {
    const { state, timeMs, spec } = this.market
    const isCall = phase === AUCTION_MATCH && state.phase === AUCTION_MATCH
    const { orderId = 0, extensions = isCall ? state.extensions : 0 } = more
    const { resumptions } = spec.phases
    const change = { phase, nextPhase, endsMs, ...this.band }
    const isOver = (it: number | undefined) => it === POST_TRADING || it === END_OF_DAY
    const hasTraded = state.tradeId > state.closeTradeId
    const isClose = isOver(phase) && !isOver(state.phase) && hasTraded
    const closeTicks = isClose ? state.lastPriceTicks : 0
    const { lots, surplus } = state.auctionTicks === 0 ? noAuction : state.under
    const isAuctioned = lots > 0n
    const auctioned = isAuctioned
      ? { ticks: state.auctionTicks, lots, surplus, timeMs }
      : state.auctioned
    this.market.say('PhaseChanged', {
      ...change,
      cause,
      orderId,
      resumptions,
      extensions,
      closeTicks,
      auctionTicks: isAuctioned ? state.auctionTicks : 0,
      auctionVolume: int64(lots),
      auctionSurplus: isAuctioned ? int64(surplus) : 0,
    })
    if (isClose) Object.assign(state, { closeTicks, closeMs: timeMs, closeTradeId: state.tradeId })
    const windowTicks = 0
    const band = { auctionTicks: 0, windowTicks, windowBeganMs: 0 }
    Object.assign(state, { ...change, ...band, resumptions, extensions, auctioned })
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
