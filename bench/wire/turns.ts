/** Turns of a bench, measured one after another: what each came to and what it took the server. */
import { median } from '../harness/report.ts'
import { type LoadReport, load, type Plans } from './load.ts'
import type { BenchServer } from './server.ts'
import { type PlanAccounts, restingPlan, tradingPlan } from './workload.ts'

export const RESTING_ORDERS = 4_000
/** Rounds of the trading plan before it starts again: some ten thousand orders. */
export const TRADING_ROUNDS = 2_500

/** One load that is measured beside hello-world, after what it needs has been prepared. */
export interface Turn {
  readonly server: BenchServer
  measure(): Promise<LoadReport>
  prepare?(round: number): Promise<void>
}

export interface Used {
  readonly report: LoadReport
  /** Processors that the server kept busy. */
  readonly cores: number
  /** Processor time of the server for one request. */
  readonly cpuUs: number
}

export interface Measured extends Used {
  readonly overHello: number
}

/** What several turns of one load came to: medians. */
export interface Paired {
  readonly overHello: number
  readonly rate: number
  readonly p50Us: number
  readonly p99Us: number
  readonly cores: number
  readonly cpuUs: number
  readonly reports: readonly LoadReport[]
}

/** What a load came to, and the processor time that it took the server. */
export async function usedBy(
  server: BenchServer,
  measure: () => Promise<LoadReport>,
): Promise<Used> {
  const before = server.processorSeconds()
  const report = await measure()
  const processorSeconds = server.processorSeconds() - before
  const cpuUs = (processorSeconds / report.answered) * 1e6
  return { report, cores: processorSeconds / report.seconds, cpuUs }
}

export function pairedOf(measured: readonly Measured[]): Paired {
  const reports = measured.map(({ report }) => report)
  return {
    overHello: median(measured.map(({ overHello }) => overHello)),
    rate: median(reports.map(({ rate }) => rate)),
    p50Us: median(reports.map(({ latencyUs }) => latencyUs.p50)),
    p99Us: median(reports.map(({ latencyUs }) => latencyUs.p99)),
    cores: median(measured.map(({ cores }) => cores)),
    cpuUs: median(measured.map(({ cpuUs }) => cpuUs)),
    reports,
  }
}

/** Places the resting orders and warms the server up. Returns the plan of the orders to measure. */
export async function prepared(
  { port, accounts }: { readonly port: number; readonly accounts: PlanAccounts },
  plans: Plans,
  { connections, warmUp, resting = RESTING_ORDERS }: Preparation,
): Promise<string> {
  const first = plans.write('resting', restingPlan(accounts, resting))
  await load({ port, plan: first, connections, seconds: 60 })
  const plan = plans.write('trading', tradingPlan(accounts, TRADING_ROUNDS))
  await load({ port, plan, connections, cycle: true, seconds: warmUp, require: '"orderId":' })
  return plan
}

interface Preparation {
  readonly connections: number
  /** Seconds. */
  readonly warmUp: number
  readonly resting?: number
}
