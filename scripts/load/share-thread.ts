/** A share of a load that another thread carries (share.thread.ts). */
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { UsageError } from '../command-line/usage-error.ts'
import type { Shown } from './display.ts'
import type { RunningShare, SharePlan, ShareState } from './share.ts'

export interface ToShare {
  readonly request: 'state' | 'abort'
}
export type FromShare =
  | { readonly began: true }
  | { readonly shown: Shown }
  | { readonly state: ShareState }
  | { readonly ended: ShareState }
  | { readonly failed: string; readonly isUsage: boolean }

/** `npm run` starts scripts in the project's folder. */
const THREAD = path.resolve('dist/scripts/load/share.thread.js')

export class ShareThread implements RunningShare {
  readonly ended: Promise<ShareState>
  private readonly worker: Worker
  /** Callers of `state`, who are answered in turn. */
  private readonly asked: ((state: ShareState) => void)[] = []
  private last: ShareState | undefined = undefined
  private readonly began: Promise<void>

  private constructor(plan: SharePlan, shown: (shown: Shown) => void) {
    const worker = new Worker(THREAD, { workerData: plan })
    this.worker = worker
    let began = () => {}
    this.ended = new Promise((resolve, reject) => {
      worker.on('error', reject)
      worker.on('message', (message: FromShare) => {
        if ('began' in message) began()
        else if ('shown' in message) shown(message.shown)
        else if ('state' in message) this.asked.shift()!(message.state)
        else if ('ended' in message) resolve(this.end(message.ended))
        else reject(new (message.isUsage ? UsageError : Error)(message.failed))
      })
      worker.on('exit', () => reject(new Error('A thread of the load ended before its time.')))
    })
    // A failure rejects every caller that waits for the end, and none before.
    this.ended.catch(() => {})
    this.began = new Promise((resolve) => {
      began = resolve
    })
  }

  /** Resolves when all loads have begun. Rejects with UsageError; then none runs. */
  static async beginAll(
    plans: readonly SharePlan[],
    shown: (index: number, shown: Shown) => void,
  ): Promise<ShareThread[]> {
    const threads = plans.map((plan) => new ShareThread(plan, (it) => shown(plan.index, it)))
    try {
      await Promise.all(threads.map((thread) => Promise.race([thread.began, thread.ended])))
      return threads
    } catch (error) {
      await Promise.all(threads.map((thread) => thread.worker.terminate()))
      throw error
    }
  }

  state(): Promise<ShareState> {
    if (this.last !== undefined) return Promise.resolve(this.last)
    return new Promise((resolve) => {
      this.asked.push(resolve)
      this.ask('state')
    })
  }

  abort(): void {
    this.ask('abort')
  }

  private ask(request: ToShare['request']): void {
    this.worker.postMessage({ request } satisfies ToShare)
  }

  private end(state: ShareState): ShareState {
    this.last = state
    for (const resolve of this.asked.splice(0)) resolve(state)
    return state
  }
}
