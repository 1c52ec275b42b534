/**
 * The table of history queries: by name, the query's type, the type of its result, and whether it is a
 * list that the history threads can encode. The archive's reader, the pool, the counter and the handlers'
 * context take their methods from it. To add a query, add a row here and a method to archive/history.ts.
 */
import type { AccountId } from '../base/units.ts'
import type { AssetSpec, SymbolSpec } from '../market/listing.ts'
import type {
  AllOrdersQuery,
  AllocationRow,
  AllocationsQuery,
  AmendmentRow,
  AmendmentsQuery,
  ChainRow,
  DepositRow,
  DepositsQuery,
  Distributions,
  DistributionsQuery,
  MovementOfRequest,
  Movements,
  MovementsQuery,
  MyTradesQuery,
  OrderListQuery,
  OrderListRow,
  OrderListsQuery,
  OrderQuery,
  OrderRow,
  PreventedMatchesQuery,
  PreventedMatchRow,
  RequestQuery,
  TradeRow,
  TradingStatusRow,
  TradingVolumeQuery,
  WithdrawalRow,
  WithdrawalsQuery,
} from './account-history.ts'
import type {
  AggregateTradeRow,
  AggregateTradesQuery,
  BarRow,
  BlockTradeOfRequest,
  BlockTradeRequestQuery,
  BlockTradeRow,
  BlockTradesQuery,
  DayQuery,
  DayRows,
  KlineQuery,
  KlineRow,
  PublicTradeRow,
  PublicTradesQuery,
  WindowQuery,
} from './market-history.ts'

interface QueryKind<Query, Result> {
  /** Whether the result is a list that can be encoded where it is read. */
  readonly isList: boolean
  /** Never called: it carries the types. */
  readonly types: (query: Query) => Result
}
interface ListKind<Query, Row> extends QueryKind<Query, readonly Row[]> {
  readonly isList: true
}

function types(): never {
  throw new Error('A row of the table of history queries carries types only.')
}
const query = <Query, Result>(): QueryKind<Query, Result> & { readonly isList: false } => ({
  isList: false,
  types,
})
const list = <Query, Row>(): ListKind<Query, Row> => ({ isList: true, types })

/** A query of one account, whose id is all of it. */
interface AccountQuery {
  readonly account: AccountId
}

export const historyTable = {
  /** Undefined when there is none, or when the two ids name different orders. */
  order: query<OrderQuery, OrderRow | undefined>(),
  allOrders: list<AllOrdersQuery, OrderRow>(),
  myTrades: list<MyTradesQuery, TradeRow>(),
  preventedMatches: query<PreventedMatchesQuery, readonly PreventedMatchRow[]>(),
  allocations: list<AllocationsQuery, AllocationRow>(),
  orderList: query<OrderListQuery, OrderListRow | undefined>(),
  orderLists: query<OrderListsQuery, readonly OrderListRow[]>(),
  openOrderLists: query<AccountQuery, readonly OrderListRow[]>(),
  amendments: query<AmendmentsQuery, readonly AmendmentRow[]>(),
  deposits: query<DepositsQuery, readonly DepositRow[]>(),
  withdrawals: query<WithdrawalsQuery, readonly WithdrawalRow[]>(),
  /** What an account applied for under an id, however long ago. */
  withdrawalOf: query<RequestQuery, WithdrawalRow | undefined>(),
  /** What a master asked to move under an id, however long ago. */
  movementOf: query<RequestQuery, MovementOfRequest>(),
  movements: query<MovementsQuery, Movements>(),
  /** Chains that ever changed otherwise than by their blocks. */
  chains: query<object, readonly ChainRow[]>(),
  distributions: query<DistributionsQuery, Distributions>(),
  tradingStatus: query<AccountQuery, TradingStatusRow>(),
  /** Atoms of the valuation asset that the account traded. */
  tradingVolume: query<TradingVolumeQuery, bigint>(),
  publicTrades: list<PublicTradesQuery, PublicTradeRow>(),
  blockTrades: list<BlockTradesQuery, BlockTradeRow>(),
  blockTradeOf: query<BlockTradeRequestQuery, BlockTradeOfRequest>(),
  aggregateTrades: list<AggregateTradesQuery, AggregateTradeRow>(),
  klines: list<KlineQuery, KlineRow>(),
  window: query<WindowQuery, BarRow>(),
  day: query<DayQuery, DayRows>(),
} as const

type Table = typeof historyTable
export type HistoryName = keyof Table
export type HistoryQuery<Name extends HistoryName> = Parameters<Table[Name]['types']>[0]
export type HistoryResult<Name extends HistoryName> = ReturnType<Table[Name]['types']>

export type ListName = {
  [Name in HistoryName]: Table[Name]['isList'] extends true ? Name : never
}[HistoryName]
export type ListRow<Name extends ListName> = HistoryResult<Name>[number]

export const historyNames = Object.keys(historyTable) as readonly HistoryName[]
export const isListName = (name: HistoryName): name is ListName => historyTable[name].isList

/** The encoders that write lists where they are read. */
export type ListEncoding = 'JSON' | 'SBE 3:4' | 'SBE 3:5'

/** How the rows of a list are shown. */
export interface ListForm {
  readonly encoding: ListEncoding
  readonly spec: SymbolSpec
  readonly microseconds: boolean
  /** By id, where rows may name one. */
  readonly assets?: readonly AssetSpec[]
}

/** Every query, read at once. */
export type HistoryReads = {
  readonly [Name in HistoryName]: (query: HistoryQuery<Name>) => HistoryResult<Name>
}

/** Every query, run by another thread. */
export type HistoryQueries = {
  readonly [Name in HistoryName]: (query: HistoryQuery<Name>) => Promise<HistoryResult<Name>>
} & {
  /** Returns the rows as an array, encoded where they are read. */
  list<Name extends ListName>(
    name: Name,
    query: HistoryQuery<Name>,
    form: ListForm,
  ): Promise<Uint8Array>
}

/** Runs one query; with a `form`, its result is an encoded list. */
export type RunHistoryQuery = (
  name: HistoryName,
  query: unknown,
  form?: ListForm,
) => Promise<unknown>

/** Returns the queries of the table, each carried out by `run`. */
export function historyQueries(run: RunHistoryQuery): HistoryQueries {
  const reads = historyNames.map((name) => [name, (query: unknown) => run(name, query)] as const)
  const lists = { list: (name: ListName, query: unknown, form: ListForm) => run(name, query, form) }
  return { ...Object.fromEntries(reads), ...lists } as unknown as HistoryQueries
}
