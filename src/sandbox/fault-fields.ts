/**
 * The table of rules of the sandbox: every effect with what it touches, needs and takes, and every field with how it is
 * read. Rules come from operators, from TOML files and from clients, all with the same fields (fault-rule.ts). They
 * live in memory only.
 */
import type { InputOf, InputRow } from '../base/cold-input.ts'
import type { AccountId } from '../base/units.ts'

type FieldRow = InputRow & { readonly about: string }

/** Which errors an order or a withdrawal can be refused with, though it would have passed: rows of api/errors.ts. */
export const REFUSALS = [
  ...['INSUFFICIENT_BALANCE', 'DUPLICATE_ORDER', 'MARKET_CLOSED', 'WOULD_MATCH_IMMEDIATELY'],
  ...['WOULD_TRIGGER_IMMEDIATELY', 'BOOK_FULL', 'ACCOUNT_DISABLED', 'UNKNOWN_ORDER'],
  ...['CANCEL_RESTRICTED', 'FILTER_FAILURE'],
  ...['NOT_OPEN_FOR_WITHDRAWAL', 'WITHDRAWAL_LIMITED', 'WITHDRAWAL_EXCEEDS_BALANCE'],
  ...['WITHDRAWALS_OF_DAY', 'NO_DEPOSIT_ADDRESS'],
] as const satisfies readonly string[]

export const DAY_SECONDS = 86_400
/** The longest delay. */
export const DELAY_MS_MAX = 60_000
const SKEW_MS_MAX = 365 * 1_000 * DAY_SECONDS

/** Every effect: what it does, to requests or frames, and the fields that it needs and takes. */
export const faultEffects = {
  answer: {
    about: 'Answers with a status, code and message, and executes nothing.',
    touches: 'requests',
    needs: ['status'],
    takes: ['code', 'message', 'retry'],
  },
  forbid: {
    about: 'Answers 403 with the page of a firewall, and executes nothing.',
    touches: 'requests',
    needs: [],
    takes: [],
  },
  limit: {
    about: 'Answers 429 as if too much weight was used, and executes nothing.',
    touches: 'requests',
    needs: [],
    takes: ['retry'],
  },
  ban: {
    about: 'Answers 418 with the text of a ban, and executes nothing.',
    touches: 'requests',
    needs: [],
    takes: ['retry'],
  },
  proxy: {
    about: 'Answers 502, 503 or 504 with the page of a proxy, and executes nothing.',
    touches: 'requests',
    needs: [],
    takes: ['status', 'retry'],
  },
  refuse: {
    about: 'Refuses for a reason of the engine, though the request would have passed.',
    touches: 'requests',
    needs: ['reason'],
    takes: ['filter'],
  },
  unknown: {
    about: 'Executes, and answers 504 with -1007, or another 5XX as JSON or a page.',
    touches: 'requests',
    needs: [],
    takes: ['status', 'code', 'message', 'body'],
  },
  cut: {
    about: 'Ends the connection before the answer: executed, or with way in not.',
    touches: 'requests',
    needs: [],
    takes: ['way'],
  },
  silence: {
    about: 'Never answers, and ends the connection after ms: executed, or with way in not.',
    touches: 'requests',
    needs: [],
    takes: ['way', 'ms'],
  },
  half: {
    about: 'Executes, and ends the connection in the middle of the answer.',
    touches: 'requests',
    needs: [],
    takes: [],
  },
  twice: {
    about: 'Executes, and answers twice over WebSocket; once over REST.',
    touches: 'requests',
    needs: [],
    takes: [],
  },
  delay: {
    about: 'Delays the way in, before the engine, or the way out.',
    touches: 'requests',
    needs: [],
    takes: ['way', 'ms', 'spread', 'most', 'sigma', 'histogram'],
  },
  fill: {
    about: 'Executes an order, and has the counterparty fill it in steps.',
    touches: 'requests',
    needs: ['quantity', 'moments'],
    takes: [],
  },
  halt: {
    about: "Shows the symbol's status as HALT, BREAK or CANCEL_ONLY, and refuses its orders.",
    touches: 'symbols',
    needs: ['symbol'],
    takes: ['state'],
  },
  skew: {
    about: "Checks signed requests by a server's clock that is ahead by ms, or behind.",
    touches: 'clock',
    needs: ['ms'],
    takes: [],
  },
  deaf: {
    about: 'Accepts the connection, reads nothing of it, and ends it after ms.',
    touches: 'connections',
    needs: [],
    takes: ['ms'],
  },
  reset: {
    about: 'Accepts the connection, and resets it.',
    touches: 'connections',
    needs: [],
    takes: [],
  },
  close: {
    about: 'Closes the WebSocket with a code; without one it ends as if the network broke.',
    touches: 'frames',
    needs: [],
    takes: ['code', 'message'],
  },
  lag: {
    about: 'Delays each frame, in their order.',
    touches: 'frames',
    needs: [],
    takes: ['ms', 'spread', 'most', 'sigma', 'histogram'],
  },
  stall: {
    about: 'Holds the frames back for ms, then sends them all, in their order.',
    touches: 'frames',
    needs: ['ms'],
    takes: [],
  },
  drop: {
    about: 'Drops the frame: diff depth then has a gap between u and U.',
    touches: 'frames',
    needs: [],
    takes: [],
  },
  duplicate: {
    about: 'Sends the frame twice.',
    touches: 'frames',
    needs: [],
    takes: [],
  },
  expire: {
    about: 'Has the listen key of the event expire; the event itself is sent first.',
    touches: 'frames',
    needs: [],
    takes: [],
  },
  tear: {
    about: 'Sends the first half of the frame, and ends the connection as if the network broke.',
    touches: 'frames',
    needs: [],
    takes: [],
  },
  shutdown: {
    about: 'Sends serverShutdown before the frame.',
    touches: 'frames',
    needs: [],
    takes: [],
  },
} as const satisfies Record<string, EffectRow>

export interface EffectRow {
  readonly about: string
  readonly touches: 'requests' | 'clock' | 'symbols' | 'connections' | 'frames'
  readonly needs: readonly string[]
  readonly takes: readonly string[]
}

export type FaultEffect = keyof typeof faultEffects
const effectNames = Object.keys(faultEffects) as FaultEffect[]

const spreads = ['fixed', 'uniform', 'lognormal', 'recorded'] as const

/** Every field of a rule. Patterns have * for any characters. */
export const faultFields = {
  name: { kind: 'text', about: 'Names the rule in lists, metrics and X-Ringbook-Fault.' },
  do: { kind: 'choice', about: 'What it does.', choices: effectNames },
  account: { kind: 'text', about: 'Name or id of the account that it touches.' },
  key: { kind: 'text', about: 'The API key that it touches.' },
  address: { kind: 'text', about: 'The addresses that it touches, as 10.0.0.0/8.' },
  operation: { kind: 'text', about: 'Pattern of operation ids, as placeOrder or *Order.' },
  over: {
    kind: 'choice',
    about: 'What it travels over: rest, streams or sessions of the WebSocket API.',
    choices: ['rest', 'streams', 'sessions'],
  },
  stream: { kind: 'text', about: 'Pattern of streams, as btcusdt@depth*; user for accounts.' },
  parameter: { kind: 'text', about: 'A parameter and its pattern, as newClientOrderId=lost-*.' },
  symbol: { kind: 'text', about: 'The symbol that it touches.' },
  every: { kind: 'integer', about: 'Touches every n-th match.', min: 1, max: 1e9 },
  after: { kind: 'integer', about: 'Lets so many matches pass first.', min: 0, max: 1e9 },
  chance: { kind: 'number', about: 'Touches a match with this probability.', min: 0, max: 1 },
  seed: { kind: 'integer', about: 'Of chance and spreads; 1.', min: 0, max: 2 ** 32 - 1 },
  times: { kind: 'integer', about: 'Ends after so many faults.', min: 1, max: 1e9 },
  seconds: {
    kind: 'integer',
    about: 'Ends after so many seconds.',
    min: 1,
    max: 365 * DAY_SECONDS,
  },
  from: { kind: 'text', about: "Begins at this moment of the exchange's clock: ISO 8601, or ms." },
  until: { kind: 'text', about: "Ends at this moment of the exchange's clock." },
  status: { kind: 'integer', about: 'HTTP status of the answer.', min: 400, max: 599 },
  code: {
    kind: 'integer',
    about: 'Error code; of a close, 1000 to 4999.',
    min: -9_599,
    max: 4_999,
  },
  message: { kind: 'text', about: 'Text of the error, or of the close.' },
  retry: { kind: 'integer', about: 'Retry-After, seconds.', min: 0, max: DAY_SECONDS },
  body: {
    kind: 'choice',
    about: 'json, or html for the page of a proxy; json.',
    choices: ['json', 'html'],
  },
  reason: { kind: 'choice', about: 'Why it refuses.', choices: REFUSALS },
  filter: { kind: 'text', about: 'The filter that FILTER_FAILURE names; PRICE_FILTER.' },
  ms: { kind: 'integer', about: 'Milliseconds.', min: -SKEW_MS_MAX, max: SKEW_MS_MAX },
  spread: {
    kind: 'choice',
    about: 'fixed, uniform up to most, lognormal, or recorded in a histogram.',
    choices: spreads,
  },
  most: { kind: 'integer', about: 'Longest delay, ms.', min: 0, max: DELAY_MS_MAX },
  sigma: {
    kind: 'number',
    about: 'Of a lognormal delay, whose median is ms; 0.5.',
    min: 0,
    max: 4,
  },
  histogram: {
    kind: 'text',
    about: 'Recorded delays as ms:count of each bucket, as 5:120 10:300 200:3.',
    chars: 2_000,
  },
  way: { kind: 'choice', about: 'in or out; out.', choices: ['in', 'out'] },
  quantity: { kind: 'text', about: 'How much is filled: 0.3 of the base asset, or 30%.' },
  moments: {
    kind: 'text',
    about: 'When each of equal steps is filled, ms after the answer, as 100,500,2000.',
  },
  state: {
    kind: 'choice',
    about: 'HALT, BREAK or CANCEL_ONLY; HALT.',
    choices: ['HALT', 'BREAK', 'CANCEL_ONLY'],
  },
} as const satisfies Record<string, FieldRow>

export type FaultField = keyof typeof faultFields

/** A rule as its fields say. A field that was not given is not there. */
export type FaultRule = {
  readonly [Field in Exclude<FaultField, 'name' | 'do' | 'account'>]?: InputOf<
    (typeof faultFields)[Field]
  >
} & {
  readonly name: string
  readonly do: FaultEffect
  /** The account that it touches; undefined for all. */
  readonly account?: AccountId
  /** The account that made it for itself; undefined for an operator's. */
  readonly owner?: AccountId
}

/** What the events of accounts are called among streams. */
export const USER_STREAM = 'user'

const shownFields = (Object.keys(faultFields) as FaultField[]).slice(2)

/** The rule's fields except its name and its effect, in the order of the table. */
export const ruleText = (rule: FaultRule): string =>
  shownFields
    .filter((field) => field in rule)
    .map((field) => `${field}=${rule[field]}`)
    .join(' ')
