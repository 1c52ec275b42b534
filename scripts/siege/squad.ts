/** The generators' processes: one for each attack, all begun together. */
import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import type { DemoKey } from '../exchange/exchange-process.ts'
import { type Attack, firstAddressOf } from './attacks.ts'
import type { Front, Tally } from './line.ts'
import type { RaidOrder } from './raid.ts'

const GENERATOR = path.resolve('dist/scripts/siege/generator.js')
const SINK = path.resolve('dist/scripts/siege/sink.js')
/** Generators load their modules at the lowest priority too. */
const NICE = ['nice', '-n', '19'] as const
/** How long a generator may take to end after its time. */
const END_MS = 5_000

/** An attack and what its preparation gave. */
export interface Prepared {
  readonly attack: Attack
  readonly keys: readonly DemoKey[]
}

interface Ready extends Prepared {
  readonly child: ChildProcess
}

interface Squad {
  readonly front: Front
  readonly seconds: number
  readonly seed: number
  readonly scale: number
}

/** What a generator sent; undefined when it broke down. */
export type Tallies = ReadonlyMap<string, Tally | undefined>

export class Generators {
  private readonly children: ChildProcess[] = []
  private ready: readonly Ready[] = []

  /** Starts one process for each attack. Resolves when all of them wait for `attack`. */
  async muster(prepared: readonly Prepared[]): Promise<void> {
    this.ready = prepared.map((row) => ({ ...row, child: this.spawn() }))
    // One that ends before it is ready was ended with the siege, and has nothing to report.
    await Promise.all(this.ready.map(({ child }) => firstMessage(child).catch(() => undefined)))
  }

  /** Begins the attacks of all processes. Resolves when all of them have ended. */
  async attack(squad: Squad): Promise<Tallies> {
    const ended = this.ready.map(async ({ attack, keys, child }, index) => {
      const { front, seconds, scale } = squad
      const seed = squad.seed + index
      const firstAddress = firstAddressOf(attack)
      const order = { attack: attack.name, front, seconds, seed, scale, firstAddress, keys }
      const tally = firstMessage(child).catch(() => undefined)
      child.send(order satisfies RaidOrder, () => {})
      const late = setTimeout(() => child.kill('SIGKILL'), seconds * 1000 + END_MS)
      const told = await tally
      clearTimeout(late)
      return [attack.name, told as Tally | undefined] as const
    })
    return new Map(await Promise.all(ended))
  }

  /** Ends those that still run. */
  end(): void {
    for (const child of this.children) if (child.connected) child.disconnect()
  }

  private spawn(): ChildProcess {
    const child = spawnModule(GENERATOR, NICE)
    this.children.push(child)
    return child
  }
}

/** A process that accepts, reads and discards; `end` ends it. */
export async function openSink(): Promise<{ readonly front: Front; readonly end: () => void }> {
  const child = spawnModule(SINK)
  const port = Number(await firstMessage(child))
  return { front: { host: '127.0.0.1', port }, end: () => child.disconnect() }
}

/**
 * A separate process, without the flags that this one was started with. `nice` is a command that runs
 * another at a low priority.
 */
const spawnModule = (file: string, nice: readonly string[] = []): ChildProcess => {
  const [execPath = process.execPath, ...execArgv] = [...nice, process.execPath]
  return fork(file, { execPath, execArgv })
}

/** Rejects when the process ends without one. */
const firstMessage = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve, reject) => {
    child.once('message', resolve)
    const refuse = () => reject(new Error(`a generator ended with code ${child.exitCode}`))
    if (child.exitCode !== null || child.signalCode !== null) refuse()
    else child.once('exit', refuse)
  })
