/**
 * A leader that loses the lead and lives on, as its clients see it: they ask it about two orders that the
 * next leader decides meanwhile, by REST, by the WebSocket API and in its market data. What it says for
 * certain then must be what the next leader has acknowledged.
 */
import { setTimeout as delay } from 'node:timers/promises'
import WebSocket from 'ws'
import type { DemoKey } from '../exchange/exchange-process.ts'
import { SignedClient } from '../exchange/signed-client.ts'
import { WsClient } from '../exchange/ws-client.ts'
import { accountKeyOf } from '../load/keys.ts'
import { type ClientLog, type Json, type Params, sendLogged } from './client-log.ts'
import { quietOrder } from './lane.ts'
import type { Member } from './members.ts'

const PAUSE_MS = 50
const BOUND_MS = 60_000
const DEPTH_LIMIT = 1_000
const ORDER = '/api/v3/order'
/** A request that waits behind a fault is still answered. */
const RECV_WINDOW_MS = 60_000
const CANCEL_REJECTED = -2011
const NO_SUCH_ORDER = -2013
/** From the next leader's answers to the end of the streams; far more than a tick of a gateway. */
const STREAMS_MS = 2_000

export interface FormerAnswers {
  /** What it answered after the next leader's acknowledgements. */
  readonly answers: number
  /** Answers that left nothing open. */
  readonly definite: number
  /** Definite answers that the next leader contradicts, in sentences. */
  readonly contradictions: readonly string[]
}

interface Answer {
  readonly status: number
  readonly body: Json
}
type SessionAnswer = Awaited<ReturnType<WsClient['send']>>

/** An order that rests far from the market, alone at its price. */
interface Resting {
  readonly symbol: string
  readonly price: number
  readonly clientOrderId: string
  readonly orderId: number
}

/** Which of the two orders are open in an answer of 200; undefined when it does not tell. */
interface Shown {
  readonly kept?: boolean
  readonly placed?: boolean
}

interface OperatorQuery {
  readonly name: string
  ask(): Promise<Answer>
  shows(body: Json): Shown
}

export class FormerLeader {
  private readonly member: Member
  private readonly key: DemoKey
  private readonly log: ClientLog
  private readonly round: number
  private readonly client: SignedClient
  private readonly abort = new AbortController()
  private readonly session: WsClient
  private readonly streams: WebSocket
  /** It rests before the fault, and the next leader cancels it. */
  private kept: Resting | undefined = undefined
  private closedMs: number | undefined
  private decidedMs = 0
  private asking: Promise<unknown> = Promise.resolve()
  private answers = 0
  private definite = 0
  private readonly contradictions: string[] = []

  /** Rests the first order at the leader. `round` separates its orders and prices from other rounds'. */
  static async watch(
    member: Member,
    key: DemoKey,
    log: ClientLog,
    round: number,
  ): Promise<FormerLeader> {
    const former = new FormerLeader(member, key, log, round)
    former.kept = await former.place(member, 'kept', 0)
    await former.session.query('ping', {})
    await until('sockets of the leader', () => former.isConnected)
    return former
  }

  private constructor(member: Member, key: DemoKey, log: ClientLog, round: number) {
    this.member = member
    this.key = key
    this.log = log
    this.round = round
    const { url, wsUrl } = member.exchange
    this.client = new SignedClient(url, key)
    this.session = new WsClient(`${wsUrl}/ws-api/v3`, accountKeyOf(key), BOUND_MS)
    this.streams = new WebSocket(`${wsUrl}/ws/btcusdt@depth`)
    this.streams.on('error', () => {})
    this.streams.once('close', () => {
      this.closedMs = performance.now()
    })
  }

  /** Has the next leader decide both orders, and queries the former one from then on. */
  async contradict(next: Member): Promise<void> {
    const placed = await this.place(next, 'placed', 1)
    await this.cancel(next, this.kept!)
    this.decidedMs = performance.now()
    const questions = this.questions(this.kept!, placed)
    this.asking = Promise.all(questions.map((question) => this.askOn(question)))
  }

  /** The member could be reached all the time, so its streams must have been closed. */
  checkStreams(): void {
    const openMs = (this.closedMs ?? performance.now()) - this.decidedMs
    if (openMs <= STREAMS_MS) return
    this.contradictions.push(`its streams were open for ${Math.round(openMs)} ms too long`)
  }

  /** Queries no more. */
  async end(): Promise<FormerAnswers> {
    this.abort.abort()
    this.session.close()
    await this.asking
    this.streams.terminate()
    const { number } = this.member
    return {
      answers: this.answers,
      definite: this.definite,
      contradictions: this.contradictions.map((it) => `member ${number}, overtaken, ${it}`),
    }
  }

  private get isConnected(): boolean {
    return this.session.isOpen && this.streams.readyState === WebSocket.OPEN
  }

  /** One after another; a query without an answer waits, as a client's would behind a cut. */
  private async askOn({ name, ask, shows }: OperatorQuery): Promise<void> {
    while (!this.abort.signal.aborted) {
      const answer = await ask().catch(() => NO_ANSWER)
      if (answer !== NO_ANSWER) this.judge(name, answer, shows)
      await delay(PAUSE_MS)
    }
  }

  private judge(name: string, { status, body }: Answer, shows: OperatorQuery['shows']): void {
    this.answers++
    if (status !== 200 && body.code !== NO_SUCH_ORDER) return
    this.definite++
    const { kept = false, placed = true } = status === 200 ? shows(body) : UNKNOWN_TO_IT
    const text = `${name} ${status} ${JSON.stringify(body).slice(0, 200)}`
    if (kept) this.contradictions.push(`shows a canceled order as open: ${text}`)
    if (!placed) this.contradictions.push(`does not show an acknowledged order: ${text}`)
  }

  private questions(kept: Resting, placed: Resting): readonly OperatorQuery[] {
    const { symbol } = kept
    const named = ({ orderId, clientOrderId }: Resting, isByNumber: boolean) =>
      isByNumber ? { symbol, orderId } : { symbol, origClientOrderId: clientOrderId }
    const get = (path: string, params: Params) => () =>
      this.client.send('GET', `/api/v3/${path}`, { ...params, ...WINDOW }, this.abort.signal)
    const open = (body: Json) => body.status === 'NEW'
    const among = (shown: readonly unknown[], of: (order: Resting) => unknown): Shown => {
      return { kept: shown.includes(of(kept)), placed: shown.includes(of(placed)) }
    }
    const ofOrders = (body: Json) =>
      among(
        (body as unknown as Json[]).map(({ orderId }) => orderId),
        ({ orderId }) => orderId,
      )
    const ofBook = (body: Json) =>
      among(
        (body.bids as [string, string][]).map(([price]) => Number(price)),
        ({ price }) => price,
      )
    const book = { symbol, limit: DEPTH_LIMIT }
    const status = () =>
      this.askSession(() =>
        this.session.send('order.status', { ...named(placed, false), ...WINDOW }),
      )
    const depth = () => this.askSession(() => this.session.query('depth', book))
    return [
      {
        name: 'order',
        ask: get('order', named(kept, true)),
        shows: (body) => ({ kept: open(body) }),
      },
      {
        name: 'order',
        ask: get('order', named(placed, false)),
        shows: (body) => ({ placed: open(body) }),
      },
      { name: 'order.status', ask: status, shows: (body) => ({ placed: open(body) }) },
      { name: 'openOrders', ask: get('openOrders', { symbol }), shows: ofOrders },
      { name: 'depth', ask: () => this.depth(book), shows: ofBook },
      { name: 'depth of a session', ask: depth, shows: ofBook },
    ]
  }

  private async depth({ symbol, limit }: { symbol: string; limit: number }): Promise<Answer> {
    const address = `${this.member.exchange.url}/api/v3/depth?symbol=${symbol}&limit=${limit}`
    const response = await fetch(address, { signal: this.abort.signal })
    return { status: response.status, body: (await response.json()) as Json }
  }

  /** What the session answered; the connection that the fault cut is not made again. */
  private async askSession(answered: () => Promise<SessionAnswer>): Promise<Answer> {
    if (this.abort.signal.aborted || !this.session.isOpen) return NO_ANSWER
    const { status, body } = await answered()
    return status === 0 ? NO_ANSWER : { status, body: (body ?? {}) as Json }
  }

  /** Places until an order is taken: a leader may be busy. One of unknown fate rests at the same price. */
  private async place(member: Member, name: string, level: number): Promise<Resting> {
    const client = new SignedClient(member.exchange.url, this.key)
    const { account } = this.key
    for (const tryNumber of tries(`an order at member ${member.number}`)) {
      const clientOrderId = `${this.round}-${name}-${tryNumber}`
      const params = quietOrder(clientOrderId, 2 * this.round + level)
      const sent = { account, method: 'POST', path: ORDER, params }
      const answer = await sendLogged(this.log, client, { kind: 'place', ...sent })
      if (answer?.status === 200) {
        const { symbol, price, orderId } = answer.body
        return {
          symbol: String(symbol),
          price: Number(price),
          clientOrderId,
          orderId: Number(orderId),
        }
      }
      await delay(PAUSE_MS)
    }
    throw new Error('unreachable')
  }

  private async cancel(member: Member, { symbol, orderId }: Resting): Promise<void> {
    const client = new SignedClient(member.exchange.url, this.key)
    const { account } = this.key
    for (const tryNumber of tries(`a cancel at member ${member.number}`)) {
      const params = { symbol, orderId, newClientOrderId: `${this.round}-over-${tryNumber}` }
      const sent = { account, method: 'DELETE', path: ORDER, params }
      const answer = await sendLogged(this.log, client, { kind: 'cancel', ...sent })
      // A try of unknown fate may have been carried out.
      if (answer?.status === 200 || answer?.body.code === CANCEL_REJECTED) return
      await delay(PAUSE_MS)
    }
  }
}

const NO_ANSWER: Answer = { status: 0, body: {} }
const UNKNOWN_TO_IT: Shown = { placed: false }
const WINDOW = { recvWindow: RECV_WINDOW_MS }

/** Counts from 1 until the time is over. */
function* tries(what: string): Generator<number> {
  const deadlineMs = performance.now() + BOUND_MS
  for (let number = 1; performance.now() < deadlineMs; number++) yield number
  throw new Error(`never happened: ${what}`)
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  for (const _ of tries(what)) {
    if (isSo()) return
    await delay(PAUSE_MS)
  }
}
