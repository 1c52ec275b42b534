/**
 * Sends requests that enter, change or end orders, each once, and returns the outcomes. A request that was handed
 * to a connection and got no answer has an unknown outcome: the exchange is asked, over a new connection, until it
 * shows the effect, or by its own clock the request can no longer have one.
 */
import type { Params } from '../net/api.ts'
import { ApiError, NotSent } from '../net/api-error.ts'
import { roomToRead } from '../net/weight.ts'
import { timeText } from '../toolkit/times.ts'
import { type Account, refusalText } from './account.ts'
import type { Outcome } from './outcome.ts'
import { readReceipt } from './receipts.ts'
import { RECV_WINDOW_MS, type Session } from './session.ts'

/** Queries the exchange for data of the account. Throws NotSent or ApiError. */
export type Ask = <Body>(method: string, params: Params) => Promise<Body>

export interface OrderRequest<Body> {
  /** What it does, in words. */
  readonly what: string
  readonly method: string
  readonly params: Params
  /** Reads what was done from the answer, or from the data of a refusal. */
  readonly outcomeOf: (body: Body) => Outcome
  /** Returns what the answer was, as the exchange shows it now; undefined while it shows no effect. */
  readonly find: (ask: Ask) => Promise<Body | undefined>
  /** What holds when there can be no effect any more. */
  readonly without: string
}

const ASK_MS = 1_000
/** A request that passed its check of time is in the engine after this long. */
const MARGIN_MS = 1_000

export class OrderSender {
  private readonly account: Account

  constructor(account: Account) {
    this.account = account
  }

  /** Sends a request and shows its outcome. Returns the answer; undefined when the exchange did not do it. */
  async send<Body>(request: OrderRequest<Body>): Promise<Body | undefined> {
    const { account } = this
    const { value: session } = account.session
    if (session === undefined) return undefined
    const { what, method, params } = request
    account.inFlight.value++
    let sentMs = 0
    try {
      const signed = await session.signed({ ...params, receipt: true })
      sentMs = signed.timestamp
      const { result, receipt } = await session.request<Body>(method, signed)
      if (receipt !== undefined) account.keepReceipt(readReceipt(receipt, what, result))
      this.report(session, request, result)
      return result
    } catch (error) {
      const isUnknown = error instanceof ApiError && error.isUnknown
      if (isUnknown) return await this.find(session, request, sentMs)
      this.sayFailure(session, request, error as Error)
      return undefined
    } finally {
      account.inFlight.value--
    }
  }

  private async find<Body>(
    session: Session,
    request: OrderRequest<Body>,
    sentMs: number,
  ): Promise<Body | undefined> {
    const { account } = this
    account.doubt()
    const text = `${request.what}: outcome unknown, no answer arrived. Asking the exchange …`
    const waiting = this.isWatched(session) ? account.notices.say(text, 'waiting') : 0
    try {
      for (; this.isWatched(session); await pause(ASK_MS)) {
        const found = await this.look(session, request, sentMs).catch(() => undefined)
        if (found === undefined) continue
        if (found !== NOTHING) this.report(session, request, found)
        return found === NOTHING ? undefined : found
      }
      return undefined
    } finally {
      account.notices.dismiss(waiting)
      if (this.isWatched(session)) account.reload()
    }
  }

  /** Returns what the exchange shows, NOTHING for certain, or undefined while both are possible. */
  private async look<Body>(
    session: Session,
    { what, find, without }: OrderRequest<Body>,
    sentMs: number,
  ): Promise<Body | typeof NOTHING | undefined> {
    await roomToRead(false)
    const time = await session.request<{ readonly serverTime: number }>('time')
    const found = await find((method, params) => session.ask(method, params))
    if (found !== undefined) return found
    const { serverTime } = time.result
    if (serverTime <= sentMs + RECV_WINDOW_MS + MARGIN_MS) return undefined
    if (this.isWatched(session)) {
      const text = `${what}: no answer arrived, and at ${timeText(serverTime)} ${without}`
      this.account.notices.say(text, 'bad', `It was refused or never arrived, and can no longer.`)
    }
    return NOTHING
  }

  private report<Body>(session: Session, { what, outcomeOf }: OrderRequest<Body>, body: Body) {
    if (!this.isWatched(session)) return
    const { status, outcome, isAsMeant } = outcomeOf(body)
    this.account.notices.say(`${what}: ${status}`, isAsMeant ? 'good' : 'neutral', outcome)
  }

  private sayFailure<Body>(
    session: Session,
    { what, outcomeOf }: OrderRequest<Body>,
    error: Error,
  ): void {
    if (!this.isWatched(session)) return
    const { data } = error instanceof ApiError ? error : {}
    // The refusal of a cancel-replace, half of which may have been done.
    const isHalf = typeof data === 'object' && data !== null && 'cancelResult' in data
    const outcome = isHalf ? outcomeOf(data as Body).outcome : ''
    const text = error instanceof NotSent ? error.message : refusalText(error)
    this.account.notices.say(`${what}: ${text}`, 'bad', outcome)
    if (isHalf) this.account.reload()
  }

  /** Whether the user who sent the request is still the one who is signed in. */
  private isWatched(session: Session): boolean {
    return this.account.session.value === session
  }
}

const NOTHING = Symbol('nothing')

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
