/**
 * The lines that a tape is written in, as commands. Every client order id that is not given is made of
 * the line's place: o1, o2, … for orders, p1a, p1b, … for legs, l1 for lists, x1 for cancels.
 *
 * ```
 * 1 BUY 5 @ 100            LIMIT GTC, EXPIRE_MAKER
 * 1 SELL 5 @ 100 IOC both #mine until 900
 * 1 BUY 5                  MARKET by quantity
 * 1 BUY for 500            MARKET by quote amount
 * 1 BUY 5 @ 100 show 2     an iceberg
 * 1 SELL 5 stop 90         STOP_LOSS; with a price STOP_LOSS_LIMIT
 * 1 SELL 5 profit 110      TAKE_PROFIT; with a price TAKE_PROFIT_LIMIT
 * 1 SELL 5 stop 90 trail 500, 1 SELL 5 trail 500, 1 SELL 5 profit trail 500
 * 1 BUY 5 @ 100 strategy 7
 * 1 oco SELL 5 stop 90 | SELL 5 @ 110 MAKER
 * 1 oto BUY 5 @ 100 | SELL 5 @ 110
 * 1 otoco BUY 5 @ 100 | SELL 5 stop 90 | SELL 5 @ 110 MAKER
 * 1 cancel 2               or: 1 cancel #mine, 1 cancel 2 #mine, 1 cancel 2 new, 1 cancel all
 * 1 cancel list 1          or: 1 cancel list #l1
 * 1 cancel where BUY from 90 to 99 like bid    or some of these
 * 1 replace 2 | BUY 5 @ 99 or: 1 replace 2 anyway | BUY 5 @ 99
 * 1 amend 2 to 3           or: 1 amend 2 to 3 as new
 * 1 countdown 50           or: 1 countdown 50 all; 0 ends it
 * 1 countdowns             those of the account
 * 1 protect 50 fills 2     or: 1 protect 50 notional 300; 0 ends it
 * 1 reset                  its protection; 1 protection shows it
 * 1 query 2                or: 1 query #mine, 1 query 2 #mine, 1 query all, query book
 * ```
 */

import { noExtras } from '../../../../bench/workloads/no-extras.ts'
import {
  writeAmendOrder,
  writeCancelOpenOrders,
  writeCancelOrder,
  writeCancelOrderList,
  writeCancelOrdersWhere,
  writePlaceOrder,
  writePlaceOrderList,
  writeQueryBook,
  writeQueryCountdowns,
  writeQueryOpenOrders,
  writeQueryOrder,
  writeQueryProtection,
  writeReplaceOrder,
  writeResetProtection,
  writeSetCountdown,
  writeSetProtection,
  writeSetReferencePrice,
  writeTradeBlock,
} from '../../../../scripts/layout/codecs.gen.ts'
import {
  CancelReplaceMode,
  CountdownScope,
  DETAILED,
  OrderListKind,
  OrderType,
  PegPriceType,
  packTerms,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../../../src/base/codes.ts'
import {
  AccountId,
  Lots,
  Ms,
  OrderId,
  OrderListId,
  QuoteAtoms,
  SymbolId,
  Ticks,
} from '../../../../src/base/units.ts'
import { RecordBuffer } from '../../../../src/layout/record-buffer.ts'

const GATEWAY = 2
const COMMAND_BYTES = 512

const modes: Readonly<Record<string, SelfTradePrevention>> = {
  none: SelfTradePrevention.NONE,
  taker: SelfTradePrevention.EXPIRE_TAKER,
  maker: SelfTradePrevention.EXPIRE_MAKER,
  both: SelfTradePrevention.EXPIRE_BOTH,
  decrement: SelfTradePrevention.DECREMENT,
  transfer: SelfTradePrevention.TRANSFER,
}
const kinds: Readonly<Record<string, OrderListKind>> = {
  oco: OrderListKind.OCO,
  oto: OrderListKind.OTO,
  otoco: OrderListKind.OTOCO,
  opo: OrderListKind.OPO,
  opoco: OrderListKind.OPOCO,
}

/** The command of a line, the `place`-th of its tape. */
export function encodeLine(line: string, place: number): RecordBuffer {
  const buffer = RecordBuffer.allocate(COMMAND_BYTES)
  const words = line.split(/\s+/)
  const header = { symbolId: SymbolId(0), gateway: GATEWAY, correlation: place }
  const account = Number(words[0])
  const own = words.find((word) => word.startsWith('#'))?.slice(1)
  const orderId = Number(words[2]) || 0
  const named = { ...header, account: AccountId(account), spare: 0, orderId: OrderId(orderId) }
  const expiresMs = Ms(words.includes('until') ? Number(words.at(-1)) : 0)
  const clientOrderId = `x${place}`
  const verb = words[0] === 'query' ? 'book' : words[1]!
  if (verb === 'book')
    writeQueryBook(buffer, 0, { ...header, side: 0, limit: 1000, afterTicks: Ticks(0) })
  else if (verb === 'query') {
    if (words[2] === 'all') {
      const page = { limit: 1000, afterOrderId: OrderId(0), untilOrderId: OrderId(0) }
      writeQueryOpenOrders(buffer, 0, { ...named, ...page })
    } else writeQueryOrder(buffer, 0, { ...named, clientOrderId: own ?? '' })
  } else if (verb === 'cancel' && words[2] === 'all') {
    writeCancelOpenOrders(buffer, 0, { ...named, expiresMs, clientOrderId })
  } else if (verb === 'cancel' && words[2] === 'list') {
    const orderListId = own === undefined ? Number(words[3]) : -1
    const list = {
      orderListId: OrderListId(orderListId),
      listClientOrderId: own ?? '',
      clientOrderId,
      expiresMs,
    }
    writeCancelOrderList(buffer, 0, { ...named, ...list })
  } else if (verb === 'cancel' && words[2] === 'where') {
    const after = (word: string) => words[words.indexOf(word) + 1] as string
    const price = (word: string, usual: number) =>
      Ticks(words.includes(word) ? Number(after(word)) : usual)
    writeCancelOrdersWhere(buffer, 0, {
      ...named,
      expiresMs,
      clientOrderId,
      side: words.includes('BUY') ? Side.BUY : words.includes('SELL') ? Side.SELL : -1,
      minTicks: price('from', 0),
      maxTicks: price('to', Number.MAX_SAFE_INTEGER),
      prefix: words.includes('like') ? after('like') : '',
    })
  } else if (verb === 'cancel') {
    const restrictions = words.includes('new') ? 1 : words.includes('partial') ? 2 : 0
    const cancel = { restrictions, expiresMs, origClientOrderId: own ?? '', clientOrderId }
    writeCancelOrder(buffer, 0, { ...named, ...cancel })
  } else if (verb === 'countdown') {
    const scope = words.includes('all') ? CountdownScope.ALL : CountdownScope.SYMBOL
    writeSetCountdown(buffer, 0, { ...named, scope, countdownMs: Ms(Number(words[2])), expiresMs })
  } else if (verb === 'protect') {
    const after = (word: string) =>
      Number(words[words.indexOf(word) + 1]) * Number(words.includes(word))
    const bounds = {
      maxFills: after('fills') || 0,
      maxNotional: QuoteAtoms(after('notional') || 0),
    }
    writeSetProtection(buffer, 0, {
      ...named,
      windowMs: Ms(Number(words[2])),
      ...bounds,
      expiresMs,
    })
  } else if (verb === 'reset') writeResetProtection(buffer, 0, { ...named, expiresMs })
  else if (verb === 'reference') {
    const price = words[2] === 'none' ? -1 : Number(words[2]) * 10 ** 8
    writeSetReferencePrice(buffer, 0, { ...header, priceUnits: Math.round(price) })
  } else if (verb === 'protection') writeQueryProtection(buffer, 0, named)
  else if (verb === 'countdowns') writeQueryCountdowns(buffer, 0, named)
  else if (verb === 'block') {
    // `1 block 2 5 @ 100 rate 1000 archived 7 #id`: account 1 buys from account 2.
    const after = (name: string) =>
      words.includes(name) ? Number(words[words.indexOf(name) + 1]) : 0
    writeTradeBlock(buffer, 0, {
      ...header,
      buyer: AccountId(account),
      seller: AccountId(Number(words[2])),
      lots: Lots(Number(words[3])),
      priceTicks: Ticks(Number(words[5])),
      rate: after('rate'),
      archivedId: after('archived'),
      requestId: own ?? `b${place}`,
    })
  } else if (verb === 'amend') {
    const lots = Lots(Number(words[4]))
    const renamed = words[5] === 'as' ? words[6]! : ''
    const amend = { lots, expiresMs, origClientOrderId: '', clientOrderId: renamed }
    writeAmendOrder(buffer, 0, { ...named, ...amend })
  } else if (verb === 'replace') encodeReplace(buffer, line, named, clientOrderId)
  else if (verb in kinds) encodeList(buffer, line, named, kinds[verb]!, own)
  else {
    const order = orderOf(words.slice(1))
    writePlaceOrder(buffer, 0, { ...named, ...order, expiresMs, clientOrderId: own ?? `o${place}` })
  }
  return buffer
}

interface Named {
  readonly symbolId: SymbolId
  readonly gateway: number
  readonly correlation: number
  readonly account: AccountId
  readonly spare: number
  readonly orderId: OrderId
}

function encodeReplace(buffer: RecordBuffer, line: string, named: Named, cancelId: string): void {
  const [old = '', order = ''] = line.split('|').map((part) => part.trim())
  writeReplaceOrder(buffer, 0, {
    ...named,
    ...orderOf(order.split(/\s+/)),
    expiresMs: Ms(0),
    clientOrderId: `o${named.correlation}`,
    cancelOrderId: OrderId(named.orderId),
    cancelRestrictions: 0,
    mode: old.endsWith('anyway')
      ? CancelReplaceMode.ALLOW_FAILURE
      : CancelReplaceMode.STOP_ON_FAILURE,
    cancelOrigClientOrderId: '',
    cancelClientOrderId: cancelId,
  })
}

function encodeList(
  buffer: RecordBuffer,
  line: string,
  named: Named,
  kind: OrderListKind,
  own: string | undefined,
): void {
  const legs = line
    .split('|')
    .map((part, index) =>
      part
        .trim()
        .split(/\s+/)
        .slice(index === 0 ? 2 : 0),
    )
    .map(orderOf)
  const place = named.correlation
  const [first, second, third = second] = legs
  writePlaceOrderList(buffer, 0, {
    ...named,
    kind,
    expiresMs: Ms(0),
    listClientOrderId: own ?? `l${place}`,
    ...numbered(first!, 1, `p${place}a`),
    ...numbered(second!, 2, `p${place}b`),
    ...numbered(third!, 3, `p${place}c`),
  })
}

type Order = ReturnType<typeof orderOf>
type Leg<N extends 1 | 2 | 3> = { [Key in keyof Order as `${Key}${N}`]: Order[Key] } & {
  [Key in `spare${N}`]: number
} & { [Key in `clientOrderId${N}`]: string }

/** Every leg is detailed, whatever its terms. */
function numbered<N extends 1 | 2 | 3>(order: Order, n: N, clientOrderId: string): Leg<N> {
  const leg = { ...order, terms: order.terms | DETAILED, spare: 0, clientOrderId }
  const fields = Object.entries(leg).map(([name, value]) => [`${name}${n}`, value])
  return Object.fromEntries(fields) as Leg<N>
}

/** `BUY 5 @ 100 …`: what all placements have. */
function orderOf(words: readonly string[]) {
  const has = (word: string) => words.includes(word)
  const after = (word: string) => (has(word) ? Number(words[words.indexOf(word) + 1]) || 0 : 0)
  const isByAmount = words[1] === 'for'
  const timeInForce = words.find((word): word is keyof typeof TimeInForce => word in TimeInForce)
  const mode = words.map((word) => modes[word]).find((value) => value !== undefined)
  const peg = pegOf(words)
  const isDetailed = ['stop', 'profit', 'trail', 'show', 'strategy'].some(has) || peg !== undefined
  const terms = packTerms(
    words[0] === 'BUY' ? Side.BUY : Side.SELL,
    typeOf(words),
    TimeInForce[timeInForce ?? 'GTC'],
    mode ?? SelfTradePrevention.EXPIRE_MAKER,
  )
  return {
    terms: isDetailed ? terms | DETAILED : terms,
    priceTicks: Ticks(after('@')),
    lots: Lots(isByAmount ? 0 : Number(words[1])),
    quoteAtoms: QuoteAtoms(isByAmount ? Number(words[2]) : 0),
    ...noExtras,
    stopTicks: Ticks(after('stop') || after('profit')),
    icebergLots: Lots(after('show')),
    strategyId: has('strategy') ? after('strategy') : -1,
    trailingDelta: after('trail'),
    ...peg,
  }
}

/** `primary`, `market`, `primary+2`. */
function pegOf(words: readonly string[]) {
  const found = words.map((word) => /^(primary|market)(?:\+(\d+))?$/.exec(word)).find((it) => it)
  if (found === undefined || found === null) return undefined
  const { PRIMARY_PEG, MARKET_PEG } = PegPriceType
  const pegPriceType = found[1] === 'primary' ? PRIMARY_PEG : MARKET_PEG
  return { pegPriceType, pegLevels: Number(found[2] ?? 0) }
}

function typeOf(words: readonly string[]): OrderType {
  const isLimit = words.includes('@') || pegOf(words) !== undefined
  if (words.includes('profit')) return isLimit ? OrderType.TAKE_PROFIT_LIMIT : OrderType.TAKE_PROFIT
  if (words.includes('stop') || words.includes('trail')) {
    return isLimit ? OrderType.STOP_LOSS_LIMIT : OrderType.STOP_LOSS
  }
  if (words.includes('MAKER')) return OrderType.LIMIT_MAKER
  return isLimit ? OrderType.LIMIT : OrderType.MARKET
}
