/**
 * An exchange that is killed again and again while clients use it: under load, while an operator's action is
 * carried out, and while it starts; or its disk refuses. After each start all that clients and operator were
 * received is compared.
 */
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Prng } from '../../src/base/prng.ts'
import { DAY_MS } from '../../src/market/intervals.ts'
import { act } from '../exchange/admin-client.ts'
import { canRefuse, type DiskError, diskErrors, refuseWrites } from '../exchange/disk-errors.ts'
import type { ExchangeClock } from '../exchange/exchange-clock.ts'
import type { ExchangeProcess } from '../exchange/exchange-process.ts'
import { SignedClient } from '../exchange/signed-client.ts'
import { ClientLog, sendLogged } from './client-log.ts'
import { Comparison } from './comparison.ts'
import { Filler } from './filler.ts'
import type { KnownOrder } from './known-orders.ts'
import { type Lane, lanesOf, quietOrder } from './lane.ts'
import { type OperatorCounts, OperatorLane } from './operator-lane.ts'
import { decided } from './recovered.ts'
import { turnsOf } from './turns.ts'

const ANSWERS_MIN = 50
/** That an action ends before the kill; otherwise that comes at any moment of it. */
const DONE_CHANCE = 0.5
/** How long an action takes, before any was carried out. */
const ACTION_MS = 400
const LOOK_MS = 50
const OK = 200
/** More than a day, by which journals are kept. */
const AGED_MS = 2 * DAY_MS

/** What is whole once it has its name. */
const copies = ['backup', 'save', 'fork'] as const
type CopyKind = (typeof copies)[number]

/** What takes the exchange back: to what the round began with, or to its first content. */
const returns = ['load', 'reset'] as const
type Return = (typeof returns)[number]

/** A kill under load, of an action or of a start; or what the disk returns. */
export const faults = [
  ...(['kill', 'snapshot', ...copies, ...returns, 'prune', 'start'] as const),
  ...diskErrors,
] as const
export type Fault = (typeof faults)[number]

/** What the exchange needs for all faults. */
export const FAULT_FLAGS = [
  ...['--sandbox', 'on', '--read-only-seconds', '3600'],
  ...['--journal-kept', 'snapshots', '--keep-journal-days', '1'],
  ...['--keep-order-days', '0', '--keep-public-trade-days', '0'],
]

export interface ChaosOptions {
  /** Prepared, and not running: two matchers and two gateways. */
  readonly exchange: ExchangeProcess
  readonly kills: number
  readonly seed: number
  /** The most answers that clients receive before a fault. */
  readonly answersMax: number
  /** Where the clients' log is written. */
  readonly logFile: string
  /** The faults, in turn; all that can be are drawn when left out. */
  readonly plan?: readonly Fault[]
  /** The exchange's, which runs; `prune` needs it. */
  readonly clock?: ExchangeClock
  /** Called after each fault. */
  readonly struck: (fault: Fault) => void
  /** Brings the loaded exchange to its end, in the place of any fault. */
  readonly end?: () => Promise<unknown>
  /** Called between the end and the start after it, when only files are left. */
  readonly whileDown?: () => void
  /** Returns what is wrong with a folder that is a copy. */
  readonly verify: (folder: string) => readonly string[]
}

export interface ChaosReport {
  readonly kills: Readonly<Record<Fault, number>>
  readonly snapshotsBegunFrom: number
  /** Backups, states and forks that had their name after a kill, and were whole. */
  readonly copiesChecked: number
  /** Loads and resets after which the content was there that they restore. */
  readonly returned: number
  /** Kills before which segments of journals had been removed. */
  readonly pruned: number
  readonly answers: Comparison['known']['counts']
  readonly resolved: Comparison['resolved']
  /** Counts of the operator's actions. */
  readonly actions: OperatorCounts
  /** What was lost, undone or cannot be; none when all is well. */
  readonly findings: readonly string[]
}

export class Chaos {
  private readonly options: ChaosOptions
  private readonly prng: Prng
  private readonly log: ClientLog
  private readonly operator: OperatorLane
  private readonly nextFault: () => Fault
  private readonly kills = Object.fromEntries(faults.map((fault) => [fault, 0])) as Record<
    Fault,
    number
  >
  private readonly counts = { snapshotsBegunFrom: 0, copiesChecked: 0, returned: 0, pruned: 0 }
  /** How long each action took last. */
  private readonly actionMs = new Map<string, number>()
  private comparison!: Comparison
  private filler: Filler | undefined
  /** Take what is known back to the exchange's first content. */
  private toFirst: readonly (() => void)[] = []
  private startMs = 0
  private round = 0

  constructor(options: ChaosOptions) {
    this.options = options
    this.prng = new Prng(options.seed)
    this.log = new ClientLog(options.logFile)
    this.operator = new OperatorLane(options.exchange, new Prng(options.seed))
    const isPossible = (fault: Fault) =>
      isDiskError(fault) ? canRefuse(fault) : fault !== 'prune' || options.clock !== undefined
    this.nextFault = turnsOf(options.plan, faults.filter(isPossible), this.prng)
  }

  /** Ends after so many faults, or with the first round that found something; the exchange runs on. */
  async run(): Promise<ChaosReport> {
    const { exchange, kills } = this.options
    await this.start()
    const keys = Object.values(exchange.keys())
    this.comparison = new Comparison(exchange.url, keys, this.log, () => exchange.nowMs())
    await this.comparison.begin()
    this.toFirst = this.checkpoints()
    let open: ReadonlyMap<string, readonly KnownOrder[]> = new Map()
    while (this.round < kills && this.comparison.findings.length === 0) {
      this.round++
      const fault = this.nextFault()
      const goesBack = await this.load(open, fault)
      if (fault === 'start') await this.killStart()
      this.kills[fault]++
      this.options.struck(fault)
      this.options.whileDown?.()
      await this.start()
      await goesBack()
      open = await this.comparison.compare()
      this.comparison.findings.push(...(await this.operator.compare()))
    }
    await this.comparison.compareHistory()
    this.log.close()
    const { known, resolved, findings } = this.comparison
    const told = { answers: known.counts, resolved, actions: this.operator.counts }
    return { kills: this.kills, ...this.counts, ...told, findings }
  }

  private async start(): Promise<void> {
    const beganMs = performance.now()
    await this.options.exchange.run()
    this.startMs = performance.now() - beganMs
    if (this.options.exchange.output.includes('continues from a snapshot'))
      this.counts.snapshotsBegunFrom++
  }

  /**
   * Clients send until the end. Returns what is to be done after the start, should the exchange have gone back to
   * a state.
   */
  private async load(
    open: ReadonlyMap<string, readonly KnownOrder[]>,
    fault: Fault,
  ): Promise<() => Promise<void>> {
    const goesBack = isReturn(fault) ? await this.mayReturn(fault) : async () => {}
    if (fault === 'prune') await this.age()
    const wanted = this.prng.between(ANSWERS_MIN, this.options.answersMax)
    let answers = 0
    let enough = () => {}
    const reached = new Promise<void>((resolve) => {
      enough = resolve
    })
    const answered = () => {
      if (++answers === wanted) enough()
    }
    const lanes = this.lanes(open, answered).map((lane) => lane.run())
    // What it does would continue after a return, without what it did before.
    const acted = isReturn(fault) ? undefined : this.operator.run()
    await Promise.race([reached, Promise.all(lanes)])
    await this.comparison.noteUpdateIds()
    const { end } = this.options
    await (end === undefined ? this.strike(fault) : end())
    await Promise.all([...lanes, acted])
    if (isCopy(fault)) this.checkCopy(fault)
    return goesBack
  }

  private async strike(fault: Fault): Promise<void> {
    const { exchange } = this.options
    if (isDiskError(fault)) return this.refuse(fault)
    if (fault !== 'kill' && fault !== 'start') {
      const acted = this.act(fault)
      if (this.prng.chance(DONE_CHANCE)) await acted
      else await delay(this.prng.below(this.actionMs.get(fault) ?? ACTION_MS))
    }
    if (exchange.output.includes('removed old segments')) this.counts.pruned++
    await exchange.stop('SIGKILL')
  }

  /** Carries out the action that the fault is named after. The kill may come first. */
  private async act(fault: Exclude<Fault, DiskError | 'kill' | 'start'>): Promise<void> {
    const given = {
      snapshot: {},
      prune: {},
      backup: { folder: this.copyOf('backup') },
      save: this.named,
      fork: this.named,
      load: this.named,
      reset: {},
    }
    const beganMs = performance.now()
    const name = fault === 'prune' ? 'snapshot' : fault
    const answer = await act(this.options.exchange, name, given[fault])
    if (answer?.status === OK) this.actionMs.set(fault, performance.now() - beganMs)
    else if (answer !== undefined) {
      this.comparison.findings.push(`no ${name} was carried out: ${answer.body.error}`)
    }
  }

  /** The name of what this round makes in the data folder. */
  private get named(): { readonly name: string } {
    return { name: `round-${this.round}` }
  }

  private copyOf(kind: CopyKind): string {
    const { data } = this.options.exchange
    const { name } = this.named
    if (kind === 'backup') return `${data}-${name}`
    return path.join(data, kind === 'save' ? 'states' : 'forks', name)
  }

  /** A copy has its name only once it is whole. */
  private checkCopy(kind: CopyKind): void {
    const folder = this.copyOf(kind)
    if (!existsSync(folder)) return
    this.comparison.findings.push(...this.options.verify(folder))
    this.counts.copiesChecked++
    rmSync(folder, { recursive: true })
  }

  /** Returns what follows the start, where the exchange may have gone back. */
  private async mayReturn(fault: Return): Promise<() => Promise<void>> {
    const { exchange } = this.options
    if (fault === 'load') await this.saveAtRest()
    const goBack = fault === 'load' ? this.checkpoints() : this.toFirst
    const params = quietOrder(`${this.round}-later`, 0, 'IOC')
    const [key] = Object.values(exchange.keys())
    const client = new SignedClient(exchange.url, key!, () => exchange.nowMs())
    const sent = { account: key!.account, method: 'POST', path: '/api/v3/order', params }
    await sendLogged(this.log, client, { kind: 'place', ...sent })
    const later = { symbol: params.symbol!, origClientOrderId: params.newClientOrderId! }
    return async () => {
      if (fault === 'load') await act(exchange, 'state-remove', this.named)
      const { status } = await decided(() => client.send('GET', '/api/v3/order', later))
      if (status === OK) return
      this.counts.returned++
      for (const back of goBack) back()
      if (fault === 'load') return
      this.toFirst = this.checkpoints()
      this.filler = undefined
    }
  }

  /** Saves what the round begins with. */
  private async saveAtRest(): Promise<void> {
    const answer = await act(this.options.exchange, 'save', this.named)
    if (answer?.status !== OK) throw new Error(`no state was saved: ${answer?.body.error}`)
  }

  /** Each takes a part of what is known back to this moment. */
  private checkpoints(): readonly (() => void)[] {
    return [this.comparison.checkpoint(), this.operator.checkpoint()]
  }

  /** The journal has segments that are older than it is kept. */
  private async age(): Promise<void> {
    const { exchange, clock } = this.options
    this.filler ??= await Filler.open(exchange)
    await this.filler.fill()
    await clock!.advance(AGED_MS)
  }

  /** Market data is readable while the disk refuses, and the exit code shows that something is wrong. */
  private async refuse(error: DiskError): Promise<void> {
    const { exchange } = this.options
    await refuseWrites(exchange.pid, error)
    const admin = `http://127.0.0.1:${exchange.adminPort}`
    while ((await fetch(`${admin}/healthz`)).status === OK) await delay(LOOK_MS)
    const { status } = await fetch(`${exchange.url}/api/v3/depth?symbol=BTCUSDT`)
    const { code, output } = await exchange.stop('SIGTERM')
    if (status === OK && code === 1) return
    this.comparison.findings.push(
      `a disk that is ${error}: depth is answered ${status}, and it ended with ${code}: ${output}`,
    )
  }

  private lanes(open: ReadonlyMap<string, readonly KnownOrder[]>, answered: () => void): Lane[] {
    const { exchange } = this.options
    const nowMs = () => exchange.nowMs()
    const common = { url: exchange.url, nowMs, log: this.log, answered }
    return lanesOf(Object.values(exchange.keys()), open, this.prng, `${this.round}`, common)
  }

  /** Kills a start before it is through, at any of its moments. */
  private async killStart(): Promise<void> {
    void this.options.exchange.launch()
    await delay(this.prng.below(this.startMs))
    await this.options.exchange.stop('SIGKILL')
  }
}

const isDiskError = (fault: Fault): fault is DiskError =>
  (diskErrors as readonly Fault[]).includes(fault)
const isReturn = (fault: Fault): fault is Return => (returns as readonly Fault[]).includes(fault)
const isCopy = (fault: Fault): fault is CopyKind => (copies as readonly Fault[]).includes(fault)
