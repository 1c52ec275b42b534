/**
 * One exchange for the life of the process: the logger, the signals, the exit code. It ends with 0 when
 * it was asked to stop and everything is on the disk, and with 1 otherwise. When the disk refuses, market
 * data stays readable for a while; any other failure ends the process at once, since shared memory may
 * be half-written.
 */
import pino, { type Logger } from 'pino'
import type { Config } from '#config.ts'
import { Exchange } from './launch.ts'
import { raiseInliningBudget } from './optimizer.ts'

const RECOVERS = 'restart recovers what was acknowledged'
/** How long an end may take before the kernel is asked for it. */
const END_MS = 10_000

/** Resolves when the exchange answers; from then on the process ends by signal or by failure. */
export async function run(config: Config): Promise<void> {
  raiseInliningBudget()
  const log = pino(
    { level: config.logLevel, base: { pid: process.pid } },
    pino.destination({ sync: true }),
  )
  await new Life(config, log).start()
}

class Life {
  readonly #config: Config
  readonly #log: Logger
  readonly #exchange: Exchange
  readonly #failedToStart: Promise<never>
  #failStart: (error: Error) => void = () => {}
  #state: 'starting' | 'running' | 'stopping' | 'readOnly' | 'ending' = 'starting'
  #isStopWanted = false

  constructor(config: Config, log: Logger) {
    this.#config = config
    this.#log = log
    this.#failedToStart = new Promise((_, reject) => {
      this.#failStart = reject
    })
    // It may also fail when nobody waits for the start any more.
    this.#failedToStart.catch(() => {})
    this.#exchange = new Exchange(
      config,
      log,
      (error) => this.#failed(error),
      () => this.#stop(),
    )
  }

  async start(): Promise<void> {
    process.on('SIGTERM', () => this.#stop())
    process.on('SIGINT', () => this.#stop())
    try {
      await Promise.race([this.#exchange.start(), this.#failedToStart])
    } catch (error) {
      await this.#abort()
      throw error
    }
    this.#state = 'running'
    if (this.#isStopWanted) this.#stop()
  }

  #stop(): void {
    this.#isStopWanted = true
    if (this.#state === 'readOnly') this.#end()
    // Threads that are still starting cannot be asked to stop: a signal waits until they are up. One
    // that comes while stopping has nothing to add.
    if (this.#state !== 'running') return
    this.#state = 'stopping'
    this.#exchange.stop().then(
      () => process.exit(0),
      (error: Error) => {
        this.#log.fatal({ reason: error.message }, `stopping failed; ${RECOVERS}`)
        this.#end()
      },
    )
  }

  #failed(error: Error): void {
    if (this.#state === 'starting') this.#failStart(error)
    if (this.#state === 'starting' || this.#state === 'ending') return
    this.#log.fatal({ reason: error.stack }, `a thread failed; ${RECOVERS}`)
    const { readOnlySeconds } = this.#config
    const mayStay = error.name === 'StorageError' && readOnlySeconds > 0
    if (mayStay && this.#state === 'running') this.#becomeReadOnly(error.message)
    else if (!mayStay || this.#state === 'stopping') this.#end()
  }

  #becomeReadOnly(why: string): void {
    const { readOnlySeconds } = this.#config
    this.#state = 'readOnly'
    this.#log.fatal({ readOnlySeconds }, 'the disk refused; read-only until the end')
    this.#exchange.becomeReadOnly(why).catch(() => this.#end())
    setTimeout(() => this.#end(), readOnlySeconds * 1_000)
  }

  #end(): void {
    if (this.#state === 'ending') return
    this.#state = 'ending'
    this.#abort().finally(() => process.exit(1))
  }

  async #abort(): Promise<void> {
    const late = setTimeout(() => {
      this.#log.fatal(`a thread does not end, so the process is killed; ${RECOVERS}`)
      process.kill(process.pid, 'SIGKILL')
    }, END_MS)
    await this.#exchange.abort().finally(() => clearTimeout(late))
  }
}
