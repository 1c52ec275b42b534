/**
 * Events of accounts with subscribers (user-data-stream.md): for each execution reports of their orders, then of
 * their lists, and at its end one position of the balances that it may have changed. Positions are read from
 * the shared ledger, which was settled before the events were published. So no position is older than the
 * reports or the position before it.
 */
import { type Answer, type AnyRows, Rows } from '../../api/answers/answer.ts'
import type { Elements, Form, RowOf } from '../../api/answers/element.ts'
import {
  accountPosition,
  balanceChange,
  executionReport,
  listStatus,
} from '../../api/answers/user-events.ts'
import type { BalanceRow } from '../../api/context.ts'
import { ExecutionReporter, type Report } from '../../api/rows/execution-reports.ts'
import { type ListState, listStateOf, refusedListOf } from '../../api/rows/order-list.ts'
import { int64, negative } from '../../base/int64.ts'
import type { Clock } from '../../base/time.ts'
import { AccountId, type AssetId, type Atoms, Ms } from '../../base/units.ts'
import {
  Allocation,
  BlockTrade,
  DebtPaid,
  DepositChanged,
  EventHeader,
  FundsMoved,
  OrderAmended,
  OrderListChanged,
  OrderListRejected,
  RecordHeader,
  Rejected,
  Trade,
  TradeSide,
  WithdrawalChanged,
} from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordFlags, recordType } from '../../layout/record-buffer.ts'
import { FLAG_LAST } from '../../layout/records.gen.ts'
import { type AssetSpec, EXCHANGE_ACCOUNT, type SymbolSpec } from '../../market/listing.ts'
import type { BalanceChange } from '../../shared/control-message.ts'

/** A connection, or one subscription of it, that receives an account's events. */
export interface UserListener {
  readonly account: AccountId
  readonly microseconds: boolean
  event(event: AnyRows): void
}

/** Gets the reports of all accounts, in their order. */
export type ReportTap = (account: AccountId, spec: SymbolSpec, report: Report) => void

export interface UserStreamsParts {
  readonly symbols: readonly SymbolSpec[]
  /** By id. */
  readonly assets: readonly AssetSpec[]
  readonly matchers: number
  readonly balance: (account: AccountId, asset: AssetSpec) => BalanceRow
  readonly clock: Clock
}

/** The report of a list, which follows all reports of its orders. */
interface ListReport {
  readonly spec: SymbolSpec
  readonly account: AccountId
  readonly row: ListState & { readonly rejectReason: number }
}

/** What one matcher's current execution has for accounts with subscribers. */
class Execution {
  readonly reporter: ExecutionReporter
  /** Time of its last event. */
  timeMs = Ms(0)
  /** Accounts that it has touched, and their assets that may have changed. */
  readonly touched = new Map<number, Set<AssetSpec>>()
  readonly lists: ListReport[] = []

  /** Gateway and correlation id of the command that its events answer. */
  private gateway = -1
  private correlation = 0
  private isOver = true

  constructor({ assets, symbols }: Pick<UserStreamsParts, 'assets' | 'symbols'>) {
    this.reporter = new ExecutionReporter(assets, symbols)
  }

  /** Whether the record is of another command, or another execution, than those before it. */
  begins(buffer: RecordBuffer, at: number): boolean {
    return (
      this.isOver ||
      RecordHeader.gateway(buffer, at) !== this.gateway ||
      RecordHeader.correlation(buffer, at) !== this.correlation
    )
  }

  begin(buffer: RecordBuffer, at: number): void {
    this.isOver = false
    this.gateway = RecordHeader.gateway(buffer, at)
    this.correlation = RecordHeader.correlation(buffer, at)
  }

  end(): void {
    this.isOver = true
  }
}

export class UserStreams {
  private readonly parts: UserStreamsParts
  /** By matcher: each follows the whole of one event ring. */
  private executions: Execution[]
  private readonly listeners = new Map<number, Set<UserListener>>()
  private tap: ReportTap | undefined = undefined

  constructor(parts: UserStreamsParts) {
    this.parts = parts
    this.executions = this.newExecutions()
  }

  get listenerCount(): number {
    let count = 0
    for (const listeners of this.listeners.values()) count += listeners.size
    return count
  }

  add(listener: UserListener): void {
    // Without subscribers executions were not read.
    if (this.listeners.size === 0 && this.tap === undefined) this.executions = this.newExecutions()
    const others = this.listeners.get(listener.account)
    if (others === undefined) this.listeners.set(listener.account, new Set([listener]))
    else others.add(listener)
  }

  /** Calls this with the reports of all accounts, from now on. */
  reportAll(tap: ReportTap): void {
    if (this.listeners.size === 0) this.executions = this.newExecutions()
    this.tap = tap
  }

  remove(listener: UserListener): void {
    const others = this.listeners.get(listener.account)
    others?.delete(listener)
    if (others?.size === 0) this.listeners.delete(listener.account)
  }

  /** Reports money that the operator moved; the ledger already has the change. */
  balanceChanged({ account, assetId, atoms, isLock, timeMs }: BalanceChange): void {
    const asset = this.parts.assets[assetId]
    if (asset === undefined || !this.listeners.has(account)) return
    const eventTimeMs = this.parts.clock.nowMs()
    const kind = isLock ? 1 : 0
    const row = { kind, eventTimeMs, asset, atoms: int64(BigInt(atoms)), timeMs }
    this.send(account, balanceChange, row)
    this.sendPosition(account, new Set([asset]), timeMs)
  }

  /** Reports what an event of the wallet moved. */
  fundsMoved(buffer: RecordBuffer, at: number): void {
    if (this.listeners.size === 0) return
    const timeMs = EventHeader.timeMs(buffer, at)
    const moved = (account: AccountId, assetId: AssetId, atoms: Atoms): void => {
      if (atoms === 0) return
      this.balanceChanged({ account, assetId, atoms: String(atoms), isLock: false, timeMs })
    }
    const type = recordType(buffer, at)
    if (type === DepositChanged.type) {
      const { account, assetId, movedAtoms } = DepositChanged
      moved(account(buffer, at), assetId(buffer, at), movedAtoms(buffer, at))
    } else if (type === WithdrawalChanged.type) {
      const { account, assetId, movedAtoms, feeMovedAtoms } = WithdrawalChanged
      moved(account(buffer, at), assetId(buffer, at), movedAtoms(buffer, at))
      moved(EXCHANGE_ACCOUNT, assetId(buffer, at), feeMovedAtoms(buffer, at))
    } else if (type === FundsMoved.type) {
      const { from, to, assetId, atoms } = FundsMoved
      moved(from(buffer, at), assetId(buffer, at), negative(atoms(buffer, at)))
      moved(to(buffer, at), assetId(buffer, at), atoms(buffer, at))
    } else if (type === DebtPaid.type) {
      const { account, assetId, atoms } = DebtPaid
      moved(account(buffer, at), assetId(buffer, at), negative(atoms(buffer, at)))
    }
  }

  /** Drops the current execution: records of the matcher were missed. */
  overrun(matcher: number): void {
    this.executions[matcher] = new Execution(this.parts)
  }

  private newExecutions(): Execution[] {
    const { parts } = this
    return Array.from({ length: parts.matchers }, () => new Execution(parts))
  }

  /** Takes in one record of a matcher's event ring. */
  record(matcher: number, buffer: RecordBuffer, at: number): void {
    if (this.listeners.size === 0 && this.tap === undefined) return
    const execution = this.executions[matcher]!
    const isEvent = recordType(buffer, at) < Rejected.type
    // A command that ends in a reply, as a replacement's, has no last event: the next execution ends its own.
    if (execution.begins(buffer, at)) {
      this.endExecution(execution)
      execution.begin(buffer, at)
    }
    execution.reporter.read(buffer, at)
    this.listen(execution, buffer, at)
    if (!isEvent || (recordFlags(buffer, at) & FLAG_LAST) !== 0) this.endExecution(execution)
  }

  private listen(execution: Execution, buffer: RecordBuffer, at: number): void {
    const { symbols, assets, clock } = this.parts
    const { reporter } = execution
    const spec = symbols[RecordHeader.symbolId(buffer, at)]!
    const type = recordType(buffer, at)
    const isEvent = type < Rejected.type
    if (isEvent) execution.timeMs = EventHeader.timeMs(buffer, at)
    const eventTimeMs = clock.nowMs()
    for (const ofMaker of [false, true]) {
      const owner = ofMaker ? reporter.makerOwner : reporter.owner
      const isTaped = this.tap !== undefined && owner >= 0
      if (!isTaped && !this.listeners.has(owner)) continue
      if (isEvent && movesMoney(buffer, at))
        this.touch(execution, AccountId(owner), spec.base, spec.quote)
      if (type === Trade.type || type === Allocation.type) {
        const other = assets[TradeSide.commissionAssetId(buffer, sideAt(type, at, ofMaker))]
        if (other !== undefined) this.touch(execution, AccountId(owner), other)
      }
      const report = reporter.report(spec, buffer, at, ofMaker, eventTimeMs)
      if (isTaped) this.tap?.(AccountId(owner), spec, report)
      this.send(AccountId(owner), executionReport, report, spec)
    }
    if (type === Allocation.type) {
      this.touch(execution, Allocation.allocator(buffer, at), spec.base, spec.quote)
    } else if (type === BlockTrade.type) {
      this.touch(execution, BlockTrade.buyer(buffer, at), spec.base, spec.quote)
      this.touch(execution, BlockTrade.seller(buffer, at), spec.base, spec.quote)
    } else if (type === OrderListChanged.type) {
      const account = OrderListChanged.account(buffer, at)
      this.keepList(execution, spec, account, 0, () => listStateOf(buffer, at))
    } else if (type === OrderListRejected.type) {
      const account = OrderListRejected.account(buffer, at)
      const reason = OrderListRejected.reason(buffer, at)
      this.keepList(execution, spec, account, reason, () => refusedListOf(buffer, at))
    }
  }

  private keepList(
    { lists }: Execution,
    spec: SymbolSpec,
    account: AccountId,
    rejectReason: number,
    read: () => ListState,
  ): void {
    if (!this.listeners.has(account)) return
    lists.push({ spec, account, row: { ...read(), rejectReason } })
  }

  private touch({ touched }: Execution, account: AccountId, ...assets: readonly AssetSpec[]): void {
    if (!this.listeners.has(account)) return
    const known = touched.get(account)
    if (known === undefined) touched.set(account, new Set(assets))
    else for (const asset of assets) known.add(asset)
  }

  private endExecution(execution: Execution): void {
    const { touched, lists } = execution
    execution.end()
    // Most executions touch no subscriber, and clearing empty collections is not free.
    if (lists.length > 0) {
      const eventTimeMs = this.parts.clock.nowMs()
      for (const { spec, account, row } of lists) {
        this.send(account, listStatus, { ...row, eventTimeMs }, spec)
      }
      lists.length = 0
    }
    if (touched.size > 0) {
      for (const [account, assets] of touched)
        this.sendPosition(AccountId(account), assets, execution.timeMs)
      touched.clear()
    }
  }

  private sendPosition(account: AccountId, assets: ReadonlySet<AssetSpec>, updateMs: Ms): void {
    const { balance, clock } = this.parts
    const balances = Array.from(assets, (asset) => balance(account, asset))
    this.send(account, accountPosition, { eventTimeMs: clock.nowMs(), updateMs, balances })
  }

  private send<E extends Elements>(
    account: AccountId,
    answer: Answer<E>,
    row: RowOf<E>,
    spec?: SymbolSpec,
  ): void {
    for (const listener of this.listeners.get(account) ?? []) {
      const { microseconds } = listener
      const form: Form = spec === undefined ? { microseconds } : { spec, microseconds }
      listener.event(new Rows(answer, row, form))
    }
  }
}

/** Where a side of a Trade begins, or the order's of an Allocation. */
function sideAt(type: number, at: number, ofMaker: boolean): number {
  if (type === Allocation.type) return Allocation.takerAt(at)
  return ofMaker ? Trade.makerAt(at) : Trade.takerAt(at)
}

/** Whether an event may have changed balances: not an amendment of an order that holds nothing. */
const movesMoney = (buffer: RecordBuffer, at: number): boolean =>
  recordType(buffer, at) !== OrderAmended.type || OrderAmended.releasedAtoms(buffer, at) !== 0
