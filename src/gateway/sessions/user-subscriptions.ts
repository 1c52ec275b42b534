/** The user streams that one connection to the WebSocket API subscribes to (user-data-stream.md). */
import { type AnyRows, Rows } from '../../api/answers/answer.ts'
import {
  dropCopy,
  dropCopyEvent,
  subscription,
  subscriptionEvent,
  unsubscribed,
} from '../../api/answers/session.ts'
import {
  eventStreamTerminated,
  executionReport,
  listStatus,
} from '../../api/answers/user-events.ts'
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

/** What keys may read beside their own account. */
export interface Grants {
  grantsOf(apiKey: string): readonly AccountId[]
  nameOf(account: AccountId): string
}

/** The key of a subscription. */
export interface SubscriptionOwner extends Pick<ApiKey, 'apiKey'> {
  readonly account: Pick<ApiKey['account'], 'id'>
}

/** One account's part of a drop copy: reports of its orders, but not its balances. */
class CopiedAccount implements UserListener {
  readonly account: AccountId
  readonly microseconds: boolean
  private readonly id: number
  private readonly grants: Grants
  private readonly send: SendEvent

  constructor(account: AccountId, { id, microseconds, send }: Subscription, grants: Grants) {
    this.account = account
    this.id = id
    this.microseconds = microseconds
    this.send = send
    this.grants = grants
  }

  event(event: AnyRows): void {
    if (event.answer !== executionReport && event.answer !== listStatus) return
    const account = this.grants.nameOf(this.account)
    this.send(new Rows(dropCopyEvent, { id: this.id, account, event }, event.form), this.account)
  }
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
  readonly send: SendEvent
  /** What listens for it: itself, or of a drop copy each account's part. */
  readonly listeners: readonly UserListener[]

  constructor(
    id: number,
    owner: SubscriptionOwner,
    isOfSession: boolean,
    microseconds: boolean,
    send: SendEvent,
    copied?: Grants,
  ) {
    this.id = id
    this.account = owner.account.id
    this.apiKey = owner.apiKey
    this.isOfSession = isOfSession
    this.microseconds = microseconds
    this.send = send
    this.listeners =
      copied === undefined
        ? [this]
        : [this.account, ...copied.grantsOf(this.apiKey)].map(
            (account) => new CopiedAccount(account, this, copied),
          )
  }

  get isCopy(): boolean {
    return this.listeners[0] !== this
  }

  /** Whether it listens to the accounts that the other listened to. */
  reads({ listeners }: Subscription): boolean {
    const accounts = new Set(listeners.map(({ account }) => account))
    return (
      accounts.size === this.listeners.length &&
      this.listeners.every(({ account }) => accounts.has(account))
    )
  }

  event(event: AnyRows): void {
    this.send(new Rows(subscriptionEvent, { id: this.id, event }, event.form), this.account)
  }
}

export interface SubscriptionParts {
  readonly userStreams: UserStreams
  readonly microseconds: boolean
  readonly send: SendEvent
  readonly grants: Grants
}

/** The user streams of one connection, at most one per account, and at most one drop copy. */
export class UserSubscriptions {
  private readonly parts: SubscriptionParts
  private readonly live = new Map<number, Subscription>()
  private everCount = 0

  constructor(parts: SubscriptionParts) {
    this.parts = parts
  }

  subscribe(owner: SubscriptionOwner, isOfSession: boolean, responder: Responder): void {
    const isActive = this.subscribed.some(
      ({ account, isCopy }) => !isCopy && account === owner.account.id,
    )
    const refusal = this.refusalOf(isActive)
    if (refusal !== undefined) {
      responder.error(refusal)
      return
    }
    const { microseconds, send } = this.parts
    const subscribed = new Subscription(this.everCount++, owner, isOfSession, microseconds, send)
    // The response first: events name the subscription that it announces.
    responder.reply(new Rows(subscription, { id: subscribed.id }, form))
    this.begin(subscribed)
  }

  /** Subscribes to reports of all accounts that the key may read. */
  copy(owner: SubscriptionOwner, isOfSession: boolean, responder: Responder): void {
    const refusal = this.refusalOf(this.subscribed.some(({ isCopy }) => isCopy))
    if (refusal !== undefined) {
      responder.error(refusal)
      return
    }
    const { microseconds, send, grants } = this.parts
    const id = this.everCount++
    const copied = new Subscription(id, owner, isOfSession, microseconds, send, grants)
    const names = copied.listeners.map(({ account }) => grants.nameOf(account))
    responder.reply(new Rows(dropCopy, { id, names }, form))
    this.begin(copied)
  }

  private get subscribed(): readonly Subscription[] {
    return [...this.live.values()]
  }

  private begin(subscribed: Subscription): void {
    this.live.set(subscribed.id, subscribed)
    for (const listener of subscribed.listeners) this.parts.userStreams.add(listener)
  }

  private refusalOf(isActive: boolean): ErrorId | undefined {
    if (isActive) return 'SUBSCRIPTION_ACTIVE'
    const exhausted = this.everCount === EVER_MAX || this.live.size === LIVE_MAX
    return exhausted ? 'SUBSCRIPTION_IDS_EXHAUSTED' : undefined
  }

  /** Ends one subscription, or all when `id` is undefined. */
  unsubscribe(id: number | undefined, nowMs: Ms, responder: Responder): void {
    const ended = this.remove((it) => id === undefined || it.id === id)
    if (ended.length === 0) responder.error('SUBSCRIPTION_NOT_ACTIVE')
    else responder.reply(new Rows(unsubscribed, {}, form))
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

  /** Ends the drop copy of a key whose grants may be others now. */
  endDropCopies(apiKey: string, nowMs: Ms): void {
    this.announceEnd(
      this.remove((it) => it.isCopy && it.apiKey === apiKey),
      nowMs,
    )
  }

  private remove(isEnding: (subscription: Subscription) => boolean): Subscription[] {
    const ending = this.subscribed.filter(isEnding)
    for (const subscription of ending) {
      for (const listener of subscription.listeners) this.parts.userStreams.remove(listener)
      this.live.delete(subscription.id)
    }
    return ending
  }

  private announceEnd(ended: readonly Subscription[], nowMs: Ms): void {
    const form = { microseconds: this.parts.microseconds }
    const event = new Rows(eventStreamTerminated, { eventTimeMs: nowMs }, form)
    for (const subscription of ended) subscription.event(event)
  }

  /** Goes on with the subscriptions of another exchange. Those of keys that are not usable, or that read other accounts, end. */
  resume(before: UserSubscriptions, isUsable: (apiKey: string) => boolean, nowMs: Ms): void {
    this.everCount = before.everCount
    const { microseconds, send, grants } = this.parts
    for (const earlier of before.live.values()) {
      const { id, account, apiKey, isOfSession, isCopy } = earlier
      const owner = { apiKey, account: { id: account } }
      const copied = isCopy ? grants : undefined
      const resumed = new Subscription(id, owner, isOfSession, microseconds, send, copied)
      if (isUsable(apiKey) && resumed.reads(earlier)) this.begin(resumed)
      else this.announceEnd([resumed], nowMs)
    }
  }

  list(): AnyRows {
    return new Rows(subscription, this.subscribed, form)
  }

  /** One for each subscription. */
  get accounts(): readonly number[] {
    return this.subscribed.map(({ account }) => account)
  }

  get isActive(): boolean {
    return this.live.size > 0
  }

  /** Ends all subscriptions: the connection is gone. */
  clear(): void {
    this.remove(() => true)
  }
}
