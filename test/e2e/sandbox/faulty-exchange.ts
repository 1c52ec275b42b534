/** An exchange with its sandbox on, two gateways, and what its clients need of each other. */
import { ExchangeProcess } from '../../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { operate } from '../command-line.ts'

export const startFaulty = (...flags: readonly string[]): Promise<ExchangeProcess> =>
  ExchangeProcess.start(['--matchers', '1', '--sandbox', 'on', ...flags])

/** Adds a rule as an operator. */
export const fault = (exchange: ExchangeProcess, ...words: readonly string[]) =>
  operate(exchange, 'fault-add', ...words)

export const noFaults = (exchange: ExchangeProcess) => operate(exchange, 'fault-remove', 'all')

export function signedClient(exchange: ExchangeProcess, account: string): SignedClient {
  return new SignedClient(exchange.url, exchange.keys()[account]!)
}

/** The order's status as its owner queries it, or the code of the refusal. */
export async function fateOf(client: SignedClient, origClientOrderId: string): Promise<unknown> {
  const query = { symbol: 'BTCUSDT', origClientOrderId }
  const { status, body } = await client.send('GET', '/api/v3/order', query)
  return status === 200 ? body.status : body.code
}
