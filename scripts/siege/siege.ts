/**
 * A siege: prepares books, measures polite clients while the generators write to a bare sink, then
 * again while they write to the exchange, and compares all that the clients received, before and
 * after a kill -9.
 */
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Acknowledged } from '../exchange/acknowledged.ts'
import { ExchangeProcess } from '../exchange/exchange-process.ts'
import { compareOverKill } from '../exchange/found.ts'
import { accountKeyOf } from '../load/keys.ts'
import type { Attack } from './attacks.ts'
import { BookKeeper } from './book-keeper.ts'
import type { Front } from './line.ts'
import { POLITE_SYMBOL, Polite, type PoliteKeys, WARM_UP_MS } from './polite.ts'
import { Server } from './server.ts'
import { Generators, openSink, type Prepared, type Tallies } from './squad.ts'
import { Stage } from './stage.ts'

const ROLES = ['maker', 'taker'] as const
type Role = (typeof ROLES)[number]

export const MEMORY_MB_MAX = 512
export const P99_OVER_MAX = 3

export interface SiegeOptions {
  readonly attacks: readonly Attack[]
  readonly seconds: number
  /** Length of the control run. */
  readonly controlSeconds: number
  readonly seed: number
  /** Size of the prepared books and of the attacks; 1 is full size. */
  readonly scale: number
  /** As `Siege.exchangeIn` prepares it; the siege starts and stops it. */
  readonly exchange: ExchangeProcess
  readonly said: (sentence: string) => void
}

export interface SiegeReport {
  readonly alive: boolean
  /** How many times the polite clients' p99 is that of the control run. */
  readonly politeP99Over: number
  /** The largest anonymous memory under attack, and in the control run. */
  readonly peakMB: number
  readonly quietMB: number
  /** Acknowledgements that later answers contradict. */
  readonly lost: number
  readonly compared: number
  readonly isBookRight: boolean
  /** How often the reader's stream was closed, and the book began again. */
  readonly reopened: number
  readonly isRestarted: boolean
  readonly politeP99Ms: number
  readonly controlP99Ms: number
  readonly politeFailed: number
  readonly findings: readonly string[]
}

/** Whether the exchange stood it, apart from how fast it was. */
export function isUnharmed(report: SiegeReport): boolean {
  const { alive, isRestarted, lost, isBookRight, peakMB, quietMB } = report
  return alive && isRestarted && lost === 0 && isBookRight && peakMB - quietMB <= MEMORY_MB_MAX
}

export const isFair = ({ politeP99Over }: SiegeReport): boolean => politeP99Over <= P99_OVER_MAX

/** What one run of the polite clients gave. */
interface Run {
  readonly end: string | undefined
  readonly p99Ms: number
  readonly failed: number
  readonly peakMb: number
  readonly reopened: number
  readonly bookFindings: readonly string[]
}

export class Siege {
  private readonly options: SiegeOptions
  private readonly server: Server
  private readonly generators = new Generators()
  private readonly acknowledged: Readonly<Record<Role, Acknowledged>> = {
    maker: new Acknowledged(),
    taker: new Acknowledged(),
  }
  private readonly findings: string[] = []
  private runs = 0

  constructor(options: SiegeOptions) {
    this.options = options
    this.server = new Server(options.exchange)
  }

  /** Prepares an exchange with its usual limits in an empty folder. */
  static exchangeIn(data: string, flags: readonly string[]): Promise<ExchangeProcess> {
    return ExchangeProcess.prepare(['--limits', 'on', ...flags], undefined, undefined, data)
  }

  async run(): Promise<SiegeReport> {
    try {
      return await this.attack()
    } finally {
      this.generators.end()
      await this.server.stop('SIGKILL')
    }
  }

  private async attack(): Promise<SiegeReport> {
    const { seconds, controlSeconds, exchange } = this.options
    const prepared = await this.prepare()
    const sink = await openSink()
    const quiet = `control run: ${controlSeconds} s, the generators write to a sink`
    const control = await this.politeRun(prepared, sink.front, controlSeconds, quiet)
    sink.end()
    await this.server.stop('SIGTERM')
    const names = prepared.map(({ attack }) => attack.name).join(', ')
    const front = { host: '127.0.0.1', port: exchange.port }
    const siege = await this.politeRun(prepared, front, seconds, `siege: ${seconds} s, ${names}`)
    for (const warning of warningsIn(this.server.output)) this.options.said(warning)
    const alive = siege.end === undefined
    if (siege.end !== undefined) {
      this.findings.push(`under attack ${siege.end}: ${lastLine(this.server.output)}`)
    }
    const [lost, isRestarted] = await this.compare(alive)
    return {
      alive,
      politeP99Over: round(siege.p99Ms / control.p99Ms),
      peakMB: siege.peakMb,
      quietMB: control.peakMb,
      lost,
      compared: this.acknowledged.maker.count + this.acknowledged.taker.count,
      isBookRight: alive && siege.bookFindings.length === 0,
      reopened: siege.reopened,
      isRestarted,
      politeP99Ms: round(siege.p99Ms),
      controlP99Ms: round(control.p99Ms),
      politeFailed: siege.failed,
      findings: [...this.findings, ...control.bookFindings, ...siege.bookFindings],
    }
  }

  private async prepare(): Promise<Prepared[]> {
    const { attacks, scale, said } = this.options
    await this.server.start(['--limits', 'off'])
    const stage = new Stage(this.server, scale)
    const prepared: Prepared[] = []
    for (const attack of attacks) {
      const beganMs = performance.now()
      const keys = (await attack.prepare?.(stage)) ?? []
      prepared.push({ attack, keys })
      const ms = Math.round(performance.now() - beganMs)
      if (attack.prepare !== undefined) said(`prepared ${attack.name} in ${ms} ms`)
    }
    await stage.close()
    await this.server.stop('SIGTERM')
    return prepared
  }

  /**
   * A fresh start, polite clients, and generators that write to `front`; the server runs on. Tells the
   * title when the attacks begin.
   */
  private async politeRun(
    prepared: readonly Prepared[],
    front: Front,
    seconds: number,
    title: string,
  ): Promise<Run> {
    await this.server.start()
    const { scale, said } = this.options
    const seed = this.options.seed + ++this.runs
    const book = new BookKeeper(this.server.url, this.server.wsUrl)
    await book.begin()
    const polite = new Polite({
      url: this.server.url,
      keys: this.keys(),
      acknowledged: this.acknowledged,
      seconds,
      seed,
    })
    await this.generators.muster(prepared)
    polite.begin()
    await delay(WARM_UP_MS)
    said(title)
    const tallies = this.generators.attack({ front, seconds, seed: this.options.seed, scale })
    const end = await Promise.race([this.server.ended(), tallies.then(() => undefined)])
    this.generators.end()
    await polite.end()
    said(textOf(polite, await tallies))
    const bookFindings = end === undefined ? await book.end() : []
    book.close()
    return {
      end,
      p99Ms: polite.measure.total().p99 / 1000,
      failed: polite.measure.counts().failed,
      peakMb: this.server.peakMb,
      reopened: book.reopened,
      bookFindings,
    }
  }

  /** Compares before and after a kill -9. Returns what is lost, and whether it started again. */
  private async compare(isAlive: boolean): Promise<readonly [lost: number, isRestarted: boolean]> {
    const keys = this.keys()
    const clients = ROLES.map((role) => {
      return { acknowledged: this.acknowledged[role], key: keys[role], symbol: POLITE_SYMBOL }
    })
    const restart = async () => {
      await this.server.stop('SIGKILL')
      await this.server.start()
    }
    const { url } = this.server
    const { lost, lostCount, unstarted } = await compareOverKill(url, clients, isAlive, restart)
    this.findings.push(...(unstarted === undefined ? lost : [unstarted.message]))
    return [lostCount, unstarted === undefined]
  }

  private keys(): PoliteKeys {
    const keyOf = (role: Role) => accountKeyOf(this.server.demoKey(role))
    return { maker: keyOf('maker'), taker: keyOf('taker') }
  }
}

const round = (value: number): number => Math.round(value * 100) / 100

const lastLine = (output: string): string => path.basename(output.trim().split('\n').at(-1) ?? '')

const WARNING_LEVEL = 40

/** What the exchange warned of, each text once and how often. */
function warningsIn(output: string): string[] {
  const counts = new Map<string, number>()
  for (const line of output.split('\n')) {
    const level = Number(/"level":(\d+)/.exec(line)?.[1] ?? 0)
    const text = /"msg":"([^"]*)"/.exec(line)?.[1]
    if (level >= WARNING_LEVEL && text !== undefined) counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return [...counts].map(([text, count]) => `  the exchange warned ${count} times: ${text}`)
}

const BYTES_PER_MB = 1024 * 1024

/** What the generators and the polite clients did, a line each. */
function textOf(polite: Polite, tallies: Tallies): string {
  const mb = (bytes: number) => (bytes / BYTES_PER_MB).toFixed(1)
  const attacks = [...tallies].map(([name, tally]) => {
    if (tally === undefined) return `  ${name}: ended early`
    const { connections, refused, sentBytes, receivedBytes, droppedBytes } = tally
    return [
      `  ${name}: ${connections} connections (${refused} broke), sent ${mb(sentBytes)} MB,`,
      `held back ${mb(droppedBytes)}, received ${mb(receivedBytes)}`,
    ].join(' ')
  })
  const actions = polite.measure.actions().map(({ action, latency, outcomes }) => {
    const [p50, p99, max] = [latency.p50, latency.p99, latency.max].map((us) => round(us / 1000))
    const texts = Object.entries(outcomes).map(([outcome, count]) => `${count} × ${outcome}`)
    return `  ${action}: p50 ${p50} ms, p99 ${p99}, longest ${max}; ${texts.join(', ')}`
  })
  const slow = polite.slow.lines().map((line) => `  ${line}`)
  return [...attacks, ...actions, ...slow].join('\n')
}
