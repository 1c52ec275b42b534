// Generated from layout/schema/order-fields.ts by `npm run generate`. Do not edit.
import { Lots, Ticks } from '../base/units.ts'
import type { Int64 } from '../base/int64.ts'
import { ExtrasBlock } from './accessors.gen.ts'
import type { RecordBuffer } from './record-buffer.ts'

/** What only some orders ask for. */
export interface OrderExtras {
  /** stop price; of a trailing stop, where tracking starts; 0 for none */
  stopTicks: Ticks
  /** the quantity shown at a time; 0 when it shows all */
  icebergLots: Lots
  /** -1 for none */
  strategyId: Int64
  /** basis points; 0 when it does not trail */
  trailingDelta: number
  /** 0 for none */
  strategyType: number
}

export const noExtras: Readonly<OrderExtras> = {
  stopTicks: Ticks(0),
  icebergLots: Lots(0),
  strategyId: -1,
  trailingDelta: 0,
  strategyType: 0,
}

/** Writes them into the block at byte `at` of a command. */
export function writeExtras(
  buffer: RecordBuffer,
  at: number,
  values: Readonly<OrderExtras>,
): void {
  ExtrasBlock.setStopTicks(buffer, at, values.stopTicks)
  ExtrasBlock.setIcebergLots(buffer, at, values.icebergLots)
  ExtrasBlock.setStrategyId(buffer, at, values.strategyId)
  ExtrasBlock.setTrailingDelta(buffer, at, values.trailingDelta)
  ExtrasBlock.setStrategyType(buffer, at, values.strategyType)
}
