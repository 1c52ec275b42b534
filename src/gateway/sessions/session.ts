/**
 * The session of one connection to the WebSocket API: its logon, its subscriptions, whether its orders
 * end with it, and its methods, which REST does not have (user-data-stream.md). Canceling on disconnect
 * is an extension of the protocol.
 */
import { type AnyRows, Rows } from '../../api/answers/answer.ts'
import {
  cancelOnDisconnect as cancelOnDisconnectAnswer,
  clockPart,
  loggedOn,
  loggedOut,
  sessionStatus,
} from '../../api/answers/session.ts'
import { may, must } from '../../api/operations/operation.ts'
import { Param, RareParam } from '../../api/parameters.ts'
import { Ms } from '../../base/units.ts'
import type { CheckedRequest, Row } from '../../pipeline/request.ts'
import type { Logon } from '../authentication/authenticator.ts'
import type { ApiKey } from '../authentication/key-ring.ts'
import { millisecondsOf } from '../authentication/time-window.ts'
import type { BoundSession, SessionOrders } from '../engine-link/session-orders.ts'
import type { RateLimits } from '../limits/rate-limits.ts'
import type { ClockSession } from './clock-session.ts'
import { type SubscriptionParts, UserSubscriptions } from './user-subscriptions.ts'

const WEIGHT = 2

/** The key of a logon. Each request checks whether it is still valid. */
interface KeyLogon extends Logon {
  readonly key: ApiKey
}

export interface SessionParts extends SubscriptionParts {
  readonly sessionOrders: SessionOrders
  readonly connectedMs: Ms
  readonly showsLimits: boolean
  readonly rateLimits: Pick<RateLimits, 'takeSession' | 'giveSession'>
  /** The silence that ends the connection; undefined for none. */
  readonly expectFrames: (periodMs: number | undefined) => void
  /** Undefined where time is the machine's. */
  readonly clock: ClockSession | undefined
}

export class Session {
  readonly subscriptions: UserSubscriptions
  private connectedMs: Ms
  readonly microseconds: boolean
  readonly showsLimits: boolean
  private readonly parts: SessionParts
  private _logon: KeyLogon | undefined = undefined
  private isRevoked = false
  /** Set once the client asked that orders end with the connection. */
  private _bound: BoundSession | undefined = undefined
  private bindsOrders = false

  constructor(parts: SessionParts) {
    this.parts = parts
    this.subscriptions = new UserSubscriptions(parts)
    this.connectedMs = parts.connectedMs
    this.microseconds = parts.microseconds
    this.showsLimits = parts.showsLimits
  }

  get key(): ApiKey | undefined {
    return this._logon?.key
  }

  get logon(): Logon | undefined {
    return this._logon
  }

  /** `sinceMs` is the timestamp of the request. Returns false when the account has too many connections. */
  logOn(key: ApiKey, sinceMs: Ms): boolean {
    const before = this._logon?.key.account
    if (before?.id !== key.account.id) {
      if (!this.parts.rateLimits.takeSession(key.account)) return false
      this.giveSession()
    }
    this._logon = { key, sinceMs }
    this.isRevoked = false
    return true
  }

  private giveSession(): void {
    if (this._logon !== undefined) this.parts.rateLimits.giveSession(this._logon.key.account)
    this._logon = undefined
  }

  /** The connection has ended. */
  left(): void {
    this.giveSession()
    this.subscriptions.clear()
    this.endOrders()
  }

  /** Ends the logon and its subscriptions. Calls `answer` before their last events are sent. */
  logOut(nowMs: Ms, answer: () => void): void {
    this.giveSession()
    this.subscriptions.endOfSession(nowMs, answer)
  }

  /**
   * Called when the operator revoked the key. Its subscriptions end now; a logon with it is over, which
   * the response to the next request shows (web-socket-api.md).
   */
  revoke(apiKey: string, nowMs: Ms): void {
    if (this.key?.apiKey === apiKey) this.isRevoked = true
    this.subscriptions.endOfKey(apiKey, nowMs)
  }

  /** Whether the connection has orders of the key that end with it. */
  bindsOrdersOf(apiKey: string): boolean {
    return this._bound?.apiKeys.has(apiKey) === true
  }

  /** The session that ends orders placed now; undefined for none. */
  get bound(): BoundSession | undefined {
    return this.bindsOrders ? this._bound : undefined
  }

  /**
   * Sets whether orders placed from now on end with it; earlier orders keep their setting. Returns false
   * when too many sessions have asked for it.
   */
  bindOrders(enabled: boolean, heartbeatMs: number | undefined): boolean {
    if (enabled) this._bound ??= this.parts.sessionOrders.begin()
    if (enabled && this._bound === undefined) return false
    this.bindsOrders = enabled
    this.parts.expectFrames(heartbeatMs)
    return true
  }

  /** Goes on with what a session of another exchange had, as far as its keys are usable here. Its own time may be earlier. */
  resume(
    before: Session,
    isUsable: (apiKey: string) => boolean,
    nowMs: Ms,
    heartbeatMs: number | undefined,
  ): void {
    const { _logon: logon, bindsOrders, subscriptions } = before
    this.connectedMs = Ms(Math.min(before.connectedMs, nowMs))
    const isCounted = logon !== undefined && this.parts.rateLimits.takeSession(logon.key.account)
    const sinceMs = Ms(Math.min(logon?.sinceMs ?? 0, nowMs))
    this._logon = isCounted ? { key: logon.key, sinceMs } : undefined
    this.isRevoked = logon !== undefined && !isUsable(logon.key.apiKey)
    if (bindsOrders) this.bindOrders(true, heartbeatMs)
    this.subscriptions.resume(subscriptions, isUsable, nowMs)
  }

  /** Cancels the orders that end with it; it places no more. May be called again. */
  endOrders(): void {
    this.bindsOrders = false
    if (this._bound !== undefined) this.parts.sessionOrders.end(this._bound)
    this._bound = undefined
  }

  /** Its part in the virtual clock; undefined where time is the machine's. */
  get clock(): ClockSession | undefined {
    return this.parts.clock
  }

  status(nowMs: Ms, answer = sessionStatus): AnyRows {
    const { connectedMs, microseconds, showsLimits, subscriptions } = this
    const logon = this.isRevoked ? undefined : this._logon
    const row = {
      apiKey: logon?.key.apiKey ?? null,
      sinceMs: logon?.sinceMs ?? null,
      connectedMs,
      showsLimits,
      nowMs,
      isSubscribed: subscriptions.isActive,
    }
    return new Rows(answer, row, { microseconds })
  }
}

export interface SessionMethod extends Row {
  /** For the documents. */
  readonly meaning: string
  /** Whether it uses the key of the logon, even when the request names another. */
  readonly isOfSession?: boolean
  answer(session: Session, request: CheckedRequest): void
}

const open = { security: 'NONE', signed: false, weight: WEIGHT, params: [] } as const

export const sessionMethods: ReadonlyMap<string, SessionMethod> = new Map<string, SessionMethod>([
  [
    'session.logon',
    {
      ...open,
      meaning: 'Requests that name no key are those of this one (Ed25519), and need no signature.',
      // Every valid key may log on: each later request checks its rights.
      security: 'MARKET_DATA',
      signed: true,
      answer: logOn,
    },
  ],
  [
    'session.status',
    {
      ...open,
      meaning: 'Whose session it is, and since when.',
      answer: (session, request) => request.reply(session.status(request.nowMs)),
    },
  ],
  [
    'session.logout',
    {
      ...open,
      meaning: 'Ends the logon, and the user streams that were subscribed to as the session.',
      answer: (session, request) =>
        session.logOut(request.nowMs, () =>
          request.reply(session.status(request.nowMs, loggedOut)),
        ),
    },
  ],
  [
    'session.subscriptions',
    {
      ...open,
      meaning: 'The user streams that are subscribed to.',
      answer: (session, request) => request.reply(session.subscriptions.list()),
    },
  ],
  [
    'session.cancelOnDisconnect',
    {
      ...open,
      meaning:
        'An extension of the protocol. Orders that the connection places while it is enabled, ' +
        'under any key, are canceled when the connection ends, however it ends. An order ' +
        'keeps what held when it was placed. The connection ends when a key is revoked that ' +
        'placed such orders.',
      params: [...must('enabled'), ...may('heartbeatMs')],
      answer: cancelOnDisconnect,
    },
  ],
  [
    'userDataStream.subscribe',
    {
      ...open,
      meaning: "Events of the session's account.",
      security: 'USER_STREAM',
      isOfSession: true,
      answer: (session, request) => session.subscriptions.subscribe(request.key!, true, request),
    },
  ],
  [
    'userDataStream.subscribe.signature',
    {
      ...open,
      meaning: 'Events of the account that signs.',
      security: 'USER_STREAM',
      signed: true,
      answer: (session, request) => session.subscriptions.subscribe(request.key!, false, request),
    },
  ],
  [
    'dropCopy.subscribe',
    {
      ...open,
      meaning:
        'An extension of the protocol. Reports of orders and lists of the account, and of all that an operator ' +
        'granted to the key, in one stream: each event names its account. One for a connection.',
      security: 'USER_DATA',
      signed: true,
      answer: (session, request) => {
        const isOfSession = request.params.text(Param.signature) === undefined
        session.subscriptions.copy(request.key!, isOfSession, request)
      },
    },
  ],
  [
    'userDataStream.unsubscribe',
    {
      ...open,
      meaning: 'Ends one subscription, or all.',
      params: may('subscriptionId'),
      answer: (session, request) => {
        const id = request.params.number(Param.subscriptionId)
        session.subscriptions.unsubscribe(id, request.nowMs, request)
      },
    },
  ],
  [
    'clock.join',
    {
      ...open,
      meaning:
        'An extension of the protocol, for a sandbox with a virtual clock. From now on time stands still at ' +
        'each event that the connection is sent, until it acknowledges it or places an order.',
      security: 'USER_DATA',
      signed: true,
      params: may('orders'),
      answer: joinClock,
    },
  ],
  [
    'clock.acknowledge',
    {
      ...open,
      meaning:
        'Acknowledges the oldest event, or several, for which the virtual clock stands still.',
      weight: 0,
      params: may('events'),
      answer: (session, request) =>
        partOf(session, request, (clock) =>
          clock.acknowledge(request.params.number(RareParam.events) ?? 1),
        ),
    },
  ],
  [
    'clock.leave',
    {
      ...open,
      meaning: 'The virtual clock waits for the connection no more.',
      answer: (session, request) => partOf(session, request, (clock) => clock.leave()),
    },
  ],
])

function joinClock(session: Session, request: CheckedRequest): void {
  const ordersCount = request.params.number(RareParam.orders) !== 0
  if (session.clock?.join(request.account!.id, ordersCount) === false) request.error('SERVER_BUSY')
  else partOf(session, request, () => {})
}

/** Changes the session's part in the clock, and returns what it is then. */
function partOf(
  session: Session,
  request: CheckedRequest,
  change: (clock: ClockSession) => void,
): void {
  const { clock } = session
  if (clock === undefined) {
    request.error('UNSUPPORTED_OPERATION')
    return
  }
  change(clock)
  const { isTakingPart, unacknowledged } = clock
  const row = { isTakingPart, unacknowledged, nowMs: request.nowMs }
  request.reply(new Rows(clockPart, row, request))
}

function logOn(session: Session, request: CheckedRequest): void {
  const { key, params, nowMs } = request
  if (key!.verifier.kind !== 'ED25519') {
    request.error('LOGON_KEY_TYPE')
    return
  }
  const sinceMs = Ms(millisecondsOf(params.numbers[Param.timestamp]!))
  if (session.logOn(key!, sinceMs)) request.reply(session.status(nowMs, loggedOn))
  else request.error('TOO_MANY_CONNECTIONS', [key!.account.limits!.sessions!])
}

function cancelOnDisconnect(session: Session, request: CheckedRequest): void {
  const { params } = request
  const enabled = params.numbers[RareParam.enabled] === 1
  const heartbeatMs = params.number(RareParam.heartbeatMs)
  if (!enabled && heartbeatMs !== undefined) request.error('BAD_COMBINATION')
  else if (!session.bindOrders(enabled, heartbeatMs)) request.error('SERVER_BUSY')
  else {
    const row = { enabled, heartbeatMs: heartbeatMs ?? null }
    request.reply(new Rows(cancelOnDisconnectAnswer, row, request))
  }
}
