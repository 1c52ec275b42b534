/**
 * House liquidity as the exchange sees it: accounts that are opened once, and a thread that may fail
 * without anybody else noticing. Nothing waits for it but a stop, and that not for long.
 */
import { accessSync, constants, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import { type Config, readTables } from '../config.ts'
import { makerAccount, TAKER_ACCOUNT } from '../liquidity/house.ts'
import { type LiquidityPlan, PlanError, plansOf, usualPlans } from '../liquidity/plan.ts'
import type { Clerk } from '../operator/clerk.ts'
import { type HouseAccount, type HouseKeyRow, openHouse } from '../operator/house.ts'
import type { Registry } from '../operator/registry.ts'
import { Member } from './member.ts'

/** How long a stop waits for the house to take its orders back. */
const STOP_MS = 5_000
const KEY_FILE = 'liquidity-keys.json'

/** What it does by the settings; nothing when it is off. Throws ConfigError or PlanError. */
export function readPlans(config: Config, registry: Registry): readonly LiquidityPlan[] {
  if (config.liquidity === 'off') return []
  const symbols = registry.symbols.map(({ name }) => name)
  const file = config.liquidityFile
  if (file === '') return usualPlans(symbols, config.liquiditySeed)
  const tables = readTables('liquidity file', file, (name) => readFileSync(name, 'utf8'))
  const plans = plansOf(tables, symbols, config.liquiditySeed)
  for (const plan of plans) if (plan.kind === 'replay') checkRecording(plan.file)
  return plans
}

function checkRecording(file: string): void {
  try {
    accessSync(file, constants.R_OK)
  } catch (error) {
    throw new PlanError(`The recording ${file} cannot be read: ${(error as Error).message}`)
  }
}

export class HouseLiquidity {
  readonly #config: Config
  readonly #log: Logger
  #member: Member | undefined
  #hasFailed = false

  constructor(config: Config, log: Logger) {
    this.#config = config
    this.#log = log
  }

  /** Once the exchange answers. Never rejects: what keeps the house from acting is logged. */
  async start(plans: readonly LiquidityPlan[], clerk: Clerk, registry: Registry): Promise<void> {
    if (plans.length === 0) return
    try {
      const keys = await this.#open(plans, clerk, registry)
      const member = new Member('liquidity.thread.js', 0, {
        log: this.#log,
        warned: () => {},
        onFailure: (error) => this.#failed(error),
      })
      this.#member = member
      const { host, port, tlsCert } = this.#config
      const certificate = tlsCert === '' ? undefined : readFileSync(tlsCert, 'utf8')
      const byAccount = Object.fromEntries(keys.map((key) => [key.account, key]))
      member.begin({ host, port, certificate, plans, keys: byAccount })
      await member.waitFor('ready')
      this.#log.info({ symbols: plans.map(({ symbol }) => symbol) }, 'house liquidity is on')
    } catch (error) {
      this.#failed(error as Error)
    }
  }

  /** Its orders are taken back, unless that takes too long. Never rejects. */
  async stop(): Promise<void> {
    const member = this.#member
    if (member === undefined) return
    if (!this.#hasFailed) {
      const stopped = member.ask('stop', 'stopped').catch(() => {})
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, STOP_MS)
      })
      await Promise.race([stopped, late])
      clearTimeout(timer)
    }
    await member.terminate()
  }

  #failed(error: Error): void {
    if (this.#hasFailed) return
    this.#hasFailed = true
    this.#log.warn({ reason: error.message }, 'house liquidity is off: it failed')
  }

  async #open(
    plans: readonly LiquidityPlan[],
    clerk: Clerk,
    registry: Registry,
  ): Promise<readonly HouseKeyRow[]> {
    const accounts = accountsFor(plans, registry)
    const file = path.join(this.#config.data, KEY_FILE)
    const known = readKeys(file)
    return openHouse(clerk, registry, accounts, known, (key) => {
      known.push(key)
      const text = `${JSON.stringify(known, undefined, 2)}\n`
      writeFileSync(file, text, { mode: 0o600, flush: true })
    })
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

function readKeys(file: string): HouseKeyRow[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
