/** Turns of a bench, measured one after another: what each came to and what it took the server. */
import { median } from '../harness/report.ts'
import type { LoadReport } from './load.ts'
import type { BenchServer } from './server.ts'

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
