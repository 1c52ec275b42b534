/**
 * Requests to the operations that trade, drawn around those that are right: each order has what its type
 * asks for, now and then something else, and now and then something is left out.
 */
import fc from 'fast-check'
import type { Operation } from '../../../src/api/operations/index.ts'
import { orderListOperations } from '../../../src/api/operations/order-lists.ts'
import { tradingOperations } from '../../../src/api/operations/trading.ts'
import { type ParamName, paramNames } from '../../../src/api/parameters.ts'

/** What an order of each type has besides its quantity, as names without prefix, in lower case. */
const needs: Readonly<Record<string, readonly string[]>> = {
  LIMIT: ['price', 'timeinforce'],
  LIMIT_MAKER: ['price'],
  MARKET: [],
  STOP_LOSS: ['stopprice'],
  STOP_LOSS_LIMIT: ['price', 'stopprice', 'timeinforce'],
  TAKE_PROFIT: ['trailingdelta'],
  TAKE_PROFIT_LIMIT: ['price', 'trailingdelta', 'timeinforce'],
}
const prefixes = /^(above|below|working|pendingAbove|pendingBelow|pending|stop|limit)(?=[A-Z])/

/** The likeliest value first. */
const values: readonly (readonly [name: RegExp, texts: readonly string[]])[] = [
  [/^symbol$/, ['BTCUSDT', 'BOUNDED', 'FINE', 'SIMPLE', 'UNTRAILING']],
  [/^workingSide$/, ['BUY', 'SELL']],
  [/side$/i, ['SELL', 'BUY']],
  [/timeinforce$/i, ['GTC', 'IOC', 'FOK']],
  [/(quantity|newqty)$/i, ['1', '0', '0.00001', '50', '9000', '99999999999']],
  [/quoteorderqty$/i, ['1000', '0', '4']],
  [/icebergqty$/i, ['0.5', '1', '0', '0.00001']],
  // Above the price of the other of a pair, which is 80.
  [/above(stop)?price$/i, ['100', '80', '0', '999999']],
  [/price$/i, ['80', '0', '0.01', '100', '999999', '80.001']],
  [/trailingdelta$/i, ['100', '0', '5', '1000001']],
  [/strategytype$/i, ['1000000', '1', '2147483648']],
  [/(clientorderid|clordid)$/i, ['a', 'b', 'c']],
  [/^cancelReplaceMode$/, ['STOP_ON_FAILURE', 'ALLOW_FAILURE']],
  [/^newOrderRespType$/, ['ACK', 'RESULT', 'FULL']],
  [/^selfTradePreventionMode$/, ['EXPIRE_MAKER', 'NONE']],
  [/pegPriceType$/i, ['PRIMARY_PEG', 'MARKET_PEG', 'NO_PEG']],
  [/pegOffsetType$/i, ['PRICE_LEVEL', 'TICK']],
  [/pegOffsetValue$/i, ['1', '100', '0', '101']],
  [/type$/i, Object.keys(needs)],
]
/** Types of an OCO pair above and below, the one to sell first. */
const pairs = [
  ['LIMIT_MAKER', 'STOP_LOSS'],
  ['TAKE_PROFIT_LIMIT', 'STOP_LOSS_LIMIT'],
  ['STOP_LOSS', 'LIMIT_MAKER'],
] as const

const textOf = (name: string): fc.Arbitrary<string> => {
  const texts = values.find(([pattern]) => pattern.test(name))?.[1] ?? ['5', '0', '1']
  const isType = /type$/i.test(name) && texts.length > 3
  return fc.oneof(
    { weight: isType ? 0 : 20, arbitrary: fc.constant(texts[0]!) },
    { weight: isType ? 1 : texts.length, arbitrary: fc.constantFrom(...texts) },
  )
}

/** Types by the prefix of their parameter; a single order's is ''. */
function typesOf(operation: Operation): fc.Arbitrary<Readonly<Record<string, string>>> {
  const type = fc.constantFrom(...Object.keys(needs))
  const working = fc.constantFrom('LIMIT', 'LIMIT_MAKER')
  const pair = fc.constantFrom(...pairs)
  switch (operation.id) {
    case 'placeOco':
      return pair.map(([above, below]) => ({ above, below }))
    case 'placeOto':
    case 'placeOpo':
      return fc.record({ working, pending: type })
    case 'placeOtoco':
    case 'placeOpoco':
      return fc.tuple(working, pair).map(([first, [pendingAbove, pendingBelow]]) => ({
        working: first,
        pendingAbove,
        pendingBelow,
      }))
    case 'placeOldOco':
      return fc.constant({ '': 'STOP_LOSS' })
    default:
      return type.map((single) => ({ '': single }))
  }
}

/** Whether a request for these types should have the parameter. */
function isNeeded(name: ParamName, mandatory: boolean, types: Readonly<Record<string, string>>) {
  const prefix = prefixes.exec(name)?.[1] ?? ''
  const field = name.slice(prefix.length).toLowerCase()
  const ofType = types[prefix] === undefined ? false : needs[types[prefix]]?.includes(field)
  const isType = types[name.replace(/Type$|^type$/, '')] !== undefined
  const isFound = /^(cancelO|o)rder(List)?Id$/.test(name)
  return mandatory || ofType === true || isType || name === 'quantity' || isFound
}

/** Orders of a list have three parameters of pegs each, most of which must come together. */
const rarityOf = (name: ParamName): number => (/peg/i.test(name) ? 180 : 50)

export const tradingRequest = fc
  // The archive answers later.
  .constantFrom(
    ...[...tradingOperations, ...orderListOperations].filter(({ id }) => id !== 'myAllocations'),
  )
  .chain((operation) =>
    typesOf(operation).chain((types) => {
      const sent = operation.params.map(({ slot, mandatory }) => {
        const name = paramNames[slot]!
        const type = types[name.replace(/Type$|^type$/, '')]
        const value = type === undefined ? textOf(name) : fc.constant(type)
        const pair = value.map((text) => `${name}=${text}`)
        const [with_, without] = isNeeded(name, mandatory, types) ? [60, 1] : [1, rarityOf(name)]
        return fc.oneof(
          { weight: with_, arbitrary: pair },
          { weight: without, arbitrary: fc.constant('') },
        )
      })
      return fc.tuple(...sent).map((all) => ({
        id: operation.id,
        query: all.filter((pair) => pair !== '').join('&'),
      }))
    }),
  )
