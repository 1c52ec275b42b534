/** Requests by chance, around a price of 100: mostly such that something comes of them. */
import type { Prng } from '../../src/base/prng.ts'
import type { Frame } from './frame-log.ts'
import type { Params } from './trader.ts'

export interface RandomRequest {
  readonly method: string
  readonly path: string
  readonly params: Params
}

const MODES = ['NONE', 'EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH', 'DECREMENT', 'TRANSFER']

/** `open` are the account's open orders on the symbol, for cancels and changes. */
export function randomRequest(
  prng: Prng,
  symbol: string,
  icebergs: boolean,
  open: readonly Frame[],
): RandomRequest {
  const request = (method: string, path: string, params: Params): RandomRequest => ({
    method,
    path: `/api/v3/${path}`,
    params: { symbol, ...params },
  })
  const placement = (path: string, params: Params) =>
    request('POST', path, { selfTradePreventionMode: prng.pick(MODES), ...params })
  const chance = prng.below(100)
  if (chance < 45) return placement('order', single(prng, icebergs))
  if (chance < 53) return placement('orderList/oco', { ...pair(prng, ''), ...sized(prng) })
  if (chance < 58) return placement('orderList/oto', { ...working(prng), ...pending(prng) })
  if (chance < 63) return placement('orderList/otoco', { ...working(prng), ...pendingPair(prng) })
  if (chance === 63) return request('DELETE', 'openOrders', {})
  const picked = open.length > 0 ? prng.pick(open) : { orderId: 1, origQty: '2', orderListId: -1 }
  const orderId = Number(picked.orderId)
  if (chance < 75) {
    const cancelReplaceMode = prng.pick(['STOP_ON_FAILURE', 'ALLOW_FAILURE'])
    const params = { ...single(prng, icebergs), cancelReplaceMode, cancelOrderId: orderId }
    return placement('order/cancelReplace', params)
  }
  if (chance < 85) {
    const newQty = Math.max(1, Math.floor(Number(picked.origQty)) - prng.between(0, 2))
    return request('PUT', 'order/amend/keepPriority', { orderId, newQty })
  }
  const orderListId = Number(picked.orderListId)
  if (orderListId >= 0 && prng.chance(0.5)) return request('DELETE', 'orderList', { orderListId })
  return request('DELETE', 'order', { orderId })
}

const quantity = (prng: Prng) => prng.between(1, 9)
const sideOf = (prng: Prng) => prng.pick(['BUY', 'SELL'])
/** Within a few ticks of 100: the symbol has traded there lately. */
const price = (prng: Prng) => 100 + prng.between(-5, 5)
const sized = (prng: Prng): Params => ({ quantity: quantity(prng) })

function single(prng: Prng, icebergs: boolean): Params {
  const side = sideOf(prng)
  const amount = quantity(prng)
  const strategy = prng.chance(0.1) ? { strategyId: prng.below(9), strategyType: 1_000_007 } : {}
  const shared = { side, quantity: amount, ...strategy }
  const iceberg = icebergs && amount > 2 && prng.chance(0.5) ? { icebergQty: 2 } : {}
  switch (prng.below(8)) {
    case 0:
      return { ...shared, type: 'MARKET' }
    case 1: {
      const { quantity: _, ...rest } = shared
      return { ...rest, type: 'MARKET', quoteOrderQty: prng.between(100, 900) }
    }
    case 2:
      return { ...shared, ...iceberg, type: 'LIMIT_MAKER', price: price(prng) }
    case 3: {
      const timeInForce = prng.pick(['IOC', 'FOK'])
      return { ...shared, type: 'LIMIT', timeInForce, price: price(prng) }
    }
    case 4:
      return { ...shared, ...trigger(prng), type: prng.pick(['STOP_LOSS', 'TAKE_PROFIT']) }
    case 5: {
      const type = prng.pick(['STOP_LOSS_LIMIT', 'TAKE_PROFIT_LIMIT'])
      const limit = { type, timeInForce: 'GTC', price: price(prng) }
      return { ...shared, ...iceberg, ...trigger(prng), ...limit }
    }
    default:
      return { ...shared, ...iceberg, type: 'LIMIT', timeInForce: 'GTC', price: price(prng) }
  }
}

function trigger(prng: Prng): Params {
  const stopPrice = price(prng)
  const trailingDelta = prng.between(50, 400)
  return prng.pick<Params>([
    { stopPrice },
    { stopPrice },
    { trailingDelta },
    { stopPrice, trailingDelta },
  ])
}

/** Both legs of an OCO, above and below 100, with a prefix to their names. */
function pair(prng: Prng, prefix: string): Params {
  const side = sideOf(prng)
  const name = (text: string) =>
    prefix === '' ? text : `${prefix}${text[0]?.toUpperCase()}${text.slice(1)}`
  const above = 100 + prng.between(1, 6)
  const below = 100 - prng.between(1, 6)
  const [profit, loss] = side === 'SELL' ? ['above', 'below'] : ['below', 'above']
  const at = { above, below }
  const isLimit = prng.chance(0.7)
  const level = at[profit as 'above']
  const named = Object.entries({
    [`${profit}Type`]: isLimit ? 'LIMIT_MAKER' : 'TAKE_PROFIT',
    [`${profit}${isLimit ? 'Price' : 'StopPrice'}`]: level,
    ...stopLeg(prng, loss as string, at[loss as 'above']),
  }).map(([key, value]): [string, string | number] => [name(key), value])
  return { [prefix === '' ? 'side' : `${prefix}Side`]: side, ...Object.fromEntries(named) }
}

function stopLeg(prng: Prng, leg: string, stopPrice: number): Params {
  const triggers = prng.chance(0.2) ? { [`${leg}TrailingDelta`]: 200 } : {}
  const shared = { [`${leg}StopPrice`]: stopPrice, ...triggers }
  if (prng.chance(0.5)) return { ...shared, [`${leg}Type`]: 'STOP_LOSS' }
  return {
    ...shared,
    [`${leg}Type`]: 'STOP_LOSS_LIMIT',
    [`${leg}Price`]: stopPrice,
    [`${leg}TimeInForce`]: prng.pick(['GTC', 'GTC', 'IOC']),
  }
}

const working = (prng: Prng): Params => ({
  workingType: 'LIMIT',
  workingSide: sideOf(prng),
  workingPrice: price(prng),
  workingQuantity: quantity(prng),
  workingTimeInForce: prng.pick(['GTC', 'GTC', 'GTC', 'IOC']),
})

function pending(prng: Prng): Params {
  const shared = { pendingSide: sideOf(prng), pendingQuantity: quantity(prng) }
  const limit = { pendingPrice: price(prng), pendingTimeInForce: 'GTC' }
  return prng.pick<Params>([
    { ...shared, pendingType: 'MARKET' },
    { ...shared, ...limit, pendingType: 'LIMIT' },
    { ...shared, pendingType: 'STOP_LOSS', pendingStopPrice: price(prng) },
    { ...shared, ...limit, pendingType: 'TAKE_PROFIT_LIMIT', pendingStopPrice: price(prng) },
  ])
}

const pendingPair = (prng: Prng): Params => ({
  ...pair(prng, 'pending'),
  pendingQuantity: quantity(prng),
})
