/** The user streams that one connection to the WebSocket API subscribes to (supplement 2e.1). */
import { type AnyRows, Rows } from '../../api/answers/answer.ts'
import { empty } from '../../api/answers/market.ts'
import { subscription, subscriptionEvent } from '../../api/answers/session.ts'
import { eventStreamTerminated } from '../../api/answers/user-events.ts'
import type { Responder } from '../../api/context.ts'
import type { ErrorId } from '../../api/errors.ts'
import type { AccountId, Ms } from '../../base/units.ts'
import type { ApiKey } from '../authentication/key-ring.ts'
import type { UserListener, UserStreams } from '../streams/user-streams.ts'

const LIVE_MAX = 1_000
const EVER_MAX = 65_535

/** The form of answers without times. */
const form = { microseconds: false }

/** Sends an event of the account, in the frame that names its subscription. */
export type SendEvent = (event: AnyRows, account: AccountId) => void

/** The key of a subscription. */
export interface SubscriptionOwner extends Pick<ApiKey, 'apiKey'> {
  readonly account: Pick<ApiKey['account'], 'id'>
}

/** One subscription's events, each within the frame that names it. */
class Subscription implements UserListener {
  readonly id: number
  readonly account: AccountId
  /** The API key that allowed it. */
  readonly apiKey: string
  /** Whether it ends when the session is logged out. */
  readonly isOfSession: boolean
  readonly microseconds: boolean
  private readonly send: SendEvent

  constructor(
    id: number,
    owner: SubscriptionOwner,
    isOfSession: boolean,
    microseconds: boolean,
    send: SendEvent,
  ) {
    this.id = id
    this.account = owner.account.id
    this.apiKey = owner.apiKey
    this.isOfSession = isOfSession
    this.microseconds = microseconds
    this.send = send
  }

  event(event: AnyRows): void {
    this.send(new Rows(subscriptionEvent, { id: this.id, event }, event.form), this.account)
  }
}

/** The user streams of one connection, at most one per account. */
export class UserSubscriptions {
  private readonly userStreams: UserStreams
  private readonly microseconds: boolean
  private readonly send: SendEvent
  private readonly live = new Map<number, Subscription>()
  private everCount = 0

  constructor(userStreams: UserStreams, microseconds: boolean, send: SendEvent) {
    this.userStreams = userStreams
    this.microseconds = microseconds
    this.send = send
  }

  subscribe(owner: SubscriptionOwner, isOfSession: boolean, responder: Responder): void {
    const refusal = this.refusalOf(owner.account.id)
    if (refusal !== undefined) {
      responder.error(refusal)
      return
    }
    const id = this.everCount++
    const microseconds = this.microseconds
    const subscribed = new Subscription(id, owner, isOfSession, microseconds, this.send)
    this.live.set(id, subscribed)
    // The response first: events name the subscription that it announces.
    responder.reply(new Rows(subscription, { id }, form))
    this.userStreams.add(subscribed)
  }

  private refusalOf(account: AccountId): ErrorId | undefined {
    for (const subscription of this.live.values()) {
      if (subscription.account === account) return 'SUBSCRIPTION_ACTIVE'
    }
    const exhausted = this.everCount === EVER_MAX || this.live.size === LIVE_MAX
    return exhausted ? 'SUBSCRIPTION_IDS_EXHAUSTED' : undefined
  }

  /** Ends one subscription, or all when `id` is undefined. */
  unsubscribe(id: number | undefined, nowMs: Ms, responder: Responder): void {
    const ended = this.remove((it) => id === undefined || it.id === id)
    if (ended.length === 0) responder.error('SUBSCRIPTION_NOT_ACTIVE')
    else responder.reply(new Rows(empty, {}, form))
    this.announceEnd(ended, nowMs)
  }

  /** Ends the session's subscriptions. Calls `answer` before their last events are sent. */
  endOfSession(nowMs: Ms, answer: () => void): void {
    const ended = this.remove((it) => it.isOfSession)
    answer()
    this.announceEnd(ended, nowMs)
  }

  /** Ends the subscriptions of a revoked key. */
  endOfKey(apiKey: string, nowMs: Ms): void {
    this.announceEnd(
      this.remove((it) => it.apiKey === apiKey),
      nowMs,
    )
  }

  private remove(isEnding: (subscription: Subscription) => boolean): Subscription[] {
    const ending = [...this.live.values()].filter(isEnding)
    for (const subscription of ending) {
      this.userStreams.remove(subscription)
      this.live.delete(subscription.id)
    }
    return ending
  }

  private announceEnd(ended: readonly Subscription[], nowMs: Ms): void {
    const form = { microseconds: this.microseconds }
    const event = new Rows(eventStreamTerminated, { eventTimeMs: nowMs }, form)
    for (const subscription of ended) subscription.event(event)
  }

  /** Goes on with the subscriptions of another exchange. Those of keys that are not usable end. */
  resume(before: UserSubscriptions, isUsable: (apiKey: string) => boolean, nowMs: Ms): void {
    this.everCount = before.everCount
    for (const { id, account, apiKey, isOfSession } of before.live.values()) {
      const owner = { apiKey, account: { id: account } }
      const resumed = new Subscription(id, owner, isOfSession, this.microseconds, this.send)
      if (isUsable(apiKey)) {
        this.live.set(id, resumed)
        this.userStreams.add(resumed)
      } else this.announceEnd([resumed], nowMs)
    }
  }

  list(): AnyRows {
    return new Rows(subscription, [...this.live.values()], form)
  }

  /** One for each subscription. */
  get accounts(): readonly number[] {
    return [...this.live.values()].map(({ account }) => account)
  }

  get isActive(): boolean {
    return this.live.size > 0
  }

  /** Ends all subscriptions: the connection is gone. */
  clear(): void {
    this.remove(() => true)
  }
}
