/**
 * The plain twin of the depth view, and a source of the event records that move it: a map from price
 * to lots on each side, changed at random as an engine would change it.
 */

import { noDetails } from '../../../../bench/workloads/no-extras.ts'
import {
  readBookBegin,
  readOrderAmended,
  readOrderClosed,
  readOrderDecremented,
  readOrderRested,
  readTrade,
  writeBookBegin,
  writeBookEnd,
  writeBookLevel,
  writeOrderAmended,
  writeOrderClosed,
  writeOrderDecremented,
  writeOrderReplenished,
  writeOrderRested,
  writeTrade,
} from '../../../../scripts/layout/codecs.gen.ts'
import {
  OrderStatus,
  OrderType,
  packTerms,
  SelfTradePrevention,
  Side,
  SymbolStatus,
  TimeInForce,
} from '../../../../src/base/codes.ts'
import type { Prng } from '../../../../src/base/prng.ts'
import { Lots, Ms, SymbolId, Ticks } from '../../../../src/base/units.ts'
import { RecordBuffer, recordLength } from '../../../../src/layout/record-buffer.ts'
import { zeroRecord } from '../../../fixtures/zero-record.ts'

const zeroBookBegin = zeroRecord(readBookBegin)
const zeroOrderRested = zeroRecord(readOrderRested)
const zeroTrade = zeroRecord(readTrade)
const zeroOrderDecremented = zeroRecord(readOrderDecremented)
const zeroOrderAmended = zeroRecord(readOrderAmended)
const zeroOrderClosed = zeroRecord(readOrderClosed)
const origin = { symbolId: SymbolId(0), gateway: 0, correlation: 0, timeMs: Ms(1), sequence: 1 }
const termsOf = (side: Side) =>
  packTerms(side, OrderType.LIMIT, TimeInForce.GTC, SelfTradePrevention.NONE)

export type PlainDepth = readonly [bids: Map<number, number>, asks: Map<number, number>]

/** Levels of one side of a plain depth, best first. */
export function plainLevels(depth: PlainDepth, side: Side): [number, number][] {
  const sign = side === Side.BUY ? -1 : 1
  return [...depth[side]].sort(([a], [b]) => sign * (a - b))
}

export class DepthEvents {
  readonly depth: PlainDepth = [new Map(), new Map()]
  readonly buffer = RecordBuffer.allocate(1 << 20)
  updateId: number
  end = 0
  private readonly prng: Prng
  private readonly pricesCount: number

  constructor(prng: Prng, pricesCount: number, updateId = 0) {
    this.prng = prng
    this.pricesCount = pricesCount
    this.updateId = updateId
  }

  /** Forgets the records written so far, not the levels. */
  rewind(): void {
    this.end = 0
  }

  /** Offsets of the records written since. */
  offsets(from = 0): number[] {
    const offsets: number[] = []
    for (let at = from; at < this.end; at += recordLength(this.buffer, at)) offsets.push(at)
    return offsets
  }

  /** One change that an engine could make: an order rests, trades, shrinks or leaves. */
  step(): void {
    const side = this.prng.below(2) as Side
    const taken = [...this.depth[side].keys()]
    const kind = taken.length === 0 ? 0 : this.prng.below(4)
    if (kind <= 1)
      this.rest(side, Ticks(1 + this.prng.below(this.pricesCount)), Lots(this.prng.between(1, 50)))
    else {
      const priceTicks = this.prng.pick(taken)
      const open = this.depth[side].get(priceTicks)!
      const lots = this.prng.chance(0.5) ? open : this.prng.between(1, open)
      if (kind === 2) this.trade(side, Ticks(priceTicks), Lots(lots))
      else if (this.prng.chance(0.5)) this.close(side, Ticks(priceTicks), Lots(lots))
      else this.shrink(side, Ticks(priceTicks), Lots(lots))
    }
    if (this.prng.chance(0.2)) this.closeUnrested(side)
    if (this.prng.chance(0.1)) this.shrinkHidden(side)
  }

  /** The whole depth as an engine answers QueryBook. */
  book(): void {
    this.piece({ side: Side.BUY, afterTicks: Ticks(0) }, Number.POSITIVE_INFINITY)
  }

  /** So many levels beyond a price, BUY before SELL, as an engine answers QueryBook. */
  piece(after: { readonly side: Side; readonly afterTicks: Ticks }, limit: number): void {
    const { buffer, updateId } = this
    const begin = { ...zeroBookBegin, ...after, phase: SymbolStatus.TRADING, updateId }
    this.end = writeBookBegin(buffer, this.end, begin)
    const rows = [Side.BUY, Side.SELL].flatMap((side) =>
      plainLevels(this.depth, side).map(([price, lots]) => ({
        side,
        orderCount: 1,
        priceTicks: Ticks(price),
        levelLots: Lots(lots),
      })),
    )
    const isBeyond = ({ side, priceTicks }: (typeof rows)[number]) => {
      if (side !== after.side || after.afterTicks === 0) return side >= after.side
      return side === Side.BUY ? priceTicks < after.afterTicks : priceTicks > after.afterTicks
    }
    const beyond = rows.filter(isBeyond)
    for (const level of beyond.slice(0, limit)) {
      this.end = writeBookLevel(buffer, this.end, { ...origin, ...level })
    }
    const isWhole = beyond.length < limit ? 1 : 0
    this.end = writeBookEnd(buffer, this.end, { ...origin, isWhole, spare: 0 })
  }

  private move(side: Side, priceTicks: Ticks, lots: Lots): void {
    const left = (this.depth[side].get(priceTicks) ?? 0) + lots
    if (left === 0) this.depth[side].delete(priceTicks)
    else this.depth[side].set(priceTicks, left)
    this.updateId++
  }

  private rest(side: Side, priceTicks: Ticks, lots: Lots): void {
    this.move(side, priceTicks, lots)
    const write = this.prng.chance(0.3) ? writeOrderReplenished : writeOrderRested
    this.end = write(this.buffer, this.end, {
      ...zeroOrderRested,
      terms: termsOf(side),
      priceTicks,
      restedLots: lots,
      updateId: this.updateId,
    })
  }

  private trade(makerSide: Side, priceTicks: Ticks, lots: Lots): void {
    this.move(makerSide, priceTicks, Lots(-lots))
    this.end = writeTrade(this.buffer, this.end, {
      ...zeroTrade,
      takerTerms: termsOf(makerSide === Side.BUY ? Side.SELL : Side.BUY),
      makerTerms: termsOf(makerSide),
      priceTicks,
      tradeLots: lots,
      updateId: this.updateId,
    })
  }

  private close(side: Side, priceTicks: Ticks, lots: Lots): void {
    this.move(side, priceTicks, Lots(-lots))
    this.writeClosed(side, priceTicks, lots)
  }

  /** An order loses some of its quantity and continues. */
  private shrink(side: Side, priceTicks: Ticks, lots: Lots): void {
    this.move(side, priceTicks, Lots(-lots))
    this.writeShrunk(side, priceTicks, lots)
  }

  /** What an iceberg hides shrinks, or an order that waits: nothing of the depth changes. */
  private shrinkHidden(side: Side): void {
    this.writeShrunk(side, Ticks(1 + this.prng.below(this.pricesCount)), Lots(0))
  }

  private writeShrunk(side: Side, priceTicks: Ticks, removedLots: Lots): void {
    const fields = {
      terms: termsOf(side),
      priceTicks,
      removedLots,
      updateId: this.updateId,
      details: noDetails,
    }
    const { buffer, end } = this
    this.end = this.prng.chance(0.5)
      ? writeOrderDecremented(buffer, end, { ...zeroOrderDecremented, ...fields })
      : writeOrderAmended(buffer, end, { ...zeroOrderAmended, ...fields })
  }

  /** An order that never rested ends: nothing of the depth changes. */
  private closeUnrested(side: Side): void {
    this.writeClosed(side, Ticks(1 + this.prng.below(this.pricesCount)), Lots(0))
  }

  private writeClosed(side: Side, priceTicks: Ticks, restedLots: Lots): void {
    this.end = writeOrderClosed(this.buffer, this.end, {
      ...zeroOrderClosed,
      terms: termsOf(side),
      priceTicks,
      status: OrderStatus.CANCELED,
      restedLots,
      updateId: this.updateId,
    })
  }
}
