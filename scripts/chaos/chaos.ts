/**
 * An exchange that is killed again and again while clients use it: under load, around the making of a
 * snapshot, and while it starts. After each start all that clients were told is compared.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { Prng } from '../../src/base/prng.ts'
import { readToken } from '../../src/control/token.ts'
import type { ExchangeProcess } from '../exchange/exchange-process.ts'
import { ClientLog } from './client-log.ts'
import { Comparison } from './comparison.ts'
import type { KnownOrder } from './known-orders.ts'
import { Lane } from './lane.ts'

const LANES_PER_ACCOUNT = 3
const ANSWERS_MIN = 50
const SNAPSHOT_CHANCE = 0.3
/** That it is made before the kill; otherwise that comes at any moment of its making. */
const SNAPSHOT_MADE_CHANCE = 0.5
/** How long making one takes, before any was made. */
const SNAPSHOT_MS = 400
const START_CHANCE = 0.25

export const Moment = { LOAD: 'load', SNAPSHOT: 'snapshot', START: 'start' } as const
export type Moment = (typeof Moment)[keyof typeof Moment]

export interface ChaosOptions {
  /** Prepared, and not running: two matchers and two gateways. */
  readonly exchange: ExchangeProcess
  readonly kills: number
  readonly seed: number
  /** The most answers that clients receive before a kill. */
  readonly answersMax: number
  /** Where the clients' log is written. */
  readonly logFile: string
  /** Called after each kill. */
  readonly killed: (moment: Moment) => void
  /** Brings the loaded exchange to its end; SIGKILL when left out, and then starts are killed too. */
  readonly end?: () => Promise<unknown>
  /** Called between a kill and the start after it, when only files are left. */
  readonly whileDown?: () => void
}

export interface ChaosReport {
  readonly kills: Readonly<Record<Moment, number>>
  readonly snapshotsBegunFrom: number
  readonly answers: Comparison['known']['counts']
  readonly resolved: Comparison['resolved']
  /** What was lost, undone or cannot be; none when all is well. */
  readonly findings: readonly string[]
}

export class Chaos {
  private readonly options: ChaosOptions
  private readonly prng: Prng
  private readonly log: ClientLog
  private readonly kills: Record<Moment, number> = { load: 0, snapshot: 0, start: 0 }
  private comparison!: Comparison
  private snapshotsBegunFrom = 0
  private startMs = 0
  private snapshotMs = SNAPSHOT_MS
  private round = 0

  constructor(options: ChaosOptions) {
    this.options = options
    this.prng = new Prng(options.seed)
    this.log = new ClientLog(options.logFile)
  }

  /** Ends after so many kills, or with the first round that found something; the exchange runs on. */
  async run(): Promise<ChaosReport> {
    const { exchange, kills } = this.options
    await this.start()
    const keys = Object.values(exchange.keys())
    this.comparison = new Comparison(exchange.url, keys, this.log)
    await this.comparison.begin()
    let open: ReadonlyMap<string, readonly KnownOrder[]> = new Map()
    while (this.killCount() < kills && this.comparison.findings.length === 0) {
      this.round++
      await this.load(open)
      while (this.isStartKilled()) await this.killStart()
      await this.start()
      open = await this.comparison.compare()
    }
    await this.comparison.compareHistory()
    this.log.close()
    const { known, resolved, findings } = this.comparison
    return {
      kills: this.kills,
      snapshotsBegunFrom: this.snapshotsBegunFrom,
      answers: known.counts,
      resolved,
      findings,
    }
  }

  private killCount(): number {
    return Object.values(this.kills).reduce((sum, count) => sum + count, 0)
  }

  private async start(): Promise<void> {
    const beganMs = performance.now()
    await this.options.exchange.run()
    this.startMs = performance.now() - beganMs
    if (this.options.exchange.output.includes('continues from a snapshot'))
      this.snapshotsBegunFrom++
  }

  /** Clients ask until the kill. */
  private async load(open: ReadonlyMap<string, readonly KnownOrder[]>): Promise<void> {
    const wanted = this.prng.between(ANSWERS_MIN, this.options.answersMax)
    const snapshots = this.prng.chance(SNAPSHOT_CHANCE)
    let answers = 0
    let enough = () => {}
    const reached = new Promise<void>((resolve) => {
      enough = resolve
    })
    const answered = () => {
      if (++answers === wanted) enough()
    }
    const lanes = this.lanes(open, answered).map((lane) => lane.run())
    await Promise.race([reached, Promise.all(lanes)])
    await this.comparison.noteUpdateIds()
    if (snapshots) {
      const made = this.makeSnapshot()
      if (this.prng.chance(SNAPSHOT_MADE_CHANCE)) await made
      else await delay(this.prng.below(this.snapshotMs))
    }
    await this.kill(snapshots ? Moment.SNAPSHOT : Moment.LOAD)
    await Promise.all(lanes)
  }

  private lanes(open: ReadonlyMap<string, readonly KnownOrder[]>, answered: () => void): Lane[] {
    const { exchange } = this.options
    return Object.values(exchange.keys()).flatMap((key) =>
      Array.from({ length: LANES_PER_ACCOUNT }, (_, lane) => {
        const own = open.get(key.account) ?? []
        return new Lane({
          url: exchange.url,
          key,
          prng: new Prng(this.prng.uint32()),
          log: this.log,
          name: `${this.round}-${lane}`,
          open: own
            .filter(({ orderId }) => orderId % LANES_PER_ACCOUNT === lane)
            .map((order) => ({ ...order, origQty: String(Number(order.origQty) / 1e8) })),
          answered,
        })
      }),
    )
  }

  /** Kills a start before it is through, at any of its moments. */
  private async killStart(): Promise<void> {
    void this.options.exchange.launch()
    await delay(this.prng.below(this.startMs))
    await this.kill(Moment.START)
  }

  private isStartKilled(): boolean {
    const { end, kills } = this.options
    return end === undefined && this.killCount() < kills && this.prng.chance(START_CHANCE)
  }

  private async kill(moment: Moment): Promise<void> {
    const { end, exchange } = this.options
    await (end === undefined ? exchange.stop('SIGKILL') : end())
    this.kills[moment]++
    this.options.killed(moment)
    this.options.whileDown?.()
  }

  private async makeSnapshot(): Promise<void> {
    const { adminPort, data } = this.options.exchange
    const headers = { Authorization: `Bearer ${readToken(data)}` }
    const url = `http://127.0.0.1:${adminPort}/actions/snapshot`
    const beganMs = performance.now()
    // The kill may come first.
    const answer = await fetch(url, { method: 'POST', headers }).catch(() => undefined)
    if (answer?.ok) this.snapshotMs = performance.now() - beganMs
  }
}
