/**
 * One exchange for the life of the process: the logger, the signals, the exit code. It is 0 after a
 * requested stop with everything on the disk, and 1 otherwise. When the disk refuses, market data stays
 * readable for a while; any other failure ends the process at once, since shared memory may be
 * half-written. The process only ends through `RunningExchange.stop` or `Exchange.abort`: Node.js alone would end
 * threads inside transactions, and wait for them forever.
 */
import type { SharedTime, Time } from '../base/time.ts'
import type { Config } from '../config/config.ts'
import { ActionError } from '../control/action.ts'
import { KeptFigures } from '../telemetry/kept-figures.ts'
import { raiseInliningBudget } from '../workers/optimizer.ts'
import { collectYoungAlone, lowerV8Threads } from '../workers/v8-threads.ts'
import { Exchange } from './exchange.ts'
import { Failures } from './failures.ts'
import { bannerText } from './main/banner.ts'
import { type LogOutput, openLog } from './main/log-output.ts'
import { createPrivately } from './main/private-folder.ts'
import { Reload } from './main/reload.ts'
import type { RunningExchange } from './main/running-exchange.ts'
import { takeFolder } from './main/take-folder.ts'
import type { Assembly, ExchangeEvents } from './stages/starting.ts'
import { Succession } from './succession.ts'

const RECOVERS = 'restart recovers what was acknowledged'
/** The longest time of an end before SIGKILL. */
const END_MS = 10_000

export interface RunOptions {
  readonly config: Config
  /** Reads the settings again, with the file as it is now; undefined without one. Throws ConfigError. */
  readonly readAgain: (() => Config) | undefined
  readonly time: SharedTime
  /** Sentences about the settings. */
  readonly warnings: readonly string[]
  readonly version: string
  /** What runs this program in another terminal. */
  readonly command: string
}

type About = Pick<RunOptions, 'version' | 'command'>

/** A time, and where the workers that use it run. */
export type Placed = Pick<Assembly, 'time' | 'workers' | 'clock'>

/** Resolves when the exchange serves clients; from then on a signal or a failure ends the process. */
export async function runPlaced(
  { config, readAgain, time, warnings, ...about }: RunOptions,
  grounded: (time: SharedTime) => Placed,
): Promise<void> {
  createPrivately()
  lowerV8Threads()
  collectYoungAlone()
  raiseInliningBudget()
  const output = openLog(config, process.stdout.isTTY)
  for (const warning of warnings) output.log.warn(warning)
  const reload = new Reload(config, readAgain, output.log)
  reload.begin()
  await new ProcessLifecycle(config, reload, grounded(time), output, about).start()
}

/** Why a start gives up: it was asked to stop. */
class StopWanted extends Error {
  override readonly name = 'StopWanted'
}

/** How far the process is: `replacing` while it starts on another state. Once it runs, what runs goes along. */
type State =
  | { readonly at: 'starting' | 'replacing' | 'ending' }
  | { readonly at: 'running' | 'stopping' | 'readOnly'; readonly running: RunningExchange }

class ProcessLifecycle {
  private readonly config: Config
  private readonly time: Time
  private readonly log: LogOutput['log']
  private readonly failures = new Failures((error) => this.failed(error))
  private readonly succession: Succession
  private state: State = { at: 'starting' }
  private isStopWanted = false

  constructor(
    config: Config,
    reload: Reload,
    placed: Placed,
    { log, print, warnings }: LogOutput,
    about: About,
  ) {
    this.config = config
    this.time = placed.time.wall
    this.log = log
    const events: ExchangeEvents = {
      started: ({ fields, banner }) => {
        if (print === undefined || this.state.at === 'replacing') log.info(fields, 'started')
        else print(bannerText({ ...config, ...banner, ...about }))
      },
      failed: (error) => this.failures.note(error),
      stopWanted: () => this.stop(),
      replaceWanted: (swap) => this.replace(swap),
    }
    const kept = new KeptFigures(this.time, (sentence) => log.warn(sentence))
    const shared = { reload, kept, hasPast: true, log, warnings, events, takeFolder }
    this.succession = new Succession(
      (claimed) => new Exchange({ ...shared, ...placed, config: reload.config, claimed }),
      this.failures,
    )
  }

  async start(): Promise<void> {
    process.on('SIGTERM', () => this.stop())
    process.on('SIGINT', () => this.stop())
    process.on('uncaughtException', (error) => this.failures.note(error))
    try {
      await this.succession.start()
      if (this.state.at === 'starting') this.run()
    } catch (error) {
      await this.abort()
      if (!(error instanceof StopWanted)) throw error
      this.log.info('stopped before it had started')
      process.exit(0)
    }
  }

  private run(): void {
    this.failures.hasStarted()
    const { running } = this.succession
    this.state = { at: 'running', running }
    if (this.isStopWanted) this.finish(running)
  }

  /** Starts another exchange on what `swap` makes of the folder. A stop meanwhile waits for it. */
  private async replace(swap: () => void): Promise<void> {
    if (this.state.at !== 'running') throw new ActionError('The exchange is stopping.')
    this.state = { at: 'replacing' }
    await this.succession.replace(swap)
    this.run()
  }

  /** Stops, for a signal or an operator; a second call does nothing. */
  private stop(): void {
    const state = this.state
    if (state.at === 'readOnly') this.end()
    if (this.isStopWanted) return
    this.isStopWanted = true
    this.time.after(this.config.stopSeconds * 1_000, () => this.stopIsLate())
    if (state.at === 'running') this.finish(state.running)
    // Connected clients are served to the end: the stop waits until the start is done.
    else if (state.at === 'starting' && !this.succession.exchange.isOpening)
      this.failures.note(new StopWanted())
  }

  private finish(running: RunningExchange): void {
    this.state = { at: 'stopping', running }
    running.stop().then(
      () => process.exit(0),
      (error: Error) => {
        this.log.fatal({ reason: error.message }, `stopping failed; ${RECOVERS}`)
        this.end()
      },
    )
  }

  private stopIsLate(): void {
    if (this.state.at === 'ending') return
    const threads = this.succession.exchange.awaited()
    this.log.fatal({ threads }, `the stop takes too long and is given up; ${RECOVERS}`)
    this.end()
  }

  private failed(error: Error): void {
    const state = this.state
    if (state.at === 'ending') return
    if (state.at === 'replacing') {
      this.log.fatal({ reason: error.message }, `no other state was started; ${RECOVERS}`)
      this.end()
      return
    }
    // A store's error is a sentence for the operator; a defect keeps its stack.
    const reason = error.name === 'StorageError' ? error.message : error.stack
    this.log.fatal({ reason }, `a thread failed; ${RECOVERS}`)
    const { readOnlySeconds } = this.config
    const mayStay = error.name === 'StorageError' && readOnlySeconds > 0
    if (mayStay && state.at === 'running') this.becomeReadOnly(state.running, error.message)
    else if (!mayStay || state.at === 'stopping') this.end()
  }

  private becomeReadOnly(running: RunningExchange, why: string): void {
    const { readOnlySeconds } = this.config
    this.state = { at: 'readOnly', running }
    this.log.fatal({ readOnlySeconds }, 'nothing can be written; read-only until the end')
    running.becomeReadOnly(why).catch(() => this.end())
    this.time.after(readOnlySeconds * 1_000, () => this.end())
  }

  private end(): void {
    if (this.state.at === 'ending') return
    this.state = { at: 'ending' }
    this.abort().finally(() => process.exit(1))
  }

  private async abort(): Promise<void> {
    const late = this.time.after(END_MS, () => {
      this.log.fatal(`a thread does not end, so the process is killed; ${RECOVERS}`)
      process.kill(process.pid, 'SIGKILL')
    })
    await this.succession.exchange.abort().finally(() => late.cancel())
  }
}
