/**
 * The worker of house liquidity: started once the exchange serves clients, watched, and stopped first. It
 * may fail without harm to the exchange. Only a stop waits for it, and that not for long.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { makerAccount, TAKER_ACCOUNT } from '../liquidity/house-liquidity.ts'
import type { LiquidityPlan } from '../liquidity/plan.ts'
import type { CommandExecutor } from '../operator/command-executor.ts'
import { type HouseAccount, HouseAccounts } from '../operator/house-accounts.ts'
import type { Registry } from '../operator/registry.ts'
import { WorkerHandle } from './worker-handle.ts'

/** How long a stop waits for the house to cancel its orders. */
const STOP_MS = 5_000
const KEY_FILE = 'liquidity-keys.json'

export class LiquidityWorker {
  readonly #config: Config
  readonly #log: Logger
  #worker: WorkerHandle | undefined
  #hasFailed = false

  constructor(config: Config, log: Logger) {
    this.#config = config
    this.#log = log
  }

  /** Never rejects: it logs why the house does not act. */
  async start(
    plans: readonly LiquidityPlan[],
    executor: CommandExecutor,
    registry: Registry,
  ): Promise<void> {
    if (plans.length === 0) return
    try {
      const file = path.join(this.#config.data, KEY_FILE)
      const accounts = new HouseAccounts(executor, registry, file)
      const keys = await accounts.open(accountsFor(plans, registry))
      const worker = new WorkerHandle('liquidity.thread.js', 0, {
        log: this.#log,
        warned: () => {},
        onFailure: (error) => this.#failed(error),
      })
      this.#worker = worker
      const { host, port, tlsCert } = this.#config
      const certificate = tlsCert === '' ? undefined : readFileSync(tlsCert, 'utf8')
      const byAccount = Object.fromEntries(keys.map((key) => [key.account, key]))
      worker.begin({ host, port, certificate, plans, keys: byAccount })
      await worker.waitFor('ready')
      this.#log.info({ symbols: plans.map(({ symbol }) => symbol) }, 'house liquidity is on')
    } catch (error) {
      this.#failed(error as Error)
    }
  }

  /** Cancels the orders of the house, unless that takes too long. Never rejects. */
  async stop(): Promise<void> {
    const worker = this.#worker
    if (worker === undefined) return
    if (!this.#hasFailed) {
      const stopped = worker.ask('stop', 'stopped').catch(() => {})
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, STOP_MS)
      })
      await Promise.race([stopped, late])
      clearTimeout(timer)
    }
    await worker.terminate()
  }

  #failed(error: Error): void {
    if (this.#hasFailed) return
    this.#hasFailed = true
    this.#log.warn({ reason: error.message }, 'house liquidity is off: it failed')
  }
}

function accountsFor(plans: readonly LiquidityPlan[], registry: Registry): HouseAccount[] {
  const assetsOf = (symbol: string) => {
    const { base, quote } = registry.symbols.find(({ name }) => name === symbol)!
    return [base, quote]
  }
  const makers = plans.map(({ symbol }) => ({
    name: makerAccount(symbol),
    assets: assetsOf(symbol),
  }))
  const all = new Map(makers.flatMap(({ assets }) => assets.map((asset) => [asset.id, asset])))
  return [...makers, { name: TAKER_ACCOUNT, assets: [...all.values()] }]
}
