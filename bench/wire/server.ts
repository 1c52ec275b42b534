/**
 * Starts and stops what the wire benchmarks measure, each as a separate process: Ringbook on a
 * temporary data folder, the bare hello-world, the assembled exchange.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { builtPath } from '../../src/base/package-folder.ts'
import { BACKGROUND_NICENESS } from '../../src/workers/hosting.ts'
import { canPin, pinned } from '../harness/native.ts'
import { type PlanAccounts, signedBy } from './workload.ts'

export type Durability = 'flushed' | 'committed' | 'replicated'

export interface BenchServer {
  readonly port: number
  /** Processor time used so far, all threads, in seconds. */
  processorSeconds(): number
  /** Processor time of its busiest background thread, in seconds: the indexer, unless a snapshot was made. */
  indexerSeconds(): number
  /** Memory that is resident now, without pages of files, which the kernel takes back at will. */
  residentBytes(): number
  /** SIGTERM, then waits for the end; throws when it did not end with code 0. */
  stop(): Promise<void>
}
/** One process. */
export interface BenchProcess extends BenchServer {
  readonly pid: number
}
export interface RingbookServer extends BenchProcess {
  readonly accounts: PlanAccounts
}

/** Who answers is kept there, since the other processor is the generator's (bench/harness/native.ts). */
const ANSWERING_PROCESSOR = 0
const READY_MS_MAX = 120_000
const TICKS_PER_SECOND = 100
const TMPFS_TYPE = 0x01021994

/** What runs a program of Node.js, and what keeps it on the processor of those who answer. */
const NODE = [process.execPath] as const
const inPlace = () => pinned(ANSWERING_PROCESSOR, process.execPath, [])

/** `command` stands before the program's words. */
export function startHello(port: number, command = inPlace()): Promise<BenchProcess> {
  return start(port, builtPath('bench/wire/hello.js'), [String(port)], command)
}

/** Several on one port, which share its connections as gateways do, wherever the system has them. */
export async function startHellos(port: number, count: number): Promise<BenchServer> {
  const file = builtPath('bench/wire/hello.js')
  const each: BenchServer[] = []
  const all: BenchServer = {
    port,
    processorSeconds: () => each.reduce((sum, one) => sum + one.processorSeconds(), 0),
    indexerSeconds: () => Number.NaN,
    residentBytes: () => each.reduce((sum, one) => sum + one.residentBytes(), 0),
    stop: () => Promise.all(each.map((one) => one.stop())).then(() => {}),
  }
  try {
    for (let index = 0; index < count; index++) each.push(await start(port, file, [String(port)]))
    return all
  } catch (error) {
    await Promise.allSettled(each.map((one) => one.stop()))
    throw error
  }
}

/** `frames` is a file with one frame in each line. */
export function startPublisher(port: number, frames: string): Promise<BenchServer> {
  const file = builtPath('bench/wire/publisher.js')
  return start(port, file, [String(port), frames])
}

export function startAssembled(port: number): Promise<BenchServer> {
  const file = builtPath('bench/wire/assembled.js')
  return start(port, file, [String(port)], inPlace())
}

/**
 * One gateway, one matcher, demo accounts, limits and liquidity off; `port + 1` is the admin server's.
 * `stage` may fill the data folder before it is started; `more` are flags besides; `command` stands before
 * the program's words.
 */
export async function startRingbook(
  port: number,
  durability: Durability,
  stage: (data: string) => void = () => {},
  more: Readonly<Record<string, string>> = {},
  command: readonly string[] = NODE,
): Promise<RingbookServer> {
  const data = temporaryFolder()
  stage(data)
  const flags = {
    port,
    'admin-port': port + 1,
    data,
    durability,
    demo: 'on',
    limits: 'off',
    liquidity: 'off',
    gateways: 1,
    matchers: 1,
    'log-level': 'warn',
    ...more,
  }
  const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)])
  const main = builtPath('src/main.js')
  const remove = () => rmSync(data, { recursive: true, force: true })
  try {
    const server = await start(port, main, args, command)
    const stop = () => server.stop().finally(remove)
    return { ...server, stop, accounts: demoAccounts(data) }
  } catch (error) {
    remove()
    throw error
  }
}

/** Flags for Ringbook that keep its gateway where hello-world is kept, where the system can. */
export const gatewayPlace = (): Readonly<Record<string, string>> =>
  canPin() ? { 'gateway-processors': String(ANSWERING_PROCESSOR) } : {}

/** A folder on a real disk: one in memory would make every flush free. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-bench-'))
  if (statfsSync(folder).type === TMPFS_TYPE) {
    rmSync(folder, { recursive: true })
    throw new Error(`${os.tmpdir()} is kept in memory: set TMPDIR to a folder on a disk`)
  }
  return folder
}

function demoAccounts(data: string): PlanAccounts {
  const keys: { account: string; apiKey: string; secretKey: string }[] = JSON.parse(
    readFileSync(path.join(data, 'demo-keys.json'), 'utf8'),
  )
  const keyOf = (account: string) => keys.find((key) => key.account === account)!
  return signedBy(keyOf('maker'), keyOf('taker'), keyOf('trader1'), keyOf('trader2'))
}

async function start(
  port: number,
  file: string,
  args: readonly string[],
  command: readonly string[] = NODE,
): Promise<BenchProcess> {
  const [program, ...before] = command
  const child = spawn(program!, [...before, file, ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const exited = once(child, 'exit')
  await ready(child, port)
  return {
    port,
    pid: child.pid!,
    processorSeconds: () => processorSeconds(`/proc/${child.pid}/stat`).seconds,
    indexerSeconds: () => indexerSeconds(child.pid!),
    residentBytes: () => residentBytes(child.pid!),
    async stop() {
      child.kill('SIGTERM')
      const [code, signal] = await exited
      if (code !== 0) throw new Error(`${path.basename(file)} ended with ${code ?? signal}`)
    },
  }
}

async function ready(child: ChildProcess, port: number): Promise<void> {
  const patience = Date.now() + READY_MS_MAX
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${child.spawnargs[1]} ended before it answered`)
    const answer = await fetch(`http://127.0.0.1:${port}/api/v3/ping`).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer?.ok) return
    if (Date.now() > patience) {
      child.kill('SIGKILL')
      throw new Error(`${child.spawnargs[1]} did not answer within ${READY_MS_MAX} ms`)
    }
    await delay(20)
  }
}

/** Processor seconds and niceness of a process or thread. From Linux's /proc; NaN elsewhere. */
function processorSeconds(file: string): { readonly seconds: number; readonly niceness: number } {
  try {
    // The name, in parentheses, may hold spaces: fields are counted behind it.
    const fields = readFileSync(file, 'utf8').split(') ')[1]!.split(' ')
    const seconds = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
    return { seconds, niceness: Number(fields[16]) }
  } catch {
    return { seconds: Number.NaN, niceness: Number.NaN }
  }
}

function indexerSeconds(pid: number): number {
  const folder = `/proc/${pid}/task`
  if (!existsSync(folder)) return Number.NaN
  const threads = readdirSync(folder).map((thread) => processorSeconds(`${folder}/${thread}/stat`))
  const background = threads.filter(({ niceness }) => niceness === BACKGROUND_NICENESS)
  return Math.max(...background.map(({ seconds }) => seconds))
}

/** From Linux's /proc; NaN elsewhere. */
function residentBytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const kib = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1])
    return (kib('RssAnon') + kib('RssShmem')) * 1024
  } catch {
    return Number.NaN
  }
}
