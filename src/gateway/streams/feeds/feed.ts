/** A feed makes the frames of one stream while clients read it, from the views that all feeds share. */

import type { AnyRows } from '../../../api/answers/answer.ts'
import { SymbolStatus } from '../../../base/codes.ts'
import type { Time } from '../../../base/time.ts'
import type { Ms } from '../../../base/units.ts'
import type { AuctionView } from '../../../core/views/auction-view.ts'
import type { DayWindow } from '../../../core/views/day-window.ts'
import type { DepthView } from '../../../core/views/depth.ts'
import type { ReferencePrice } from '../../../core/views/reference-price.ts'
import type { Tape } from '../../../core/views/tape.ts'
import type { TakenTrade } from '../../../core/views/trade-row.ts'
import type { BlockTradeRow } from '../../../history/market-history.ts'
import type { HistoryQueries } from '../../../history/queries.ts'
import type { SymbolSpec } from '../../../market/listing.ts'

export interface FeedParts {
  /** This and the views by symbol id. */
  readonly symbols: readonly SymbolSpec[]
  readonly depths: readonly DepthView[]
  readonly tapes: readonly Tape[]
  readonly dayWindows: readonly DayWindow[]
  readonly auctions: readonly AuctionView[]
  readonly references: readonly ReferencePrice[]
  readonly history: Pick<HistoryQueries, 'klines' | 'aggregateTrades'>
  readonly clock: Time
  readonly warn: (fields: object, message: string) => void
}

/**
 * Whether a symbol's streams send frames: not in BREAK (enums.md, Symbol status). Depth changes of that time, by
 * cancels, are sent together when it is over, so that no local book has a gap.
 */
export const isGenerated = ({ symbols }: FeedParts, { id }: SymbolSpec): boolean =>
  symbols[id]!.status !== SymbolStatus.BREAK

/** Whether the klines of a symbol's streams go on: in CANCEL_ONLY they stand still, and follow once it is over. */
export const hasKlines = (parts: FeedParts, spec: SymbolSpec): boolean =>
  isGenerated(parts, spec) && parts.symbols[spec.id]!.status !== SymbolStatus.CANCEL_ONLY

/** Sends a frame to all readers of the stream, encoded once for each framing. */
export type Send = (frame: (microseconds: boolean) => AnyRows) => void

/** Each method is called where it exists, after the views have applied the event. */
export interface Feed {
  /** A trade of the stream's symbol. */
  traded?(trade: TakenTrade): void
  /** A block trade of the stream's symbol. */
  blockTraded?(trade: BlockTradeRow): void
  /** Called with the last record of an execution of the stream's symbol. */
  turnEnded?(): void
  /** The phase of the stream's symbol changes; before `turnEnded`. */
  phaseChanged?(): void
  /** The status of a symbol changed: of the stream's, or of any where it is of all symbols. */
  statusChanged?(spec: SymbolSpec): void
  /** What the symbol's auction would come to, or has come to, is another. */
  auctionChanged?(): void
  /** Returns the frame that a new reader gets at once. */
  present?(microseconds: boolean): AnyRows
  /** Called by the clock; `isDue` when the stream's speed wants a frame. */
  tick?(nowMs: Ms, isDue: boolean): void
  /** Whether such calls send nothing before something else happens. */
  isIdle?(): boolean
  /** When a call sends a frame though its speed wants none yet, ms since 1970. */
  ownFrameMs?(): number
  /** Called when the stream has no readers left. */
  close?(): void
}
