/**
 * One connection to `/ws` or `/stream`: the streams that it reads, and the five methods that change
 * them (web-socket-streams.md). Names that look like a stream but are none are kept and stay silent; other
 * names are accepted and dropped. A name may also be a listen key: the account's events then arrive in
 * this connection's framing.
 */

import { type AnyRows, Rows } from '../../api/answers/answer.ts'
import { type Encoder, jsonEncoder } from '../../api/answers/encoders.ts'
import type { ErrorRow } from '../../api/answers/errors.ts'
import { type StreamResult, streamError, streamResponse } from '../../api/answers/session.ts'
import { listenKeyExpired, serverShutdown } from '../../api/answers/user-events.ts'
import { errorCode, errorMessage, type Fault } from '../../api/errors.ts'
import { elapsedMs } from '../../base/time.ts'
import { AccountId, type Ms } from '../../base/units.ts'
import type { Faults } from '../../pipeline/faults.ts'
import { GatewayCounter } from '../../shared/counters.ts'
import type { ApiKey } from '../authentication/key-ring.ts'
import type { MemoryGuard } from '../limits/memory-guard.ts'
import { Quota } from '../limits/quota.ts'
import type { Fanout, ReaderGroup } from '../streams/fanout.ts'
import { type FrameFaults, userSource } from '../streams/frame-faults.ts'
import { type Framing, framingOf } from '../streams/framing.ts'
import type { SharedListenKeys } from '../streams/listen-keys.ts'
import { Topic, type Topics } from '../streams/topics.ts'
import type { UserListener, UserStreams } from '../streams/user-streams.ts'
import { Connection, type ConnectionParts, Ending, type SessionDetail } from './connection.ts'
import { JsonFault, type Member, memberNamed, readMembers, stringOf } from './json-frame.ts'

const STREAMS_MAX = 1024
/** Names that all connections of one address, and of one gateway, may have. */
export const NAMES_PER_ADDRESS_MAX = 128 * STREAMS_MAX
export const NAMES_MAX = 1024 * STREAMS_MAX
/** The pattern of names of streams and listen keys: no other name is kept. Symbols have letters of all scripts. */
const NAME = /^(?:[\w!@:.+-]{1,64}|[\p{Ll}\p{Lo}\p{Nd}]{1,20}@[\w@:.+-]{1,43})$/u
/** The pattern of listen keys, which no stream matches. */
const KEY = /^[A-Za-z0-9]{64}$/
const MESSAGES_PER_SECOND_MAX = 5
/** Memory of two topics' names. */
const MOVE_CHARS = 192
const METHODS = ['SUBSCRIBE', 'UNSUBSCRIBE', 'LIST_SUBSCRIPTIONS', 'SET_PROPERTY', 'GET_PROPERTY']
/** Methods with a virtual clock, an extension of the protocol. */
const CLOCK_METHODS = [...METHODS, 'JOIN_CLOCK', 'ACKNOWLEDGE']
const COMBINED = 'combined'
const INTEGER = /^-?\d{1,19}$/
const NAME_OR_NULL = /^(?:"[\w-]{0,36}"|null)$/

export interface StreamParts extends ConnectionParts {
  readonly topics: Topics
  readonly fanout: Pick<Fanout, 'join' | 'joinAlone' | 'leave' | 'inTurn'>
  readonly userStreams: UserStreams
  readonly listenKeys: SharedListenKeys
  /** Undefined while the sandbox is off. */
  readonly frameFaults: FrameFaults | undefined
  readonly faults: Faults | undefined
  readonly memory: MemoryGuard
  /** The names of all connections of the gateway. */
  readonly names: Quota
  /** Returns the key, if streams in SBE may be read with it from the address. */
  readonly streamKeyOf: (apiKey: string, address: ArrayBuffer) => ApiKey | Fault
  /** Whether frames of clients are counted. */
  readonly limited: boolean
}

/** A name that the client sent: a stream, a listen key, or neither. */
type Subscription = Topic | KeyListener | undefined

/** The events of the account that a listen key belongs to. */
class KeyListener implements UserListener {
  readonly key: string
  readonly account: AccountId
  readonly microseconds: boolean
  /** The last known expiry of the key, in monotonic ms: its owner may have extended it. */
  expiresMs = 0
  private readonly connection: StreamConnection

  constructor(key: string, account: AccountId, connection: StreamConnection) {
    this.key = key
    this.account = account
    this.microseconds = connection.microseconds
    this.connection = connection
  }

  event(event: AnyRows): void {
    this.connection.sendEvent(this, event)
  }
}

/** A request that cannot be carried out, as the protocol's flat error object. */
class StreamFault implements ErrorRow {
  readonly code: number
  readonly message: string

  constructor(code: number, message: string) {
    this.code = code
    this.message = message
  }
}

const unknownProperty = new StreamFault(0, 'Unknown property')
const noBoolean = new StreamFault(1, 'Invalid value type: expected Boolean')
const invalid = (why: string): StreamFault => new StreamFault(2, `Invalid request: ${why}`)
const noPropertyName = invalid('property name must be a string')
const badId = invalid('request ID must be an unsigned integer')
const tooMany = invalid('too many parameters')
/** Counts names, for all connections of a gateway. */
export const nameQuota = (): Quota => new Quota(NAMES_PER_ADDRESS_MAX, NAMES_MAX)
/** A request that names a method. */
interface Call {
  /** JSON. */
  readonly id: string
  readonly method: string
  /** JSON. */
  readonly params: string
}

/** Refuses for lack of memory for more streams. */
const busy = new StreamFault(errorCode('SERVER_BUSY'), errorMessage('SERVER_BUSY'))
const noListenKey = invalid('the connection must read a listen key')
const badCount = invalid('params must be a number of events')
const noNames = invalid('params must be an array of strings')

export class StreamConnection extends Connection {
  readonly over = 'streams'
  readonly encoder: Encoder = jsonEncoder
  readonly microseconds: boolean
  protected readonly parts: StreamParts
  private readonly subscriptions = new Map<string, Subscription>()
  private firstNames: readonly string[]
  protected combined: boolean
  /** The group of the sockets that market streams are sent to; undefined before its first one. */
  private group: ReaderGroup | undefined = undefined
  /** While it is fed by itself: topic → stream. */
  private readonly ownTopics = new Map<string, string>()
  /** Whose events it reads. */
  private _accounts: readonly number[] = []

  /** `names` are those of the address. */
  constructor(
    parts: StreamParts,
    names: readonly string[],
    combined: boolean,
    microseconds: boolean,
  ) {
    const perSecond = parts.limited ? MESSAGES_PER_SECOND_MAX : Number.POSITIVE_INFINITY
    super(parts, { framesPerSecond: perSecond, controlsPerSecond: perSecond })
    this.parts = parts
    this.firstNames = names.filter((name) => NAME.test(name)).slice(0, STREAMS_MAX)
    this.combined = combined
    this.microseconds = microseconds
  }

  /** How frames of its streams are written; its own answers are JSON. */
  protected get framing(): Framing {
    return framingOf(this.combined, this.microseconds)
  }

  /** Sends a payload of one stream to this connection alone. */
  sendFrame(name: string, payload: AnyRows): void {
    this.sendEventFrame(this.frameOf(name, payload))
  }

  /** Sends an account's event to this connection alone; faults of the sandbox may touch it. */
  sendEvent({ key, account }: KeyListener, event: AnyRows): void {
    const frame = this.frameOf(key, event)
    if (this.gate === undefined) this.sendEventFrame(frame)
    else
      this.gate.pass(
        userSource(account, () => this.parts.listenKeys.revoke(account)),
        frame,
      )
  }

  private frameOf(name: string, payload: AnyRows): Uint8Array {
    return this.framing.encode(name, payload)
  }

  override get accounts(): readonly number[] {
    return this._accounts
  }

  /** Called when a listen key came or went: rules read the accounts for each frame. */
  private noteAccounts(): void {
    const listeners = [...this.subscriptions.values()].filter((it) => it instanceof KeyListener)
    this._accounts = [...new Set(listeners.map(({ account }) => account))]
  }

  /** Leaves the topics that it shares with others, once a rule may touch frames of its streams. */
  override checkFaults(): void {
    const { frameFaults } = this.parts
    if (frameFaults === undefined || this.isAlone) return
    if (frameFaults.mayTouch(this.marketStreams(), this)) this.goAlone()
  }

  private *marketStreams(): Iterable<string> {
    for (const [stream, it] of this.subscriptions) if (it instanceof Topic) yield stream
  }

  private get isAlone(): boolean {
    return this.group?.deliver !== undefined
  }

  /** Enters each stream by itself before it leaves the shared one, and keeps their order. */
  private goAlone(): void {
    const { topics, fanout } = this.parts
    const shared = this.group
    const gate = this.gate!
    const alone = fanout.joinAlone((topic, frame) => this.deliver(topic, frame))
    this.group = alone
    if (shared === undefined) return
    const { framing } = this
    const left: string[] = []
    for (const [name, subscription] of this.subscriptions) {
      if (!(subscription instanceof Topic)) continue
      topics.enter(name, framing, alone)
      topics.leave(subscription, framing, shared)
      this.ownTopics.set(subscription.in(framing, alone), name)
      left.push(subscription.in(framing, shared))
    }
    // Frames that wait for the shared topics come first.
    gate.hold()
    const change = () => {
      for (const topic of left) this.unsubscribe(topic)
      fanout.leave(shared)
      gate.release()
    }
    fanout.inTurn(shared, change, MOVE_CHARS * left.length)
  }

  private deliver(topic: string, frame: Uint8Array): void {
    const stream = this.ownTopics.get(topic)
    if (stream !== undefined && this.isOpen) this.gate?.pass({ stream }, frame)
  }

  /** Gets the frames of the topic from now on. */
  private subscribeTo(topic: string, name: string): void {
    if (this.isAlone) this.ownTopics.set(topic, name)
    else this.subscribe(topic)
  }

  private unsubscribeFrom(topic: string): void {
    if (!this.ownTopics.delete(topic)) this.unsubscribe(topic)
  }

  protected override detail(): SessionDetail {
    return {
      transport: 'streams',
      accounts: this.accounts,
      apiKey: '',
      streams: this.subscriptions.size,
    }
  }

  override leave(): void {
    this.end(Ending.CUT_OFF)
  }

  override announceShutdown(nowMs: Ms): void {
    this.sendFrame('!serverShutdown', new Rows(serverShutdown, { eventTimeMs: nowMs }, this))
  }

  override received(text: string): void {
    const call = this.read(text)
    if (!('method' in call)) {
      this.answer(call)
      return
    }
    const carryOut = () => {
      const answer = this.rowsOf(call.id, this.resultOf(call))
      return () => this.answer(answer)
    }
    const { faults } = this.parts
    if (faults === undefined || !METHODS.includes(call.method)) carryOut()()
    else {
      faults.meet(
        'streams',
        { address: this.remoteAddress, key: this.peer },
        {
          carryOut,
          fail: ({ row }) =>
            this.answer(this.rowsOf(call.id, new StreamFault(row.code, row.message))),
          cut: () => this.cut(),
        },
      )
    }
  }

  private answer(answer: AnyRows): void {
    const frame = jsonEncoder.encode(answer).slice()
    this.inTurn(() => this.send(frame, false), frame.length)
  }

  /**
   * Once a second: streams of listen keys end with their keys. A key that ends early was closed by its
   * owner, unless the operator ended it; the account may have another one by now.
   */
  override checkKeys(): void {
    const { clock } = this.parts
    const passedMs = elapsedMs(clock)
    for (const [name, subscription] of this.subscriptions) {
      if (!(subscription instanceof KeyListener)) continue
      const { listenKeys } = this.parts
      if (listenKeys.accountOf(name) >= 0) {
        subscription.expiresMs = listenKeys.expiresMs(subscription.account)
        continue
      }
      this.leaveStream(name)
      if (passedMs < subscription.expiresMs && !listenKeys.isRevoked(subscription.account)) {
        this.end(Ending.KEY_CLOSED)
        return
      }
      this.tellExpired(name)
    }
  }

  private tellExpired(listenKey: string): void {
    const row = { eventTimeMs: this.parts.clock.nowMs(), listenKey }
    this.sendFrame(listenKey, new Rows(listenKeyExpired, row, this))
  }

  override get endsMs(): number {
    const { listenKeys } = this.parts
    const keys = this._accounts.map((account) => listenKeys.expiresMs(AccountId(account)))
    return Math.min(super.endsMs, ...keys)
  }

  override openStreams(symbol: string): void {
    const prefix = `${symbol.toLowerCase()}@`
    for (const [name, subscription] of this.subscriptions) {
      if (subscription === undefined && name.startsWith(prefix)) this.enterTopic(name)
    }
  }

  protected override opened(): void {
    const names = new Set(this.firstNames)
    this.firstNames = []
    if (!this.hasRoom(names.size)) this.end(Ending.TOO_MANY_STREAMS)
    else if (this.namesDeadKey(names)) this.end(Ending.NO_SUCH_KEY)
    else for (const name of names) this.enterStream(copyOf(name))
  }

  /** Returns a connection of another exchange, which is to take this one over. */
  renewed(parts: StreamParts): StreamConnection {
    return new StreamConnection(parts, [], this.combined, this.microseconds)
  }

  /** What its client has read goes on, without anything that only a new reader gets. */
  protected override continues({ subscriptions }: this): void {
    for (const [name, subscription] of subscriptions) {
      const isKey = subscription instanceof KeyListener
      if (isKey && this.parts.listenKeys.accountOf(name) < 0) this.tellExpired(name)
      else this.enterStream(name, false)
    }
  }

  protected override left(): void {
    for (const name of [...this.subscriptions.keys()]) this.leaveStream(name)
    if (this.group !== undefined) this.parts.fanout.leave(this.group)
  }

  /** Calls `change` behind the frames that were made before it and wait for this connection. */
  private inTurn(change: () => void, chars = 0): void {
    if (!this.isOpen) return
    if (this.group === undefined) change()
    else this.parts.fanout.inTurn(this.group, change, chars)
  }

  /** Whether the URL names an inactive listen key: its client would wait in vain. */
  private namesDeadKey(names: ReadonlySet<string>): boolean {
    for (const name of names) if (KEY.test(name) && this.accountNamed(name) < 0) return true
    return false
  }

  /** Returns whose listen key the name is; -1 where it is none. */
  protected accountNamed(name: string): number {
    return this.parts.listenKeys.accountOf(name)
  }

  /** Returns the method, or the answer to a text that names none. */
  private read(text: string): Call | AnyRows {
    const members = readMembers(text)
    if (members instanceof JsonFault) {
      const position = positionOf(text, members.offset + 1)
      const row = { code: 3, message: `Invalid JSON: expected value at ${position}` }
      return new Rows(streamError, row, this)
    }
    const id = memberNamed(members ?? [], 'id')?.text
    const idText = id !== undefined && isRequestId(id) ? id : undefined
    const call = this.callOf(text, members ?? [], idText)
    return call instanceof StreamFault ? this.rowsOf(idText, call) : call
  }

  private rowsOf(id: string | undefined, result: StreamResult | StreamFault): AnyRows {
    if (!(result instanceof StreamFault)) return new Rows(streamResponse, { result, id: id! }, this)
    const { code, message } = result
    return new Rows(streamError, { code, message, id }, this)
  }

  private callOf(
    text: string,
    members: readonly Member[],
    id: string | undefined,
  ): Call | StreamFault {
    const methods = this.clockSession === undefined ? METHODS : CLOCK_METHODS
    const member = memberNamed(members, 'method')
    if (member === undefined)
      return invalid(`missing field \`method\` at ${positionOf(text, text.length)}`)
    const method = stringOf(member) ?? member.text
    if (!methods.includes(method)) {
      const known = methods.map((other) => `\`${other}\``).join(', ')
      const position = positionOf(text, member.end)
      return invalid(`unknown variant ${method}, expected one of ${known} at ${position}`)
    }
    if (id === undefined) return badId
    return { id, method, params: memberNamed(members, 'params')?.text ?? '[]' }
  }

  private resultOf({ method, params: text }: Call): StreamResult | StreamFault {
    const params: unknown = JSON.parse(text) ?? []
    if (!Array.isArray(params)) return noNames
    switch (method) {
      case 'SUBSCRIBE':
        return this.change(params, true, (stream) => this.enterStream(stream))
      case 'UNSUBSCRIBE':
        return this.change(params, false, (stream) => this.leaveStream(stream))
      case 'SET_PROPERTY':
        return this.setProperty(params)
      case 'GET_PROPERTY':
        return this.getProperty(params)
      case 'JOIN_CLOCK':
        return this.joinClock(params)
      case 'ACKNOWLEDGE':
        return this.acknowledge(params)
      default:
        return params.length > 0 ? tooMany : [...this.subscriptions.keys()]
    }
  }

  private change(
    params: readonly unknown[],
    adds: boolean,
    change: (name: string) => void,
  ): StreamResult | StreamFault {
    if (!params.every((name) => typeof name === 'string')) return noNames
    if (params.length > STREAMS_MAX) return tooMany
    const possible = params.filter((name) => NAME.test(name))
    const names = new Set([...this.subscriptions.keys(), ...possible])
    if (names.size > STREAMS_MAX) return tooMany
    const added = adds ? names.size - this.subscriptions.size : 0
    if (added > 0 && this.parts.memory.refuses()) return busy
    if (!this.hasRoom(added)) return tooMany
    for (const name of possible) change(name)
    return null
  }

  /** Whether the address and the gateway have room for `count` more names. */
  private hasRoom(count: number): boolean {
    const { names, counters } = this.parts
    if (names.hasRoom(this.peer, count)) return true
    counters.add(GatewayCounter.namesRefused, count)
    return false
  }

  private setProperty(params: readonly unknown[]): StreamResult | StreamFault {
    const [property, value] = params
    if (params.length > 2) return tooMany
    if (typeof property !== 'string') return noPropertyName
    if (property !== COMBINED) return unknownProperty
    if (typeof value !== 'boolean') return noBoolean
    if (value !== this.combined) this.reframe(value)
    return null
  }

  /** Enters each stream in the new framing before it leaves the old one, so that none has a gap. */
  private reframe(combined: boolean): void {
    const before = this.framing
    this.combined = combined
    const after = this.framing
    const group = this.group
    if (group === undefined) return
    const { topics } = this.parts
    const moves: { readonly name: string; readonly from: string; readonly to: string }[] = []
    for (const [name, subscription] of this.subscriptions) {
      if (!(subscription instanceof Topic)) continue
      topics.enter(name, after, group)
      topics.leave(subscription, before, group)
      moves.push({ name, from: subscription.in(before, group), to: subscription.in(after, group) })
    }
    this.inTurn(() => {
      for (const { name, from, to } of moves) {
        this.unsubscribeFrom(from)
        this.subscribeTo(to, name)
      }
    }, MOVE_CHARS * moves.length)
  }

  private getProperty(params: readonly unknown[]): StreamResult | StreamFault {
    if (params.length > 1) return tooMany
    if (typeof params[0] !== 'string') return noPropertyName
    return params[0] === COMBINED ? this.combined : unknownProperty
  }

  /** Takes part in the virtual clock, for an account: the connection reads a listen key. */
  private joinClock(params: readonly unknown[]): StreamResult | StreamFault {
    if (params.length > 0) return tooMany
    const [account] = this.accounts
    if (account === undefined) return noListenKey
    if (this.clockSession?.join(AccountId(account), false) !== true) return busy
    if (!this.isAlone) this.goAlone()
    return null
  }

  private acknowledge(params: readonly unknown[]): StreamResult | StreamFault {
    const [events = 1] = params
    if (params.length > 1 || !Number.isSafeInteger(events) || (events as number) < 1)
      return badCount
    this.clockSession?.acknowledge(events as number)
    return null
  }

  private enterStream(name: string, isNew = true): void {
    if (this.subscriptions.has(name)) return
    const { userStreams, listenKeys, names } = this.parts
    names.take(this.peer, 1)
    const account = this.accountNamed(name)
    if (account >= 0) {
      const listener = new KeyListener(name, AccountId(account), this)
      listener.expiresMs = listenKeys.expiresMs(AccountId(account))
      userStreams.add(listener)
      this.subscriptions.set(name, listener)
      this.noteAccounts()
      this.checkFaults()
      return
    }
    this.enterTopic(name, isNew)
  }

  private enterTopic(name: string, isNew = true): void {
    const { topics, fanout, frameFaults } = this.parts
    const isTouched = this.clockSession?.isTakingPart || frameFaults?.mayTouch([name], this)
    if (!this.isAlone && isTouched) this.goAlone()
    const { framing } = this
    const group = this.group ?? fanout.join()
    const topic = topics.enter(name, framing, group)
    this.subscriptions.set(name, topic)
    if (topic === undefined) {
      if (this.group === undefined) fanout.leave(group)
      return
    }
    this.group = group
    const own = topic.in(framing, group)
    this.inTurn(() => {
      this.subscribeTo(own, name)
      if (isNew) this.sendPresent(name, topic)
    })
  }

  /** Sends what a new reader of the stream gets at once. */
  private sendPresent(name: string, topic: Topic): void {
    const present = topic.feed?.present?.(this.microseconds)
    if (present === undefined) return
    if (this.isAlone) this.gate?.pass({ stream: name }, this.frameOf(name, present))
    else this.sendFrame(name, present)
  }

  private leaveStream(name: string): void {
    const subscription = this.subscriptions.get(name)
    if (!this.subscriptions.delete(name)) return
    this.parts.names.give(this.peer, 1)
    if (subscription instanceof KeyListener) {
      this.parts.userStreams.remove(subscription)
      this.noteAccounts()
    } else if (subscription !== undefined) {
      const { framing } = this
      const group = this.group!
      const own = subscription.in(framing, group)
      this.inTurn(() => this.unsubscribeFrom(own))
      this.parts.topics.leave(subscription, framing, group)
    }
  }
}

/** Copies the characters: a part of a text keeps the whole text in memory. */
const copyOf = (name: string): string => Buffer.from(name).toString()

/** Whether the JSON text is a 64-bit signed integer, a short string or null. */
const isRequestId = (text: string): boolean =>
  NAME_OR_NULL.test(text) ||
  (INTEGER.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text))

/** `line 1 column 28` of the character before `end`. */
function positionOf(text: string, end: number): string {
  const before = text.slice(0, end)
  const lineStart = before.lastIndexOf('\n', before.length - 1) + 1
  const line = before.split('\n').length
  return `line ${line} column ${end - lineStart}`
}
