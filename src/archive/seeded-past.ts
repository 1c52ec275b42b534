/**
 * The bars of a past that a demo begins with (market/seeded-klines.ts). A minute is derived when it is read, from its
 * place alone: the closes of hours are a random walk back from the last close, and the minutes of an hour lead from
 * one close to the next. Integers alone: what another V8 may round otherwise would change klines by an update. For
 * the same reason this arithmetic must stay as it is: archives are made again.
 */
import { addInt96 } from '../base/int96.ts'
import { PRICE_TICKS_MAX } from '../base/limits.ts'
import { Notional } from '../base/notional.ts'
import { Lots, Ms, Ticks, TradeId } from '../base/units.ts'
import { Bar, BarSum } from '../history/bar.ts'
import type { RecordBuffer } from '../layout/record-buffer.ts'
import { PastValue } from '../layout/rows.gen.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../market/intervals.ts'

const HOUR_MINUTES = HOUR_MS / MINUTE_MS
/** Hours close within this factor of the last close, either way. */
const RANGE = 4
/** A swing is such a share of the price: usually 0.45 % in an hour, 0.06 % in a minute, and 0.01 % beyond both ends. */
const HOUR_SHARE = 2 ** 15
const MINUTE_SHARE = 2 ** 18
const EDGE_SHARE = 2 ** 20
/** Mean of the sum of four bytes, whose deviation from it is 118 on average. */
const MEAN = 510
/** Weighs the volume of a minute without a swing. */
const QUIET = 64
const MEAN_WEIGHT = 255 * (QUIET + 118)

/** Returns 32 bits of a seed, by number: the mix of murmur3. */
function bitsOf(seed: number, number: number): number {
  let bits = seed ^ Math.imul(number, 0x9e3779b1)
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

/** Nearly normally distributed, from -510 to 510. */
const swingOf = (bits: number): number =>
  (bits & 255) + ((bits >>> 8) & 255) + ((bits >>> 16) & 255) + (bits >>> 24) - MEAN

/** Rounds towards 0, so that steps up and down weigh the same. Plain division may round to the next whole number. */
const quotient = (dividend: number, divisor: number): number =>
  (dividend - (dividend % divisor)) / divisor

const within = (value: number, low: number, high: number): number =>
  Math.max(low, Math.min(high, value))

export class SeededPastBars {
  readonly fromMs: Ms
  private readonly endMs: Ms
  private readonly seed: number
  private readonly lots: number
  private readonly parts: number
  private readonly notional: Notional
  /** Where each hour opens, which is where the one before closes; and where the last closes. */
  private readonly hours: Int32Array
  /** The hour whose minutes are known, -1 for none; and the lots of a usual minute: hours and days have their own pace. */
  private hour = -1
  private hourLots = 0
  private readonly opens = new Float64Array(HOUR_MINUTES + 1)
  private readonly swings = new Int32Array(HOUR_MINUTES)
  private readonly minute = new Bar()
  /** Bars that were read, by number of the hour of UTC. */
  private readonly hourBars: Bar[] = []

  /** By a PastValue, and the time of its key. */
  constructor(fromMs: Ms, row: RecordBuffer) {
    const days = PastValue.days(row, 0)
    this.fromMs = fromMs
    this.endMs = Ms(fromMs + days * DAY_MS)
    this.seed = PastValue.seed(row, 0)
    this.lots = PastValue.lots(row, 0)
    this.parts = PastValue.tickLotParts(row, 0)
    this.notional = new Notional({
      atomsPerTickLot: PastValue.atomsPerTickLot(row, 0),
      tickLotParts: this.parts,
    })
    this.hours = this.walked((days * DAY_MS) / HOUR_MS, PastValue.closeTicks(row, 0))
  }

  /** As BarReader.each, of minutes, hours or days. */
  each(lengthMs: number, fromMs: Ms, toMs: Ms, visit: (openMs: Ms, bar: Bar) => void): void {
    const openOf = (timeMs: number) => Math.floor(timeMs / lengthMs) * lengthMs
    const endMs = Math.min(toMs, this.endMs)
    let openMs = Math.max(openOf(fromMs + lengthMs - 1), openOf(this.fromMs))
    for (; openMs < endMs; openMs += lengthMs) visit(Ms(openMs), this.barAt(openMs, lengthMs))
  }

  /** As BarReader.lastBefore. */
  lastBefore(timeMs: Ms, into: Bar): boolean {
    const minutes = Math.floor((Math.min(timeMs, this.endMs) - this.fromMs) / MINUTE_MS)
    if (minutes <= 0) return false
    into.clear()
    into.append(this.minuteAt(minutes - 1))
    return true
  }

  /** Returns a bar, valid until the next call. Charts of days read all hours, which are kept. */
  private barAt(openMs: number, lengthMs: number): Bar {
    if (lengthMs === MINUTE_MS) return this.minuteAt((openMs - this.fromMs) / MINUTE_MS)
    if (lengthMs === DAY_MS) return this.sum(openMs, DAY_MS, HOUR_MS)
    const number = Math.floor(openMs / HOUR_MS) - Math.floor(this.fromMs / HOUR_MS)
    this.hourBars[number] ??= this.sum(openMs, HOUR_MS, MINUTE_MS)
    return this.hourBars[number]
  }

  private sum(openMs: number, lengthMs: number, partMs: number): Bar {
    const bar = new Bar()
    const append = (_: Ms, part: Bar) => bar.append(part)
    this.each(partMs, Ms(openMs), Ms(openMs + lengthMs), append)
    return bar
  }

  private walked(hours: number, closeTicks: Ticks): Int32Array {
    const low = Math.ceil(closeTicks / RANGE)
    const high = Math.min(PRICE_TICKS_MAX, closeTicks * RANGE)
    const ticks = new Int32Array(hours + 1).fill(closeTicks)
    for (let hour = hours; hour > 0; hour--) {
      const swing = swingOf(bitsOf(this.seed, -hour * 4))
      const before = ticks[hour]! - quotient(ticks[hour]! * swing, HOUR_SHARE)
      ticks[hour - 1] = within(before, low, high)
    }
    return ticks
  }

  /** Finds where the minutes of an hour open: a walk, bent so that it ends at the hour's close. */
  private enter(hour: number): void {
    const { opens, swings } = this
    const first = this.hours[hour]!
    let ticks = first
    for (let at = 0; at < HOUR_MINUTES; at++) {
      const swing = swingOf(bitsOf(this.seed, (hour * HOUR_MINUTES + at) * 4))
      swings[at] = swing
      opens[at] = ticks
      ticks += quotient(first * swing, MINUTE_SHARE)
    }
    const off = this.hours[hour + 1]! - ticks
    for (let at = 1; at < HOUR_MINUTES; at++) {
      const bent = opens[at]! + quotient(off * at, HOUR_MINUTES)
      opens[at] = within(bent, 1, PRICE_TICKS_MAX)
    }
    opens[HOUR_MINUTES] = this.hours[hour + 1]!
    const pace = (number: number) => 128 + (bitsOf(this.seed, number * 4 + 3) & 255)
    const day = -1 - quotient(hour, DAY_MS / HOUR_MS)
    this.hourLots = quotient(this.lots * pace(hour) * pace(day), 2 ** 16)
    this.hour = hour
  }

  /** Returns the bar of a minute, valid until the next call. */
  private minuteAt(minute: number): Bar {
    const at = minute % HOUR_MINUTES
    const hour = (minute - at) / HOUR_MINUTES
    if (hour !== this.hour) this.enter(hour)
    const bits = bitsOf(this.seed, minute * 4 + 1)
    const open = this.opens[at]!
    const close = this.opens[at + 1]!
    const beyond = (of: number) => quotient(open * of, EDGE_SHARE)
    const high = Math.min(PRICE_TICKS_MAX, Math.max(open, close) + beyond(bits & 255))
    const low = Math.max(1, Math.min(open, close) - beyond((bits >>> 8) & 255))
    const { minute: bar } = this
    bar.count = 4 + ((bits >>> 16) & 31)
    bar.firstTradeId = TradeId(-1)
    bar.lastTradeId = TradeId(-1)
    bar.openTicks = Ticks(open)
    bar.highTicks = Ticks(high)
    bar.lowTicks = Ticks(low)
    bar.closeTicks = Ticks(close)
    const mean = Ticks(quotient(open + high + low + close, 4))
    this.weigh(mean, close > open, QUIET + Math.abs(this.swings[at]!), minute)
    return bar
  }

  /** Sets the volumes of a minute: lots in multiples of the parts, so that every amount is exact. */
  private weigh(mean: Ticks, isRising: boolean, pace: number, minute: number): void {
    const bits = bitsOf(this.seed, minute * 4 + 2)
    const weight = ((bits & 255) + ((bits >>> 8) & 255)) * pace
    const units = 1 + quotient(this.hourLots * weight, MEAN_WEIGHT * this.parts)
    const bought = quotient(units * (((bits >>> 16) & 127) + (isRising ? 96 : 32)), 256)
    const { sums } = this.minute
    sums.fill(0)
    const add = (lotsAt: number, atomsAt: number, lots: Lots) => {
      addInt96(sums, lotsAt, lots)
      addInt96(sums, atomsAt, this.notional.down(mean, lots))
    }
    add(BarSum.LOTS, BarSum.QUOTE_ATOMS, Lots(units * this.parts))
    add(BarSum.BUYER_LOTS, BarSum.BUYER_QUOTE_ATOMS, Lots(bought * this.parts))
  }
}
