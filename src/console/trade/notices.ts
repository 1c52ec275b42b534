/** Notices about orders, newest first. Errors stay until they are dismissed, others go. */
import { signal } from '@preact/signals'
import { serverNowMs } from '../net/server-clock.ts'

/** `neutral` is neither a success nor a refusal; `waiting` stays until its sender withdraws it, `alert` until it is dismissed. */
export type Tone = 'good' | 'bad' | 'neutral' | 'waiting' | 'alert'

export interface Notice {
  readonly text: string
  /** What an order did, in figures; '' without any. */
  readonly outcome: string
  readonly tone: Tone
  readonly timeMs: number
  /** Counts up. */
  readonly number: number
  /** A later notice with this name takes its place; '' for none. */
  readonly name: string
}

export const NOTICES_MAX = 20
/** After this long a notice that may go is gone. */
export const GONE_MS = 10_000

export class Notices {
  readonly list = signal<readonly Notice[]>([])
  private number = 0

  /** Returns the notice's number. */
  say(text: string, tone: Tone, outcome = '', name = ''): number {
    const number = ++this.number
    const notice = { text, outcome, tone, timeMs: serverNowMs(), number, name }
    const others = this.list.value.filter((it) => name === '' || it.name !== name)
    this.list.value = [notice, ...others].slice(0, NOTICES_MAX)
    if (tone === 'good' || tone === 'neutral') setTimeout(() => this.dismiss(number), GONE_MS)
    return number
  }

  dismiss(number: number): void {
    const left = this.list.value.filter((it) => it.number !== number)
    if (left.length < this.list.value.length) this.list.value = left
  }

  clear(): void {
    this.list.value = []
  }
}
