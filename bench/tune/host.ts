/** What this machine can do at best, part by part: the bounds of what any number of threads can reach. */
import os from 'node:os'
import { median } from '../harness/report.ts'
import { measureFlushes } from '../wire/flush.ts'
import { load, Plans } from '../wire/load.ts'
import { startHello } from '../wire/server.ts'
import { helloPlan } from '../wire/workload.ts'

export interface HostFigures {
  readonly processors: number
  readonly model: string
  /** Load average of the minute before anything was measured. */
  readonly loadAverage: number
  /** A word from one thread to another and back, while the one that asks sleeps; p50. */
  readonly hopUs: number
  /** One block to the disk of the temporary folder; p50. */
  readonly flushUs: number
  /** Requests that one bare uWebSockets.js thread answers a second. */
  readonly helloRate: number
  /** Commands that one matcher executes a second, and two that have a symbol each. */
  readonly engineRate: number
  readonly twoEnginesRate: number
}

/** What is measured next. */
export type Say = (what: string) => void

const FLUSHES = 200
const FLUSH_INTERVAL_MS = 5
const HELLO_SECONDS = 2
const ENGINE_ROUNDS = 2
const ENGINE_ACCOUNTS = 100
const CONNECTIONS = 64

/** `commands` is how many measure matching. */
export async function measureHost(port: number, commands: number, say: Say): Promise<HostFigures> {
  const loadAverage = os.loadavg()[0]!
  // Each of them is a separate program: it finds its workers beside itself, not beside this one.
  const { measureHop } = await import('../micro/ring.ts')
  const { measureScale } = await import('../micro/scale.ts')
  say('a word to another thread and back')
  const { sleeping } = await measureHop()
  say('flushes of the disk')
  const { blockUs } = await measureFlushes(FLUSHES, FLUSH_INTERVAL_MS)
  say('matching alone, on one thread and on two')
  const scale = { rounds: ENGINE_ROUNDS, commands, accounts: ENGINE_ACCOUNTS, matchers: 2 }
  const { alone, together } = await measureScale(scale)
  say('a bare server')
  return {
    processors: os.availableParallelism(),
    model: os.cpus()[0]?.model.trim() ?? 'unknown',
    loadAverage,
    hopUs: sleeping.p50Us,
    flushUs: median(blockUs),
    helloRate: await measureHello(port),
    engineRate: alone,
    twoEnginesRate: together,
  }
}

async function measureHello(port: number): Promise<number> {
  const plans = new Plans()
  const server = await startHello(port)
  try {
    const plan = plans.write('hello', helloPlan())
    const options = { port, plan, cycle: true, connections: CONNECTIONS, warmup: 0.5 }
    return (await load({ ...options, seconds: HELLO_SECONDS })).rate
  } finally {
    await server.stop()
    plans.remove()
  }
}
