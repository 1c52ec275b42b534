/**
 * One symbol's reference price (docs/reference-price.md): the mean of the prices of trades within a window, kept
 * in buckets, or a price from outside. One class for the engine, which bounds takers by it, and for gateways, whose
 * filters, queries and streams show it. The engine's is part of its state: only events change it, and asking for
 * the price changes nothing.
 *
 * A bucket is aligned to the time of the engine and held until its end is out of the window: one more than the
 * window has, of which the oldest counts in part (faqs/price_range_execution_rules.md).
 */
import { ReferenceCalculation } from '../../base/codes.ts'
import { type Int64, int64, minus, plus } from '../../base/int64.ts'
import { Ms, type Ticks } from '../../base/units.ts'
import {
  EventHeader,
  ReferenceBucket,
  ReferenceChanged,
  ReferenceState,
  Trade,
} from '../../layout/accessors.gen.ts'
import type { ImageReader, ImageWriter } from '../../layout/image.ts'
import { BucketImage, type BucketImageFields, ReferenceImage } from '../../layout/images.gen.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import { noReference, type ReferenceSettings } from '../../market/listing.ts'

/** In place of a price. */
export const NO_PRICE = -1
/** Trades count to 4 decimals, and sums of prices to 4 more than prices have. */
const PARTS = 10_000n

interface HashSink {
  word(value: number): unknown
  int(value: Int64): unknown
}

interface Bucket {
  readonly openMs: Ms
  trades: number
  /** Their prices together. */
  tickSum: Int64
}

export class ReferencePrice {
  private _settings = noReference
  private _hasPriced = false
  private _isMean = false
  private externalUnits: Int64 = NO_PRICE
  private readonly tickUnits: bigint
  /** The oldest first. */
  private readonly buckets: Bucket[] = []
  /** All of the buckets together. */
  private trades = 0
  private tickSum: Int64 = 0
  /** The last answer, until something changes. */
  private knownUnits: Int64 = NO_PRICE
  private knownMs = -1

  constructor(tickUnits: number) {
    this.tickUnits = BigInt(tickUnits)
  }

  get settings(): ReferenceSettings {
    return this._settings
  }

  /** Whether the symbol ever had a reference price. */
  get hasPriced(): boolean {
    return this._hasPriced
  }

  /** Whether trades make the price. Others need not be told to it. */
  get isMean(): boolean {
    return this._isMean
  }

  /** Whether it is as of these settings. */
  isAsOf(settings: ReferenceSettings): boolean {
    const { calculation, bucketCount, bucketWidthMs, externalId } = this._settings
    return (
      calculation === settings.calculation &&
      bucketCount === settings.bucketCount &&
      bucketWidthMs === settings.bucketWidthMs &&
      externalId === settings.externalId
    )
  }

  /** As an event has it: a calculation that is another begins without trades. */
  change(settings: ReferenceSettings, priceUnits: Int64): void {
    if (!this.isAsOf(settings)) {
      this._settings = settings
      this._isMean = settings.calculation === ReferenceCalculation.ARITHMETIC_MEAN
      this.clear()
    }
    this.externalUnits = priceUnits
    this.knownMs = -1
    if (priceUnits !== NO_PRICE) this._hasPriced = true
  }

  /** A trade was made, which is no allocation and no block trade. */
  traded(priceTicks: Ticks, timeMs: Ms): void {
    const { bucketWidthMs, bucketCount } = this._settings
    const openMs = Ms(timeMs - (timeMs % bucketWidthMs))
    this.drop(openMs - (bucketCount + 1) * bucketWidthMs)
    let last = this.buckets.at(-1)
    if (last?.openMs !== openMs) {
      last = { openMs, trades: 0, tickSum: 0 }
      this.buckets.push(last)
    }
    last.trades++
    last.tickSum = plus<Int64>(last.tickSum, priceTicks)
    this.trades++
    this.tickSum = plus<Int64>(this.tickSum, priceTicks)
    this.knownMs = -1
    this._hasPriced = true
  }

  /** The price in 10^-8 of the quote asset; NO_PRICE where there is none. */
  unitsAt(nowMs: Ms): Int64 {
    if (!this._isMean) return this.externalUnits
    if (nowMs !== this.knownMs) {
      this.knownUnits = this.meanAt(nowMs)
      this.knownMs = nowMs
    }
    return this.knownUnits
  }

  /** Takes in one record of this symbol, or of the first piece of its book. */
  apply(records: RecordBuffer, at: number): void {
    switch (recordType(records, at)) {
      case Trade.type:
        if (this._isMean) {
          this.traded(Trade.priceTicks(records, at), EventHeader.timeMs(records, at))
        }
        break
      case ReferenceChanged.type:
        this.change(
          {
            calculation: ReferenceChanged.calculation(records, at) as ReferenceCalculation,
            bucketCount: ReferenceChanged.bucketCount(records, at),
            bucketWidthMs: ReferenceChanged.bucketWidthMs(records, at),
            externalId: ReferenceChanged.externalId(records, at),
          },
          ReferenceChanged.priceUnits(records, at),
        )
        break
      case ReferenceState.type:
        this.change(
          {
            calculation: ReferenceState.calculation(records, at) as ReferenceCalculation,
            bucketCount: ReferenceState.bucketCount(records, at),
            bucketWidthMs: ReferenceState.bucketWidthMs(records, at),
            externalId: ReferenceState.externalId(records, at),
          },
          ReferenceState.priceUnits(records, at),
        )
        this._hasPriced = ReferenceState.hasPriced(records, at) !== 0
        break
      case ReferenceBucket.type:
        this.restore({
          openMs: ReferenceBucket.openMs(records, at),
          trades: ReferenceBucket.trades(records, at),
          tickSum: ReferenceBucket.tickSum(records, at),
        })
        break
    }
  }

  /** The book is read from its beginning: what its records do not have, there is not. */
  reset(): void {
    this.change(noReference, NO_PRICE)
    this._hasPriced = false
  }

  /** What a gateway, a snapshot or a hash has of it. */
  get image() {
    const { _settings: settings, externalUnits: priceUnits, _hasPriced, buckets } = this
    return { ...settings, priceUnits, hasPriced: _hasPriced ? 1 : 0, buckets }
  }

  write(image: ImageWriter): void {
    const { buckets, bucketWidthMs, ...fields } = this.image
    ReferenceImage.write(image, {
      ...fields,
      bucketWidthMs: Ms(bucketWidthMs),
      buckets: buckets.length,
    })
    for (const bucket of buckets) BucketImage.write(image, bucket)
  }

  read(image: ImageReader): void {
    const { priceUnits, hasPriced, buckets, ...settings } = ReferenceImage.read(image)
    this.change(
      { ...settings, calculation: settings.calculation as ReferenceCalculation },
      priceUnits,
    )
    this._hasPriced = hasPriced !== 0
    for (let left = buckets; left > 0; left--) this.restore(BucketImage.read(image))
  }

  hash(sink: HashSink): void {
    const { calculation, bucketCount, bucketWidthMs, externalId, ...rest } = this.image
    sink.word(calculation)
    sink.word(bucketCount)
    sink.int(bucketWidthMs)
    sink.int(externalId)
    sink.int(rest.priceUnits)
    sink.word(rest.hasPriced)
    for (const { openMs, trades, tickSum } of rest.buckets) {
      sink.int(openMs)
      sink.int(trades)
      sink.int(tickSum)
    }
  }

  private restore(bucket: BucketImageFields): void {
    this.buckets.push({ ...bucket })
    this.trades += bucket.trades
    this.tickSum = plus<Int64>(this.tickSum, bucket.tickSum)
    this.knownMs = -1
  }

  private clear(): void {
    this.buckets.length = 0
    this.trades = 0
    this.tickSum = 0
  }

  /** Forgets buckets that began at this moment or before. */
  private drop(untilMs: number): void {
    const { buckets } = this
    while (buckets.length > 0 && buckets[0]!.openMs <= untilMs) {
      const { trades, tickSum } = buckets.shift()!
      this.trades -= trades
      this.tickSum = minus<Int64>(this.tickSum, tickSum)
    }
  }

  /** All sums and counts are integers, and every division drops its remainder, as the FAQ has it. */
  private meanAt(nowMs: Ms): Int64 {
    const { bucketCount, bucketWidthMs } = this._settings
    const cutoffMs = nowMs - bucketCount * bucketWidthMs
    let { trades, tickSum } = this
    let oldParts = 0n
    let oldSum = 0n
    for (const bucket of this.buckets) {
      const leftMs = bucket.openMs + bucketWidthMs - cutoffMs
      if (leftMs >= bucketWidthMs) break
      trades -= bucket.trades
      tickSum = minus<Int64>(tickSum, bucket.tickSum)
      if (leftMs <= 0) continue
      const share = (whole: bigint) => (whole * BigInt(leftMs)) / BigInt(bucketWidthMs)
      oldParts = share(BigInt(bucket.trades) * PARTS)
      oldSum = share(this.partsOf(bucket.tickSum))
    }
    const parts = BigInt(trades) * PARTS + oldParts
    return parts === 0n ? NO_PRICE : int64((this.partsOf(tickSum) + oldSum) / parts)
  }

  private partsOf(tickSum: Int64): bigint {
    return BigInt(tickSum) * this.tickUnits * PARTS
  }
}
