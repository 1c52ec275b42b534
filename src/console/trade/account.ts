/**
 * The signed-in account: balances, open orders, and receipts. Loaded and kept current by the user data stream, over
 * one connection; after a loss everything is loaded again.
 */
import { batch, signal } from '@preact/signals'
import type { Wire } from '../../api/answers/element.ts'
import type { accountPosition } from '../../api/answers/user-events.ts'
import { parseUnits, shown } from '../book/decimals.ts'
import type { OwnLevel } from '../ladder/ladder-rows.ts'
import type { MarketSymbol } from '../market/symbols.ts'
import { measureClock } from '../net/api.ts'
import { ApiError } from '../net/api-error.ts'
import type { SocketState } from '../net/socket.ts'
import { onRead, requestFrame } from '../toolkit/frames.ts'
import {
  type AccountAnswer,
  type BalanceRow,
  type FillRow,
  fillOfEvent,
  isOpen,
  type ListEvent,
  type ListRow,
  listOfEvent,
  type OrderEvent,
  type OrderRow,
  orderOfEvent,
  priceOf,
} from './account-rows.ts'
import { areFillsTold, tell } from './alerts.ts'
import { forgetKey } from './kept-key.ts'
import { KeptRows } from './kept-rows.ts'
import { Notices } from './notices.ts'
import { OpenOrderRows } from './open-order-rows.ts'
import { Positions } from './positions.ts'
import { type Receipt, withReceipt } from './receipts.ts'
import type { Session } from './session.ts'

type PositionEvent = Wire<typeof accountPosition>

interface AccountEvent {
  readonly e: string
}

const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 30_000
/** The key is not, or no longer, one of the account. */
const KEY_REFUSED = [-2014, -2015]
const CLOCK_REFUSED = -1021
/** Events that may wait: more are dropped, and the account is loaded again. */
const EVENTS_MAX = 8_192

export class Account {
  readonly session = signal<Session | undefined>(undefined)
  readonly balances = signal<ReadonlyMap<string, BalanceRow>>(new Map())
  readonly openOrders = new OpenOrderRows()
  readonly rates = signal<AccountAnswer['commissionRates'] | undefined>(undefined)
  readonly receipts = signal<readonly Receipt[]>([])
  readonly notices = new Notices()
  /** The past: orders (the closed ones are shown), fills, and lists. */
  readonly closed = new KeptRows<OrderRow>(
    ...(['allOrders', ({ orderId }: OrderRow) => orderId, ({ time }: OrderRow) => time] as const),
  )
  readonly fills = new KeptRows<FillRow>(
    ...(['myTrades', ({ id }: FillRow) => id, ({ time }: FillRow) => time] as const),
  )
  readonly lists = new KeptRows<ListRow>(
    'allOrderLists',
    ({ orderListId }) => orderListId,
    ({ transactionTime }) => transactionTime,
  )
  /** Positions in markets whose fills were requested. */
  readonly positions = new Positions()
  /** Whether balances and open orders follow the user data stream. */
  readonly isLive = signal(false)
  /** Order requests that have no answer yet. */
  readonly inFlight = signal(0)
  /** Counts up with each reading of the account, for lists that may have missed events. */
  readonly loaded = signal(0)
  /** State of the connection to the account, and how long it has been silent, ms. */
  readonly state = signal<SocketState>('connecting')
  readonly silentMs = signal(0)
  /** Why the account is not current, or why its user was signed out; '' for neither. */
  readonly trouble = signal('')
  /** Events that wait for a frame, and while the account is loaded. */
  private events: AccountEvent[] = []
  private loads = 0
  private retryMs = FIRST_RETRY_MS

  constructor() {
    onRead(() => this.readEvents())
  }

  /** Signs in. Throws ApiError when the exchange refuses the key, and an error when no connection opens. */
  async signIn(session: Session): Promise<void> {
    await measureClock()
    this.trouble.value = ''
    try {
      await session.connect({
        changed: (state, silentMs) => {
          this.state.value = state
          this.silentMs.value = silentMs
          if (state !== 'open' && state !== 'silent') this.isLive.value = false
        },
        event: (event) => this.keep(event as AccountEvent),
        refused: (error) => void this.refused(session, error),
        // Everything before the subscription is loaded, everything after it is sent.
        subscribed: () => this.reload(),
      })
      this.takeAccount(await session.ask<AccountAnswer>('account.status'))
    } catch (error) {
      session.close()
      if (error instanceof ApiError && KEY_REFUSED.includes(error.code)) forgetKey()
      throw error
    }
    this.session.value = session
    this.reload()
  }

  signOut(): void {
    this.session.value?.close()
    this.session.value = undefined
    forgetKey()
    this.trouble.value = ''
    this.balances.value = new Map()
    this.receipts.value = []
    this.rates.value = undefined
    this.isLive.value = false
    this.events = []
    for (const kept of [this.closed, this.fills, this.lists]) kept.clear()
    this.positions.clear()
    this.openOrders.load([])
    requestFrame()
    this.notices.clear()
  }

  /** What is shown may not be current until the account was read again. */
  doubt(): void {
    this.isLive.value = false
  }

  /** Reads the account again. */
  reload(): void {
    this.doubt()
    void this.load()
  }

  keepReceipt(receipt: Receipt): void {
    this.receipts.value = withReceipt(this.receipts.value, receipt)
  }

  /** A key that the exchange no longer takes ends the session; a clock that has jumped is read again. */
  private async refused(session: Session, { code, message }: ApiError): Promise<void> {
    if (session !== this.session.value) return
    if (code === CLOCK_REFUSED) {
      this.doubt()
      await measureClock().catch(() => {})
      this.reload()
    }
    if (!KEY_REFUSED.includes(code)) return
    this.doubt()
    // A key may lack a permission and be valid: then it still reads.
    const isValid = await session.ask('account.status').then(
      () => true,
      ({ code: again }: ApiError) => !KEY_REFUSED.includes(again),
    )
    if (session !== this.session.value) return
    if (isValid) this.reload()
    else this.end(`the exchange no longer accepts its key: ${message} (${code})`)
  }

  /** Signs the user out because the session has ended. */
  private end(why: string): void {
    const name = this.session.value?.name
    this.signOut()
    this.trouble.value = `${name} was signed out: ${why}`
  }

  /** Own orders in the book of a symbol, in the ladder's units. */
  *ownLevels({ symbol, priceScale, quantityScale }: MarketSymbol): Iterable<OwnLevel> {
    const units = (text: string) => parseUnits(text, quantityScale)
    for (const order of this.openOrders.all(symbol)) {
      if (Number(priceOf(order)) === 0) continue
      if (order.status !== 'NEW' && order.status !== 'PARTIALLY_FILLED') continue
      yield {
        price: parseUnits(priceOf(order), priceScale),
        quantity: units(order.origQty) - units(order.executedQty),
        isBid: order.side === 'BUY',
      }
    }
  }

  private keep(event: AccountEvent): void {
    if (event.e === 'eventStreamTerminated') {
      this.end('the exchange has ended its session.')
      return
    }
    this.events.push(event)
    requestFrame()
    if (this.events.length <= EVENTS_MAX) return
    this.events = []
    this.reload()
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
    else if (event.e === 'listStatus') this.lists.take('', listOfEvent(event as ListEvent))
    else if (event.e === 'outboundAccountPosition') {
      const { B } = event as AccountEvent & PositionEvent
      const rows = B.map(({ a, f, l }): [string, BalanceRow] => [
        a,
        { asset: a, free: f, locked: l },
      ])
      this.balances.value = new Map([...this.balances.value, ...rows])
    }
  }

  private takeReport(event: OrderEvent): void {
    const order = orderOfEvent(event)
    if (order.orderId < 0) return
    this.openOrders.take(order)
    if (!isOpen(order)) this.closed.take(order.symbol, order)
    if (event.x === 'TRADE') {
      this.fills.take(order.symbol, fillOfEvent(event))
      this.positions.take(order.symbol, fillOfEvent(event))
    }
    const changes =
      event.x === 'TRADE' ? fillText(event) : event.x === 'EXPIRED' ? expiryText(event) : ''
    if (changes === '') return
    if (event.x === 'TRADE' && areFillsTold.value) tell(this.notices, changes)
    else this.notices.say(changes, 'neutral', '', 'news')
  }

  private async load(): Promise<void> {
    const { value: session } = this.session
    if (session === undefined) return
    this.loads++
    try {
      const orders = await session.read<readonly OrderRow[]>('openOrders.status')
      const account = await session.read<AccountAnswer>('account.status')
      if (session !== this.session.value) return
      batch(() => {
        this.openOrders.load(orders)
        this.takeAccount(account)
        this.loaded.value++
        this.trouble.value = ''
        this.isLive.value = session.isFollowing && this.loads === 1
      })
      this.positions.catchUp(session)
      this.retryMs = FIRST_RETRY_MS
    } catch (error) {
      if (session === this.session.value && session.isFollowing) this.retry(error as Error)
    } finally {
      this.loads--
      requestFrame()
    }
  }

  /** A loss of the connection needs none: the next one loads. */
  private retry(error: Error): void {
    this.trouble.value = `The account could not be read: ${refusalText(error)}`
    setTimeout(() => void this.load(), this.retryMs)
    this.retryMs = Math.min(2 * this.retryMs, LONGEST_RETRY_MS)
  }

  private takeAccount({ balances, commissionRates }: AccountAnswer): void {
    this.rates.value = commissionRates
    this.balances.value = new Map(balances.map((row) => [row.asset, row]))
  }
}

const fillText = ({ S, l, s, L, i }: OrderEvent): string =>
  `${S === 'BUY' ? 'Bought' : 'Sold'} ${shown(l)} of ${s} at ${shown(L)}, order ${i}`

const expiryText = ({ s, i }: OrderEvent): string => `Order ${i} of ${s} expired`

/** The exchange's error, in its words, with its code. */
export function refusalText(error: Error): string {
  if (!(error instanceof ApiError) || error.code === 0) return error.message
  return `${error.message} (${error.code})`
}
