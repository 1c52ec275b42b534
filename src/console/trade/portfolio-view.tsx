/** What is held: its value and profit by market, and in all in one asset. */
import type { JSX } from 'preact'
import { ATOMS, cut, formatAtoms, grouped, parseAtoms } from '../book/decimals.ts'
import type { Market } from '../market/market.ts'
import type { MarketSymbol } from '../market/symbols.ts'
import { kept } from '../toolkit/kept.ts'
import type { Account } from './account.ts'
import { lastOf } from './alerts.ts'
import {
  type Conversion,
  conversionsInto,
  type MarketProfit,
  NO_POSITION,
  profitOf,
} from './portfolio.ts'
import { FILLS_MAX, type ReadPosition } from './positions.ts'
import { Table } from './table.tsx'

/** Markets that are shown at most. */
const ROWS_MAX = 200
export const countedIn = kept('portfolio-asset', 'USDT', (value) =>
  typeof value === 'string' ? value : undefined,
)

interface PortfolioProps {
  readonly market: Market
  readonly account: Account
}

export function Portfolio({ market, account }: PortfolioProps): JSX.Element {
  void [market.tickers.version.value, market.last.value, account.positions.markets.value]
  const holdings = holdingsOf(account)
  const { value: symbols } = market.symbols
  const last = (symbol: string) => lastOf(market, symbol)
  const rows = rowsOf(symbols, account, holdings, last)
  const read = async (wanted: readonly MarketSymbol[]) => {
    const { value: session } = account.session
    for (const symbol of wanted) {
      if (session === undefined || session !== account.session.value) return
      await account.positions.read(session, symbol)
    }
  }
  const unread = rows.filter(({ read }) => read === undefined).map(({ symbol }) => symbol)
  const conversions = conversionsInto(countedIn.value, symbols, last)
  return (
    <>
      <div class="filters">
        <InAll decimals={decimalsIn(symbols)} {...{ rows, holdings, conversions }} />
        <select
          aria-label="Count in"
          value={countedIn.value}
          onChange={({ currentTarget }) => {
            countedIn.value = currentTarget.value
          }}
        >
          {assetsOf(symbols).map((asset) => (
            <option key={asset} value={asset}>
              {asset}
            </option>
          ))}
        </select>
        <button
          type="button"
          class="small"
          disabled={unread.length === 0}
          onClick={() => void read(unread)}
        >
          Read fills of all
        </button>
      </div>
      <Table
        names={NAMES}
        count={rows.length}
        none="No holdings that a market trades. What you buy is valued here."
      >
        {rows.map((row) => (
          <ProfitRow key={row.symbol.symbol} row={row} ask={() => void read([row.symbol])} />
        ))}
      </Table>
      <p class="note pages">
        Cost is the average of up to {grouped(String(FILLS_MAX))} fills of a market, with fees in
        its assets. Older fills, deposits and units that were bought elsewhere have no known cost,
        and no profit here.
      </p>
    </>
  )
}

const NAMES = [
  ...['Market', 'Held', 'Average cost', 'Value', 'Profit', 'Realized', 'Cost unknown', ''],
]

/** What is held of each asset, free and in orders. */
function holdingsOf(account: Account): ReadonlyMap<string, bigint> {
  const atoms = (text: string) => parseAtoms(text) ?? 0n
  const all = [...account.balances.value.values()]
  const sums = all.map(({ asset, free, locked }) => [asset, atoms(free) + atoms(locked)] as const)
  return new Map(sums.filter(([, sum]) => sum > 0n))
}

interface HeldMarket {
  readonly symbol: MarketSymbol
  readonly read: ReadPosition | undefined
  readonly profit: MarketProfit
}

/** Markets of what is held, and those whose fills were read. A unit that is held has its cost in one of them. */
function rowsOf(
  symbols: readonly MarketSymbol[],
  account: Account,
  holdings: ReadonlyMap<string, bigint>,
  last: (symbol: string) => string,
): HeldMarket[] {
  const left = new Map(holdings)
  const isShown = ({ symbol, baseAsset }: MarketSymbol) =>
    holdings.has(baseAsset) || account.positions.of(symbol) !== undefined
  return symbols
    .filter(isShown)
    .slice(0, ROWS_MAX)
    .map((symbol) => {
      const { baseAsset } = symbol
      const read = account.positions.of(symbol.symbol)
      const [held, others] = [holdings.get(baseAsset) ?? 0n, left.get(baseAsset) ?? 0n]
      const price = parseAtoms(last(symbol.symbol)) ?? 0n
      const profit = profitOf(read?.position ?? NO_POSITION, held, others, price)
      left.set(baseAsset, others - profit.known)
      return { symbol, read, profit }
    })
}

const assetsOf = (symbols: readonly MarketSymbol[]): string[] =>
  [...new Set(symbols.flatMap(({ baseAsset, quoteAsset }) => [quoteAsset, baseAsset]))].sort()

/** Decimals of the asset that is counted in, as prices have them. */
const decimalsIn = (symbols: readonly MarketSymbol[]): number =>
  symbols.find(({ quoteAsset }) => quoteAsset === countedIn.value)?.priceDecimals ?? ATOMS

interface InAllProps {
  readonly decimals: number
  readonly rows: readonly HeldMarket[]
  readonly holdings: ReadonlyMap<string, bigint>
  readonly conversions: ReadonlyMap<string, Conversion>
}

/** Sums at last prices; what has no price is named. */
function InAll({ decimals, rows, holdings, conversions }: InAllProps): JSX.Element {
  const sumOf = (amounts: Iterable<readonly [asset: string, atoms: bigint]>) =>
    [...amounts].reduce((sum, [asset, atoms]) => sum + (conversions.get(asset)?.(atoms) ?? 0n), 0n)
  const profits = (name: 'profit' | 'realized') =>
    signed(
      sumOf(rows.map(({ symbol, profit }) => [symbol.quoteAsset, profit[name]] as const)),
      decimals,
    )
  const unpriced = [...holdings.keys()].filter((asset) => !conversions.has(asset))
  return (
    <span id="portfolio" class="figure">
      In all {cutAtoms(sumOf(holdings), decimals)} {countedIn.value}, profit {profits('profit')},
      realized {profits('realized')}
      {unpriced.length > 0 && `; no price of ${unpriced.join(', ')}`}
    </span>
  )
}

interface RowProps {
  readonly row: HeldMarket
  readonly ask: () => void
}

function ProfitRow({ row: { symbol, read, profit }, ask }: RowProps): JSX.Element {
  const { held, average, value, realized, unknown } = profit
  const isKnown = read !== undefined && !read.isReading
  const { baseAsset, quoteAsset, priceDecimals, quantityDecimals } = symbol
  const base = (atoms: bigint) => `${cutAtoms(atoms, quantityDecimals)} ${baseAsset}`
  const cell = (text: string, way = 0n) => (
    <td class={!isKnown || way === 0n ? '' : way > 0n ? 'up' : 'down'}>{isKnown ? text : '–'}</td>
  )
  return (
    <tr data-market={symbol.symbol}>
      <td>{symbol.symbol}</td>
      <td>{base(held)}</td>
      {cell(average === undefined ? '–' : cutAtoms(average, priceDecimals))}
      <td>
        {cutAtoms(value, priceDecimals)} {quoteAsset}
      </td>
      {cell(signed(profit.profit, priceDecimals), profit.profit)}
      {cell(signed(realized, priceDecimals), realized)}
      {cell(base(unknown))}
      <td>
        {read === undefined ? (
          <button type="button" class="small" onClick={ask}>
            Read fills
          </button>
        ) : (
          fillsText(read)
        )}
      </td>
    </tr>
  )
}

function fillsText({ fills, isCut, isReading }: ReadPosition): string {
  if (isReading) return 'Reading …'
  return `${isCut ? 'newest ' : ''}${grouped(String(fills))} fills`
}

const cutAtoms = (atoms: bigint, decimals: number): string => cut(formatAtoms(atoms), decimals)

const signed = (atoms: bigint, decimals: number): string =>
  `${atoms < 0n ? '−' : atoms > 0n ? '+' : ''}${cutAtoms(atoms < 0n ? -atoms : atoms, decimals)}`
