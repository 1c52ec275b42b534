/** Actions on what clients do: their orders and trades, and the books. */

import { type AccountId, Ms, OrderId } from '../../base/units.ts'
import type { AccountSpec, SymbolSpec } from '../../market/listing.ts'
import {
  type ActionContext,
  ActionError,
  type ActionParam,
  type Arguments,
  actionsOf,
  type Outcome,
  type TableRow,
} from '../action.ts'
import type { Registry } from '../registry.ts'
import { counted } from '../words.ts'
import { accountOf, openOrdersOn, symbolOf, symbolParam } from './named.ts'
import { oldestFirst, pageOf, pageParams } from './pages.ts'

const someAccount: ActionParam = {
  name: 'account',
  kind: 'text',
  about: 'Name or id of the account; all without it.',
}
const someSymbol: ActionParam = {
  name: 'symbol',
  kind: 'text',
  about: 'One symbol; all without it.',
}

/** Orders that a gateway reads in one piece: they fit into the reply ring. */
const PIECE_ORDERS = 256
/** Symbols that are asked about at once. */
const SYMBOLS_AT_ONCE = 8
const LEVELS_MAX = 500

export const tradingActions = actionsOf('trading', [
  {
    name: 'orders',
    title: 'Show open orders',
    role: 'watch',
    example: 'orders alice BTCUSDT',
    about: 'Shows open orders: of an account, on a symbol, or all.',
    params: [someAccount, someSymbol, ...pageParams],
    rowAction: {
      name: 'cancel-order',
      label: 'Cancel',
      takes: { account: 'account', symbol: 'symbol', id: 'orderId' },
    },
    run: openOrders,
  },
  {
    name: 'order',
    title: 'Show one order',
    role: 'watch',
    example: 'order alice BTCUSDT 17',
    about: 'Shows everything about one order, open or not.',
    params: [
      { ...someAccount, about: 'Name or id of the account.', required: true },
      symbolParam,
      { name: 'id', kind: 'text', about: 'Its order id or client order id.', required: true },
    ],
    run: async (args, context) => {
      const rows = Object.entries(await orderOf(args, context)).map(([field, value]) => ({
        field,
        value: field.endsWith('ime') ? timeText(Ms(Number(value))) : String(value),
      }))
      return { said: `Order ${meantOrder(args)}.`, rows }
    },
  },
  {
    name: 'trades',
    title: 'Show the newest trades',
    role: 'watch',
    example: 'trades --symbol BTCUSDT --limit 20',
    about: 'Shows the newest trades: of an account, on a symbol, or all.',
    params: [
      someAccount,
      someSymbol,
      pageParams[0],
      {
        name: 'from',
        kind: 'integer',
        about: 'Shows the trades from this id on instead; needs a symbol.',
      },
    ],
    run: trades,
  },
  {
    name: 'book',
    title: 'Show the book of a symbol',
    role: 'watch',
    example: 'book BTCUSDT --levels 5',
    about: 'Shows the best prices of a symbol and what they offer.',
    params: [
      symbolParam,
      { name: 'levels', kind: 'integer', about: `Of each side; 10, at most ${LEVELS_MAX}.` },
    ],
    run: async (args, context) => {
      const symbol = symbolOf(args, context.registry).name
      const levels = args.integer('levels', 1, LEVELS_MAX, 10)
      const depth = await ask(context, 'depth', undefined, { symbol, limit: String(levels) })
      const { bids, asks } = depth as Readonly<Record<'bids' | 'asks', [string, string][]>>
      const rowsOf = (side: string, levels: readonly [string, string][]) =>
        levels.map(([price, quantity]) => ({ side, price, quantity }))
      const rows = [...rowsOf('ask', asks).reverse(), ...rowsOf('bid', bids)]
      return { said: `The book of ${symbol}, the best prices in the middle.`, rows }
    },
  },
  {
    name: 'cancel-order',
    title: 'Cancel one open order',
    role: 'support',
    example: 'cancel-order alice BTCUSDT 17',
    about: 'Cancels one open order. The other orders of its list are canceled with it.',
    params: [
      { ...someAccount, about: 'Name or id of the account.', required: true },
      symbolParam,
      { name: 'id', kind: 'text', about: 'Its order id or client order id.', required: true },
    ],
    previews: (args) => ({
      does: `Cancel order ${meantOrder(args)}`,
      note: '',
      yes: 'Cancel order',
      no: 'Keep',
    }),
    run: cancelOrder,
  },
  {
    name: 'cancel-orders',
    title: 'Cancel all open orders',
    role: 'support',
    example: 'cancel-orders --account alice --symbol BTCUSDT',
    about: 'Cancels all open orders of an account on a symbol; --all stands for what is not named.',
    params: [
      { ...someAccount, about: 'Name or id of the account.' },
      { ...someSymbol, about: 'Name of the symbol.' },
      {
        name: 'all',
        kind: 'flag',
        about: 'Stands for all accounts, or all symbols, where none is named.',
      },
    ],
    previews: (args, { registry, view }) => {
      const { account, symbol } = meantOrders(args, registry)
      const symbols = symbol === undefined ? registry.symbols : [symbol]
      const count = openOrdersOn(symbols, registry, view, account)
      const all = count === 1 ? 'the' : 'all'
      return {
        does: `Cancel ${all} ${counted(count, 'open order')}${whoseText(account, symbol)}`,
        note: '',
        yes: 'Cancel orders',
        no: 'Keep',
        ...(args.has('all') && { typed: symbol?.name ?? account?.name ?? 'all' }),
      }
    },
    run: (args, { registry }) => {
      const { account, symbol } = meantOrders(args, registry)
      return {
        said: `All open orders${whoseText(account, symbol)} are canceled.`,
        cancels: { account: account?.id, symbolId: symbol?.id, clientOrderId: 'cancel-orders' },
      }
    },
  },
])

const meantOrder = (args: Arguments): string =>
  `${args.text('id')} of ${args.text('account')} on ${args.text('symbol')}`

/** Resolves to the order as its owner would see it. Rejects with ActionError when there is none. */
async function orderOf(args: Arguments, context: ActionContext): Promise<OpenOrder> {
  const { id: account } = accountOf(args, context.registry)
  const symbol = symbolOf(args, context.registry).name
  const id = args.text('id')
  const key = /^[0-9]{1,15}$/.test(id) ? 'orderId' : 'origClientOrderId'
  return (await ask(context, 'queryOrder', account, { symbol, [key]: id })) as OpenOrder
}

const OPEN_STATUSES: readonly string[] = ['NEW', 'PARTIALLY_FILLED', 'PENDING_NEW']

/** The order may be filled before its cancel: what the action says is read from the order afterwards. */
async function cancelOrder(args: Arguments, context: ActionContext): Promise<Outcome> {
  const { registry } = context
  const { orderId, status } = await orderOf(args, context)
  const meant = `Order ${meantOrder(args)}`
  if (!OPEN_STATUSES.includes(status)) throw new ActionError(`${meant} is ${status}, not open.`)
  const account = accountOf(args, registry).id
  const { id: symbolId, name: symbol } = symbolOf(args, registry)
  return {
    said: '',
    cancels: { account, symbolId, orderId: OrderId(orderId), clientOrderId: 'cancel-order' },
    report: async () => {
      const params = { symbol, orderId: String(orderId) }
      const order = (await ask(context, 'queryOrder', account, params)) as OpenOrder
      if (order.status === 'CANCELED') return `${meant} is canceled.`
      throw new ActionError(`${meant} was ${order.status} before it could be canceled.`)
    },
  }
}

/** Whose orders, and on which symbol: what is left out stands for all, and `all` must say so. */
function meantOrders(args: Arguments, registry: Registry) {
  const isNamed = args.has('account') && args.has('symbol')
  const isAll = args.flag('all', false)
  if (isNamed && isAll)
    throw new ActionError('An account and a symbol are given, so "all" means nothing.')
  if (!isNamed && !isAll) {
    throw new ActionError(
      'cancel-orders needs an account and a symbol, or "all" on (--all) for what is not named.',
    )
  }
  return {
    account: args.has('account') ? accountOf(args, registry) : undefined,
    symbol: args.has('symbol') ? symbolOf(args, registry) : undefined,
  }
}

const whoseText = (account: AccountSpec | undefined, symbol: SymbolSpec | undefined): string =>
  `${account === undefined ? '' : ` of ${account.name}`}${symbol === undefined ? '' : ` on ${symbol.name}`}`

/** Asks gateway 0, which has every symbol. Throws ActionError with the refusal that a client would get. */
async function ask(
  { view }: ActionContext,
  operation: string,
  account: AccountId | undefined,
  params: Readonly<Record<string, string>>,
): Promise<unknown> {
  return answerOf(await view.ask(0, { ask: 'operation', operation, account, params }))
}

export function answerOf({ value, refused }: Awaited<ReturnType<ActionContext['view']['ask']>>) {
  if (refused !== undefined) throw new ActionError(refused)
  return value
}

const timeText = (timeMs: Ms): string =>
  timeMs > 0 ? new Date(timeMs).toISOString() : String(timeMs)

interface OpenOrder {
  readonly orderId: OrderId
  readonly clientOrderId: string
  readonly side: string
  readonly type: string
  readonly price: string
  readonly stopPrice: string
  readonly origQty: string
  readonly executedQty: string
  readonly status: string
  readonly time: Ms
}

/** By symbol, account and order id: a page begins behind the last row of the page before. */
async function openOrders(args: Arguments, context: ActionContext): Promise<Outcome> {
  const { registry, view } = context
  const page = pageOf(args, 3)
  const only = args.has('symbol') ? symbolOf(args, registry).id : undefined
  const account = args.has('account') ? accountOf(args, registry).id : undefined
  const rows: TableRow[] = []
  let more: string | undefined
  const [afterSymbol = -1, afterAccount = -1, afterOrder = 0] = page.after
  for (const { id: symbolId, name } of registry.symbols) {
    if ((only !== undefined && symbolId !== only) || symbolId < afterSymbol) continue
    for (const { id, name: owner } of registry.accounts) {
      if (rows.length === page.limit) break
      if (account !== undefined && id !== account) continue
      if (symbolId === afterSymbol && id < afterAccount) continue
      if (view.openOrders(symbolId, id) === 0) continue
      let last = symbolId === afterSymbol && id === afterAccount ? afterOrder : 0
      while (rows.length < page.limit) {
        const limit = Math.min(PIECE_ORDERS, page.limit - rows.length)
        const piece = { account: id, symbolId, afterOrderId: OrderId(last), limit }
        const orders = answerOf(await view.ask(0, { ask: 'openOrders', ...piece })) as OpenOrder[]
        rows.push(...orders.map((order) => orderRow(order, name, owner)))
        last = orders.at(-1)?.orderId ?? last
        if (orders.length < limit) break
      }
      more = `${symbolId}:${id}:${last}`
    }
  }
  const isFull = rows.length === page.limit
  const said = `${counted(rows.length, 'open order')}.`
  return isFull && more !== undefined ? { said, rows, more } : { said, rows }
}

const orderRow = (order: OpenOrder, symbol: string, account: string): TableRow => ({
  symbol,
  account,
  orderId: order.orderId,
  clientOrderId: order.clientOrderId,
  side: order.side,
  type: order.type,
  price: order.price,
  stopPrice: order.stopPrice ?? '',
  quantity: order.origQty,
  filled: order.executedQty,
  status: order.status,
  time: timeText(order.time),
})

interface Trade {
  readonly id: number
  readonly orderId?: OrderId
  readonly price: string
  readonly qty: string
  readonly quoteQty: string
  readonly commission?: string
  readonly commissionAsset?: string
  readonly time: Ms
  readonly isBuyer?: boolean
  readonly isMaker?: boolean
  readonly isBuyerMaker?: boolean
}

async function trades(args: Arguments, context: ActionContext): Promise<Outcome> {
  const { registry } = context
  const limit = pageOf(args, 0).limit
  const account = args.has('account') ? accountOf(args, registry).id : undefined
  const from = args.has('from') ? args.integer('from', 0, Number.MAX_SAFE_INTEGER) : undefined
  if (from !== undefined && !args.has('symbol')) {
    throw new ActionError('from needs a symbol: ids of trades count within one.')
  }
  const symbols = args.has('symbol') ? [symbolOf(args, registry).name] : namesOf(registry)
  const operation = account === undefined ? 'historicalTrades' : 'myTrades'
  const params = { limit: String(limit), ...(from === undefined ? {} : { fromId: String(from) }) }
  let newest: (readonly [symbol: string, trade: Trade])[] = []
  for (let at = 0; at < symbols.length; at += SYMBOLS_AT_ONCE) {
    const asked = symbols.slice(at, at + SYMBOLS_AT_ONCE).map(async (symbol) => {
      const found = (await ask(context, operation, account, { symbol, ...params })) as Trade[]
      return found.map((trade) => [symbol, trade] as const)
    })
    const found = (await Promise.all(asked)).flat()
    newest = oldestFirst([...newest, ...found], ([, { time }]) => time)
    newest = from === undefined ? newest.slice(-limit) : newest.slice(0, limit)
  }
  const rows = newest.map(([symbol, trade]) => tradeRow(symbol, trade))
  return { said: `${counted(rows.length, 'trade')}, the oldest first.`, rows }
}

const namesOf = ({ symbols }: Registry): readonly string[] => symbols.map(({ name }) => name)

function tradeRow(symbol: string, trade: Trade): TableRow {
  const { id, orderId, price, qty, quoteQty, time } = trade
  const head = { symbol, tradeId: id, price, quantity: qty, quote: quoteQty }
  const tail = { time: timeText(time) }
  if (orderId === undefined) {
    return { ...head, taker: trade.isBuyerMaker ? 'SELL' : 'BUY', ...tail }
  }
  return {
    ...head,
    orderId,
    side: trade.isBuyer ? 'BUY' : 'SELL',
    role: trade.isMaker ? 'maker' : 'taker',
    commission: `${trade.commission} ${trade.commissionAsset}`,
    ...tail,
  }
}
