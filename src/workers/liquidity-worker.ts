/**
 * The worker of market making: started once the exchange serves clients, watched, and stopped first. It
 * may fail without harm to the exchange. Start and stop wait for it, but not for long.
 */

import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import type { LiquidityStart } from '../agents/messages.ts'
import { pause, type Time, within } from '../base/time.ts'
import type { Config } from '../config/config.ts'
import { ActionError } from '../control/action.ts'
import type { CommandExecutor } from '../control/command-executor.ts'
import {
  type LiquidityAccount,
  LiquidityAccounts,
  LiquidityKeysError,
} from '../control/liquidity-accounts.ts'
import type { Registry } from '../control/registry.ts'
import type { LiquidityKey } from '../liquidity/exchange-client.ts'
import { makerAccount, TAKER_ACCOUNT } from '../liquidity/market-makers.ts'
import type { LeavePlan, LiquidityPlan } from '../liquidity/plan.ts'
import type { Hire, WorkerHandle } from './worker-handle.ts'

/** How long a start waits for the first quotes. */
const FIRST_QUOTES_MS = 5_000
/** How long a stop waits for the market maker to cancel its orders. */
const STOP_MS = 5_000
/** Cancels are tried for half a minute. */
const CANCEL_TRIES = 60
const CANCEL_PAUSE_MS = 500
const KEY_FILE = 'liquidity-keys.json'

export class LiquidityWorker {
  private readonly config: Config
  /** Wall time: the worker waits for threads and clients. */
  private readonly time: Time
  private readonly log: Logger
  private readonly hire: Hire
  private worker: WorkerHandle | undefined = undefined
  private hasFailed = false

  constructor(config: Config, time: Time, log: Logger, hire: Hire) {
    this.hire = hire
    this.config = config
    this.time = time.wall
    this.log = log
  }

  /**
   * Resolves when the first quotes stand, or take too long, with the symbols that have liquidity. Orders
   * that a kill left open in other symbols are canceled, also those of accounts whose keys are lost. Never
   * rejects: it logs why the market maker does not act.
   */
  async start(
    plans: readonly LiquidityPlan[],
    executor: CommandExecutor,
    registry: Registry,
  ): Promise<readonly string[]> {
    const file = path.join(this.config.data, KEY_FILE)
    const accounts = new LiquidityAccounts(executor, registry, file)
    const accountNames = registry.accounts.flatMap((row) =>
      isOfLiquidity(row?.name) ? [row!.name] : [],
    )
    if (plans.length === 0 && !existsSync(file)) {
      await this.cancel(accounts, accountNames)
      return []
    }
    const symbols = plans.map(({ symbol }) => symbol)
    try {
      const opened =
        plans.length === 0
          ? []
          : await accounts.open(accountsFor(plans, registry), this.config.accounts)
      const keys = new Map([...accounts.keys(), ...opened].map((key) => [key.account, key]))
      const keyless = accountNames.filter((name) => !keys.has(name))
      await this.cancel(accounts, keyless)
      const left = registry.symbols
        .map(({ name }) => name)
        .filter((name) => !symbols.includes(name) && keys.has(makerAccount(name)))
      await this.run([...plans, ...left.map(leaving)], Object.fromEntries(keys))
      if (plans.length === 0) await this.stop()
      else this.log.info(`Market makers quote and trade in ${symbols.join(', ')}.`)
      return symbols
    } catch (error) {
      this.failed(error as Error)
      if (error instanceof LiquidityKeysError) await this.cancel(accounts, accountNames)
      return []
    }
  }

  /** Cancels orders that the market maker cannot cancel itself. A new leader may refuse actions at first. */
  private async cancel(accounts: LiquidityAccounts, names: readonly string[]): Promise<void> {
    for (let left = CANCEL_TRIES; ; left--) {
      try {
        const canceled = await accounts.cancelOrders(names)
        if (canceled.length === 0) return
        this.log.warn({ accounts: canceled }, 'canceled orders of market makers without keys')
        return
      } catch (error) {
        if (left === 1 || !(error instanceof ActionError)) return this.failed(error as Error)
        await pause(this.time, CANCEL_PAUSE_MS)
      }
    }
  }

  /** Resolves when the first quotes stand, or take too long. Rejects when the thread fails first. */
  private async run(
    plans: LiquidityStart['plans'],
    keys: Readonly<Record<string, LiquidityKey>>,
  ): Promise<void> {
    const worker = this.hire('liquidity', 0, {
      log: this.log,
      warned: () => {},
      onFailure: (error) => this.failed(error),
    })
    this.worker = worker
    const { host, port, tlsCert } = this.config
    const certificate = tlsCert === '' ? undefined : readFileSync(tlsCert, 'utf8')
    worker.begin({ host, port, certificate, plans, keys })
    await within(this.time, FIRST_QUOTES_MS, worker.waitFor('ready'))
  }

  /** Has the market maker trust the certificate that is in its file now. */
  trustCertificate(): void {
    this.worker?.trust(readFileSync(this.config.tlsCert, 'utf8'))
  }

  /** Cancels the orders of the market makers, unless that takes too long. Never rejects. */
  async stop(): Promise<void> {
    const worker = this.worker
    if (worker === undefined) return
    this.worker = undefined
    if (!this.hasFailed) {
      const stopped = worker.ask('stop', 'stopped').catch(() => {})
      await within(this.time, STOP_MS, stopped)
    }
    await worker.terminate()
  }

  private failed(error: Error): void {
    if (this.hasFailed) return
    this.hasFailed = true
    this.log.warn({ reason: error.message }, 'Market makers are off: they failed')
  }
}

const isOfLiquidity = (name: string | undefined): boolean =>
  name === TAKER_ACCOUNT || name?.startsWith(makerAccount('')) === true

const leaving = (symbol: string): LeavePlan => ({ kind: 'leave', symbol })

function accountsFor(plans: readonly LiquidityPlan[], registry: Registry): LiquidityAccount[] {
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
