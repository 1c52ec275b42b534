/** The official JavaScript connector, pointed at a local exchange as its users would point it. */
import { Spot } from '@binance/spot'
import type { ServedExchange } from '../fixtures/loop-exchange.ts'

// The connector logs every connection it opens, unless configured before it is built.
process.env.LOG_LEVEL = 'error'

/** The connector's own patience is for machines that do nothing else. */
const PATIENCE_MS = 120_000

export function spotClient(exchange: ServedExchange, account: string): Spot {
  const key = exchange.keys()[account]
  if (key === undefined) throw new Error(`there is no account ${account}`)
  const { apiKey, secretKey } = key
  const credentials = secretKey.includes('PRIVATE KEY')
    ? { apiKey, privateKey: secretKey }
    : { apiKey, apiSecret: secretKey }
  return new Spot({
    configurationRestAPI: {
      ...credentials,
      basePath: exchange.url,
      timeout: PATIENCE_MS,
      retries: 0,
    },
    configurationWebsocketAPI: {
      ...credentials,
      wsURL: `${exchange.wsUrl}/ws-api/v3`,
      timeout: PATIENCE_MS,
    },
    configurationWebsocketStreams: { wsURL: exchange.wsUrl },
  })
}
