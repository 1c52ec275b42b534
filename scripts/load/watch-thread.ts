/**
 * The watch of a share, on another thread (watch.thread.ts): what it reads and compares takes no time of the loop that
 * sends. Orders are noted there before they are sent here.
 */
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Market } from '../../src/liquidity/market.ts'
import { UsageError } from '../command-line/usage-error.ts'
import type { Place } from './actors.ts'
import type { CheckResult } from './checks/findings.ts'
import {
  type EndReport,
  type NoteName,
  noteNames,
  type OrderCounts,
  type OrderNote,
  type OrderNotes,
} from './checks/order-check.ts'
import type { UsageSeen } from './target.ts'
import type { StreamMeasure, WatchPlan } from './watch.ts'

/** What was received and compared so far. */
export interface WatchState {
  readonly checks: readonly CheckResult[]
  readonly orders: OrderCounts
  readonly streams: StreamMeasure
  readonly usage: readonly UsageSeen[]
  /** All that it sent. */
  readonly requests: number
}

export type ToWatch =
  | { readonly note: OrderNote }
  | { readonly request: 'state' | 'compare at the end' }
export type FromWatch =
  | { readonly opened: true }
  | { readonly symbol: string; readonly middle: number }
  | { readonly account: string; readonly ended: EndReport }
  | { readonly state: WatchState }
  | { readonly compared: WatchState }
  | { readonly failed: string; readonly isUsage: boolean }

/** `npm run` starts scripts in the project's folder. */
const THREAD = path.resolve('dist/scripts/load/watch.thread.js')

export class WatchThread {
  readonly orders: OrderNotes
  private readonly worker: Worker
  /** By symbol. */
  private readonly middles = new Map<string, number>()
  /** Callers of `state`, who are answered in turn. */
  private readonly asked: ((state: WatchState) => void)[] = []
  private readonly opened: Promise<void>
  private readonly compared: Promise<WatchState>
  private readonly failed: Promise<never>
  private last: WatchState | undefined = undefined

  private constructor(plan: WatchPlan, onEnded: (account: string, report: EndReport) => void) {
    const worker = new Worker(THREAD, { workerData: plan })
    this.worker = worker
    const note = (name: NoteName) => [
      name,
      (...given: unknown[]) => worker.postMessage({ note: [name, ...given] }),
    ]
    this.orders = Object.fromEntries(noteNames.map(note))
    let opened = () => {}
    let compared: (state: WatchState) => void = () => {}
    let failed: (error: Error) => void = () => {}
    this.opened = new Promise((resolve) => {
      opened = resolve
    })
    this.compared = new Promise((resolve) => {
      compared = resolve
    })
    this.failed = new Promise((_, reject) => {
      failed = reject
    })
    // A failure rejects every caller that waits, and none before.
    this.failed.catch(() => {})
    worker.on('error', failed)
    worker.on('exit', () => failed(new Error('A thread of the load ended before its time.')))
    worker.on('message', (message: FromWatch) => {
      if ('middle' in message) this.middles.set(message.symbol, message.middle)
      else if ('ended' in message) onEnded(message.account, message.ended)
      else if ('state' in message) this.asked.shift()!(message.state)
      else if ('opened' in message) opened()
      else if ('compared' in message) compared(message.compared)
      else failed(new (message.isUsage ? UsageError : Error)(message.failed))
    })
  }

  /** Resolves when everything is listened to. `onEnded`: called with an order's last report. Rejects with UsageError. */
  static async open(
    plan: WatchPlan,
    onEnded: (account: string, report: EndReport) => void,
  ): Promise<WatchThread> {
    const thread = new WatchThread(plan, onEnded)
    try {
      await thread.orFailure(thread.opened)
      return thread
    } catch (error) {
      await thread.close()
      throw error
    }
  }

  /** A symbol as actors see it. */
  place(market: Market): Place {
    return { market, middle: () => this.middles.get(market.symbol)! }
  }

  state(): Promise<WatchState> {
    if (this.last !== undefined) return Promise.resolve(this.last)
    const answer = new Promise<WatchState>((resolve) => this.asked.push(resolve))
    this.say({ request: 'state' })
    return this.orFailure(answer)
  }

  /** Once nothing is sent any more: waits for what is on its way, then compares. */
  async end(): Promise<void> {
    this.say({ request: 'compare at the end' })
    this.last = await this.orFailure(this.compared)
    for (const resolve of this.asked.splice(0)) resolve(this.last)
  }

  async close(): Promise<void> {
    await this.worker.terminate()
  }

  private say(message: ToWatch): void {
    this.worker.postMessage(message)
  }

  private orFailure<Value>(answer: Promise<Value>): Promise<Value> {
    return Promise.race([answer, this.failed])
  }
}
