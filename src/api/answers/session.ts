/** Answers and frames of one connection: its session and its subscriptions (supplement 2d, 2e.1, 2f). */
import type { Ms } from '../../base/units.ts'
import { Answer } from './answer.ts'
import { answer, derived, type Form, flag, id, integer, time, wireValue } from './element.ts'

const textOrNull = wireValue<string | null>({ type: ['string', 'null'] })
const integerOrNull = wireValue<number | null>({ type: ['integer', 'null'] })

/** A session that is not logged on has no key, and no time since when. */
export const sessionStatus = new Answer({
  apiKey: textOrNull('apiKey'),
  authorizedSince: derived(
    integerOrNull(''),
    ({ sinceMs }: { readonly sinceMs: Ms | null }, { microseconds }: Form) =>
      sinceMs !== null && microseconds ? sinceMs * 1000 : sinceMs,
  ),
  connectedSince: time('connectedMs'),
  returnRateLimits: flag('showsLimits'),
  serverTime: time('nowMs'),
  userDataStream: flag('isSubscribed'),
})

export const cancelOnDisconnect = new Answer({
  enabled: flag('enabled'),
  heartbeatMs: integerOrNull('heartbeatMs'),
})

/** A connection's part in the virtual clock. */
export const clockPart = new Answer({
  participant: flag('isTakingPart'),
  unacknowledged: integer('unacknowledged'),
  serverTime: time('nowMs'),
})

export const subscription = new Answer({ subscriptionId: integer('id') })

/** An event, within the frame of its subscription. */
export const subscriptionEvent = new Answer({
  subscriptionId: integer('id'),
  event: answer({ type: 'object' })('event'),
})

/** A stream's payload within combined framing. */
export const combinedFrame = new Answer({
  stream: id('name'),
  data: answer({ type: 'object' })('payload'),
})
