// Generated from layout/schema.ts by `npm run generate`. Do not edit.
import type { Int64 } from '../../base/int64.ts'
import { Atoms, Lots, Ms, OrderListId, Ticks } from '../../base/units.ts'
import type { HashSink } from './hash-sink.ts'
import { SparseColumn, SparseInt64s, type SlotRows } from './sparse-column.ts'
import { DetailsSection, ExtrasBlock } from '../../layout/accessors.gen.ts'
import type { ImageReader, ImageWriter } from '../../layout/image.ts'
import type { RecordBuffer } from '../../layout/record-buffer.ts'

export class OrderColumns {
  /** stop price; of a trailing stop, where tracking starts; 0 for none */
  readonly stopTicks: SparseColumn<Ticks>
  /** the quantity shown at a time; 0 when it shows all */
  readonly icebergLots: SparseColumn<Lots>
  /** of a resting iceberg: open, but not shown */
  readonly hiddenLots: SparseColumn<Lots>
  /** lost to self-trade prevention */
  readonly preventedLots: SparseColumn<Lots>
  /** -1 for none */
  readonly strategyId: SparseInt64s<Int64>
  /** 0 for none */
  readonly strategyType: SparseColumn<number>
  /** basis points; 0 when it does not trail */
  readonly trailingDelta: SparseColumn<number>
  /** when its tracking started; -1 while it has not */
  readonly trailingMs: SparseColumn<Ms>
  /** best price since tracking started; 0 while it has not */
  readonly extremeTicks: SparseColumn<Ticks>
  /** when it began to work; -1 while it has not */
  readonly workingMs: SparseColumn<Ms>
  /** how often its quantity was amended */
  readonly amendments: SparseColumn<number>
  /** -1 when it is in no list */
  readonly orderListId: SparseColumn<OrderListId>
  /** place in its list, from 0 */
  readonly leg: SparseColumn<number>
  /** OrderPhase; WORKING also while its execution runs */
  readonly phase: SparseColumn<number>
  /** needed while it waits: what it holds, except what a pair holds once */
  readonly costAtoms: SparseInt64s<Atoms>
  /** All columns, in the order in which snapshots and hashes have them. */
  readonly columns: readonly (SparseColumn<number> | SparseInt64s<Int64>)[]

  constructor(rows: SlotRows) {
    this.stopTicks = new SparseColumn(rows, Ticks(0))
    this.icebergLots = new SparseColumn(rows, Lots(0))
    this.hiddenLots = new SparseColumn(rows, Lots(0))
    this.preventedLots = new SparseColumn(rows, Lots(0))
    this.strategyId = new SparseInt64s(rows, -1)
    this.strategyType = new SparseColumn(rows, 0)
    this.trailingDelta = new SparseColumn(rows, 0)
    this.trailingMs = new SparseColumn(rows, Ms(-1))
    this.extremeTicks = new SparseColumn(rows, Ticks(0))
    this.workingMs = new SparseColumn(rows, Ms(-1))
    this.amendments = new SparseColumn(rows, 0)
    this.orderListId = new SparseColumn(rows, OrderListId(-1))
    this.leg = new SparseColumn(rows, 0)
    this.phase = new SparseColumn(rows, 0)
    this.costAtoms = new SparseInt64s(rows, Atoms(0))
    this.columns = [
      this.stopTicks,
      this.icebergLots,
      this.hiddenLots,
      this.preventedLots,
      this.strategyId,
      this.strategyType,
      this.trailingDelta,
      this.trailingMs,
      this.extremeTicks,
      this.workingMs,
      this.amendments,
      this.orderListId,
      this.leg,
      this.phase,
      this.costAtoms,
    ]
  }

  writeImage(slot: number, image: ImageWriter): void {
    image.double(this.stopTicks.of(slot))
    image.double(this.icebergLots.of(slot))
    image.double(this.hiddenLots.of(slot))
    image.double(this.preventedLots.of(slot))
    image.int64(this.strategyId.of(slot))
    image.double(this.strategyType.of(slot))
    image.double(this.trailingDelta.of(slot))
    image.double(this.trailingMs.of(slot))
    image.double(this.extremeTicks.of(slot))
    image.double(this.workingMs.of(slot))
    image.double(this.amendments.of(slot))
    image.double(this.orderListId.of(slot))
    image.double(this.leg.of(slot))
    image.double(this.phase.of(slot))
    image.int64(this.costAtoms.of(slot))
  }

  readImage(slot: number, image: ImageReader): void {
    this.stopTicks.set(slot, image.double() as Ticks)
    this.icebergLots.set(slot, image.double() as Lots)
    this.hiddenLots.set(slot, image.double() as Lots)
    this.preventedLots.set(slot, image.double() as Lots)
    this.strategyId.set(slot, image.int64())
    this.strategyType.set(slot, image.double())
    this.trailingDelta.set(slot, image.double())
    this.trailingMs.set(slot, image.double() as Ms)
    this.extremeTicks.set(slot, image.double() as Ticks)
    this.workingMs.set(slot, image.double() as Ms)
    this.amendments.set(slot, image.double())
    this.orderListId.set(slot, image.double() as OrderListId)
    this.leg.set(slot, image.double())
    this.phase.set(slot, image.double())
    this.costAtoms.set(slot, image.int64() as Atoms)
  }

  hash(slot: number, hash: HashSink): void {
    hash.int(this.stopTicks.of(slot))
    hash.int(this.icebergLots.of(slot))
    hash.int(this.hiddenLots.of(slot))
    hash.int(this.preventedLots.of(slot))
    hash.int(this.strategyId.of(slot))
    hash.int(this.strategyType.of(slot))
    hash.int(this.trailingDelta.of(slot))
    hash.int(this.trailingMs.of(slot))
    hash.int(this.extremeTicks.of(slot))
    hash.int(this.workingMs.of(slot))
    hash.int(this.amendments.of(slot))
    hash.int(this.orderListId.of(slot))
    hash.int(this.leg.of(slot))
    hash.int(this.phase.of(slot))
    hash.int(this.costAtoms.of(slot))
  }

  /** Takes what the command asked for an order: an ExtrasBlock at byte `at` of `records`. */
  takeExtras(slot: number, records: RecordBuffer, at: number): void {
    this.stopTicks.set(slot, ExtrasBlock.stopTicks(records, at))
    this.icebergLots.set(slot, ExtrasBlock.icebergLots(records, at))
    this.strategyId.set(slot, ExtrasBlock.strategyId(records, at))
    this.trailingDelta.set(slot, ExtrasBlock.trailingDelta(records, at))
    this.strategyType.set(slot, ExtrasBlock.strategyType(records, at))
  }

  /** Takes what an event says of an order: a DetailsSection at byte `at` of `records`. */
  takeSection(slot: number, records: RecordBuffer, at: number): void {
    this.orderListId.set(slot, DetailsSection.orderListId(records, at))
    this.stopTicks.set(slot, DetailsSection.stopTicks(records, at))
    this.icebergLots.set(slot, DetailsSection.icebergLots(records, at))
    this.strategyId.set(slot, DetailsSection.strategyId(records, at))
    this.trailingMs.set(slot, DetailsSection.trailingMs(records, at))
    this.workingMs.set(slot, DetailsSection.workingMs(records, at))
    this.strategyType.set(slot, DetailsSection.strategyType(records, at))
    this.trailingDelta.set(slot, DetailsSection.trailingDelta(records, at))
    this.phase.set(slot, DetailsSection.phase(records, at))
    this.amendments.set(slot, DetailsSection.amendments(records, at))
    this.preventedLots.set(slot, DetailsSection.preventedLots(records, at))
  }

  /** Writes an order as the DetailsSection at byte `at` of `records`. */
  writeSection(slot: number, records: RecordBuffer, at: number): void {
    DetailsSection.setOrderListId(records, at, this.orderListId.of(slot))
    DetailsSection.setStopTicks(records, at, this.stopTicks.of(slot))
    DetailsSection.setIcebergLots(records, at, this.icebergLots.of(slot))
    DetailsSection.setStrategyId(records, at, this.strategyId.of(slot))
    DetailsSection.setTrailingMs(records, at, this.trailingMs.of(slot))
    DetailsSection.setWorkingMs(records, at, this.workingMs.of(slot))
    DetailsSection.setStrategyType(records, at, this.strategyType.of(slot))
    DetailsSection.setTrailingDelta(records, at, this.trailingDelta.of(slot))
    DetailsSection.setPhase(records, at, this.phase.of(slot))
    DetailsSection.setAmendments(records, at, this.amendments.of(slot))
    DetailsSection.setPreventedLots(records, at, this.preventedLots.of(slot))
  }
}
