/**
 * Random orders for the simulated exchange: prices close enough to meet, stops close enough to wake,
 * quantities at the edges of what is allowed, lists whose prices are mostly in order.
 */

import { noExtras } from '../../bench/workloads/no-extras.ts'
import type { PlaceOrderListRecord, PlaceOrderRecord } from '../../scripts/layout/codecs.gen.ts'
import {
  DETAILED,
  hasPendingPair,
  OrderListKind,
  OrderType,
  PegPriceType,
  packTerms,
  paysPending,
  SelfTradePrevention,
  Side,
  TimeInForce,
  withSession,
} from '../../src/base/codes.ts'
import { type Int64, int64 } from '../../src/base/int64.ts'
import { ORDER_ATOMS_MAX, SESSION_MAX } from '../../src/base/limits.ts'
import { Notional } from '../../src/base/notional.ts'
import type { Prng } from '../../src/base/prng.ts'
import { Lots, QuoteAtoms, Ticks } from '../../src/base/units.ts'
import type { SymbolSpec } from '../../src/market/listing.ts'
import { isStop, type PlainWish } from '../model/plain-order.ts'
import { VAST_LOTS, VAST_SYMBOL } from './world.ts'

/** What the placement of one order has of it. */
export type OrderWish = Omit<
  PlaceOrderRecord,
  'symbolId' | 'gateway' | 'correlation' | 'account' | 'expiresMs'
>
/** What the placement of a list has of it. */
export type ListWish = Omit<
  PlaceOrderListRecord,
  'symbolId' | 'gateway' | 'correlation' | 'account' | 'expiresMs'
>

const { LIMIT, MARKET, LIMIT_MAKER } = OrderType
const { STOP_LOSS, STOP_LOSS_LIMIT, TAKE_PROFIT, TAKE_PROFIT_LIMIT } = OrderType

/** Of an iceberg whose lots come from the working order of its list. */
const PAID_SLICES_MAX = 1000

/** What one seed likes better than others do, so that all seeds together meet rare company. */
interface Taste {
  /** Chances of a MARKET order, a stop, a detailed limit order, a trailing stop, an iceberg. */
  readonly market: number
  readonly stop: number
  readonly detailed: number
  readonly trailing: number
  readonly iceberg: number
  /** Of a detailed order with a limit to be pegged. */
  readonly peg: number
  /** How far from the middle prices are, in ticks. */
  readonly reach: number
  /** The most that most orders ask for. */
  readonly lots: Lots
}

const tasteOf = (prng: Prng): Taste => ({
  market: prng.pick([0.05, 0.17, 0.17, 0.3]),
  stop: prng.pick([0.1, 0.2, 0.2, 0.5]),
  detailed: prng.pick([0.1, 0.25, 0.8]),
  trailing: prng.pick([0.1, 0.35, 0.7]),
  iceberg: prng.pick([0.2, 0.6, 0.95]),
  peg: prng.pick([0, 0.1, 0.4]),
  reach: prng.pick([2, 5, 5, 12]),
  lots: Lots(prng.pick([4, 20, 20, 30])),
})

export class Wishes {
  private readonly prng: Prng
  private readonly taste: Taste
  /** About where each symbol's price is. */
  private readonly middle: number[]

  constructor(prng: Prng, specs: readonly SymbolSpec[]) {
    this.prng = prng
    this.taste = tasteOf(prng)
    this.middle = specs.map((spec) => Math.floor(Math.min(spec.priceTicksMax, 1000) / 2))
  }

  order(spec: SymbolSpec): OrderWish {
    const prng = this.prng
    const { market, stop, detailed } = this.taste
    const side = prng.pick([Side.BUY, Side.SELL])
    if (prng.chance(market)) return this.market(spec, side)
    const plain = prng.chance(0.2) ? LIMIT_MAKER : LIMIT
    const type = prng.chance(stop) ? this.stopType() : plain
    const isDetailed = prng.chance(detailed)
    const wish = this.wish(spec, type, side, Lots(this.lots(spec)), isDetailed)
    return {
      ...wish,
      terms: withSession(wish.terms, this.sessionOrNone()),
      quoteAtoms: QuoteAtoms(0),
    }
  }

  list(spec: SymbolSpec): ListWish {
    const prng = this.prng
    const kind = prng.pick(Object.values(OrderListKind))
    const isPaid = paysPending(kind)
    const side = isPaid ? Side.SELL : prng.pick([Side.BUY, Side.SELL])
    const lots = this.lots(spec)
    const working = () => {
      const type = prng.chance(0.3) ? LIMIT_MAKER : LIMIT
      const workingSide = isPaid || prng.chance(0.85) ? ((1 - side) as Side) : side
      return this.wish(spec, type, workingSide, Lots(this.lots(spec)), true)
    }
    const pair = () => [
      this.wish(spec, prng.pick([STOP_LOSS, STOP_LOSS_LIMIT]), side, Lots(lots), true),
      this.wish(spec, this.profitType(), side, Lots(lots), true),
    ]
    if (kind === OrderListKind.OCO) return this.listOf(kind, pair())
    if (hasPendingPair(kind)) return this.listOf(kind, [working(), ...pair()])
    const any = prng.pick([LIMIT, LIMIT_MAKER, MARKET, this.stopType(), this.stopType()])
    return this.listOf(kind, [working(), this.wish(spec, any, side, Lots(lots), true)])
  }

  lots(spec: SymbolSpec): number {
    const prng = this.prng
    const dice = prng.unit()
    if (dice < 0.02) return spec.qtyLotsMax
    if (dice < 0.05) return Math.ceil(prng.unit() * spec.qtyLotsMax)
    if (spec.id === VAST_SYMBOL && dice < 0.5) return Math.ceil(prng.unit() * VAST_LOTS)
    return prng.between(1, this.taste.lots)
  }

  /** The session of a connection that cancels on disconnect. */
  session(): number {
    return this.prng.pick([1, 2, 3, SESSION_MAX])
  }

  /** Few enough to clash. */
  clientOrderId(): string {
    return `c-${this.prng.below(90)}`
  }

  listClientOrderId(): string {
    return `l-${this.prng.below(15)}`
  }

  private sessionOrNone(): number {
    return this.prng.chance(0.2) ? this.session() : 0
  }

  private market(spec: SymbolSpec, side: Side): OrderWish {
    const prng = this.prng
    const isDetailed = prng.chance(0.1)
    const wish = this.wish(spec, MARKET, side, Lots(this.lots(spec)), isDetailed)
    if (prng.chance(0.5)) return { ...wish, quoteAtoms: QuoteAtoms(0) }
    return { ...wish, lots: Lots(0), quoteAtoms: QuoteAtoms(this.quoteAtoms(spec)) }
  }

  private wish(
    spec: SymbolSpec,
    type: OrderType,
    side: Side,
    lots: Lots,
    isDetailed: boolean,
  ): PlainWish {
    const prng = this.prng
    const timeInForce = this.timeInForce(type)
    const terms = packTerms(side, type, timeInForce, this.prevention(spec))
    const hasLimit = type !== MARKET && type !== STOP_LOSS && type !== TAKE_PROFIT
    const priceTicks = hasLimit ? this.price(spec, type, side) : 0
    const clientOrderId = this.clientOrderId()
    if (!isDetailed && !isStop(type)) {
      return { ...noExtras, terms, priceTicks: Ticks(priceTicks), lots, clientOrderId }
    }
    const mayHide = hasLimit && timeInForce === TimeInForce.GTC && lots > 1
    const parts = prng.between(2, 6)
    const trails = isStop(type) && prng.chance(this.taste.trailing)
    return {
      ...noExtras,
      terms: terms | DETAILED,
      priceTicks: Ticks(priceTicks),
      lots,
      clientOrderId,
      stopTicks: Ticks(
        isStop(type) && !(trails && prng.chance(0.5)) ? this.stop(spec, type, side) : 0,
      ),
      icebergLots: Lots(
        mayHide && prng.chance(this.taste.iceberg)
          ? Math.min(Math.ceil(lots / parts), lots - 1)
          : 0,
      ),
      strategyId: prng.chance(0.2) ? prng.below(5) : -1,
      strategyType: prng.chance(0.2) ? 1_000_000 + prng.below(3) : 0,
      trailingDelta: trails ? this.delta() : 0,
      ...(hasLimit ? this.peg(type, timeInForce, priceTicks) : {}),
    }
  }

  /** What the type may be pegged to, if it is; with a limit of its own or without. */
  private peg(type: OrderType, timeInForce: TimeInForce, priceTicks: number) {
    const prng = this.prng
    if (!prng.chance(this.taste.peg)) return {}
    const { PRIMARY_PEG, MARKET_PEG } = PegPriceType
    const mayTake = type !== LIMIT_MAKER
    const mayJoin = type !== LIMIT || timeInForce === TimeInForce.GTC
    const isJoining = mayJoin && (!mayTake || prng.chance(0.5))
    return {
      pegPriceType: isJoining ? PRIMARY_PEG : MARKET_PEG,
      pegLevels: prng.chance(0.6) ? 0 : prng.between(1, 3),
      priceTicks: Ticks(prng.chance(0.4) ? priceTicks : 0),
    }
  }

  private timeInForce(type: OrderType): TimeInForce {
    const isFree = type === LIMIT || type === STOP_LOSS_LIMIT || type === TAKE_PROFIT_LIMIT
    const dice = this.prng.unit()
    if (!isFree || dice < 0.75) return TimeInForce.GTC
    return dice < 0.88 ? TimeInForce.IOC : TimeInForce.FOK
  }

  /** Two must say TRANSFER for it to happen. */
  private prevention({ preventionModes }: SymbolSpec): SelfTradePrevention {
    const { TRANSFER } = SelfTradePrevention
    if (preventionModes.includes(TRANSFER) && this.prng.chance(0.3)) return TRANSFER
    return this.prng.pick(preventionModes)
  }

  private stopType(): OrderType {
    return this.prng.pick([STOP_LOSS, STOP_LOSS_LIMIT, TAKE_PROFIT, TAKE_PROFIT_LIMIT])
  }

  private profitType(): OrderType {
    return this.prng.pick([LIMIT_MAKER, LIMIT_MAKER, TAKE_PROFIT, TAKE_PROFIT_LIMIT])
  }

  /** A maker's price is mostly on its own side of the middle. */
  private price(spec: SymbolSpec, type: OrderType, side: Side): number {
    const prng = this.prng
    if (prng.chance(0.01)) return prng.pick([spec.priceTicksMin, spec.priceTicksMax])
    const middle = this.drift(spec)
    const { reach } = this.taste
    const isApart = type === LIMIT_MAKER && prng.chance(0.8)
    const away = isApart ? prng.between(1, reach + 1) : prng.between(-reach, reach)
    const sign = type !== LIMIT_MAKER || side === Side.SELL ? 1 : -1
    return listed(spec, Ticks(middle + sign * away))
  }

  /** Basis points: a tick or a few, except what is never reached or at once. */
  private delta(): number {
    const prng = this.prng
    return prng.chance(0.05) ? prng.pick([1, 9_999, 10_000, 30_000]) : prng.between(10, 300)
  }

  /** Mostly where the price is not yet. */
  private stop(spec: SymbolSpec, type: OrderType, side: Side): number {
    const prng = this.prng
    if (prng.chance(0.02)) return prng.pick([spec.priceTicksMin, spec.priceTicksMax])
    const middle = this.drift(spec)
    const isLoss = type === STOP_LOSS || type === STOP_LOSS_LIMIT
    const sign = isLoss === (side === Side.SELL) ? -1 : 1
    const away = prng.chance(0.9) ? prng.between(1, this.taste.reach + 2) : prng.between(-3, 0)
    return listed(spec, Ticks(middle + sign * away))
  }

  private drift(spec: SymbolSpec): number {
    const drift = this.prng.between(-1, 1)
    const middle = Math.max(10, Math.min(this.middle[spec.id]! + drift, spec.priceTicksMax - 10))
    this.middle[spec.id] = middle
    return middle
  }

  private quoteAtoms(spec: SymbolSpec): Int64 {
    const prng = this.prng
    const dice = prng.unit()
    if (dice < 0.02) return ORDER_ATOMS_MAX
    const lot = Number(new Notional(spec).up(Ticks(this.middle[spec.id]!), Lots(1)))
    if (dice < 0.1) return prng.between(1, lot)
    const lots = prng.unit() * (spec.id === VAST_SYMBOL ? VAST_LOTS : 60)
    return int64(BigInt(Math.ceil(lots * lot)))
  }

  private listOf(kind: OrderListKind, wishes: readonly PlainWish[]): ListWish {
    const session = this.sessionOrNone()
    const sized = paysPending(kind) ? withPaid(wishes) : wishes
    const legs = sized.map((leg) => ({ ...leg, terms: withSession(leg.terms, session) }))
    const [first, second, third] = [...legs, noLeg]
    return {
      kind,
      listClientOrderId: this.listClientOrderId(),
      ...(numbered(first!, 1) as Leg<1>),
      ...(numbered(second!, 2) as Leg<2>),
      ...(numbered(third!, 3) as Leg<3>),
    }
  }
}

type Leg<N extends number> = {
  readonly [F in keyof ListWish as F extends `${string}${N}` ? F : never]: ListWish[F]
}

const noLeg: PlainWish = {
  ...noExtras,
  terms: 0,
  priceTicks: Ticks(0),
  lots: Lots(0),
  clientOrderId: '',
}

const listed = ({ priceTicksMin, priceTicksMax }: SymbolSpec, priceTicks: Ticks): number =>
  Math.min(Math.max(priceTicksMin, priceTicks), priceTicksMax)

/** The working order pays the pending legs, in slices few enough for the twin, which sweeps them one by one. */
function withPaid([working, ...pending]: readonly PlainWish[]): readonly PlainWish[] {
  const sliceMin = Math.ceil(working!.lots / PAID_SLICES_MAX)
  const paid = pending.map((leg) => ({
    ...leg,
    lots: Lots(0),
    icebergLots: Lots(leg.icebergLots === 0 ? 0 : Math.max(leg.icebergLots, sliceMin)),
  }))
  return [working!, ...paid]
}

function numbered(wish: PlainWish, n: number): Readonly<Record<string, string | Int64>> {
  const fields = Object.entries({ ...wish, spare: 0 })
  return Object.fromEntries(fields.map(([name, value]) => [`${name}${n}`, value]))
}
