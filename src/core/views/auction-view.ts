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

/** Before the first. */
const none: AuctionRow = { priceTicks: Ticks(0), volume: 0, surplus: 0, timeMs: Ms(0) }

export class AuctionView {
  private _indicative = none
  private _last = none
  /** The official close, by the matcher's book and its events. */
  close: CloseRow = { closeTicks: Ticks(0), timeMs: Ms(0) }

  /** While the phase is AUCTION_MATCH; else of price 0. */
  get indicative(): AuctionRow {
    return this._indicative
  }

  /** The last auction since this gateway began; of price 0 before. */
  get last(): AuctionRow {
    return this._last
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
        this._last = {
          priceTicks: AuctionUncrossed.priceTicks(buffer, at),
          volume: AuctionUncrossed.volume(buffer, at),
          surplus: AuctionUncrossed.surplus(buffer, at),
          timeMs: EventHeader.timeMs(buffer, at),
        }
        this._indicative = none
        return true
      case PhaseChanged.type:
        if (PhaseChanged.phase(buffer, at) !== SymbolStatus.AUCTION_MATCH) this._indicative = none
        return false
      default:
        return false
    }
  }
}
