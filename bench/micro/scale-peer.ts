/**
 * One thread of the scale benchmark, as a matcher of one symbol: told by message what to run on, it says
 * that it is ready, waits at the gate, and reports when it began and ended, on the clock of all threads.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { raiseInliningBudget } from '../../src/threads/optimizer.ts'
import { generateBookCommands } from '../workloads/book-commands.ts'
import { EngineStage, encodeCommands } from '../workloads/engine-stage.ts'

export interface PeerStart {
  readonly symbolId: number
  /** Of the workload. */
  readonly accounts: number
}

/** One run: the ledger is the matchers' in common, the gate one cell that is 1 when all may begin. */
export interface PeerRun {
  readonly ledger: SharedArrayBuffer
  readonly gate: SharedArrayBuffer
}

export type PeerReport = 'ready' | { readonly beganNs: bigint; readonly endedNs: bigint }

const port = parentPort
if (port !== null && typeof workerData?.symbolId === 'number') {
  raiseInliningBudget()
  const { symbolId, accounts } = workerData as PeerStart
  const commands = generateBookCommands({ accounts })
  const encoded = encodeCommands(commands)
  port.on('message', ({ ledger, gate }: PeerRun) => {
    const stage = new EngineStage(commands, encoded, ledger, symbolId)
    port.postMessage('ready' satisfies PeerReport)
    Atomics.wait(new Int32Array(gate), 0, 0)
    const beganNs = process.hrtime.bigint()
    stage.run()
    const endedNs = process.hrtime.bigint()
    stage.check()
    port.postMessage({ beganNs, endedNs } satisfies PeerReport)
  })
}
