/** One exchange for the life of the process: the logger, the signals, the exit code. */
import pino from 'pino'
import type { Config } from '#config.ts'
import { Exchange } from './launch.ts'

/** Resolves when the exchange answers; from then on the process ends by signal or by failure. */
export async function run(config: Config): Promise<void> {
  const log = pino(
    { level: config.logLevel, base: { pid: process.pid } },
    pino.destination({ sync: true }),
  )
  let state: 'starting' | 'running' | 'stopping' = 'starting'
  const exchange = new Exchange(config, log, (error) => {
    // While starting, start() itself rejects with the error.
    if (state === 'starting') return
    log.fatal({ reason: error.stack }, 'a thread failed; restart recovers what was acknowledged')
    exchange.abort().finally(() => process.exit(1))
  })
  let stopWanted = false
  const stop = () => {
    // Gateways answer a little before the start is complete: a first signal waits for that.
    if (state === 'starting' && !stopWanted) {
      stopWanted = true
      return
    }
    if (state !== 'running') process.exit(state === 'starting' ? 1 : 0)
    state = 'stopping'
    exchange.stop().then(
      () => process.exit(0),
      (error: Error) => {
        log.fatal(
          { reason: error.message },
          'stopping failed; restart recovers what was acknowledged',
        )
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  try {
    await exchange.start()
  } catch (error) {
    await exchange.abort()
    throw error
  }
  state = 'running'
  if (stopWanted) stop()
}
