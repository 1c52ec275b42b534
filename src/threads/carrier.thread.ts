/**
 * The carrier's thread. It works when a segment of a tail is full, since large transactions are cheap
 * and each makes the disk busy, or else once in a while, so that a start after a crash finds little.
 */
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { CarrierAgent } from '#agents/carrier.ts'
import { assert } from '#base/assert.ts'
import { TailCells } from '#journal/tail-cells.ts'
import { Doorbell } from '#ring/doorbell.ts'
import { carrierBellOffset, Phase } from './memory.ts'
import type { ThreadReport, ThreadStart } from './thread-messages.ts'

/** How long a block may stay in its tail alone while nobody needs room. */
const PACE_MS = 1_000

assert(!isMainThread && parentPort !== null, 'the carrier runs on a thread of its own')
const port = parentPort
const report = (message: ThreadReport) => port.postMessage(message)
run(workerData as ThreadStart)

function run({ config, regions }: ThreadStart): void {
  const tails = regions.tails.map((memory) => new TailCells(memory))
  const carrier = new CarrierAgent({ dataFolder: config.data, tails })
  report({ report: 'ready' })
  const phase = new Int32Array(regions.phase)
  const bell = new Doorbell(regions.bells, carrierBellOffset(config.matchers, config.gateways))
  const isOver = () => Atomics.load(phase, 0) === Phase.MATCHED
  while (!isOver()) {
    bell.sleep(() => isOver() || carrier.hasWork(), PACE_MS)
    carrier.doWork()
  }
  while (carrier.doWork() > 0);
  carrier.close()
  report({ report: 'stopped' })
}
