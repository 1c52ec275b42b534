/**
 * Methods of the WebSocket API that concern the connection itself and so have no REST twin: user
 * stream subscriptions, and the session (supplement 2e.1, 2f). Sessions are logged on by Ed25519
 * keys only, so none is ever logged on here yet.
 */
import type { Request, Responder } from '#api/context.ts'
import type { ErrorId } from '#api/errors.ts'
import { may, type Operation } from '#api/operations/operation.ts'
import { Param } from '#api/parameters.ts'
import { eventStreamTerminated } from '#api/render/user-events.ts'
import type { GuardedRow } from './door.ts'
import type { UserListener, UserStreams } from './user-streams.ts'

const LIVE_MAX = 1_000
const EVER_MAX = 65_535
const WEIGHT = 2

/** One subscription's events, each within the frame that names it. */
class Subscription implements UserListener {
  readonly id: number
  readonly account: number
  readonly microseconds: boolean
  readonly #send: (text: string) => void

  constructor(id: number, account: number, microseconds: boolean, send: (text: string) => void) {
    this.id = id
    this.account = account
    this.microseconds = microseconds
    this.#send = send
  }

  event(json: string): void {
    this.#send(`{"subscriptionId":${this.id},"event":${json}}`)
  }
}

/** The user streams of one connection, at most one per account. */
export class UserSubscriptions {
  readonly #userStreams: UserStreams
  readonly #microseconds: boolean
  readonly #send: (text: string) => void
  readonly #live = new Map<number, Subscription>()
  #everCount = 0

  constructor(userStreams: UserStreams, microseconds: boolean, send: (text: string) => void) {
    this.#userStreams = userStreams
    this.#microseconds = microseconds
    this.#send = send
  }

  subscribe(account: number, responder: Responder): void {
    const refusal = this.#refusalOf(account)
    if (refusal !== undefined) {
      responder.error(refusal)
      return
    }
    const id = this.#everCount++
    const subscription = new Subscription(id, account, this.#microseconds, this.#send)
    this.#live.set(id, subscription)
    // The answer first: events name the subscription that it announces.
    responder.reply(`{"subscriptionId":${id}}`)
    this.#userStreams.add(subscription)
  }

  #refusalOf(account: number): ErrorId | undefined {
    for (const subscription of this.#live.values()) {
      if (subscription.account === account) return 'SUBSCRIPTION_ACTIVE'
    }
    const exhausted = this.#everCount === EVER_MAX || this.#live.size === LIVE_MAX
    return exhausted ? 'SUBSCRIPTION_IDS_EXHAUSTED' : undefined
  }

  /** Ends one subscription, or all when `id` is undefined. */
  unsubscribe(id: number | undefined, nowMs: number, responder: Responder): void {
    const ending = [...this.#live.values()].filter((it) => id === undefined || it.id === id)
    if (ending.length === 0) responder.error('SUBSCRIPTION_NOT_ACTIVE')
    else responder.reply('{}')
    for (const subscription of ending) {
      this.#userStreams.remove(subscription)
      this.#live.delete(subscription.id)
      subscription.event(eventStreamTerminated(nowMs, this.#microseconds))
    }
  }

  list(): string {
    return JSON.stringify([...this.#live.keys()].map((subscriptionId) => ({ subscriptionId })))
  }

  get isActive(): boolean {
    return this.#live.size > 0
  }

  /** The connection is gone. */
  clear(): void {
    for (const subscription of this.#live.values()) this.#userStreams.remove(subscription)
    this.#live.clear()
  }
}

/** The connection, as far as these methods see it. */
export interface Session {
  readonly subscriptions: UserSubscriptions
  readonly connectedMs: number
  readonly showsLimits: boolean
}

export interface SessionMethod extends GuardedRow, Pick<Operation, 'weight'> {
  answer(request: Request, session: Session, responder: Responder): void
}

const open = { security: 'NONE', signed: false, weight: WEIGHT, params: [] } as const
const signed = { ...open, security: 'USER_STREAM', signed: true } as const

export const sessionMethods: ReadonlyMap<string, SessionMethod> = new Map<string, SessionMethod>([
  [
    'userDataStream.subscribe.signature',
    {
      ...signed,
      answer: ({ account }, { subscriptions }, responder) =>
        subscriptions.subscribe(account!.id, responder),
    },
  ],
  [
    'userDataStream.subscribe',
    // Of a session that is logged on; without one the key is what is missing.
    { ...open, answer: (_, __, responder) => responder.error('MANDATORY_PARAMETER', ['apiKey']) },
  ],
  [
    'userDataStream.unsubscribe',
    {
      ...open,
      params: may('subscriptionId'),
      answer: ({ params, nowMs }, { subscriptions }, responder) =>
        subscriptions.unsubscribe(params.number(Param.subscriptionId), nowMs, responder),
    },
  ],
  [
    'session.subscriptions',
    { ...open, answer: (_, { subscriptions }, responder) => responder.reply(subscriptions.list()) },
  ],
  ['session.logon', { ...signed, answer: (_, __, responder) => responder.error('LOGON_KEY_TYPE') }],
  ['session.status', { ...open, answer: answerStatus }],
  ['session.logout', { ...open, answer: answerStatus }],
])

function answerStatus(request: Request, session: Session, responder: Responder): void {
  const time = (timeMs: number) => (request.microseconds ? timeMs * 1000 : timeMs)
  responder.reply(
    JSON.stringify({
      apiKey: null,
      authorizedSince: null,
      connectedSince: time(session.connectedMs),
      returnRateLimits: session.showsLimits,
      serverTime: time(request.nowMs),
      userDataStream: session.subscriptions.isActive,
    }),
  )
}
