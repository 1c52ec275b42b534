/** One exchange for the life of the process: the logger, the signals, the exit code. */
import pino from 'pino'
import type { Config } from '#config.ts'
import { Exchange } from './launch.ts'
import { raiseInliningBudget } from './optimizer.ts'

const RECOVERS = 'restart recovers what was acknowledged'

/** Resolves when the exchange answers; from then on the process ends by signal or by failure. */
export async function run(config: Config): Promise<void> {
  raiseInliningBudget()
  const log = pino(
    { level: config.logLevel, base: { pid: process.pid } },
    pino.destination({ sync: true }),
  )
  let state: 'starting' | 'running' | 'stopping' = 'starting'
  let stopWanted = false
  const failed = (error: Error) => {
    // While starting, start() itself rejects with the error.
    if (state === 'starting') return
    log.fatal({ reason: error.stack }, `a thread failed; ${RECOVERS}`)
    exchange.abort().finally(() => process.exit(1))
  }
  const stop = () => {
    stopWanted = true
    // Threads that are still starting cannot be asked to stop: a signal waits until they are up. One
    // that comes while stopping has nothing to add.
    if (state !== 'running') return
    state = 'stopping'
    exchange.stop().then(
      () => process.exit(0),
      (error: Error) => {
        log.fatal({ reason: error.message }, `stopping failed; ${RECOVERS}`)
        process.exit(1)
      },
    )
  }
  const exchange = new Exchange(config, log, failed, stop)
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
