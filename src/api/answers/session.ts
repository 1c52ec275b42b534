/** Answers and frames of one connection: its session and its subscriptions (web-socket-streams.md). */
import { Answer, type Reply } from './answer.ts'
import {
  answer,
  anyValue,
  derived,
  echo,
  flag,
  id,
  integer,
  optional,
  type RowOf,
  row,
  rows,
  text,
  textOrNull,
  time,
  timeOrNull,
  wireValue,
} from './element.ts'
import { rateLimitCount } from './limits.ts'

const integerOrNull = wireValue<number | null>({ type: ['integer', 'null'] })

const session = {
  apiKey: textOrNull('apiKey'),
  authorizedSince: timeOrNull('sinceMs'),
  connectedSince: time('connectedMs'),
  returnRateLimits: flag('showsLimits'),
  serverTime: time('nowMs'),
  userDataStream: flag('isSubscribed'),
} as const
/** A session that is not logged on has no key, and no time since when. */
export const sessionStatus = new Answer(session)
export const loggedOn = new Answer(session)
export const loggedOut = new Answer(session)

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
export const unsubscribed = new Answer({})

/** An event, within the frame of its subscription. */
export const subscriptionEvent = new Answer({
  subscriptionId: integer('id'),
  event: answer({ type: 'object' })('event'),
})

/** A drop copy: its subscription, and the names of the accounts whose reports it has. An extension. */
export const dropCopy = new Answer({
  subscriptionId: integer('id'),
  accounts: wireValue<readonly string[]>({ type: 'array', items: { type: 'string' } })('names'),
})

/** An event of a drop copy: which account it is of. An extension. */
export const dropCopyEvent = new Answer({
  subscriptionId: integer('id'),
  account: text('account'),
  event: answer({ type: 'object' })('event'),
})

/** A stream's payload within combined framing. */
export const combinedFrame = new Answer({
  stream: id('name'),
  data: answer({ type: 'object' })('payload'),
})

/** ns that a request spent in each stage (shared/histograms.ts). */
const stages = {
  parse: integer('parse'),
  ring: integer('ring'),
  match: integer('match'),
  journal: integer('journal'),
  publish: integer('publish'),
  answer: integer('answer'),
}
export type Stages = { readonly [Name in keyof typeof stages]: number }
export const stageNames = Object.keys(stages) as (keyof Stages)[]
export const totalOf = (of: Stages): number => stageNames.reduce((sum, name) => sum + of[name], 0)
const receipt = new Answer({ ...stages, total: derived(integer(''), totalOf) })

/** A response of the WebSocket API: the request's id, as it came, and its outcome. */
const response = {
  id: echo('id'),
  status: integer('status'),
  result: optional(answer<unknown, Reply>({})('result')),
  error: optional(answer<unknown, Reply>({ type: 'object' })('error')),
  receipt: optional(row('stages', receipt)),
  rateLimits: optional(rows('limits', rateLimitCount)),
}
export const responseFrame = new Answer(response)
export type ResponseRow = RowOf<typeof response>

/** An event that belongs to no subscription. */
export const eventFrame = new Answer({ event: answer({ type: 'object' })('event') })

/** What a method of streams is answered with: whether it was, a property, or names. */
export type StreamResult = null | boolean | readonly string[]
export const streamResponse = new Answer({
  result: anyValue<StreamResult>()('result'),
  id: echo('id'),
})
export const streamError = new Answer({
  code: integer('code'),
  msg: text('message'),
  id: optional(echo('id')),
})
