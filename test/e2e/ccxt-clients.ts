/** ccxt's clients, pointed at a local exchange as its users would point them. */
import ccxt, { type binance, type binanceus } from 'ccxt'
import type { ServedExchange } from '../fixtures/loop-exchange.ts'

/** The library's own patience is for machines that do nothing else. */
const PATIENCE_MS = 120_000

/** Without an account it has no keys and may only look. */
export function restClient(exchange: ServedExchange, account?: string): binanceus {
  return new ccxt.binanceus(settings(exchange, account))
}

export function streamClient(
  exchange: ServedExchange,
  account?: string,
): InstanceType<typeof ccxt.pro.binanceus> {
  return new ccxt.pro.binanceus(settings(exchange, account))
}

/** The class for the global venue, told to leave futures, margin and wallets alone. */
export function globalClient(exchange: ServedExchange, account?: string): binance {
  const { options, ...rest } = settings(exchange, account)
  return new ccxt.binance({
    ...rest,
    options: { ...options, fetchMarkets: ['spot'], fetchMargins: false, fetchCurrencies: false },
  })
}

function settings(exchange: ServedExchange, account: string | undefined) {
  const api = `${exchange.url}/api/v3`
  const key = account === undefined ? undefined : exchange.keys()[account]
  return {
    ...(key === undefined ? {} : { apiKey: key.apiKey, secret: key.secretKey }),
    enableRateLimit: false,
    timeout: PATIENCE_MS,
    urls: {
      api: {
        public: api,
        private: api,
        sapi: `${exchange.url}/sapi/v1`,
        sapiV3: `${exchange.url}/sapi/v3`,
        ws: { spot: `${exchange.wsUrl}/ws`, 'ws-api': { spot: `${exchange.wsUrl}/ws-api/v3` } },
      },
    },
    options: {
      quoteOrderQty: true,
      fetchTradesMethod: 'publicGetTrades',
      fetchOpenOrders: { warnWithoutSymbol: false },
      ws: { connectionTimeout: PATIENCE_MS },
    },
  }
}
