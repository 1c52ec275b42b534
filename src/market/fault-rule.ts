/**
 * A rule of the sandbox: which requests or frames it touches, when, and what it does to them. Rules come
 * from operators, from TOML files and from clients, all with the same fields. They live in memory only.
 */
import { parseAddressRanges } from '../base/address-range.ts'
import {
  checkNames,
  type InputOf,
  type InputRow,
  isName,
  NAME_FORM,
  oneOf,
  readInput,
} from '../base/cold-input.ts'
import { sharesOf } from '../base/shares.ts'
import type { AccountId } from '../base/units.ts'

/** Rules at a time: an account may take any free place while 16 remain for operators, and 8 for accounts that have none. */
export const FAULT_SHARES = sharesOf(64)

type FieldRow = InputRow & { readonly about: string }

/** Which errors an order can be refused with, though it would have passed: rows of api/errors.ts. */
export const REFUSALS = [
  ...['INSUFFICIENT_BALANCE', 'DUPLICATE_ORDER', 'MARKET_CLOSED', 'WOULD_MATCH_IMMEDIATELY'],
  ...['WOULD_TRIGGER_IMMEDIATELY', 'BOOK_FULL', 'ACCOUNT_DISABLED', 'UNKNOWN_ORDER'],
  ...['CANCEL_RESTRICTED', 'FILTER_FAILURE'],
] as const satisfies readonly string[]

const DAY_SECONDS = 86_400
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
    about: "Shows the symbol's status as HALT, or BREAK, and refuses its orders.",
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

interface EffectRow {
  readonly about: string
  readonly touches: 'requests' | 'clock' | 'symbols' | 'connections' | 'frames'
  readonly needs: readonly string[]
  readonly takes: readonly string[]
}

export type FaultEffect = keyof typeof faultEffects
const effectNames = Object.keys(faultEffects) as FaultEffect[]

export const spreads = ['fixed', 'uniform', 'lognormal', 'recorded'] as const
export type Spread = (typeof spreads)[number]

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
  state: { kind: 'choice', about: 'HALT or BREAK; HALT.', choices: ['HALT', 'BREAK'] },
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

/** A rule in force, as all gateways have it. */
export interface PostedFault {
  readonly rule: FaultRule
  /** When it begins, in monotonic ms; left out for at once. */
  readonly fromMs?: number
  /** When it ends, likewise; Infinity for never. */
  readonly untilMs: number
  /** FAULT_CELLS_BYTES, of many writers: every gateway counts atomically; market/fault-trigger.ts. */
  readonly cells: SharedArrayBuffer
}

/** A client asks its gateway to change or show the rules of its own account. */
export type FaultRequest = { readonly account: AccountId } & (
  | { readonly ask: 'add'; readonly given: Readonly<Record<string, unknown>> }
  | { readonly ask: 'remove'; readonly name: string | undefined }
  | { readonly ask: 'list' }
)

/** One rule as lists show it. */
export interface FaultRow {
  readonly name: string
  readonly do: string
  /** Its other fields, as `operation=placeOrder every=3`. */
  readonly rule: string
  /** Requests or frames that it is for. */
  readonly matches: number
  /** Those that it touched. */
  readonly touched: number
  readonly isOver: boolean
  /** The account that made it for itself; undefined for an operator's. */
  readonly owner: AccountId | undefined
}

/** The rules that the account now has, or why nothing has changed: one sentence. */
export type FaultAnswer = { readonly rows: readonly FaultRow[] } | { readonly refused: string }

/** What is wrong with a rule, in one sentence. */
export class FaultRuleError extends Error {
  override readonly name = 'FaultRuleError'
}

/**
 * Reads the fields of a rule, as text or as JSON values. `accountOf` finds an account by name or id.
 * Throws FaultRuleError.
 */
export function readFaultRule(
  given: Readonly<Record<string, unknown>>,
  accountOf: (text: string) => AccountId | undefined,
): FaultRule {
  const named = Object.entries(given).filter(([, value]) => value !== undefined)
  checkNames(
    named.map(([field]) => field),
    Object.keys(faultFields),
    (field, hint) => {
      throw new FaultRuleError(`A fault has no field ${field}.${hint}`)
    },
  )
  const fields: Record<string, string | number> = {}
  for (const [field, value] of named) {
    const row: InputRow = faultFields[field as FaultField]
    fields[field] = readInput(row, value, (must) => refuse(field, must))
  }
  if (!isName(String(fields.name ?? '')) || fields.name === 'all') {
    refuse('name', `${NAME_FORM}, and not all`)
  }
  if (fields.do === undefined) throw new FaultRuleError(`do must be ${oneOf(effectNames)}.`)
  if (fields.account !== undefined) {
    const account = accountOf(String(fields.account))
    if (account === undefined) throw new FaultRuleError(`There is no account ${fields.account}.`)
    fields.account = account
  }
  const rule = fields as unknown as FaultRule
  checkFields(rule)
  checkPlace(rule)
  return rule
}

function refuse(field: string, what: string): never {
  throw new FaultRuleError(`${field} must be ${what}.`)
}

/** Fields that say where and when, and so go with every effect. */
const EVERYWHERE: readonly string[] = [
  ...['name', 'do', 'account', 'address', 'symbol'],
  ...['every', 'after', 'chance', 'seed', 'times', 'seconds', 'from', 'until'],
]
/** What only requests have, and only frames. */
const PLACES: Readonly<Record<EffectRow['touches'], readonly string[]>> = {
  requests: ['key', 'operation', 'parameter', 'over'],
  clock: ['key', 'operation', 'parameter', 'over'],
  symbols: ['key'],
  connections: [],
  frames: ['stream', 'over'],
}

/** Effects that handshakes of WebSockets, and methods of streams, can have. */
const OF_HANDSHAKES: readonly FaultEffect[] = [
  ...(['answer', 'forbid', 'limit', 'ban', 'proxy', 'cut', 'silence'] as const),
]
const NO_HANDSHAKE: readonly FaultField[] = ['account', 'key', 'operation', 'parameter', 'symbol']

/** Whether the rule is for handshakes of WebSockets, and methods of streams: it names nothing that only operations have. */
export const takesHandshakes = (rule: FaultRule): boolean =>
  OF_HANDSHAKES.includes(rule.do) && NO_HANDSHAKE.every((field) => !(field in rule))

function checkFields(rule: FaultRule): void {
  const { needs, takes, touches }: EffectRow = faultEffects[rule.do]
  for (const field of needs) {
    if (!(field in rule)) throw new FaultRuleError(`${rule.do} needs the field ${field}.`)
  }
  // Who connects, and what for, is not known before anything was read.
  const isUnread = (field: string) =>
    touches === 'connections' && ['account', 'symbol'].includes(field)
  const everywhere = EVERYWHERE.filter((field) => !isUnread(field))
  const known = [...everywhere, ...PLACES[touches], ...needs, ...takes]
  for (const field of Object.keys(rule)) {
    if (!known.includes(field)) throw new FaultRuleError(`${rule.do} takes no field ${field}.`)
  }
  const { ms = 0, status } = rule
  if (rule.do === 'proxy' && status !== undefined && (status < 502 || status > 504)) {
    refuse('status', '502, 503 or 504')
  }
  if (rule.do === 'unknown') checkUnknown(rule)
  if (rule.do !== 'skew' && (ms < 0 || ms > DELAY_MS_MAX)) {
    refuse('ms', `a whole number from 0 to ${DELAY_MS_MAX}`)
  }
  if (rule.do === 'delay' || rule.do === 'lag') checkDelay(rule)
  if (rule.do === 'fill') checkFill(rule)
  checkCode(rule)
  checkMoments(rule)
  checkOver(rule)
}

function checkOver(rule: FaultRule): void {
  const { over, do: effect } = rule
  if (over === 'rest' && faultEffects[effect].touches === 'frames') {
    refuse('over', 'streams or sessions')
  }
  if (over === 'streams' && faultEffects[effect].touches !== 'frames' && !takesHandshakes(rule)) {
    const others = NO_HANDSHAKE.join(', ')
    throw new FaultRuleError(
      `Requests over streams are handshakes, SUBSCRIBE and its like: for ${OF_HANDSHAKES.join(', ')}, without ${others}.`,
    )
  }
}

function checkUnknown({ status, body, code, message }: FaultRule): void {
  if (status !== undefined && status < 500) refuse('status', 'a whole number from 500 to 599')
  if (body === 'html' && (code !== undefined || message !== undefined)) {
    throw new FaultRuleError('A page takes no fields code and message.')
  }
}

/** Steps of one fill. */
export const FILL_STEPS_MAX = 16
const FILL_MS_MAX = DAY_SECONDS * 1_000
const QUANTITY = /^[0-9]{1,20}(\.[0-9]{1,8})?$|^[0-9]{1,3}(\.[0-9]{1,6})?%$/

function checkFill({ quantity = '', moments = '' }: FaultRule): void {
  if (!QUANTITY.test(quantity) || !/[1-9]/.test(quantity)) {
    refuse('quantity', 'a decimal, as 0.3, or a share of the order, as 30%')
  }
  const times = fillMoments(moments)
  const areRising = times.every((ms, at) => ms <= FILL_MS_MAX && ms >= (times[at - 1] ?? 0))
  if (times.length > FILL_STEPS_MAX || !areRising) {
    refuse('moments', `at most ${FILL_STEPS_MAX} rising times in ms, as 100,500,2000`)
  }
}

/** Reads `100,500,2000`; a word that is no time is NaN. */
export const fillMoments = (text: string): readonly number[] =>
  text.split(',').map((word) => (/^ *[0-9]{1,8} *$/.test(word) ? Number(word) : Number.NaN))

function checkDelay({ do: effect, ms, most, spread, histogram }: FaultRule): void {
  if ((spread === 'recorded') !== (histogram !== undefined)) {
    throw new FaultRuleError('spread recorded and the field histogram need each other.')
  }
  if (histogram !== undefined) {
    if (ms !== undefined) throw new FaultRuleError('A recorded delay takes no field ms.')
    if (readHistogram(histogram) === undefined) {
      refuse('histogram', 'ms:count of each bucket, in the order of ms, as 5:120 10:300 200:3')
    }
    return
  }
  if (ms === undefined) throw new FaultRuleError(`${effect} needs the field ms.`)
  if (spread === 'uniform' && (most === undefined || most < ms)) refuse('most', 'at least ms')
}

/** One bucket of recorded delays: `count` of them took more than the bucket before, up to `ms`. */
export interface DelayBucket {
  readonly ms: number
  readonly count: number
}

/** Reads `5:120 10:300 200:3`. Returns undefined for another text, and where nothing was counted. */
export function readHistogram(text: string): readonly DelayBucket[] | undefined {
  const buckets: DelayBucket[] = []
  for (const word of text.trim().split(/[\s,]+/)) {
    const [, ms, count] = BUCKET.exec(word) ?? []
    if (ms === undefined || Number(ms) > DELAY_MS_MAX) return undefined
    if (Number(ms) <= (buckets.at(-1)?.ms ?? -1)) return undefined
    buckets.push({ ms: Number(ms), count: Number(count) })
  }
  return buckets.some(({ count }) => count > 0) ? buckets : undefined
}
const BUCKET = /^([0-9]{1,5}):([0-9]{1,12})$/

function checkMoments({ from, until }: FaultRule): void {
  for (const [field, text] of Object.entries({ from, until })) {
    if (text !== undefined) readInput({ kind: 'moment' }, text, (must) => refuse(field, must))
  }
}

/** A message of a close fits into its frame (RFC 6455, 5.5), in any characters. */
const CLOSE_CHARS_MAX = 40

function checkCode({
  do: effect,
  code = effect === 'close' ? 1_000 : -1,
  message = '',
}: FaultRule) {
  if (effect !== 'close') {
    if (code >= 0) refuse('code', 'negative')
    return
  }
  // Those that a close frame may have (RFC 6455, 7.4).
  const isLegal = (code >= 1_000 && code <= 1_014 && !RESERVED.includes(code)) || code >= 3_000
  if (!isLegal) refuse('code', 'a code of a close frame, as 1000, 1001, 1008 or 4000')
  if (message.length > CLOSE_CHARS_MAX) {
    refuse('message', `a text of 1 to ${CLOSE_CHARS_MAX} characters`)
  }
}
const RESERVED: readonly number[] = [1_004, 1_005, 1_006]

function checkPlace({ address, parameter, stream, do: effect }: FaultRule): void {
  if (address !== undefined && (parseAddressRanges(address) ?? []).length === 0) {
    refuse('address', 'addresses or ranges, with commas')
  }
  if (parameter !== undefined && !/^[A-Za-z]{1,40}=/.test(parameter)) {
    refuse('parameter', 'a name and a pattern, as newClientOrderId=lost-*')
  }
  if (effect === 'expire' && stream !== undefined && stream !== USER_STREAM) {
    refuse('stream', `${USER_STREAM}, or left out`)
  }
}

/** What the events of accounts are called among streams. */
export const USER_STREAM = 'user'

/** A longer text matches no pattern: matching takes up to its length times the pattern's. */
const MATCHED_CHARS_MAX = 256

/** Whether the text is what the pattern says, in which * stands for any characters. */
export function matchesPattern(pattern: string, text: string): boolean {
  if (text.length > MATCHED_CHARS_MAX) return false
  let at = 0
  let from = 0
  let star = -1
  let starFrom = 0
  while (from < text.length) {
    if (pattern[at] === '*') {
      star = at++
      starFrom = from
    } else if (pattern[at] === text[from]) {
      at++
      from++
    } else if (star >= 0) {
      at = star + 1
      from = ++starFrom
    } else return false
  }
  while (pattern[at] === '*') at++
  return at === pattern.length
}

const shownFields = (Object.keys(faultFields) as FaultField[]).slice(2)

/** The rule's fields except its name and its effect, in the order of the table. */
export const ruleText = (rule: FaultRule): string =>
  shownFields
    .filter((field) => field in rule)
    .map((field) => `${field}=${rule[field]}`)
    .join(' ')
