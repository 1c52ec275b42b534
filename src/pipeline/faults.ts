/**
 * Faults of the sandbox, for requests that would otherwise be handled: rules are tried in their order,
 * delays add up, and the first rule with another effect ends the search. A request that a step of the pipeline
 * refuses is no match of any rule, except of those that skew the clock: they decide on timestamps. None of it
 * exists while the sandbox is off.
 *
 * It answers through the request or its transport, and executes through the caller's function, so it changes
 * no order, no balance, and nothing of another account.
 */
import { type AnyRows, Encoded, type Reply } from '../api/answers/answer.ts'
import { plainRows } from '../api/answers/plain.ts'
import type { Request, Responder } from '../api/context.ts'
import { type ErrorId, errorMessages, Fault } from '../api/errors.ts'
import { entersOrders, type Operation } from '../api/operations/index.ts'
import { Param, slotOf } from '../api/parameters.ts'
import { SymbolStatus } from '../base/codes.ts'
import { SharedBound } from '../base/shares.ts'
import { elapsedMs, type Time, type Timer } from '../base/time.ts'
import { type AccountId, Ms, OrderId } from '../base/units.ts'
import type { VirtualClock } from '../base/virtual-clock.ts'
import { delayOf } from '../sandbox/fault-delay.ts'
import { DELAY_MS_MAX, type FaultRule, faultEffects, REFUSALS } from '../sandbox/fault-fields.ts'
import { fillMoments, takesHandshakes } from '../sandbox/fault-rule.ts'
import { FaultTrigger, type PostedFault } from '../sandbox/fault-trigger.ts'
import { matchesPattern } from '../sandbox/pattern.ts'
import type { SandboxAnswer, SandboxRequest } from '../sandbox/requests.ts'
import { GatewayCounter, type ThreadCounters } from '../shared/counters.ts'
import { type CheckedRequest, type MadeError, type ParsedRequest, Refused } from './request.ts'

/** What the sandbox uses of its gateway's thread. */
export interface SandboxServices {
  /** Times delays, and steps of fills. */
  readonly time: Time
  /** Resolves to the answer of the main thread, which keeps the rules. */
  readonly ask: (request: SandboxRequest) => Promise<SandboxAnswer>
  /** Called when a rule touches something for the first time. */
  readonly firstTouched?: ((rule: FaultRule) => void) | undefined
  /** Undefined where the time is the machine's. */
  readonly virtual?: VirtualServices | undefined
}

/** What the sandbox uses of a gateway whose time is virtual. */
export interface VirtualServices {
  readonly clock: Pick<VirtualClock, 'state' | 'participants'>
  /** Whether a timestamp is also valid by the wall. */
  readonly takesWallTimestamps: boolean
}

export interface FaultsParts extends SandboxServices {
  readonly counters: ThreadCounters
}

/** Requests to the sandbox itself are never touched: a rule could not be removed any more. */
const isOwn = (operation: Operation | undefined): boolean =>
  operation?.path.startsWith('/sandbox/') === true

/**
 * Requests and answers of one gateway that wait, and bytes of these answers, in shares; beyond, delays are left out.
 * A quarter is for rules of operators, and an eighth for accounts and addresses for which nothing waits.
 */
export const DELAYED_MAX = 16_384
export const DELAYED_BYTES_MAX = 16 * 1024 * 1024
const LIMIT_SECONDS = 10
const BAN_SECONDS = 120
const MS_PER_SECOND = 1_000

/** By name of the symbol: its status as rules show it. */
export type ShownStatuses = ReadonlyMap<string, SymbolStatus>

/** `seen` is the request, or what a skewed clock makes of it. */
type Execute = (responder: Responder, seen: Request, statuses: ShownStatuses | undefined) => void

export class Faults {
  private readonly parts: FaultsParts
  private ofRequests: readonly RequestRule[] = []
  private ofHandshakes: readonly RequestRule[] = []
  private ofConnections: readonly RequestRule[] = []
  private ofClock: readonly RequestRule[] = []
  private ofSymbols: readonly RequestRule[] = []
  private readonly delayed = new Map<() => void, Timer>()
  /** Steps of fills that are to come, or under way. */
  private readonly fills = new Set<Timer>()
  private readonly delayedBound = new SharedBound<Holder>(DELAYED_MAX)
  private readonly bytes = new SharedBound<Holder>(DELAYED_BYTES_MAX)
  private readonly steps = new SharedBound<Holder>(DELAYED_MAX)
  private isStopping = false

  constructor(parts: FaultsParts) {
    this.parts = parts
  }

  /** These rules are in force from now on, instead of others. */
  set(posted: readonly PostedFault[]): void {
    const of = (touches: 'requests' | 'clock' | 'symbols' | 'connections') =>
      posted
        .filter(({ rule }) => faultEffects[rule.do].touches === touches)
        .map((fault) => new RequestRule(fault, this.parts.firstTouched))
    this.ofRequests = of('requests')
    this.ofHandshakes = this.ofRequests.filter(({ rule }) => takesHandshakes(rule))
    this.ofConnections = of('connections')
    this.ofClock = of('clock')
    this.ofSymbols = of('symbols')
  }

  /** Returns the ms by which the server's clock is ahead for this request, or below 0 behind. */
  skewMs(request: ParsedRequest, key: CheckedRequest['key']): number {
    if (isOwn(request.operation)) return 0
    let skewMs = 0
    for (const rule of this.ofClock) {
      if (this.pull(rule, { ...whereOf(request), key, account: key?.account }) === 0) continue
      request.transport.mark?.(rule.name)
      skewMs += rule.rule.ms ?? 0
    }
    return skewMs
  }

  /** Has the request executed and answered by the rules. */
  handle(request: CheckedRequest, operation: Operation, execute: Execute): void {
    const skewMs = operation.id === 'time' ? this.skewMs(request, undefined) : 0
    const statuses = this.statusesFor(request, operation)
    const run = (to: Responder) =>
      execute(to, skewMs === 0 ? request : skewed(request, skewMs), statuses)
    const isHalted = statuses !== undefined && entersOrders(operation.effect)
    if ((this.ofRequests.length === 0 && !isHalted) || isOwn(operation)) {
      run(request)
      return
    }
    let inMs = 0
    let outMs = 0
    let isOperators = true
    let ending: FaultRule | undefined = isHalted ? HALTED : undefined
    const subject = subjectOf(request)
    for (const rule of this.ofRequests) {
      if (isHalted && rule.rule.do !== 'delay') continue
      if (rule.rule.do === 'fill' && operation.id !== 'placeOrder') continue
      if (rule.rule.do === 'refuse' && operation.each !== undefined) continue
      const number = this.pull(rule, subject)
      if (number === 0) continue
      request.transport.mark?.(rule.name)
      if (rule.rule.do !== 'delay') {
        ending = rule.rule
        break
      }
      if (rule.rule.owner !== undefined) isOperators = false
      if (rule.rule.way === 'in') inMs += delayOf(rule.rule, number)
      else outMs += delayOf(rule.rule, number)
    }
    const late = (delayMs: number, then: () => void) => () => {
      if (delayMs > 0) request.setLate()
      then()
    }
    const waiter = { holder: holderOf(request), isOperators }
    const out: SendLater = (send, bytes = 0) => this.after(outMs, late(outMs, send), waiter, bytes)
    const enter = () => this.end(request, ending, run, out)
    this.after(inMs, late(inMs, enter), waiter, 0)
  }

  /**
   * Returns how a rule refuses one part of a batch, as it would refuse the order alone. All other rules touch the batch
   * as one request.
   */
  refusalOfPart(part: Subject['request'] & Omit<Subject, 'request'>): Fault | undefined {
    const subject = { request: part, key: part.key, account: part.account }
    const rules = this.ofRequests.filter(({ rule }) => rule.do === 'refuse')
    const isEntering = part.operation !== undefined && entersOrders(part.operation.effect)
    const halted = isEntering && this.ofSymbols.find((rule) => this.pull(rule, subject) > 0)
    const found = halted || rules.find((rule) => this.pull(rule, subject) > 0)
    if (!found) return undefined
    part.transport.mark?.(found.name)
    return faultOf(halted ? HALTED : found.rule)
  }

  /**
   * Has a handshake of a WebSocket, or a method of streams, carried out and answered by the rules. What waits is kept in a
   * place of the address; without room it does not wait.
   */
  meet(over: 'streams' | 'sessions', peer: Peer, { carryOut, fail, cut }: Met): void {
    let inMs = 0
    let outMs = 0
    let ending: FaultRule | undefined
    for (const rule of this.ofHandshakes) {
      const isOver = rule.rule.over === undefined || rule.rule.over === over
      const number = isOver && rule.isAt(peer.address) ? this.touch(rule) : 0
      if (number === 0) continue
      if (rule.rule.do !== 'delay') {
        ending = rule.rule
        break
      }
      if (rule.rule.way === 'in') inMs += delayOf(rule.rule, number)
      else outMs += delayOf(rule.rule, number)
    }
    const waiter = { holder: peer.key, isOperators: true }
    const out = (send: () => void) => this.after(outMs, send, waiter, 0)
    const enter = () => {
      if (ending === undefined) out(carryOut())
      else if (ending.do === 'silence') this.after(ending.ms ?? DELAY_MS_MAX, cut, waiter, 0)
      else if (ending.do === 'cut') out(cut)
      else {
        const { do: effect } = ending
        if (effect === 'unknown') carryOut()
        const error = effect === 'unknown' ? unknownFor(ending) : madeFor(ending)
        out(() => fail(error))
      }
    }
    this.after(inMs, enter, waiter, 0)
  }

  /**
   * Returns whether a rule spoils a connection that was accepted: it is to be read no more. Calls `reset`, or `end` after a
   * silence, which takes a place of the address.
   */
  spoilsConnection(peer: Peer, reset: () => void, end: () => void): boolean {
    const rule = this.ofConnections.find((each) => each.isAt(peer.address) && this.touch(each) > 0)
    if (rule === undefined) return false
    const waiter = { holder: peer.key, isOperators: true }
    if (rule.rule.do === 'reset') reset()
    else this.after(rule.rule.ms ?? DELAY_MS_MAX, end, waiter, 0)
    return true
  }

  /** Nothing is delayed from now on: the gateway stops. */
  stop(): void {
    this.isStopping = true
    for (const timer of this.fills) timer.cancel()
    for (const [run, timer] of [...this.delayed]) {
      timer.cancel()
      this.delayed.delete(run)
      run()
    }
  }

  /** Returns the statuses that rules show to the request, if it enters orders of such a symbol or reads statuses. */
  private statusesFor(request: CheckedRequest, { effect, params }: Operation) {
    if (this.ofSymbols.length === 0) return undefined
    const enters = entersOrders(effect)
    if (!enters && !params.some(({ slot }) => slot === Param.symbolStatus)) return undefined
    const subject = subjectOf(request)
    let statuses: Map<string, SymbolStatus> | undefined
    for (const rule of this.ofSymbols) {
      const { symbol = '', state = 'HALT' } = rule.rule
      const isFor = enters ? rule.matches(subject) : rule.isFrom(subject)
      if (!isFor || this.touch(rule) === 0) continue
      request.transport.mark?.(rule.name)
      statuses ??= new Map()
      statuses.set(symbol, SymbolStatus[state])
    }
    return statuses
  }

  private pull(rule: RequestRule, subject: Subject): number {
    return rule.matches(subject) ? this.touch(rule) : 0
  }

  private touch(rule: RequestRule): number {
    const { time, counters } = this.parts
    const number = rule.trigger.pull(elapsedMs(time))
    if (number > 0) counters.add(GatewayCounter.faultsTouched, 1)
    return number
  }

  /** Has the order of the answer filled at the rule's moments. An order that is open no longer is left. */
  private fill({ account }: CheckedRequest, rule: FaultRule, answer: Reply): void {
    const { orderId, symbol } = placedOrder(answer)
    if (orderId === undefined || account === undefined) return
    const moments = fillMoments(rule.moments ?? '')
    const { quantity } = rule
    const isOwn = rule.owner !== undefined
    const holder = account.id
    const order = { account: account.id, symbol, orderId: OrderId(orderId) }
    for (const [index, ms] of moments.entries()) {
      if (this.isStopping || !this.steps.hasRoom(holder, 1, !isOwn)) {
        this.parts.counters.add(GatewayCounter.faultDelaysSkipped, 1)
        return
      }
      const step = { index, of: moments.length }
      const timer = this.parts.time.after(ms, () => {
        // The counterparty fills one order after another, so a step may wait for it too.
        void this.parts.ask({ ask: 'fill', isOwn, ...order, quantity, step }).finally(() => {
          this.fills.delete(timer)
          this.steps.add(holder, -1)
        })
      })
      this.fills.add(timer)
      this.steps.add(holder, 1)
    }
  }

  /** `bytes` are those of an answer that waits. */
  private after(delayMs: number, run: () => void, waiter: Waiter, bytes: number): void {
    if (delayMs <= 0 || this.isStopping || !this.hasRoom(waiter, bytes)) {
      run()
      return
    }
    const { holder } = waiter
    const timer = this.parts.time.after(delayMs, () => {
      this.delayed.delete(run)
      this.delayedBound.add(holder, -1)
      this.bytes.add(holder, -bytes)
      run()
    })
    this.delayed.set(run, timer)
    this.delayedBound.add(holder, 1)
    this.bytes.add(holder, bytes)
  }

  private hasRoom({ holder, isOperators }: Waiter, bytes: number): boolean {
    const hasRoom = this.delayedBound.hasRoom(holder, 1, isOperators)
    if (hasRoom && this.bytes.hasRoom(holder, bytes, isOperators)) return true
    this.parts.counters.add(GatewayCounter.faultDelaysSkipped, 1)
    return false
  }

  private end(
    request: CheckedRequest,
    rule: FaultRule | undefined,
    execute: (responder: Responder) => void,
    out: SendLater,
  ): void {
    switch (rule?.do) {
      case undefined:
        execute(new TouchedAnswer(request, undefined, out))
        break
      case 'cut':
      case 'silence': {
        const end = () => this.leave(request, rule)
        if (rule.way === 'in') out(end)
        else execute(new TouchedAnswer(request, () => end(), out))
        break
      }
      case 'unknown':
        execute(new TouchedAnswer(request, () => answerUnknown(request, rule), out))
        break
      case 'half':
      case 'twice': {
        const how = rule.do
        const spoil = (outcome: Reply | Refused) => request.spoil(outcome, how)
        execute(new TouchedAnswer(request, spoil, out))
        break
      }
      case 'fill':
        execute(
          new TouchedAnswer(request, undefined, out, (answer) => this.fill(request, rule, answer)),
        )
        break
      case 'refuse':
        refuse(request, rule, out)
        break
      default:
        out(() => answerInstead(request, rule!))
    }
  }

  /** Ends the connection without an answer: at once, or after a silence, which takes a place until then. */
  private leave(request: CheckedRequest, { do: effect, ms, owner }: FaultRule): void {
    const waiter = { holder: holderOf(request), isOperators: owner === undefined }
    const cut = () => request.cut()
    this.after(effect === 'silence' ? (ms ?? DELAY_MS_MAX) : 0, cut, waiter, 0)
  }
}

/** The client of a handshake. */
export interface Peer {
  /** 4 or 16 bytes. */
  readonly address: ArrayBuffer
  /** The address, as limits count it. */
  readonly key: string
}

/** What rules do with a handshake, or a method of streams. */
export interface Met {
  /** Carries it out. Returns what sends its answer. */
  readonly carryOut: () => () => void
  /** Answers with an error. */
  readonly fail: (error: MadeError) => void
  /** Ends the connection without an answer. */
  readonly cut: () => void
}

/** An account, or the address of a client that has none. */
type Holder = AccountId | string
const holderOf = ({ account, transport }: CheckedRequest): Holder => account?.id ?? transport.peer

/** For whom something waits, and whether only rules of operators have it wait. */
interface Waiter {
  readonly holder: Holder
  readonly isOperators: boolean
}

/** Sends an answer of so many bytes once its delay is over. */
type SendLater = (send: () => void, bytes?: number) => void

/** The request at the time that a skewed clock shows. */
function skewed(request: CheckedRequest, skewMs: number): Request {
  const { params, account, expiresMs, microseconds, encoding } = request
  const { limiter, session, charge, key } = request
  const nowMs = Ms(request.nowMs + skewMs)
  const form = { microseconds, encoding, limiter }
  const servePart: Request['servePart'] = (...part) => request.servePart(...part)
  return { ...form, params, account, key, nowMs, expiresMs, session, charge, servePart }
}

/** What rules look at. */
interface Subject {
  readonly request: Pick<ParsedRequest, 'operation' | 'params' | 'transport'>
  readonly key: CheckedRequest['key']
  readonly account: CheckedRequest['account']
}
const whereOf = (request: ParsedRequest): Pick<Subject, 'request'> => ({ request })
const subjectOf = (request: CheckedRequest): Subject => ({
  request,
  key: request.key,
  account: request.account,
})

/** How an order of a symbol that a rule halts is refused. */
const HALTED: FaultRule = { name: '', do: 'refuse', reason: 'MARKET_CLOSED' }

class RequestRule {
  readonly rule: FaultRule
  readonly trigger: FaultTrigger
  private readonly parameter: { readonly name: string; readonly pattern: string } | undefined

  constructor(fault: PostedFault, firstTouched: SandboxServices['firstTouched']) {
    const { parameter } = fault.rule
    this.rule = fault.rule
    this.trigger = new FaultTrigger(fault, firstTouched)
    if (parameter !== undefined) {
      const at = parameter.indexOf('=')
      this.parameter = { name: parameter.slice(0, at), pattern: parameter.slice(at + 1) }
    }
  }

  get name(): string {
    return this.rule.name
  }

  matches(subject: Subject): boolean {
    const { rule } = this
    const { request } = subject
    const id = request.operation?.id ?? ''
    if (rule.operation !== undefined && !matchesPattern(rule.operation, id)) return false
    const { params, transport } = request
    if (rule.over !== undefined && rule.over !== transport.kind.over) return false
    const isOf = (name: string, pattern: string) => {
      const text = params.text(slotOf(name as 'symbol'))
      return text !== undefined && matchesPattern(pattern, text)
    }
    if (rule.symbol !== undefined && !isOf('symbol', rule.symbol)) return false
    if (this.parameter !== undefined && !isOf(this.parameter.name, this.parameter.pattern)) {
      return false
    }
    return this.isFrom(subject)
  }

  /** Whether the client is one that the rule is for. */
  isFrom({ request, key, account }: Subject): boolean {
    const { rule } = this
    if (rule.account !== undefined && account?.id !== rule.account) return false
    if (rule.key !== undefined && key?.apiKey !== rule.key) return false
    return rule.address === undefined || this.isAt(request.transport.remoteAddress())
  }

  /** Whether it is for clients at this address. */
  isAt(address: ArrayBuffer): boolean {
    return this.rule.address === undefined || this.trigger.isFrom(address)
  }
}

/** The answer as it is, or not as it should be, perhaps later. */
class TouchedAnswer implements Responder {
  private readonly request: CheckedRequest
  private readonly spoil: SpoilOutcome | undefined
  private readonly out: SendLater
  private readonly sent: (answer: Reply) => void

  /** Calls `spoil` instead of an answer, and `sent` with an answer that is no error, once it was sent. */
  constructor(
    request: CheckedRequest,
    spoil: SpoilOutcome | undefined,
    out: SendLater,
    sent: (answer: Reply) => void = () => {},
  ) {
    this.request = request
    this.spoil = spoil
    this.out = out
    this.sent = sent
  }

  /** Encodes it now, since its rows may be others later. */
  reply(answer: Reply): void {
    const request = this.request
    const { encoder } = request.transport.kind
    const kept =
      answer instanceof Encoded
        ? answer
        : new Encoded(encoder.name, Buffer.from(encoder.encode(answer)))
    this.out(() => {
      if (this.spoil === undefined) request.reply(kept)
      else this.spoil(kept)
      this.sent(answer)
    }, kept.bytes.length)
  }

  error(id: ErrorId, detail?: readonly (string | number)[], data?: AnyRows): void {
    this.out(() => {
      if (this.spoil === undefined) this.request.error(id, detail, data)
      else this.spoil(new Refused(id, detail, data))
    })
  }

  isReading(): boolean {
    return this.request.isReading()
  }
}

/** Reads which order an answer is about. */
function placedOrder(answer: Reply): { readonly orderId?: number; readonly symbol: string } {
  if (answer instanceof Encoded) return { symbol: '' }
  return plainRows(answer) as { readonly orderId: number; readonly symbol: string }
}

/** Does something else with an outcome than to send it. */
type SpoilOutcome = (outcome: Reply | Refused) => void

/** Names of the error table, as rules may name them. */
const refusals: readonly ErrorId[] = REFUSALS

function faultOf({ reason, filter = 'PRICE_FILTER' }: FaultRule): Fault {
  const id = refusals.find((one) => one === reason) ?? 'INSUFFICIENT_BALANCE'
  return new Fault(id, ...(id === 'FILTER_FAILURE' ? [filter] : []))
}

/** Refuses as the engine does: the order is charged like one that it refused. */
function refuse(request: CheckedRequest, rule: FaultRule, out: SendLater): void {
  const { id, detail } = faultOf(rule)
  if (request.charge?.pay() === false) return
  out(() => request.error(id, detail))
}

/** The exchange itself never answers with -1006. */
const UNEXPECTED_CODE = -1_006
const UNEXPECTED_TEXT =
  'An unexpected response was received from the message bus. Execution status unknown.'

/** Answers TIMEOUT by the table, or with the rule's status, code and text. */
function answerUnknown(request: CheckedRequest, rule: FaultRule): void {
  const { status = 504, code = -1_007, message, body } = rule
  const isUsual = status === 504 && code === -1_007 && message === undefined
  if (isUsual && body !== 'html') request.error('TIMEOUT')
  else request.spoil(unknownFor(rule))
}

function unknownFor(rule: FaultRule): MadeError {
  const { status = 504, code = -1_007, message, body } = rule
  if (body === 'html') return made(status, rule, proxyPage(status))
  const known = code === UNEXPECTED_CODE ? UNEXPECTED_TEXT : errorMessages.get(code)
  return made(status, { ...rule, code, message: message ?? (known || UNKNOWN_TEXT) }, undefined)
}

function answerInstead(request: CheckedRequest, rule: FaultRule): void {
  const { nowMs } = request
  const { status = 502, retry } = rule
  const limitedFor = (seconds: number) => Ms(nowMs + seconds * MS_PER_SECOND)
  if (rule.do === 'limit') {
    const untilMs = limitedFor(retry ?? LIMIT_SECONDS)
    request.limitedBy({ fault: request.weightFault, untilMs })
    request.error(request.weightFault.id, request.weightFault.detail)
  } else if (rule.do === 'ban') {
    const untilMs = limitedFor(retry ?? BAN_SECONDS)
    const { id, detail } = request.limitedBy({
      fault: new Fault('ADDRESS_BANNED', untilMs),
      untilMs,
    })
    request.error(id, detail)
  } else if (rule.do === 'answer' && (status === 429 || status === 418)) {
    request.limitedBy({ fault: request.weightFault, untilMs: limitedFor(retry ?? LIMIT_SECONDS) })
    request.spoil({ ...made(status, rule, undefined), retrySeconds: undefined })
  } else request.spoil(madeFor(rule))
}

/** The error that a rule answers with instead of execution. */
function madeFor(rule: FaultRule): MadeError {
  const { status = 502, retry } = rule
  switch (rule.do) {
    case 'forbid':
      return made(403, rule, FORBIDDEN_PAGE)
    case 'proxy':
      return made(status, rule, proxyPage(status))
    case 'limit':
      return made(429, { ...rule, ...TOO_MANY, retry: retry ?? LIMIT_SECONDS }, undefined)
    case 'ban':
      return made(418, { ...rule, ...TOO_MANY, retry: retry ?? BAN_SECONDS }, undefined)
    default:
      return made(status, rule, undefined)
  }
}
const TOO_MANY = { code: -1_003, message: 'Too many requests.' }

const UNKNOWN_CODE = -1_000
const UNKNOWN_TEXT = 'An unknown error occurred while processing the request.'

function made(status: number, rule: FaultRule, html: string | undefined): MadeError {
  const { code = UNKNOWN_CODE, message = UNKNOWN_TEXT, retry } = rule
  return { how: 'made', status, row: { code, message }, html, retrySeconds: retry }
}

/** A page of a firewall or proxy before an exchange. */
const page = (title: string): string =>
  `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n` +
  '</body>\r\n</html>\r\n'
const FORBIDDEN_PAGE = page('403 Forbidden')
const proxyTitles: Readonly<Record<number, string>> = {
  500: '500 Internal Server Error',
  502: '502 Bad Gateway',
  503: '503 Service Temporarily Unavailable',
  504: '504 Gateway Time-out',
}
const proxyPage = (status: number): string => page(proxyTitles[status] ?? String(status))
