/** What one leader takes for an order, as kept runs of other benches have it. */
import { Figures } from '../../scripts/benchmarks/comparisons.ts'
import { readKept } from '../../scripts/benchmarks/kept-runs.ts'

/** Of the newest kept run. Throws for a bench without one. */
function newest(bench: string): Figures {
  const run = readKept(bench).at(-1)
  if (run === undefined) throw new Error(`no run of the bench ${bench} is kept`)
  return new Figures(run)
}

export interface Measured {
  readonly appendP50Us: number
  readonly appendP99Us: number
  readonly appendNsPerByte: number
  /** Of the engine, for a command with its holds and events. */
  readonly rowNs: number
  /** Of all threads of a leader with one gateway, for an order. */
  readonly orderUs: number
  /** Of the archivist, for an order. */
  readonly archivistUs: number
  /** Of each gateway, for an order that came through another. */
  readonly otherGatewayUs: number
}

export function readMeasured(): Measured {
  const replicated = newest('replicated')
  const scale = newest('scale')
  return {
    appendP50Us: replicated.of('insertP50Ms') * 1_000,
    appendP99Us: replicated.of('insertP99Ms') * 1_000,
    appendNsPerByte: replicated.of('insertNsPerByte'),
    rowNs: 1e9 / newest('engine').of('oursPerSecond'),
    orderUs: newest('wire').of('flushedCpuUs'),
    archivistUs: newest('archive').of('archivistUsPerOrder'),
    otherGatewayUs: (scale.of('cpuUsOf3') - scale.of('cpuUsOf1')) / 2,
  }
}
