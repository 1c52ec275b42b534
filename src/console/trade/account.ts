/**
 * The signed-in account: balances, open orders, and receipts. Loaded by REST and kept current by the
 * user data stream; after a lost connection everything is loaded again.
 */
import { batch, signal } from '@preact/signals'
import type { Wire } from '../../api/answers/element.ts'
import type { errorAnswer } from '../../api/answers/errors.ts'
import type { accountPosition } from '../../api/answers/user-events.ts'
import { parseUnits, shown } from '../book/decimals.ts'
import type { OwnLevel } from '../ladder/ladder-rows.ts'
import type { MarketSymbol } from '../market/symbols.ts'
import { type Params, socketAddress } from '../net/api.ts'
import { ApiError } from '../net/api-error.ts'
import { measureClock } from '../net/server-clock.ts'
import { Socket } from '../net/socket.ts'
import { onRead, requestFrame } from '../toolkit/frames.ts'
import {
  type AccountAnswer,
  type BalanceRow,
  type OrderEvent,
  type OrderRow,
  orderOfEvent,
} from './account-rows.ts'
import { forgetKey } from './kept-key.ts'
import { Notices } from './notices.ts'
import { OpenOrderRows } from './open-order-rows.ts'
import type { Outcome } from './outcome.ts'
import { type Receipt, readReceipt, withReceipt } from './receipts.ts'
import type { Session } from './session.ts'

/** A request that changes or ends orders. */
export interface OrderAction<Body> {
  /** What it does, in words. */
  readonly what: string
  readonly method: string
  readonly path: string
  readonly params: Params
  readonly outcomeOf: (body: Body) => Outcome
}

type PositionEvent = Wire<typeof accountPosition>

interface AccountEvent {
  readonly e: string
}

interface StreamFrame {
  readonly id?: number
  readonly status?: number
  readonly error?: Wire<typeof errorAnswer>
  readonly event?: AccountEvent
}

const RETRY_MS = 1_000
/** Events that may wait: more are dropped, and the account is loaded again. */
const EVENTS_MAX = 8_192

export class Account {
  readonly session = signal<Session | undefined>(undefined)
  readonly balances = signal<ReadonlyMap<string, BalanceRow>>(new Map())
  readonly openOrders = new OpenOrderRows()
  readonly rates = signal<AccountAnswer['commissionRates'] | undefined>(undefined)
  readonly receipts = signal<readonly Receipt[]>([])
  readonly notices = new Notices()
  /** Whether balances and open orders follow the user data stream. */
  readonly isLive = signal(false)
  /** Order requests that have no answer yet. */
  readonly inFlight = signal(0)
  /** Counts up with each event, for lists that are read by REST. */
  readonly changes = signal(0)
  private socket: Socket | undefined = undefined
  private requestId = 0
  private subscriptionId = 0
  /** Events that wait for a frame, and while the account is loaded. */
  private events: AccountEvent[] = []
  private loads = 0

  constructor() {
    onRead(() => this.readEvents())
  }

  /** Signs in. Throws ApiError when the exchange refuses the key. */
  async signIn(session: Session): Promise<void> {
    await measureClock()
    this.takeAccount(await session.read<AccountAnswer>('/api/v3/account'))
    this.session.value = session
    this.socket = new Socket({
      address: () => socketAddress('/ws-api/v3'),
      opened: () => void this.subscribe(session),
      message: (text) => this.take(JSON.parse(text) as StreamFrame),
      changed: () => {
        this.isLive.value = false
      },
      probe: () => JSON.stringify({ id: ++this.requestId, method: 'ping' }),
    })
  }

  signOut(): void {
    this.socket?.close()
    this.socket = undefined
    this.session.value = undefined
    forgetKey()
    this.balances.value = new Map()
    this.receipts.value = []
    this.rates.value = undefined
    this.isLive.value = false
    this.events = []
    this.openOrders.load([])
    requestFrame()
    this.notices.clear()
  }

  /** Sends a signed order request and keeps its receipt. Throws ApiError. */
  async request<Body>(
    session: Session,
    what: string,
    method: string,
    path: string,
    params: Params,
  ): Promise<Body> {
    this.inFlight.value++
    try {
      const { body, headers } = await session.call<Body>(method, path, params)
      this.keepReceipt(headers, what, (body as Partial<OrderRow>).orderId)
      return body
    } finally {
      this.inFlight.value--
    }
  }

  /**
   * Changes or ends orders. Says what the exchange said, as `outcomeOf` reads it from the response or from
   * the data of a refusal. Returns whether the exchange did as asked.
   */
  async act<Body>(action: OrderAction<Body>): Promise<boolean> {
    const { what, method, path, params, outcomeOf } = action
    const { value: session } = this.session
    if (session === undefined) return false
    try {
      const body = await this.request<Body>(session, what, method, path, params)
      const { status, outcome, isAsMeant } = outcomeOf(body)
      const tone = isAsMeant ? 'good' : 'neutral'
      if (session === this.session.value) this.notices.say(`${what}: ${status}`, tone, outcome)
      return true
    } catch (error) {
      if (session === this.session.value) this.sayFailure(action, error as Error)
      return false
    }
  }

  private sayFailure<Body>({ what, outcomeOf }: OrderAction<Body>, error: Error): void {
    const { isUnknown = false, data } = error instanceof ApiError ? error : {}
    const unknown = `${what}: outcome unknown. The open orders are read again.`
    const outcome = data === undefined ? '' : outcomeOf(data as Body).outcome
    this.notices.say(isUnknown ? unknown : `${what}: ${refusalText(error)}`, 'bad', outcome)
    if (isUnknown || data !== undefined) void this.load()
  }

  /** Own orders in the book of a symbol, in the ladder's units. */
  *ownLevels({ symbol, priceScale, quantityScale }: MarketSymbol): Iterable<OwnLevel> {
    const units = (text: string) => parseUnits(text, quantityScale)
    for (const order of this.openOrders.all(symbol)) {
      if (Number(order.price) === 0) continue
      if (order.status !== 'NEW' && order.status !== 'PARTIALLY_FILLED') continue
      yield {
        price: parseUnits(order.price, priceScale),
        quantity: units(order.origQty) - units(order.executedQty),
        isBid: order.side === 'BUY',
      }
    }
  }

  private keepReceipt(headers: Headers, what: string, orderId: number | undefined): void {
    const receipt = readReceipt(headers.get('x-ringbook-stages'), what, orderId)
    if (receipt === undefined) return
    this.receipts.value = withReceipt(this.receipts.value, receipt)
  }

  private async subscribe(session: Session): Promise<void> {
    this.subscriptionId = ++this.requestId
    this.socket?.send(await session.subscription(this.subscriptionId))
  }

  private take({ id, status, error, event }: StreamFrame): void {
    if (event !== undefined) this.keep(event)
    else if (error !== undefined) this.notices.say(`${error.msg} (${error.code})`, 'bad')
    // The subscription's response: everything before it is loaded, everything after it is sent.
    else if (status === 200 && id === this.subscriptionId) void this.load()
  }

  private keep(event: AccountEvent): void {
    this.events.push(event)
    requestFrame()
    if (this.events.length <= EVENTS_MAX) return
    this.events = []
    void this.load()
  }

  /** Events that come while the account is loaded follow it: what they contain may be newer. */
  private readEvents(): void {
    if (this.events.length === 0 || this.loads > 0) return
    const events = this.events
    this.events = []
    batch(() => {
      for (const event of events) this.takeEvent(event)
    })
  }

  private takeEvent(event: AccountEvent): void {
    if (event.e === 'executionReport') this.takeReport(event as AccountEvent & OrderEvent)
    else if (event.e === 'outboundAccountPosition') {
      const { B } = event as AccountEvent & PositionEvent
      const rows = B.map(({ a, f, l }): [string, BalanceRow] => [
        a,
        { asset: a, free: f, locked: l },
      ])
      this.balances.value = new Map([...this.balances.value, ...rows])
    }
    this.changes.value++
  }

  private takeReport(event: OrderEvent): void {
    const order = orderOfEvent(event)
    if (order.orderId < 0) return
    this.openOrders.take(order)
    const changes =
      event.x === 'TRADE' ? fillText(event) : event.x === 'EXPIRED' ? expiryText(event) : ''
    if (changes !== '') this.notices.say(changes, 'neutral', '', 'news')
  }

  private async load(): Promise<void> {
    const { value: session } = this.session
    if (session === undefined) return
    this.loads++
    try {
      const orders = await session.read<readonly OrderRow[]>('/api/v3/openOrders')
      const account = await session.read<AccountAnswer>('/api/v3/account')
      if (session !== this.session.value) return
      batch(() => {
        this.openOrders.load(orders)
        this.takeAccount(account)
        this.changes.value++
        this.isLive.value = this.socket?.isOpen === true
      })
    } catch {
      setTimeout(() => void this.load(), RETRY_MS)
    } finally {
      this.loads--
      requestFrame()
    }
  }

  private takeAccount({ balances, commissionRates }: AccountAnswer): void {
    this.rates.value = commissionRates
    this.balances.value = new Map(balances.map((row) => [row.asset, row]))
  }
}

const fillText = ({ S, l, s, L, i }: OrderEvent): string =>
  `${S === 'BUY' ? 'Bought' : 'Sold'} ${shown(l)} of ${s} at ${shown(L)}, order ${i}`

const expiryText = ({ s, i }: OrderEvent): string => `Order ${i} of ${s} expired`

/** What the exchange said, in its words, with its code. */
export function refusalText(error: Error): string {
  if (!(error instanceof ApiError) || error.code === 0) return error.message
  return `${error.message} (${error.code})`
}
