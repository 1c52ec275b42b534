/**
 * What is refused of orders, lists, replacements and amendments before the engine sees them: tables
 * for errors.test.ts. Symbols and accounts of special-symbols.ts.
 */
import type { AccountSpec } from '../../src/market/listing.ts'
import { frozen, restricted, subAccount, unpermitted } from './special-symbols.ts'

export type Case = readonly [
  operation: string,
  query: string,
  line: string,
  owner?: AccountSpec | undefined,
]

/** Cases as lines: operation, query, arrow, and what is answered. */
export const cases = (lines: string, owner?: AccountSpec): readonly Case[] =>
  lines
    .trim()
    .split('\n')
    .map((line): Case => {
      const [request, answer] = line.trim().split(' → ')
      const [operation, ...query] = request!.split(' ')
      return [operation!, query.join(' '), answer!, owner]
    })

const limit = 'symbol=BTCUSDT&side=BUY&type=LIMIT&timeInForce=GTC'
const good = `${limit}&quantity=0.01&price=50000`
const pegged = `${limit}&quantity=0.01&pegPriceType=PRIMARY_PEG`
const maker = 'symbol=BTCUSDT&side=SELL&type=LIMIT_MAKER'
const market = 'symbol=BTCUSDT&side=BUY&type=MARKET'
const stop = 'symbol=BOUNDED&side=SELL&type=STOP_LOSS&quantity=1'
const stopLimit =
  'symbol=BOUNDED&side=SELL&type=STOP_LOSS_LIMIT&timeInForce=GTC&quantity=1&price=90'
const cancelReplace = 'cancelReplaceMode=STOP_ON_FAILURE&cancelOrderId=5'

export const missing = (name: string): string =>
  `400 -1102 Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`
export const bothMissing = (one: string, other: string): string =>
  `400 -1102 Param '${one}' or '${other}' must be sent, but both were empty/null!`
export const vain = (name: string): string =>
  `400 -1106 Parameter '${name}' sent when not required.`
export const vainTif = '400 -1114 TimeInForce parameter sent when not required.'
export const filter = (name: string): string => `400 -1013 Filter failure: ${name}`
const unsupported = (label: string): string =>
  `400 -2010 ${label} orders are not supported for this symbol.`

const lacking = (name: string): string =>
  '400 -1128 Combination of optional parameters invalid. Recommendation: ' +
  `'${name}' should also be sent.`
const simple = 'symbol=SIMPLE&side=BUY&quantity=1'
const unpegged = '400 -2010 This order type may not use pegged price.'
const otherPeg = '400 -2010 This price peg cannot be used with this order type.'

/** Parameters that a type demands, or does not take. */
export const typeFaults = cases(`
  placeOrder ${stop} → ${bothMissing('stopPrice', 'trailingDelta')}
  placeOrder ${stop}&stopPrice=1&timeInForce=GTC → ${vainTif}
  placeOrder ${stop}&stopPrice=1&price=1 → ${vain('price')}
  placeOrder ${stop}&stopPrice=1&icebergQty=1 → ${vain('icebergQty')}
  placeOrder ${stop}&stopPrice=1&quoteOrderQty=1 → ${vain('quoteOrderQty')}
  placeOrder ${stop.replace('&quantity=1', '&stopPrice=1')} → ${missing('quantity')}
  placeOrder ${stopLimit} → ${bothMissing('stopPrice', 'trailingDelta')}
  placeOrder ${stopLimit.replace('&timeInForce=GTC', '')} → ${missing('timeInForce')}
  placeOrder ${stopLimit.replace('&price=90', '')} → ${missing('price')}
  placeOrder ${stopLimit}&stopPrice=1&quoteOrderQty=1 → ${vain('quoteOrderQty')}
  placeOrder ${stopLimit.replace('STOP_LOSS_LIMIT', 'TAKE_PROFIT_LIMIT')} → ${bothMissing('stopPrice', 'trailingDelta')}
  placeOrder ${good}&stopPrice=1 → ${vain('stopPrice')}
  placeOrder ${good}&trailingDelta=1 → ${vain('trailingDelta')}
  placeOrder ${market}&quantity=1&icebergQty=1 → ${vain('icebergQty')}
  placeOrder ${maker}&quantity=1&price=1&stopPrice=1 → ${vain('stopPrice')}
  placeOrder ${good}&trailingDelta=1.5 → 400 -1100 Illegal characters found in parameter 'trailingDelta'; legal range is '^[0-9]{1,20}$'.
  placeOrder ${good}&strategyType=999999 → 400 -1134 strategyType was less than 1000000.
  placeOrder ${good}&strategyType=2147483648 → 400 -1108 Parameter 'strategyType' overflowed.
  placeOrder ${good}&strategyId= → 400 -1105 Parameter 'strategyId' was empty.
`)

/** Filters that orders with more to them pass, and what symbols do not take. */
export const filterFaults = cases(`
  placeOrder ${stop}&stopPrice=1.001 → ${filter('PRICE_FILTER')}
  placeOrder ${stop}&stopPrice=0 → ${filter('PRICE_FILTER')}
  placeOrder ${stopLimit}&stopPrice=1000000.01 → ${filter('PRICE_FILTER')}
  placeOrder ${stop}&trailingDelta=19 → ${filter('TRAILING_DELTA')}
  placeOrder ${stop}&trailingDelta=1001 → ${filter('TRAILING_DELTA')}
  placeOrder ${stop.replace('SELL', 'BUY')}&trailingDelta=9 → ${filter('TRAILING_DELTA')}
  placeOrder ${stop.replace('SELL', 'BUY')}&trailingDelta=2001 → ${filter('TRAILING_DELTA')}
  placeOrder ${stop.replace('STOP_LOSS', 'TAKE_PROFIT')}&trailingDelta=2001 → ${filter('TRAILING_DELTA')}
  placeOrder symbol=BTCUSDT&side=SELL&type=STOP_LOSS&quantity=1&trailingDelta=0 → ${filter('TRAILING_DELTA')}
  placeOrder symbol=FINE&side=SELL&type=STOP_LOSS&quantity=1&trailingDelta=0 → ${filter('TRAILING_DELTA')}
  placeOrder symbol=FINE&side=BUY&type=STOP_LOSS&quantity=1&trailingDelta=1000001 → ${filter('TRAILING_DELTA')}
  placeOrder ${good}&icebergQty=0.000001 → ${filter('LOT_SIZE')}
  placeOrder ${good}&icebergQty=0 → ${filter('LOT_SIZE')}
  placeOrder symbol=BOUNDED&side=BUY&type=LIMIT&timeInForce=GTC&quantity=1&price=100&icebergQty=0.09999 → ${filter('ICEBERG_PARTS')}
  placeOrder symbol=BOUNDED&side=BUY&type=LIMIT&timeInForce=GTC&quantity=1&price=120.01 → ${filter('PERCENT_PRICE_BY_SIDE')}
  placeOrder ${stopLimit.replace('90', '79.99')} → ${bothMissing('stopPrice', 'trailingDelta')}
  placeOrder ${stopLimit.replace('90', '79.99')}&stopPrice=85 → ${filter('PERCENT_PRICE_BY_SIDE')}
  placeOrder ${good}&icebergQty=0.01 → 400 -2010 IcebergQty exceeds QTY.
  placeOrder ${good}&icebergQty=0.02 → 400 -2010 IcebergQty exceeds QTY.
  placeOrder ${good.replace('GTC', 'IOC')}&icebergQty=0.001 → 400 -2010 Unsupported order combination
  placeOrder symbol=FINE&side=BUY&type=LIMIT&timeInForce=GTC&quantity=0.0001&price=0.00009 → 400 -2010 Price * QTY is zero or less.
  placeOrder ${simple}&type=LIMIT_MAKER&price=50000 → ${unsupported('Limit maker')}
  placeOrder ${simple}&type=STOP_LOSS&stopPrice=50000 → ${unsupported('Stop loss')}
  placeOrder ${simple}&type=TAKE_PROFIT&stopPrice=50000 → ${unsupported('Take profit')}
  placeOrder ${simple}&type=STOP_LOSS_LIMIT&timeInForce=GTC&price=50000&stopPrice=1 → ${unsupported('Stop loss limit')}
  placeOrder ${simple}&type=TAKE_PROFIT_LIMIT&timeInForce=GTC&price=50000&stopPrice=1 → ${unsupported('Take profit limit')}
  placeOrder ${good.replace('BTCUSDT', 'SIMPLE')}&icebergQty=0.001 → ${unsupported('Iceberg')}
  testOrder ${good.replace('BTCUSDT', 'SIMPLE')}&icebergQty=0.001 → ${unsupported('Iceberg')}
  placeOrder symbol=SIMPLE&side=BUY&type=MARKET&quoteOrderQty=100 → 400 -2010 Quote order qty market orders are not support for this symbol.
  placeOrder symbol=UNTRAILING&side=BUY&quantity=1&type=STOP_LOSS_LIMIT&timeInForce=GTC&price=50000&trailingDelta=9 → ${unsupported('Trailing stop')}
  placeOrder ${good}&pegPriceType=MIDDLE → 400 -1210 Invalid pegPriceType.
  placeOrder ${pegged}&pegOffsetType=TICK&pegOffsetValue=1 → 400 -1211 Invalid pegOffsetType.
  placeOrder ${pegged}&pegOffsetType=PRICE_LEVEL → ${lacking('pegOffsetValue')}
  placeOrder ${pegged}&pegOffsetValue=1 → ${lacking('pegOffsetType')}
  placeOrder ${good}&pegOffsetType=PRICE_LEVEL&pegOffsetValue=1 → ${lacking('pegPriceType')}
  placeOrder ${pegged}&pegOffsetType=PRICE_LEVEL&pegOffsetValue=0 → 400 -1130 Data sent for parameter 'pegOffsetValue' is not valid.
  placeOrder ${pegged}&pegOffsetType=PRICE_LEVEL&pegOffsetValue=101 → 400 -1108 Parameter 'pegOffsetValue' overflowed.
  testOrder ${pegged.replace('BTCUSDT', 'SIMPLE')} → 400 -2010 Pegged orders are not supported for this symbol.
  placeOrder symbol=BTCUSDT&side=BUY&type=MARKET&quantity=1&pegPriceType=MARKET_PEG → ${unpegged}
  placeOrder symbol=BTCUSDT&side=BUY&type=MARKET&quoteOrderQty=100&pegPriceType=MARKET_PEG → ${unpegged}
  placeOrder symbol=BTCUSDT&side=BUY&type=STOP_LOSS&quantity=1&stopPrice=50000&pegPriceType=MARKET_PEG → ${unpegged}
  placeOrder symbol=BTCUSDT&side=BUY&type=TAKE_PROFIT&quantity=1&stopPrice=50000&pegPriceType=MARKET_PEG → ${unpegged}
  placeOrder ${pegged.replace('GTC', 'IOC')} → ${otherPeg}
  placeOrder ${pegged.replace('GTC', 'FOK')} → ${otherPeg}
  placeOrder symbol=BTCUSDT&side=BUY&type=LIMIT_MAKER&quantity=1&pegPriceType=MARKET_PEG → ${otherPeg}
  placeOrder ${pegged}&price=50000.001 → ${filter('PRICE_FILTER')}
  placeOrder ${pegged.replace('quantity=0.01', 'quantity=9001')} → ${filter('LOT_SIZE')}
  placeOrder ${good.replace('&price=50000', '')} → ${missing('price')}
  placeOrder symbol=BTCUSDT&side=SELL&type=STOP_LOSS&quantity=101&stopPrice=40000 → ${filter('MARKET_LOT_SIZE')}
`)

const frozenText = 'This account may not place or cancel orders.'

/** What an account may not do. */
export const accountFaults: readonly Case[] = [
  ...cases(
    `
  placeOrder ${good} → 400 -2010 ${frozenText}
  replaceOrder ${good}&${cancelReplace} → 400 -2010 ${frozenText}
  placeOrder ${good.replace('50000', '1.001')} → ${filter('PRICE_FILTER')}
  cancelOrder symbol=BTCUSDT&orderId=5 → 400 -2011 ${frozenText}
  cancelOpenOrders symbol=BTCUSDT → 400 -2011 ${frozenText}
  cancelOrderList symbol=BTCUSDT&orderListId=5 → 400 -2011 ${frozenText}
  amendOrder symbol=BTCUSDT&orderId=5&newQty=1 → 400 -2038 ${frozenText}
`,
    frozen,
  ),
  ['placeOrder', good, '400 -2010 This symbol is not permitted for this account.', unpermitted],
  ['placeOrder', good, '400 -2010 This symbol is restricted for this account.', restricted],
  ['subAccounts', '', '400 -4006 Support main account only.', subAccount],
  ['subAccountStatus', 'email=a@b', '400 -4003 Your input email is invalid.'],
]

const oco = 'symbol=BTCUSDT&side=SELL&quantity=1'
const aboveMaker = 'aboveType=LIMIT_MAKER&abovePrice=60000'
const belowStop = 'belowType=STOP_LOSS&belowStopPrice=40000'
const buyOco = 'symbol=BTCUSDT&side=BUY&quantity=1'
const oldOco = 'symbol=BTCUSDT&side=SELL&quantity=1&price=60000&stopPrice=40000'
const working = 'symbol=BTCUSDT&workingSide=BUY&workingPrice=50000&workingQuantity=1'
const workingLimit = `${working}&workingType=LIMIT&workingTimeInForce=GTC`
const pending = 'pendingSide=SELL&pendingQuantity=1'
const pendingPair =
  `${pending}&pendingAboveType=LIMIT_MAKER&pendingAbovePrice=60000` +
  '&pendingBelowType=STOP_LOSS_LIMIT&pendingBelowStopPrice=41000&pendingBelowPrice=40000' +
  '&pendingBelowTimeInForce=GTC'

export const goodLists: readonly (readonly [operation: string, query: string])[] = [
  ['placeOldOco', `${oldOco}&stopLimitPrice=39000&stopLimitTimeInForce=GTC`],
  [
    'placeOco',
    `${oco}&${aboveMaker}&${belowStop.replace('STOP_LOSS', 'STOP_LOSS_LIMIT')}` +
      '&belowPrice=39000&belowTimeInForce=GTC',
  ],
  ['placeOto', `${workingLimit}&${pending}&pendingType=LIMIT_MAKER&pendingPrice=60000`],
  ['placeOtoco', `${workingLimit}&${pendingPair}`],
  ['placeOpo', `${workingLimit}&pendingSide=SELL&pendingType=LIMIT_MAKER&pendingPrice=60000`],
  ['placeOpoco', `${workingLimit}&${pendingPair.replace('&pendingQuantity=1', '')}`],
]

/** What a list's operation must be sent. */
const mandatory: Readonly<Record<string, string>> = {
  placeOldOco: 'symbol side quantity price',
  placeOco: 'symbol side quantity aboveType belowType abovePrice belowTimeInForce',
  placeOto:
    'symbol workingType workingSide workingPrice workingQuantity workingTimeInForce ' +
    'pendingType pendingSide pendingQuantity',
  placeOtoco: 'pendingAboveType pendingSide pendingQuantity pendingAbovePrice',
}
const incomplete = goodLists.flatMap(([operation, query]) =>
  (mandatory[operation] ?? '').split(' ').flatMap((name): Case[] => {
    const rest = query.replace(new RegExp(`(^|&)${name}=[^&]*`), '')
    return name === '' ? [] : [[operation, rest, missing(name)]]
  }),
)

/** The shape of a list, its legs' parameters, and what symbols do not take. */
export const listFaults: readonly Case[] = [
  ...incomplete,
  ...cases(`
  placeOco ${oco} → ${missing('aboveType')}
  placeOco ${oco}&aboveType=FOO&${belowStop} → 400 -1116 Invalid orderType.
  placeOco ${oco}&aboveType=LIMIT&abovePrice=1&${belowStop} → 400 -1158 Order type not supported in OCO.
  placeOco ${oco}&${aboveMaker}&belowType=MARKET → 400 -1158 Order type not supported in OCO.
  placeOco ${oco}&${aboveMaker}&belowType=LIMIT_MAKER&belowPrice=1 → 400 -1168 At least one OCO order must be contingent.
  placeOco ${buyOco}&${aboveMaker}&${belowStop} → 400 -1165 A limit order in a buy OCO must be below.
  placeOco ${oco}&aboveType=TAKE_PROFIT&aboveStopPrice=1&belowType=LIMIT_MAKER&belowPrice=1 → 400 -1166 A limit order in a sell OCO must be above.
  placeOco ${buyOco}&aboveType=STOP_LOSS&aboveStopPrice=1&${belowStop} → 400 -1196 A stop loss order in a buy OCO must be above.
  placeOco ${oco}&aboveType=STOP_LOSS_LIMIT&aboveStopPrice=1&${belowStop} → 400 -1197 A stop loss order in a sell OCO must be below.
  placeOco ${buyOco}&aboveType=TAKE_PROFIT&aboveStopPrice=1&${belowStop} → 400 -1198 A take profit order in a buy OCO must be below.
  placeOco ${oco}&${aboveMaker}&belowType=TAKE_PROFIT_LIMIT&belowStopPrice=1 → 400 -1199 A take profit order in a sell OCO must be above.
  placeOco ${oco}&aboveType=LIMIT_MAKER&${belowStop} → ${missing('abovePrice')}
  placeOco ${oco}&${aboveMaker}&aboveStopPrice=1&${belowStop} → ${vain('aboveStopPrice')}
  placeOco ${oco}&${aboveMaker}&${belowStop}&belowTimeInForce=GTC → ${vainTif}
  placeOco ${oco}&${aboveMaker}&${belowStop}&belowPrice=1 → ${vain('belowPrice')}
  placeOco ${oco}&${aboveMaker}&${belowStop}&aboveIcebergQty=1 → 400 -2010 IcebergQty exceeds QTY.
  placeOco ${oco}&${aboveMaker}&belowType=STOP_LOSS → ${bothMissing('belowStopPrice', 'belowTrailingDelta')}
  placeOco ${oco}&${aboveMaker}&belowType=STOP_LOSS_LIMIT&belowStopPrice=4&belowPrice=4&belowTimeInForce=IOC&belowIcebergQty=1 → 400 -1160 Parameter 'belowIcebergQty' is not supported if 'belowTimeInForce' is not GTC.
  placeOco ${oco}&${aboveMaker}&${belowStop}&belowStrategyType=1 → 400 -1134 strategyType was less than 1000000.
  placeOldOco ${oldOco}&stopLimitPrice=39000 → ${lacking('stopLimitTimeInForce')}
  placeOldOco ${oldOco}&stopLimitTimeInForce=GTC → ${vainTif}
  placeOldOco ${oldOco}&stopIcebergQty=1 → ${vain('stopIcebergQty')}
  placeOldOco ${oldOco.replace('&stopPrice=40000', '')} → ${bothMissing('stopPrice', 'trailingDelta')}
  placeOldOco ${oldOco.replace('price=60000&', '')} → ${missing('price')}
  placeOto ${working}&workingType=MARKET&${pending}&pendingType=MARKET → 400 -1116 Invalid orderType.
  placeOto ${working}&workingType=LIMIT&${pending}&pendingType=MARKET → ${missing('workingTimeInForce')}
  placeOto ${workingLimit}&${pending}&pendingType=MARKET&pendingPrice=1 → ${vain('pendingPrice')}
  placeOto ${workingLimit}&${pending}&pendingType=LIMIT&pendingPrice=1 → ${missing('pendingTimeInForce')}
  placeOto ${workingLimit}&${pending}&pendingType=TAKE_PROFIT → ${bothMissing('pendingStopPrice', 'pendingTrailingDelta')}
  placeOto ${workingLimit.replace('BUY', 'BOTH')}&${pending}&pendingType=MARKET → 400 -1117 Invalid side.
  placeOtoco ${workingLimit}&${pendingPair.replace('41000', '41000.001')} → ${filter('PRICE_FILTER')}
  placeOto ${workingLimit.replace('GTC', 'FOK')}&workingIcebergQty=0.1&${pending}&pendingType=MARKET → 400 -1160 Parameter 'workingIcebergQty' is not supported if 'workingTimeInForce' is not GTC.
  placeOtoco ${workingLimit}&${pending}&pendingAboveType=LIMIT_MAKER&pendingAbovePrice=1 → ${lacking('pendingBelowType')}
  placeOtoco ${workingLimit}&${pendingPair.replace('SELL', 'BUY')} → 400 -1165 A limit order in a buy OCO must be below.
`),
  ...goodLists.map(
    ([operation, query]): Case => [
      operation,
      query.replace('BTCUSDT', 'DOGE'),
      '400 -1121 Invalid symbol.',
    ],
  ),
  ...goodLists.map(
    ([operation, query]): Case => [operation, query, `400 -2010 ${frozenText}`, frozen],
  ),
  ...cases(`
  placeOldOco ${goodLists[0]![1].replace('40000', '40000.001')} → ${filter('PRICE_FILTER')}
  placeOco ${goodLists[1]![1].replace('39000', '0.01')} → ${filter('NOTIONAL')}
  placeOto ${goodLists[2]![1].replace('workingQuantity=1', 'workingQuantity=0')} → 400 -1013 Invalid quantity.
  placeOto ${workingLimit}&pendingSide=SELL&pendingQuantity=0.0001&pendingType=STOP_LOSS&pendingStopPrice=49999.99 → ${filter('NOTIONAL')}
  placeOtoco ${goodLists[3]![1].replace('pendingQuantity=1', 'pendingQuantity=9001')} → ${filter('LOT_SIZE')}
  placeOco ${goodLists[1]![1]}&selfTradePreventionMode=NONE → 400 -1013 This symbol does not allow the specified self-trade prevention mode.
  placeOldOco ${goodLists[0]![1].replace('BTCUSDT', 'UNTRAILING')} → 400 -2010 OCO orders are not supported for this symbol
  placeOco ${goodLists[1]![1].replace('BTCUSDT', 'SIMPLE')} → 400 -2010 OCO orders are not supported for this symbol
  placeOto ${goodLists[2]![1].replace('BTCUSDT', 'SIMPLE')} → 400 -2010 OTO orders are not supported for this symbol
  placeOtoco ${goodLists[3]![1].replace('BTCUSDT', 'UNTRAILING')} → 400 -2010 OCO orders are not supported for this symbol
  placeOpo ${goodLists[4]![1].replace('workingSide=BUY', 'workingSide=SELL')} → 400 -1222 Working order in an OPO list must be a bid.
  placeOpoco ${goodLists[5]![1].replace('pendingSide=SELL', 'pendingSide=BUY')} → 400 -1223 Pending orders in an OPO list must be asks.
  placeOpo ${goodLists[4]![1]}&pendingQuantity=1 → 400 -1104 Not all sent parameters were read; read '9' parameter(s) but was sent '10'.
  placeOpo ${goodLists[4]![1].replace('60000', '60000.001')} → ${filter('PRICE_FILTER')}
  placeOpo ${goodLists[4]![1]}&pendingIcebergQty=0.000001 → ${filter('LOT_SIZE')}
  placeOpo ${goodLists[4]![1].replace('BTCUSDT', 'SIMPLE')} → 400 -2010 OTO orders are not supported for this symbol
  placeOpoco ${goodLists[5]![1].replace('BTCUSDT', 'UNTRAILING')} → 400 -2010 OCO orders are not supported for this symbol
  placeOldOco ${oldOco}&limitIcebergQty=2 → 400 -2010 IcebergQty exceeds QTY.
  placeOldOco ${goodLists[0]![1]}&limitIcebergQty=2 → 400 -2010 IcebergQty exceeds QTY.
  cancelOrderList symbol=BTCUSDT → ${bothMissing('orderListId', 'listClientOrderId')}
  orderList → ${bothMissing('origClientOrderId', 'orderListId')}
  cancelOrderList symbol=DOGE&orderListId=1 → 400 -1121 Invalid symbol.
`),
]

/** Replacing and amending. */
export const changeFaults = cases(`
  replaceOrder ${good}&cancelOrderId=5 → ${missing('cancelReplaceMode')}
  replaceOrder ${good}&cancelReplaceMode=STOP_ON_FAILURE → ${bothMissing('cancelOrigClientOrderId', 'cancelOrderId')}
  replaceOrder ${good}&cancelOrderId=5&cancelReplaceMode=MAYBE → 400 -1130 Data sent for parameter 'cancelReplaceMode' is not valid.
  replaceOrder ${good}&${cancelReplace}&orderRateLimitExceededMode=X → 400 -1130 Data sent for parameter 'orderRateLimitExceededMode' is not valid.
  replaceOrder ${good}&${cancelReplace}&cancelRestrictions=X → 400 -1145 Invalid cancelRestrictions
  replaceOrder ${good.replace('50000', '1.001')}&${cancelReplace} → ${filter('PRICE_FILTER')}
  replaceOrder ${good.replace('BTCUSDT', 'DOGE')}&${cancelReplace} → 400 -1121 Invalid symbol.
  replaceOrder ${good.replace('BTCUSDT', 'SIMPLE')}&${cancelReplace} → 400 -2010 Order cancel-replace is not supported for this symbol.
  amendOrder symbol=BTCUSDT&orderId=5 → ${missing('newQty')}
  amendOrder symbol=BTCUSDT&newQty=1 → ${bothMissing('origClientOrderId', 'orderId')}
  amendOrder symbol=DOGE&newQty=1&orderId=5 → 400 -1121 Invalid symbol.
  amendOrder symbol=BTCUSDT&newQty=0&orderId=5 → 400 -1013 Invalid quantity.
  amendOrder symbol=BTCUSDT&newQty=0.000001&orderId=5 → ${filter('LOT_SIZE')}
  amendOrder symbol=BTCUSDT&newQty=1&orderId=0 → 400 -2038 Unknown order sent.
  amendOrder symbol=SIMPLE&newQty=1&orderId=5 → 400 -2038 Order amend is not supported for this symbol.
  myFilters symbol=DOGE → 400 -1121 Invalid symbol.
  myAllocations symbol=DOGE → 400 -1121 Invalid symbol.
`)
