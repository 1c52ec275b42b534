#!/usr/bin/env node
/**
 * An exchange as a separate process, for programs in any language:
 *
 *   ringbook-embedded '{"accounts": {"alice": {"USDT": "1000"}}}'
 *
 * The argument is the JSON of the options of startExchange (assembly/options.ts), or left out. Writes one line of JSON
 * to standard output once it serves clients: url, wsUrl, wsApiUrl, sbeUrl, adminUrl, port, folder, accounts. Log and
 * errors go to standard error. It stops when its standard input ends, so it outlives no parent, or by SIGTERM.
 */
import type { ExchangeOptions } from './assembly/options.ts'

const options: ExchangeOptions = JSON.parse(process.argv[2] ?? '{}')
try {
  const { startExchange } = await import('./index.ts')
  const { factsOf } = await import('./assembly/venue.ts')
  const exchange = await startExchange({
    ...options,
    process: 'this',
    log: (line) => void process.stderr.write(line),
  })
  const end = () => void exchange.close().then(() => process.exit(0))
  process.stdin.once('end', end).once('error', end).resume()
  process.once('SIGTERM', end).once('SIGINT', end)
  process.stdout.write(`${JSON.stringify(factsOf(exchange))}\n`)
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
}
