/**
 * Places the order of the ticket: one at a time, under a client order id that is made before the request.
 * A response that is lost leaves the outcome unknown: the order is queried by this id until there is an answer.
 */
import type { MarketSymbol } from '../market/symbols.ts'
import type { Params } from '../net/api.ts'
import { ApiError } from '../net/api-error.ts'
import { type Account, refusalText } from './account.ts'
import type { ListRow, TradeRow } from './account-rows.ts'
import { orderParams, pathOf } from './order-kinds.ts'
import { type OrderAnswer, outcomeOf } from './outcome.ts'
import { RECV_WINDOW_MS, type Session } from './session.ts'
import type { TicketForm } from './ticket-form.ts'

/** The second half of a double click sends nothing, however fast the exchange has answered. */
const SETTLE_MS = 500
const ASK_MS = 1_000
/** A request that is not there by then is refused when it arrives. */
const CERTAIN_MS = RECV_WINDOW_MS + 1_000
const ORDER_UNKNOWN = [-2013, -2018]

/** Places what the form holds, and says what became of it. Does nothing while another order is sent. */
export async function placeOrder(
  account: Account,
  symbol: MarketSymbol,
  kind: string,
  form: TicketForm,
): Promise<void> {
  const { value: session } = account.session
  if (session === undefined || form.isSending.value) return
  form.isSending.value = true
  const settled = pause(SETTLE_MS)
  const { value: values } = form.values
  const { value: side } = form.side
  const sending = new Sending(account, session, symbol, kind, side)
  try {
    if (await sending.place(orderParams(symbol, kind, side, values))) form.spend(values)
  } finally {
    await settled
    form.isSending.value = false
  }
}

/** One order on its way. */
class Sending {
  private readonly account: Account
  private readonly session: Session
  private readonly symbol: MarketSymbol
  private readonly path: string
  private readonly what: string
  private readonly id = `web_${crypto.randomUUID().replaceAll('-', '')}`

  constructor(
    account: Account,
    session: Session,
    symbol: MarketSymbol,
    kind: string,
    side: 'BUY' | 'SELL',
  ) {
    this.account = account
    this.session = session
    this.symbol = symbol
    this.path = pathOf(kind)
    this.what = `${side} ${kind}`
  }

  private get isList(): boolean {
    return this.path !== '/api/v3/order'
  }

  /** Whether the user who sent the order is still the one who is signed in. */
  private get isWatched(): boolean {
    return this.account.session.value === this.session
  }

  /** Sends the order. Says its outcome once it is known; returns whether it was placed. */
  async place(params: Params): Promise<boolean> {
    const idName = this.isList ? 'listClientOrderId' : 'newClientOrderId'
    const named = { ...params, [idName]: this.id }
    try {
      const asked = [this.what, 'POST', this.path, named] as const
      this.report(await this.account.request<OrderAnswer>(this.session, ...asked))
      return true
    } catch (error) {
      if (error instanceof ApiError && error.isUnknown) return this.find()
      if (this.isWatched) this.account.notices.say(refusalText(error as Error), 'bad')
      return false
    }
  }

  /** Asks for the order until the exchange has it, or would refuse it if it still came. */
  private async find(): Promise<boolean> {
    const untilMs = performance.now() + CERTAIN_MS
    const text = `${this.what}: outcome unknown, no response. Asking for ${this.id} …`
    const waiting = this.isWatched ? this.account.notices.say(text, 'waiting') : 0
    const isPlaced = await this.settle(untilMs)
    this.account.notices.dismiss(waiting)
    return isPlaced
  }

  private async settle(untilMs: number): Promise<boolean> {
    while (this.isWatched) {
      const isCertain = performance.now() > untilMs
      const found = await this.ask().catch((error: Error) => error)
      if (!(found instanceof Error)) {
        this.report(found)
        return true
      }
      const isAbsent = found instanceof ApiError && ORDER_UNKNOWN.includes(found.code)
      if (isAbsent && isCertain) {
        if (this.isWatched) {
          this.account.notices.say(
            `${this.what}: not placed. It never reached the exchange.`,
            'bad',
          )
        }
        return false
      }
      await pause(ASK_MS)
    }
    return false
  }

  /** Throws ApiError while the exchange does not know the order, or does not respond. */
  private async ask(): Promise<OrderAnswer> {
    const query = { symbol: this.symbol.symbol, origClientOrderId: this.id }
    if (!this.isList) return this.withFills(await this.session.read('/api/v3/order', query))
    const list = await this.session.read<ListRow>('/api/v3/orderList', {
      origClientOrderId: this.id,
    })
    const orderReports = list.orders.map(({ orderId }) => this.askForLeg(orderId))
    return { listOrderStatus: list.listOrderStatus, orderReports: await Promise.all(orderReports) }
  }

  /** The list is there: an order of it that cannot be read yet is no sign that nothing was placed. */
  private async askForLeg(orderId: number): Promise<OrderAnswer> {
    const query = { symbol: this.symbol.symbol, orderId }
    const order = this.session.read<OrderAnswer>('/api/v3/order', query)
    return order
      .then((it) => this.withFills(it))
      .catch(({ message }: Error) => {
        throw new Error(message)
      })
  }

  private async withFills(order: OrderAnswer): Promise<OrderAnswer> {
    if (Number(order.executedQty) === 0) return order
    // A query has no fills, which have the fee.
    const trades = { symbol: this.symbol.symbol, orderId: order.orderId }
    const fills = await this.session.read<readonly TradeRow[]>('/api/v3/myTrades', trades)
    return { ...order, fills }
  }

  private report(answer: OrderAnswer): void {
    if (!this.isWatched) return
    const { status, outcome, isAsMeant } = outcomeOf(this.symbol, answer)
    this.account.notices.say(`${this.what}: ${status}`, isAsMeant ? 'good' : 'neutral', outcome)
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
