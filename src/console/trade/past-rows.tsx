/** Closed orders and fills of a market: filtered, a page at a time, older ones on request, and as a file. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { cut, decimalsOf, parseAtoms, shown } from '../book/decimals.ts'
import type { MarketSymbol } from '../market/symbols.ts'
import { datedText } from '../toolkit/times.ts'
import type { Account } from './account.ts'
import { type FillRow, isOpen, type OrderRow, priceOf, priceText } from './account-rows.ts'
import { csvOf } from './csv.ts'
import type { KeptRows } from './kept-rows.ts'
import { kindText } from './order-kinds.ts'
import { averageText, feesOf } from './outcome.ts'
import { type Filter, isWithin, NO_FILTER, PAGE } from './past-filter.ts'
import { SideText, Table } from './table.tsx'
import { useKept } from './use-kept.ts'

interface PastProps {
  readonly account: Account
  readonly symbol: MarketSymbol
}

/** How rows of one sort are filtered, shown and written. */
interface Shape<Row> {
  readonly what: string
  readonly names: readonly string[]
  readonly timeOf: (row: Row) => number
  readonly isBuyOf: (row: Row) => boolean
  readonly statusOf: (row: Row) => string
  readonly totalOf: (row: Row) => string
  /** All totals have as many decimals as the finest of them needs. */
  readonly show: (row: Row, totalDecimals: number) => JSX.Element
  readonly csvNames: readonly string[]
  readonly csvRow: (row: Row) => readonly string[]
}

export function History({ account, symbol }: PastProps): JSX.Element {
  const rows = useKept(account, account.closed, symbol.symbol)
  const fees = feesByOrder(useKept(account, account.fills, symbol.symbol))
  const shape: Shape<OrderRow> = {
    what: 'closed orders',
    names: ['Time', 'Order', 'Side', 'Price', 'Average', 'Filled', 'Total', 'Fee', 'Status'],
    timeOf: ({ updateTime }) => updateTime,
    isBuyOf: ({ side }) => side === 'BUY',
    statusOf: ({ status }) => status,
    totalOf: ({ cummulativeQuoteQty }) => cummulativeQuoteQty,
    show: (row, totalDecimals) => (
      <OrderCells key={row.orderId} fee={fees(row)} {...{ symbol, row, totalDecimals }} />
    ),
    csvNames: [
      ...['time', 'symbol', 'orderId', 'type', 'side', 'price', 'average', 'executedQty'],
      ...['origQty', 'total', 'fee', 'status'],
    ],
    csvRow: (row) => [
      ...[new Date(row.updateTime).toISOString(), row.symbol, String(row.orderId), row.type],
      ...[row.side, priceOf(row), averageText(row).replaceAll(',', ''), row.executedQty],
      ...[row.origQty, row.cummulativeQuoteQty, fees(row).replaceAll(',', ''), row.status],
    ],
  }
  const closed = rows.filter((row) => !isOpen(row))
  return <Past {...{ account, symbol, shape }} kept={account.closed} rows={closed} />
}

export function Fills({ account, symbol }: PastProps): JSX.Element {
  const rows = useKept(account, account.fills, symbol.symbol)
  const shape: Shape<FillRow> = {
    what: 'fills',
    names: ['Time', 'Order', 'Side', 'Price', 'Quantity', 'Total', 'Fee', 'Role'],
    timeOf: ({ time }) => time,
    isBuyOf: ({ isBuyer }) => isBuyer,
    statusOf: ({ isMaker }) => (isMaker ? 'maker' : 'taker'),
    totalOf: ({ quoteQty }) => quoteQty,
    show: (row, totalDecimals) => <FillCells key={row.id} {...{ symbol, row, totalDecimals }} />,
    csvNames: [
      ...['time', 'symbol', 'id', 'orderId', 'side', 'price', 'qty', 'quoteQty'],
      ...['commission', 'commissionAsset', 'role'],
    ],
    csvRow: (row) => [
      ...[new Date(row.time).toISOString(), symbol.symbol, String(row.id), String(row.orderId)],
      ...[row.isBuyer ? 'BUY' : 'SELL', row.price, row.qty, row.quoteQty, row.commission],
      ...[row.commissionAsset, row.isMaker ? 'maker' : 'taker'],
    ],
  }
  return <Past {...{ account, symbol, shape, rows }} kept={account.fills} />
}

interface ListProps<Row, Kept> extends PastProps {
  readonly kept: KeptRows<Kept>
  readonly rows: readonly Row[]
  readonly shape: Shape<Row>
}

function Past<Row extends Kept, Kept>(props: ListProps<Row, Kept>): JSX.Element {
  const { account, symbol, kept, rows, shape } = props
  const filter = useSignal<Filter>(NO_FILTER)
  const page = useSignal(0)
  const found = rows.filter((row) =>
    isWithin(filter.value, shape.timeOf(row), shape.isBuyOf(row), shape.statusOf(row)),
  )
  const pages = Math.max(1, Math.ceil(found.length / PAGE))
  const at = Math.min(page.value, pages - 1)
  const shownRows = found.slice(at * PAGE, (at + 1) * PAGE)
  const totalDecimals = Math.max(0, ...shownRows.map((row) => decimalsOf(shape.totalOf(row))))
  const hasOlder = kept.hasOlder(symbol.symbol)
  const older = async () => {
    const { value: session } = account.session
    if (at + 1 >= pages && session !== undefined) await kept.readOlder(session, symbol.symbol)
    page.value = at + 1
  }
  const save = () =>
    saveText(
      `${symbol.symbol}-${shape.what.replace(' ', '-')}.csv`,
      csvOf(shape.csvNames, found.map(shape.csvRow)),
    )
  const statuses = [...new Set(rows.map(shape.statusOf))].sort()
  return (
    <>
      <Filters filter={filter} statuses={statuses} />
      <Table
        names={shape.names}
        words={3}
        count={shownRows.length}
        none={
          rows.length === 0
            ? `No ${shape.what} of ${symbol.symbol}. An order from the ticket leaves one here.`
            : `None of the ${shape.what} passes the filters above.`
        }
      >
        {shownRows.map((row) => shape.show(row, totalDecimals))}
      </Table>
      <div class="pages">
        <span>
          Page {at + 1} of {pages}, {found.length} of {rows.length} that are read
          {hasOlder && '; there may be older ones'}
        </span>
        <div class="actions">
          <button
            type="button"
            class="small"
            disabled={at === 0}
            onClick={() => (page.value = at - 1)}
          >
            Newer
          </button>
          <button
            type="button"
            class="small"
            disabled={at + 1 >= pages && !hasOlder}
            onClick={() => void older()}
          >
            Older
          </button>
          <button type="button" class="small" disabled={found.length === 0} onClick={save}>
            Save as CSV
          </button>
        </div>
      </div>
    </>
  )
}

interface FiltersProps {
  readonly filter: { value: Filter }
  readonly statuses: readonly string[]
}

function Filters({ filter, statuses }: FiltersProps): JSX.Element {
  const field = (name: keyof Filter, label: string, choices?: readonly string[]) => {
    const set = (text: string) => {
      filter.value = { ...filter.value, [name]: text }
    }
    const { [name]: value } = filter.value
    if (choices === undefined) {
      return (
        <label>
          <span>{label}</span>
          <input
            type="date"
            value={value}
            onInput={({ currentTarget }) => set(currentTarget.value)}
          />
        </label>
      )
    }
    return (
      <label>
        <span>{label}</span>
        <select value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
          <option value="">All</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      </label>
    )
  }
  return (
    <div class="filters">
      {field('from', 'From')}
      {field('until', 'Until')}
      {field('side', 'Side', ['Buy', 'Sell'])}
      {field('status', 'Status', statuses)}
    </div>
  )
}

interface CellsProps<Row> {
  readonly symbol: MarketSymbol
  readonly row: Row
  readonly totalDecimals: number
}

function OrderCells(props: CellsProps<OrderRow> & { readonly fee: string }): JSX.Element {
  const { symbol, row, totalDecimals, fee } = props
  const { priceDecimals, quantityDecimals } = symbol
  return (
    <tr>
      <td>{datedText(row.updateTime)}</td>
      <td>
        {kindText(row.type)} <i>{row.orderId}</i>
      </td>
      <td>
        <SideText isBuy={row.side === 'BUY'} />
      </td>
      <td>{priceText(row, priceDecimals)}</td>
      <td>{Number(row.executedQty) > 0 ? cut(averageText(row), priceDecimals) : '–'}</td>
      <td>
        {cut(row.executedQty, quantityDecimals)} <i>of {cut(row.origQty, quantityDecimals)}</i>
      </td>
      <td>{cut(row.cummulativeQuoteQty, totalDecimals)}</td>
      <td>{fee}</td>
      <td>{row.status}</td>
    </tr>
  )
}

function FillCells({ symbol, row, totalDecimals }: CellsProps<FillRow>): JSX.Element {
  return (
    <tr>
      <td>{datedText(row.time)}</td>
      <td>
        <i>{row.orderId}</i>
      </td>
      <td>
        <SideText isBuy={row.isBuyer} />
      </td>
      <td>{cut(row.price, symbol.priceDecimals)}</td>
      <td>{cut(row.qty, symbol.quantityDecimals)}</td>
      <td>{cut(row.quoteQty, totalDecimals)}</td>
      <td>
        {shown(row.commission)} {row.commissionAsset}
      </td>
      <td>{row.isMaker ? 'maker' : 'taker'}</td>
    </tr>
  )
}

/** Returns the fee of an order, once all of its fills are read; until then a dash. */
function feesByOrder(fills: readonly FillRow[]): (order: OrderRow) => string {
  const byOrder = new Map<number, FillRow[]>()
  for (const fill of fills) {
    const found = byOrder.get(fill.orderId)
    if (found === undefined) byOrder.set(fill.orderId, [fill])
    else found.push(fill)
  }
  return ({ orderId, executedQty }) => {
    const own = byOrder.get(orderId) ?? []
    const filled = own.reduce((sum, { qty }) => sum + (parseAtoms(qty) ?? 0n), 0n)
    return filled > 0n && filled === parseAtoms(executedQty) ? feesOf(own) : '–'
  }
}

/** Has the browser keep a text as a file. */
function saveText(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
