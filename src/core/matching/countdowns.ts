/**
 * The countdowns that run on one symbol: each cancels all open orders of its account there once it is over,
 * unless its owner renews it before (docs/decisions/countdowns.md). Reads no clock: its matcher tells it up to
 * which moment countdowns are over. Engine and recovery set them alike.
 */
import { CountdownScope } from '../../base/codes.ts'
import type { Ms } from '../../base/units.ts'
import type { ImageReader, ImageWriter } from '../../layout/image.ts'
import { CountdownImage, type CountdownImageFields } from '../../layout/images.gen.ts'
import type { HashSink } from './hash-sink.ts'

export type Countdown = CountdownImageFields

const SCOPES = Object.keys(CountdownScope).length
const keyOf = ({ account, scope }: Pick<Countdown, 'account' | 'scope'>): number =>
  account * SCOPES + scope

const isSooner = (a: Countdown, b: Countdown): boolean =>
  a.deadlineMs === b.deadlineMs ? keyOf(a) < keyOf(b) : a.deadlineMs < b.deadlineMs

export class Countdowns {
  private readonly running = new Map<number, Countdown>()
  /** Those that fire next, in this order. */
  private over: readonly Countdown[] = []
  /** The one that is over first, while it is known. */
  private known: Countdown | undefined = undefined

  /** Replaces the countdown of the account and scope; one without a deadline ends it. */
  set(countdown: Countdown): void {
    const key = keyOf(countdown)
    if (countdown.deadlineMs === 0) this.running.delete(key)
    else this.running.set(key, countdown)
    this.over = this.over.filter((it) => keyOf(it) !== key)
    this.known = undefined
  }

  of(account: Countdown['account'], scope: CountdownScope): Countdown | undefined {
    return this.running.get(keyOf({ account, scope }))
  }

  /** The one that is over first; of several, that of the lowest account. */
  get first(): Countdown | undefined {
    if (this.known !== undefined || this.running.size === 0) return this.known
    for (const it of this.running.values()) {
      if (this.known === undefined || isSooner(it, this.known)) this.known = it
    }
    return this.known
  }

  /** Countdowns up to this moment are over. The clock may be put back before they have fired. */
  expire(clockMs: Ms): void {
    this.over = this.all
      .filter(({ deadlineMs }) => deadlineMs <= clockMs)
      .sort((a, b) => a.deadlineMs - b.deadlineMs)
  }

  /** The one that fires next. */
  get due(): Countdown | undefined {
    return this.over[0]
  }

  write(image: ImageWriter): void {
    const { all } = this
    image.word(all.length)
    for (const countdown of all) CountdownImage.write(image, countdown)
  }

  read(image: ImageReader): void {
    for (let left = image.word(); left > 0; left--) this.set(CountdownImage.read(image))
  }

  hash(sink: HashSink): void {
    for (const { account, scope, deadlineMs, countdownMs } of this.all) {
      sink.word(account)
      sink.word(scope)
      sink.int(deadlineMs)
      sink.int(countdownMs)
    }
  }

  /** By account and scope, whatever order they were set in. */
  private get all(): readonly Countdown[] {
    return [...this.running.values()].sort((a, b) => keyOf(a) - keyOf(b))
  }
}
