/** Reads a rule of the sandbox, and checks that its fields go together. */
import { parseAddressRanges } from '../base/address-range.ts'
import { checkNames, type InputRow, isName, NAME_FORM, readInput } from '../base/cold-input.ts'
import type { AccountId } from '../base/units.ts'
import { readHistogram } from './fault-delay.ts'
import {
  DAY_SECONDS,
  DELAY_MS_MAX,
  type EffectRow,
  type FaultEffect,
  type FaultField,
  type FaultRule,
  faultEffects,
  faultFields,
  USER_STREAM,
} from './fault-fields.ts'

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
  if (fields.do === undefined) readInput(faultFields.do, '', (must) => refuse('do', must))
  if (fields.account !== undefined) {
    const account = accountOf(String(fields.account))
    if (account === undefined) throw new FaultRuleError(`There is no account ${fields.account}.`)
    fields.account = account
  }
  const rule = fields as unknown as FaultRule
  checkFields(rule)
  checkTarget(rule)
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
  ...(['answer', 'forbid', 'limit', 'ban', 'proxy', 'unknown', 'cut', 'silence', 'delay'] as const),
]
const NO_HANDSHAKE: readonly FaultField[] = ['account', 'key', 'operation', 'parameter', 'symbol']

/** Whether the rule is for handshakes of WebSockets, and methods of streams: it names nothing that only operations have. */
export const takesHandshakes = (rule: FaultRule): boolean =>
  OF_HANDSHAKES.includes(rule.do) && isForAll(rule)

const isForAll = (rule: FaultRule): boolean => NO_HANDSHAKE.every((field) => !(field in rule))

/** Whether the rule is for all requests, but its effect is none of handshakes and methods of streams. */
export const leavesHandshakes = (rule: FaultRule): boolean =>
  faultEffects[rule.do].touches === 'requests' && isForAll(rule) && !takesHandshakes(rule)

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
    refuse('over', '"streams" or "sessions"')
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
const FILL_STEPS_MAX = 16
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

function checkTarget({ address, parameter, stream, do: effect }: FaultRule): void {
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
