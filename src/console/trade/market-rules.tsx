/** What a visitor may know of a market before signing in: the filters that most orders meet, and where to read on. */
import type { JSX } from 'preact'
import { shown } from '../book/decimals.ts'
import { filterOf, type MarketSymbol } from '../market/symbols.ts'
import { kindsOf, kindText } from './order-kinds.ts'

/** Pages of the documents. */
const PAGES = [
  ['guides/quick-start', 'Quick start'],
  ['guides/keys', 'Make a key'],
  ['guides/order-types', 'Order types'],
  ['guides/filters', 'Filters'],
] as const

/** How a client asks for SBE (docs/clients.md). */
const SBE = [
  ['Schema', 'id 3, version 5; 4 where --sbe-newest says so'],
  ['REST', 'Accept: application/sbe and X-MBX-SBE: 3:5'],
  ['Sessions', '/ws-api/v3?responseFormat=sbe&sbeSchemaId=3&sbeSchemaVersion=5'],
  ['Streams', '/sbe/ws and /sbe/stream, or /ws and /stream of --sbe-port'],
  ['Key of streams', 'Ed25519, in X-MBX-APIKEY'],
] as const

/** Rules with a value of this symbol: name, value, unit. */
function rulesOf(symbol: MarketSymbol): (readonly [name: string, value: string])[] {
  const { baseAsset, quoteAsset } = symbol
  const value = (types: readonly string[], field: string, unit: string) => {
    const found = types.map((type) => filterOf(symbol, type)?.[field])
    const text = String(found.find((one) => one !== undefined) ?? 0)
    return Number(text) > 0 ? `${shown(text)} ${unit}` : ''
  }
  const band = filterOf(symbol, 'PERCENT_PRICE_BY_SIDE')
  const times = (side: string) =>
    band === undefined
      ? ''
      : `${band[`${side}MultiplierDown`]} to ${band[`${side}MultiplierUp`]} × average`
  return [
    ['Price step', value(['PRICE_FILTER'], 'tickSize', quoteAsset)],
    ['Quantity step', value(['LOT_SIZE'], 'stepSize', baseAsset)],
    ['Least order', value(['NOTIONAL', 'MIN_NOTIONAL'], 'minNotional', quoteAsset)],
    ['Largest order', value(['LOT_SIZE'], 'maxQty', baseAsset)],
    ['Largest market order', value(['MARKET_LOT_SIZE'], 'maxQty', baseAsset)],
    ['Price of a buy', times('bid')],
    ['Price of a sell', times('ask')],
    ['Self-trade prevention', kindText(symbol.defaultSelfTradePreventionMode)],
    ['Orders', kindsOf(symbol).map(kindText).join(', ')],
  ]
}

export function MarketRules({ symbol }: { readonly symbol: MarketSymbol }): JSX.Element {
  const rules = rulesOf(symbol).filter(([, value]) => value !== '')
  return (
    <>
      <h3>Rules of {symbol.symbol}</h3>
      <Pairs rows={rules} />
      <details class="sbe">
        <summary>In SBE</summary>
        <Pairs rows={SBE} />
      </details>
      <p class="note">
        The commission is your account's: the ticket shows it. Read on:{' '}
        {PAGES.map(([page, name], at) => [at > 0 && ', ', <a href={`/docs/${page}`}>{name}</a>])}
      </p>
    </>
  )
}

const Pairs = ({ rows }: { readonly rows: readonly (readonly [string, string])[] }) => (
  <dl class="pairs">
    {rows.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
