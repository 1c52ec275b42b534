/**
 * The session of one connection to the WebSocket API: who it is logged on as, what it listens to, and
 * the methods that concern it and so have no REST twin (supplement 2e.1, 2f).
 */
import type { Responder } from '#api/context.ts'
import { may, type Operation } from '#api/operations/operation.ts'
import { Param } from '#api/parameters.ts'
import type { Admission, GuardedRow } from './door.ts'
import type { ApiKey } from './key-ring.ts'
import type { UserStreams } from './user-streams.ts'
import { UserSubscriptions } from './user-subscriptions.ts'

const WEIGHT = 2

/** A key that was logged on with. Whether it is still good is asked anew by each request. */
interface Logon {
  readonly key: ApiKey
  readonly sinceMs: number
}

export class Session {
  readonly subscriptions: UserSubscriptions
  readonly connectedMs: number
  readonly microseconds: boolean
  readonly showsLimits: boolean
  #logon: Logon | undefined

  constructor(
    userStreams: UserStreams,
    connectedMs: number,
    microseconds: boolean,
    showsLimits: boolean,
    send: (text: string) => void,
  ) {
    this.subscriptions = new UserSubscriptions(userStreams, microseconds, send)
    this.connectedMs = connectedMs
    this.microseconds = microseconds
    this.showsLimits = showsLimits
  }

  /** The key that it is logged on with. */
  get key(): ApiKey | undefined {
    return this.#logon?.key
  }

  logOn(key: ApiKey, nowMs: number): void {
    this.#logon = { key, sinceMs: nowMs }
  }

  /** Ends what only the logon allowed; `answer` is given before the subscriptions hear of it. */
  logOut(nowMs: number, answer: () => void): void {
    this.#logon = undefined
    this.subscriptions.endOfSession(nowMs, answer)
  }

  status(nowMs: number): string {
    const time = (timeMs: number) => (this.microseconds ? timeMs * 1000 : timeMs)
    return JSON.stringify({
      apiKey: this.#logon?.key.apiKey ?? null,
      authorizedSince: this.#logon === undefined ? null : time(this.#logon.sinceMs),
      connectedSince: time(this.connectedMs),
      returnRateLimits: this.showsLimits,
      serverTime: time(nowMs),
      userDataStream: this.subscriptions.isActive,
    })
  }
}

/** A request for one of these methods, let in by the door. */
interface SessionRequest extends Admission {
  readonly session: Session
  readonly nowMs: number
}

export interface SessionMethod extends GuardedRow, Pick<Operation, 'weight'> {
  /** Whether it takes the key of the logon, whatever key the request names. */
  readonly isOfSession?: boolean
  answer(request: SessionRequest, responder: Responder): void
}

const open = { security: 'NONE', signed: false, weight: WEIGHT, params: [] } as const

export const sessionMethods: ReadonlyMap<string, SessionMethod> = new Map<string, SessionMethod>([
  // Any key that is valid may log on: what it may do then is asked of each request.
  ['session.logon', { ...open, security: 'MARKET_DATA', signed: true, answer: logOn }],
  [
    'session.status',
    { ...open, answer: ({ session, nowMs }, to) => to.reply(session.status(nowMs)) },
  ],
  [
    'session.logout',
    {
      ...open,
      answer: ({ session, nowMs }, to) =>
        session.logOut(nowMs, () => to.reply(session.status(nowMs))),
    },
  ],
  [
    'session.subscriptions',
    { ...open, answer: ({ session }, to) => to.reply(session.subscriptions.list()) },
  ],
  [
    'userDataStream.subscribe',
    {
      ...open,
      security: 'USER_STREAM',
      isOfSession: true,
      answer: ({ session, key }, to) => session.subscriptions.subscribe(key!.account.id, true, to),
    },
  ],
  [
    'userDataStream.subscribe.signature',
    {
      ...open,
      security: 'USER_STREAM',
      signed: true,
      answer: ({ session, key }, to) => session.subscriptions.subscribe(key!.account.id, false, to),
    },
  ],
  [
    'userDataStream.unsubscribe',
    {
      ...open,
      params: may('subscriptionId'),
      answer: ({ session, params, nowMs }, to) =>
        session.subscriptions.unsubscribe(params.number(Param.subscriptionId), nowMs, to),
    },
  ],
])

function logOn({ session, key, nowMs }: SessionRequest, to: Responder): void {
  if (key!.verifier.kind !== 'ED25519') {
    to.error('LOGON_KEY_TYPE')
    return
  }
  session.logOn(key!, nowMs)
  to.reply(session.status(nowMs))
}
