/** What record-layout.ts queries of the folder that it records; no answer depends on the time. */

export interface Asked {
  readonly target?: string
  /** An action of operators, by the name that recorded files give it. */
  readonly act?: string
  readonly params?: Readonly<Record<string, string>>
  /** Whose signed request it is. */
  readonly account?: string
  readonly body: unknown
}

const HOUR_MS = 60 * 60 * 1000
const SYMBOLS = ['BTCUSDT', 'SHIBUSDT', 'BNBUSDT', 'BNBBTC', 'BTCUSDC']
const INTERVALS = ['1s', '1m', '1h', '1d', '1M']

const ofSymbols = (queries: (symbol: string) => readonly string[]) => SYMBOLS.flatMap(queries)

/** `endMs` is behind the last trade. */
export const marketQueries = (endMs: number): readonly { readonly target: string }[] =>
  [
    'exchangeInfo?showPermissionSets=false',
    'ticker/price',
    'ticker/bookTicker',
    ...ofSymbols((symbol) => [
      `depth?symbol=${symbol}&limit=5000`,
      `aggTrades?symbol=${symbol}&fromId=0&limit=1000`,
      ...INTERVALS.map(
        (interval) =>
          `klines?symbol=${symbol}&interval=${interval}&startTime=0&endTime=${endMs}&limit=1000`,
      ),
    ]),
  ].map((target) => ({ target: `/api/v3/${target}` }))

interface Query {
  readonly target: string
  readonly params: Readonly<Record<string, string>>
}
const query = (target: string, params: Query['params'] = {}): Query => ({ target, params })

/** `endMs` is behind the last deposit and withdrawal. */
export const accountQueries = (endMs: number): readonly Query[] => [
  query('/api/v3/account'),
  query('/api/v3/openOrders'),
  query('/api/v3/openOrderList'),
  query('/api/v3/allOrderList', { fromId: '0', limit: '1000' }),
  ...SYMBOLS.flatMap((symbol) => [
    query('/api/v3/allOrders', { symbol, orderId: '0', limit: '1000' }),
    query('/api/v3/myTrades', { symbol, fromId: '0', limit: '1000' }),
    query('/api/v3/account/commission', { symbol }),
    query('/api/v3/myFilters', { symbol }),
    query('/api/v3/myPreventedMatches', { symbol, orderId: '1' }),
    query('/api/v3/order/amendments', { symbol, orderId: '11' }),
  ]),
  query('/ringbook/v1/protection'),
  query('/sapi/v1/asset/assetDistributionHistory'),
  query('/sapi/v1/capital/config/getall'),
  ...['capital/deposit/hisrec', 'capital/withdraw/history', 'sub-account/universalTransfer'].map(
    (list) =>
      query(`/sapi/v1/${list}`, { startTime: String(endMs - HOUR_MS), endTime: String(endMs) }),
  ),
]

export const operatorQueries: readonly {
  readonly act: string
  readonly params: Query['params']
}[] = [
  { act: 'audit', params: {} },
  { act: 'accounts', params: {} },
  { act: 'keys', params: {} },
  { act: 'operators', params: {} },
  { act: 'orders', params: { limit: '100' } },
  { act: 'trades', params: { limit: '100' } },
  ...['one', 'two', 'three'].map((account) => ({ act: 'balances', params: { account } })),
  ...SYMBOLS.map((symbol) => ({ act: 'book', params: { symbol, levels: '50' } })),
]
