/**
 * `npm run bench -- scale [--rounds 7] [--commands 1000000] [--accounts 100] [--matchers 2]`: the commands of
 * the engine benchmark on as many matchers as there are equally busy symbols, beside one matcher with one symbol, by
 * turns. All matchers settle into one ledger, in which the same accounts trade every symbol against the
 * same quote asset. It is worth looking at where so many processors are free; what keeps it from growing
 * with the matchers is then what they share.
 *
 * With `--gateways N` it measures gateways beside one matcher instead (wire/gateways.ts).
 */
import { once } from 'node:events'
import os from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Flags, SettingsOf } from '../harness/flags.ts'
import { type BenchResult, median, printTable } from '../harness/report.ts'
import { runGateways } from '../wire/gateways.ts'
import {
  type BookCommands,
  bookCommandsDefaults,
  generateBookCommands,
} from '../workloads/book-commands.ts'
import { richLedger, totalsIn } from '../workloads/engine-stage.ts'
import type { PeerReport, PeerRun, PeerStart } from './scale-peer.ts'

/** V8 compiles beside the first runs. */
const WARM_UPS = 6
/** Node.js 20 aborts the process when a thread ends while V8 still compiles for it. */
const COMPILED_MS = 1_000

export const flags = {
  rounds: 7,
  commands: bookCommandsDefaults.count,
  accounts: 100,
  matchers: 2,
  gateways: { usual: 0, mayBeZero: true },
  seconds: 3,
  port: 18_400,
} as const satisfies Flags

type Settings = SettingsOf<typeof flags>
export type ScaleOptions = Pick<Settings, 'rounds' | 'commands' | 'accounts' | 'matchers'>

export async function run(settings: Settings): Promise<BenchResult> {
  if (settings.gateways > 0) return runGateways(settings)
  const { accounts, matchers } = settings
  const { alone, together } = await measureScale(settings)
  printTable('commands through matchers of one symbol each, one ledger', [
    ['matchers', 'M commands/s', 'of each'],
    ['1', alone / 1e6, alone / 1e6],
    [String(matchers), together / 1e6, together / matchers / 1e6],
  ])
  return {
    ratios: { togetherOverAlone: together / alone },
    figures: {
      alonePerSecond: Math.round(alone),
      togetherPerSecond: Math.round(together),
      matchers,
      accounts,
      processors: os.availableParallelism(),
    },
  }
}

/** Commands per second of one matcher, and of all together: medians of turns. */
export async function measureScale(
  options: ScaleOptions,
): Promise<{ readonly alone: number; readonly together: number }> {
  // The workload's accounts are halves of ours: one that buys, one that sells.
  const accounts = Math.ceil(options.accounts / 2)
  const workload = { count: options.commands, accounts }
  const commands = generateBookCommands(workload)
  const ledger = richLedger(commands, options.matchers)
  const peers = Array.from(
    { length: options.matchers },
    (_, symbolId) => new Peer({ symbolId, workload, ledger }),
  )
  const alone: number[] = []
  const together: number[] = []
  try {
    for (let round = -WARM_UPS; round < options.rounds; round++) {
      const one = await measure(commands, ledger, peers.slice(0, 1))
      const all = await measure(commands, ledger, peers)
      if (round < 0) continue
      alone.push(one)
      together.push(all)
    }
  } finally {
    await Promise.all(peers.map((peer) => peer.close()))
  }
  return { alone: median(alone), together: median(together) }
}

/** Commands per second of these together, from when the first begins until the last has ended. */
async function measure(
  commands: BookCommands,
  ledger: SharedArrayBuffer,
  peers: readonly Peer[],
): Promise<number> {
  const before = String(totalsIn(ledger, commands, peers.length))
  const gate = new SharedArrayBuffer(4)
  await Promise.all(peers.map((peer) => peer.prepare({ gate })))
  const done = peers.map((peer) => peer.done())
  Atomics.store(new Int32Array(gate), 0, 1)
  Atomics.notify(new Int32Array(gate), 0)
  const times = await Promise.all(done)
  if (String(totalsIn(ledger, commands, peers.length)) !== before) {
    throw new Error('money appeared or vanished')
  }
  const began = times.reduce(
    (first, { beganNs }) => (beganNs < first ? beganNs : first),
    times[0]!.beganNs,
  )
  const ended = times.reduce((last, { endedNs }) => (endedNs > last ? endedNs : last), 0n)
  return (peers.length * commands.options.count) / (Number(ended - began) / 1e9)
}

class Peer {
  private readonly worker: Worker

  constructor(workerData: PeerStart) {
    this.worker = new Worker(new URL('./scale-peer.js', import.meta.url), { workerData })
  }

  /** Resolves when it waits at the gate. */
  async prepare(run: PeerRun): Promise<void> {
    this.worker.postMessage(run)
    await this.report()
  }

  async done(): Promise<Exclude<PeerReport, 'ready'>> {
    return (await this.report()) as Exclude<PeerReport, 'ready'>
  }

  async close(): Promise<void> {
    await pause(COMPILED_MS)
    await this.worker.terminate()
  }

  private async report(): Promise<PeerReport> {
    const [report] = await once(this.worker, 'message')
    return report
  }
}
