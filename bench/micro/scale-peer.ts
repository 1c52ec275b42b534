/**
 * One thread of the scale benchmark, as a matcher of one symbol: given a gate by message, it empties its
 * book, reports that it is ready, waits at the gate, and reports when it began and ended, on the clock of all
 * threads.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { raiseInliningBudget } from '../../src/workers/optimizer.ts'
import { type BookCommandsOptions, generateBookCommands } from '../workloads/book-commands.ts'
import { EngineStage, encodeCommands } from '../workloads/engine-stage.ts'

export interface PeerStart {
  readonly symbolId: number
  readonly workload: Pick<BookCommandsOptions, 'count' | 'accounts'>
  /** The matchers' in common. */
  readonly ledger: SharedArrayBuffer
}

/** One run: the gate is one cell that is 1 when all may begin. */
export interface PeerRun {
  readonly gate: SharedArrayBuffer
}

export type PeerReport = 'ready' | { readonly beganNs: bigint; readonly endedNs: bigint }

const port = parentPort
if (port !== null && typeof workerData?.symbolId === 'number') {
  raiseInliningBudget()
  const { symbolId, workload, ledger } = workerData as PeerStart
  const commands = generateBookCommands(workload)
  const stage = new EngineStage(commands, encodeCommands(commands), ledger, symbolId)
  port.on('message', ({ gate }: PeerRun) => {
    stage.clear()
    port.postMessage('ready' satisfies PeerReport)
    Atomics.wait(new Int32Array(gate), 0, 0)
    const beganNs = process.hrtime.bigint()
    stage.run()
    const endedNs = process.hrtime.bigint()
    port.postMessage({ beganNs, endedNs } satisfies PeerReport)
  })
}
