/**
 * What one symbol's auction would come to, by the notices of its matcher, and what the last one came to. Written
 * by its gateway's egress alone; handlers and streams read it.
 */
import { SymbolStatus } from '../../base/codes.ts'
import type { Int64 } from '../../base/int64.ts'
import { Ms, Ticks } from '../../base/units.ts'
import {
  AuctionIndicative,
  AuctionUncrossed,
  BookBegin,
  EventHeader,
  PhaseChanged,
} from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'

/** What trades, or would trade, at one price. */
export interface AuctionRow {
  /** 0 where nothing would trade. */
  readonly priceTicks: Ticks
  readonly volume: Int64
  /** Lots that are left: of buyers above zero, else of sellers. */
  readonly surplus: Int64
  readonly timeMs: Ms
}

/** The last price when the day's trading ended. */
export interface CloseRow {
  /** 0 before the first. */
  readonly closeTicks: Ticks
  readonly timeMs: Ms
}

/** The row before the first. */
const none: AuctionRow = { priceTicks: Ticks(0), volume: 0, surplus: 0, timeMs: Ms(0) }

export class AuctionView {
  private _indicative = none
  private _last = none
  private _close: CloseRow = { closeTicks: Ticks(0), timeMs: Ms(0) }

  /** While the phase is AUCTION_MATCH; else of price 0. */
  get indicative(): AuctionRow {
    return this._indicative
  }

  /** The last auction in which something traded; of price 0 before. */
  get last(): AuctionRow {
    return this._last
  }

  /** The official close. */
  get close(): CloseRow {
    return this._close
  }

  /** Takes in the head of the matcher's book: what its events had come to by then. */
  bookBegins(buffer: RecordBuffer, at: number): void {
    this._close = {
      closeTicks: BookBegin.closeTicks(buffer, at),
      timeMs: BookBegin.closeMs(buffer, at),
    }
    this._last = {
      priceTicks: BookBegin.auctionTicks(buffer, at),
      volume: BookBegin.auctionVolume(buffer, at),
      surplus: BookBegin.auctionSurplus(buffer, at),
      timeMs: BookBegin.auctionMs(buffer, at),
    }
  }

  /** Records were missed: the matcher sends the next indicative price soon. */
  missed(): void {
    this._indicative = none
  }

  /** Takes in one record of this symbol. Returns whether what it shows has changed. */
  apply(buffer: RecordBuffer, at: number): boolean {
    switch (recordType(buffer, at)) {
      case AuctionIndicative.type:
        this._indicative = {
          priceTicks: AuctionIndicative.priceTicks(buffer, at),
          volume: AuctionIndicative.volume(buffer, at),
          surplus: AuctionIndicative.surplus(buffer, at),
          timeMs: AuctionIndicative.timeMs(buffer, at),
        }
        return true
      case AuctionUncrossed.type:
        this._indicative = none
        return true
      case PhaseChanged.type:
        return this.phaseChanged(buffer, at)
      default:
        return false
    }
  }

  /** The event contains what of the day and of an auction has ended with it. */
  private phaseChanged(buffer: RecordBuffer, at: number): boolean {
    const timeMs = EventHeader.timeMs(buffer, at)
    const closeTicks = PhaseChanged.closeTicks(buffer, at)
    const priceTicks = PhaseChanged.auctionTicks(buffer, at)
    if (PhaseChanged.phase(buffer, at) !== SymbolStatus.AUCTION_MATCH) this._indicative = none
    if (closeTicks !== 0) this._close = { closeTicks, timeMs }
    if (priceTicks !== 0) {
      const volume = PhaseChanged.auctionVolume(buffer, at)
      this._last = { priceTicks, volume, surplus: PhaseChanged.auctionSurplus(buffer, at), timeMs }
    }
    return closeTicks !== 0 || priceTicks !== 0
  }
}
