/** Reads from the settings which symbols the market makers quote, and which they play from a recording. */
import { accessSync, constants, readFileSync } from 'node:fs'
import { fileFault } from '../base/file-fault.ts'
import { type Config, readTables } from '../config/config.ts'
import { type LiquidityPlan, PlanError, plansOf, usualPlans } from './plan.ts'

/**
 * Returns no plan when it is off. `isDemo`: the data folder was made as a demo. Throws ConfigError or
 * PlanError.
 */
export function readPlans(
  config: Config,
  symbols: readonly string[],
  isDemo: boolean,
): readonly LiquidityPlan[] {
  const { liquidity } = config
  if (liquidity === 'off' || (liquidity === 'demo' && !isDemo)) return []
  const file = config.liquidityFile
  if (file === '') return usualPlans(symbols, config.liquiditySeed)
  const tables = readTables(`liquidity file ${file}`, () => readFileSync(file, 'utf8'))
  const plans = plansOf(tables, symbols, config.liquiditySeed)
  for (const plan of plans) if (plan.kind === 'replay') checkRecording(plan.file)
  return plans
}

function checkRecording(file: string): void {
  try {
    accessSync(file, constants.R_OK)
  } catch (error) {
    throw new PlanError(`The recording ${file} cannot be read: ${fileFault(error)}.`)
  }
}
