/** One exchange after another: each starts in the place of the one before, on another state of the data folder. */
import { assert } from '../base/assert.ts'
import { type ActionAnswer, ActionError, StoppingError } from '../control/action.ts'
import type { CommandExecutor } from '../control/command-executor.ts'
import type { Exchange } from './exchange.ts'
import type { Failures } from './failures.ts'
import type { Claimed, RunningExchange } from './main/running-exchange.ts'
import type { Spare } from './spare.ts'

export class Succession {
  private readonly assembled: (claimed?: Claimed) => Exchange
  private readonly failures: Failures
  private _exchange: Exchange
  private _running: RunningExchange | undefined = undefined
  private replacing: Promise<void> = Promise.resolve()

  /** `assembled` makes the first exchange, or another one in the place of one that left. */
  constructor(assembled: (claimed?: Claimed) => Exchange, failures: Failures) {
    this.assembled = assembled
    this.failures = failures
    this._exchange = assembled()
  }

  /** The newest one: it starts, or runs, or has failed. */
  get exchange(): Exchange {
    return this._exchange
  }

  /** Throws ActionError while another exchange is to take its place. */
  get present(): RunningExchange {
    if (this._running === undefined) throw new ActionError('Another state is being loaded.')
    return this._running
  }

  get running(): RunningExchange {
    assert(this._running !== undefined, 'the exchange runs')
    return this._running
  }

  /** Carries out an operator's action on the exchange that runs. Rejects with ActionError while there is none. */
  async act(...action: Parameters<CommandExecutor['act']>): Promise<ActionAnswer> {
    return this.present.executor.act(...action)
  }

  /** Resolves when the first exchange serves clients. */
  async start(): Promise<void> {
    this._running = await this.failures.orFirst(this._exchange.start())
  }

  /** Resolves when another exchange serves clients, on what `swap` makes of the folder. Rejects with ActionError. */
  replace(swap: () => void): Promise<void> {
    return this.succeed(
      (running) => running.leave(),
      (claimed) => {
        swap()
        this._exchange = this.assembled(claimed)
        return this._exchange.start()
      },
    )
  }

  /**
   * As `replace`; resolves when a spare serves clients in the place of the exchange. `handOver` has it serve those that
   * are connected; their sockets end where it is left out.
   */
  exchangeFor(spare: Spare, swap: () => void, handOver?: () => void): Promise<void> {
    return this.succeed(
      (running) => running.discard(handOver),
      () => {
        swap()
        this._exchange = spare.exchange
        return spare.serve(handOver === undefined ? 'end' : 'keep')
      },
    )
  }

  /** Nothing finishes its work in an exchange that failed, or was not there yet. */
  async end(): Promise<void> {
    await this.replacing
    const running = this._running
    this._running = undefined
    if (running !== undefined && !this.failures.hasAny) return running.stop()
    await this._exchange.abort()
    await this._exchange.release()
  }

  private succeed(leave: Leave, next: Next): Promise<void> {
    const running = this._running
    if (running === undefined) return Promise.reject(new StoppingError())
    this._running = undefined
    const done = this.change(running, leave, next)
    this.replacing = done.catch(() => {})
    return done
  }

  private async change(running: RunningExchange, leave: Leave, next: Next): Promise<void> {
    const { failures } = this
    failures.startsAgain()
    try {
      const claimed = await failures.orFirst(leave(running))
      this._running = await failures.orFirst(next(claimed))
      failures.hasStarted()
    } catch (error) {
      // The program gets the error as well as the caller.
      failures.hasStarted()
      failures.note(error as Error)
      throw error
    }
  }
}

type Leave = (running: RunningExchange) => Promise<Claimed>
/** Has another exchange start in the place of one that left. */
type Next = (claimed: Claimed) => Promise<RunningExchange>
