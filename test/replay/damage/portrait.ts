/** All that an exchange answers of what it acknowledged: to owners of keys, to the public, to operators. */
import { createHmac } from 'node:crypto'
import type { DemoKey } from '../../../scripts/exchange/exchange-process.ts'
import type { EmbeddedExchange } from '../../../src/index.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { operate } from './operate.ts'

/** What is queried. */
export interface Sitters {
  readonly keys: readonly DemoKey[]
  readonly symbols: readonly string[]
  /** No query reaches beyond it. */
  readonly untilMs: number
}

/** By query: the answer, as JSON. */
export type Portrait = Readonly<Record<string, string>>

const LIMIT = '1000'
/** One listed order in so many is queried alone too. */
const ASKED_EVERY = 8
/** The history has to be made again first. */
const NOT_YET = -1008

/** Resolves once everything is answered, also by an archive that is made again meanwhile. */
export async function portraitOf(exchange: EmbeddedExchange, sitters: Sitters): Promise<Portrait> {
  const portrait: Record<string, string> = {}
  const note = (question: string, answer: unknown) => {
    portrait[question] = JSON.stringify(answer)
  }
  for (const [question, query] of publicQuestions(sitters)) {
    note(`${question}?${query}`, await ask(exchange, question, () => query))
  }
  for (const key of sitters.keys) {
    const own = (path: string, params: Params = {}) =>
      ask(exchange, path, () => signed(key, params), key.apiKey)
    note(`account of ${key.account}`, await own('/api/v3/account'))
    note(`lists of ${key.account}`, await own('/api/v3/allOrderList', { limit: LIMIT }))
    for (const symbol of sitters.symbols) {
      const of = `${symbol} of ${key.account}`
      note(`open ${of}`, await own('/api/v3/openOrders', { symbol }))
      note(`trades ${of}`, await own('/api/v3/myTrades', { symbol, limit: LIMIT }))
      const orders = await own('/api/v3/allOrders', { symbol, limit: LIMIT })
      note(`orders ${of}`, orders)
      for (const { orderId, clientOrderId } of orders as readonly Named[]) {
        if (orderId % ASKED_EVERY !== 0) continue
        const byName = { symbol, origClientOrderId: clientOrderId }
        note(`order ${orderId} ${of} by name`, await own('/api/v3/order', byName))
        const byId = { symbol, orderId: String(orderId) }
        note(`order ${orderId} ${of}`, await own('/api/v3/order', byId))
      }
    }
  }
  for (const [action, given] of OPERATORS) {
    const { rows } = await operate(exchange.adminUrl, exchange.folder, action, given)
    note(`${action} of operators`, rows)
  }
  return portrait
}

type Params = Readonly<Record<string, string>>
interface Named {
  readonly orderId: number
  readonly clientOrderId: string
}

const OPERATORS = [
  ...(['accounts', 'keys', 'operators', 'log', 'symbols', 'audit'] as const).map(
    (action) => [action, {}] as const,
  ),
  ['states', {}],
] as const

function* publicQuestions({ symbols, untilMs }: Sitters): Iterable<readonly [string, string]> {
  for (const symbol of symbols) {
    yield ['/api/v3/depth', `symbol=${symbol}&limit=5000`]
    yield ['/api/v3/historicalTrades', `symbol=${symbol}&limit=${LIMIT}`]
    yield ['/api/v3/aggTrades', `symbol=${symbol}&limit=${LIMIT}`]
    yield ['/api/v3/klines', `symbol=${symbol}&interval=1m&endTime=${untilMs}`]
  }
}

function signed({ secretKey }: DemoKey, params: Params): string {
  const query = new URLSearchParams({ ...params, timestamp: String(Date.now()) }).toString()
  return `${query}&signature=${createHmac('sha256', secretKey).update(query).digest('hex')}`
}

async function ask(
  exchange: EmbeddedExchange,
  path: string,
  query: () => string,
  apiKey?: string,
): Promise<unknown> {
  return eventually(`an answer of ${path}`, async () => {
    const headers = apiKey === undefined ? {} : { 'X-MBX-APIKEY': apiKey }
    const response = await exchange.fetch(`${path}?${query()}`, { headers })
    const body = await response.json()
    return (body as { code?: number }).code === NOT_YET ? undefined : body
  })
}
