/** ccxt's clients, pointed at a local exchange as its users would point them. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import ccxt, { type binance, type binanceus } from 'ccxt'
import type { ServedExchange } from '../fixtures/loop-exchange.ts'

/** The library's own patience is for machines that do nothing else. */
const PATIENCE_MS = 120_000

/** Without an account the client has no keys and may only look. */
export function restClient(exchange: ServedExchange, account?: string): binanceus {
  return new ccxt.binanceus(settings(exchange, account))
}

export function streamClient(
  exchange: ServedExchange,
  account?: string,
): InstanceType<typeof ccxt.pro.binanceus> {
  return new ccxt.pro.binanceus(settings(exchange, account))
}

/** The class for the global venue, set to leave futures, margin and wallets alone. */
export function globalClient(exchange: ServedExchange, account?: string): binance {
  const { options, ...rest } = settings(exchange, account)
  return new ccxt.binance({
    ...rest,
    options: { ...options, fetchMarkets: ['spot'], fetchMargins: false, fetchCurrencies: false },
  })
}

const readme = readFileSync(path.resolve(import.meta.dirname, '../../README.md'), 'utf8')
/** The client's settings as the README prints them, byte for byte. */
export const [, printedSettings = ''] = /new ccxt\.binanceus\((\{[\s\S]*?\n\})\)/.exec(readme) ?? []

function settings(exchange: ServedExchange, account: string | undefined) {
  const { apiKey, secretKey } = exchange.keys()[account ?? ''] ?? {}
  const text = printedSettings.replaceAll('127.0.0.1:8080', new URL(exchange.url).host)
  const printed = new Function('taker', 'url', `return ${text}`)(
    { apiKey, secretKey },
    exchange.url,
  )
  return {
    ...printed,
    enableRateLimit: false,
    timeout: PATIENCE_MS,
    options: {
      ...printed.options,
      fetchOpenOrders: { warnWithoutSymbol: false },
      ws: { connectionTimeout: PATIENCE_MS },
    },
  }
}
