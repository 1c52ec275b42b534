/**
 * What is refused of any request by its parameters, their combinations and the symbol's status: tables
 * for errors.test.ts. Symbols of special-symbols.ts.
 */
import { UNKNOWN_PARAMETERS_MAX } from '../../src/api/params.ts'
import { DAY_MS } from '../../src/market/intervals.ts'
import { bothMissing, type Case, cases, filter, missing, vain } from './order-refusals.ts'

const limit = 'symbol=BTCUSDT&side=BUY&type=LIMIT&timeInForce=GTC'
/** An order that is accepted. */
export const good = `${limit}&quantity=0.01&price=50000`
const maker = 'symbol=BTCUSDT&side=SELL&type=LIMIT_MAKER'
const market = 'symbol=BTCUSDT&side=BUY&type=MARKET'
const DECIMALS = '^([0-9]{1,20})(\\.[0-9]{1,20})?$'
const CLIENT_IDS = '^[a-zA-Z0-9-_.:/]{1,36}$'
const unknown = Array.from({ length: UNKNOWN_PARAMETERS_MAX + 1 }, (_, i) => `u${i}=`).join('&')

export const syntax = cases(`
  depth symbol=btcusdt → 400 -1100 Illegal characters found in parameter 'symbol'; legal range is '^[A-Z0-9-_.]{1,20}$'.
  tickerPrice symbols=["BTCUSDT", "ETHBTC"] → 400 -1100 Illegal characters found in parameter 'symbols'; legal range is '^\\[("[A-Z0-9-_.]{1,20}"(,"[A-Z0-9-_.]{1,20}"){0,}){0,1}\\]$'.
  queryOrder symbol=BTCUSDT&orderId=1.5 → 400 -1100 Illegal characters found in parameter 'orderId'; legal range is '^[0-9]{1,20}$'.
  placeOrder ${limit}&price=1&quantity=1e3 → 400 -1100 Illegal characters found in parameter 'quantity'; legal range is '${DECIMALS}'.
  placeOrder ${limit}&price=-1&quantity=1 → 400 -1100 Illegal characters found in parameter 'price'; legal range is '${DECIMALS}'.
  placeOrder ${limit}&price=1&quantity=${'1'.repeat(40)} → 400 -1100 Illegal characters found in parameter 'quantity'; legal range is '${DECIMALS}'.
  placeOrder ${good}&newClientOrderId=sp%20ace → 400 -1100 Illegal characters found in parameter 'newClientOrderId'; legal range is '${CLIENT_IDS}'.
  placeOrder ${good}&newClientOrderId=${'x'.repeat(37)} → 400 -1100 Illegal characters found in parameter 'newClientOrderId'; legal range is '${CLIENT_IDS}'.
  depth symbol=%E0%A4%A → 400 -1100 Illegal characters found in a parameter.
  depth symbol=A&symbol=A → 400 -1101 Duplicate values for a parameter detected.
  ping ${unknown} → 400 -1101 Too many parameters sent for this endpoint.
`)

export const demands = cases(`
  depth → ${missing('symbol')}
  placeOrder symbol=BTCUSDT&side=&type=LIMIT → ${missing('side')}
  placeOrder ${limit}&quantity=1 → ${missing('price')}
  placeOrder symbol=BTCUSDT&side=BUY&type=LIMIT&quantity=1&price=1 → ${missing('timeInForce')}
  placeOrder ${good.replace('symbol=BTCUSDT&', '')} → ${missing('symbol')}
  placeOrder ${good.replace('&type=LIMIT', '')} → ${missing('type')}
  placeOrder ${limit}&price=1 → ${missing('quantity')}
  placeOrder ${market} → ${bothMissing('quantity', 'quoteOrderQty')}
  amendments symbol=BTCUSDT → ${missing('orderId')}
  queryOrder symbol=BTCUSDT → ${bothMissing('origClientOrderId', 'orderId')}
  ping a=1 → 400 -1101 Too many parameters; expected '0' and received '1'.
  cancelOpenOrders symbol=BTCUSDT&timestamp=1&signature=x&a=1&b=2 → 400 -1101 Too many parameters; expected '4' and received '5'.
  depth symbol=BTCUSDT&Limit=5 → 400 -1104 Not all sent parameters were read; read '1' parameter(s) but was sent '2'.
  placeOrder ${good}&timestamp=1&signature=x&strategy=1 → 400 -1104 Not all sent parameters were read; read '8' parameter(s) but was sent '9'.
  placeOrder ${limit}&quantity=1&price= → 400 -1105 Parameter 'price' was empty.
  placeOrder ${good}&newClientOrderId= → 400 -1118 New client order ID was empty.
  placeOrder ${good}&clOrdId= → 400 -1118 New client order ID was empty.
  cancelOrder symbol=BTCUSDT&origClientOrderId= → 400 -1119 Original client order ID was empty.
  placeOrder ${market}&quantity=1&price=1 → ${vain('price')}
  placeOrder ${good}&stopPrice=1 → ${vain('stopPrice')}
  placeOrder ${limit}&quantity=99999999999&price=1 → 400 -1108 Parameter 'quantity' overflowed.
  queryOrder symbol=BTCUSDT&orderId=99999999999999999999 → 400 -1108 Parameter 'orderId' overflowed.
  placeOrder symbol=ETHBTC&side=BUY&type=MARKET&quoteOrderQty=92233720368.54775808 → 400 -1108 Parameter 'quoteOrderQty' overflowed.
  placeOrder ${limit}&quantity=0.123456789&price=1 → 400 -1111 Parameter 'quantity' has too much precision.
  placeOrder ${maker}&quantity=1&price=1&timeInForce=GTC → 400 -1114 TimeInForce parameter sent when not required.
  placeOrder symbol=BTCUSDT&side=BUY&type=LIMIT&timeInForce=GTD → 400 -1115 Invalid timeInForce.
  placeOrder symbol=BTCUSDT&side=BUY&type=Limit → 400 -1116 Invalid orderType.
  placeOrder symbol=BTCUSDT&side=HOLD&type=LIMIT → 400 -1117 Invalid side.
  tickerPrice symbolStatus=AUCTION_MATCH → 400 -1122 Invalid symbolStatus.
  klines symbol=BTCUSDT&interval=1D → 400 -1120 Invalid interval.
  ticker24hr symbol=BTCUSDT&type=LIMIT → 400 -1139 Invalid ticker type.
  placeOrder ${good}&newOrderRespType=ALL → 400 -1130 Data sent for parameter 'newOrderRespType' is not valid.
  placeOrder ${good}&selfTradePreventionMode=NEVER → 400 -1130 Data sent for parameter 'selfTradePreventionMode' is not valid.
  quoteOrders symbol=BTCUSDT&bids=[["50000","1"]]&asks=[["50000","1"]] → 400 -1130 The best bid of a quote must be below its best ask.
  trades symbol=BTCUSDT&limit=0 → 400 -1130 Data sent for parameter 'limit' is not valid.
  exchangeInfo permissions=FLYING → 400 -1130 Data sent for parameter 'permissions' is not valid.
  cancelOrder symbol=BTCUSDT&orderId=1&cancelRestrictions=NONE → 400 -1145 Invalid cancelRestrictions
`)

const combination = '400 -1128 Combination of optional parameters invalid.'
export const combinations = cases(`
  placeOrder ${market}&quantity=1&quoteOrderQty=1 → ${combination}
  placeOrder ${good}&newClientOrderId=a&clOrdId=b → ${combination}
  cancelOrder symbol=BTCUSDT&origClientOrderId=a&origClOrdId=a → ${combination}
  myPreventedMatches symbol=BTCUSDT → ${combination}
  myPreventedMatches symbol=BTCUSDT&orderId=1&preventedMatchId=1 → ${combination}
  allOrderLists fromId=1&startTime=1 → ${combination}
  tickerBook symbol=BTCUSDT&symbols=["BTCUSDT"] → ${combination}
  executionRules symbol=BTCUSDT&symbols=["BTCUSDT"] → ${combination}
  executionRules symbol=BTCUSDT&symbolStatus=TRADING → ${combination}
  executionRules symbols=["BTCUSDT"]&symbolStatus=TRADING → ${combination}
  exchangeInfo symbol=BTCUSDT&permissions=SPOT → ${combination}
  exchangeInfo symbols=["BTCUSDT"]&symbolStatus=TRADING → ${combination}
  myTrades symbol=BTCUSDT&orderId=1&startTime=1 → ${combination}
  myTrades symbol=BTCUSDT&fromId=1&endTime=1 → ${combination}
  myTrades symbol=BTCUSDT&startTime=1&endTime=${DAY_MS + 2} → 400 -1127 More than 24 hours between startTime and endTime.
  allOrderLists startTime=1&endTime=${DAY_MS + 2} → 400 -1127 More than 24 hours between startTime and endTime.
  allOrders symbol=BTCUSDT&startTime=1&endTime=${DAY_MS + 2} → 400 -1127 More than 24 hours between startTime and endTime.
`)

export const symbolNames: readonly Case[] = [
  ...['depth', 'trades', 'avgPrice', 'tickerPrice', 'tickerBook', 'exchangeInfo'],
  ...['executionRules', 'referencePrice', 'referencePriceCalculation'],
  ...['openOrders', 'cancelOpenOrders', 'allOrders', 'myTrades', 'commission', 'tradeFee'],
].map((operation): Case => [operation, 'symbol=DOGE', '400 -1121 Invalid symbol.'])

const symbols = (count: number) => JSON.stringify(Array.from({ length: count }, (_, i) => `S${i}`))
const noReferencePrice = "400 -2043 This symbol doesn't have a reference price."
export const symbolFaults = cases(`
  placeOrder ${good.replace('BTCUSDT', 'DOGE')} → 400 -1121 Invalid symbol.
  queryOrder symbol=DOGE&orderId=1 → 400 -1121 Invalid symbol.
  cancelOrder symbol=DOGE&orderId=1 → 400 -1121 Invalid symbol.
  historicalBlockTrades symbol=DOGE&fromId=1 → 400 -1121 Invalid symbol.
  referencePrice symbol=BTCUSDT → ${noReferencePrice}
  referencePriceCalculation symbol=BTCUSDT&symbolStatus=TRADING → ${noReferencePrice}
  referencePriceCalculation symbol=BTCUSDT&symbolStatus=HALT → 400 -1220 The symbol's status does not match the requested symbolStatus.
  tickerPrice symbols=["BTCUSDT","DOGE"] → 400 -1121 Invalid symbol.
  tickerPrice symbols=["BTCUSDT","BTCUSDT"] → 400 -1151 Symbol is present multiple times in the list.
  tickerPrice symbols=${symbols(1000)} → 400 -1121 Invalid symbol.
  tickerTradingDay symbols=${symbols(101)} → 400 -1101 Too many values sent for parameter 'symbols', maximum allowed up to 100.
  ticker symbols=${symbols(101)} → 400 -1101 Too many values sent for parameter 'symbols', maximum allowed up to 100.
  depth symbol=ETHBTC&symbolStatus=TRADING → 400 -1220 The symbol's status does not match the requested symbolStatus.
  tickerBook symbol=BTCUSDT&symbolStatus=BREAK → 400 -1220 The symbol's status does not match the requested symbolStatus.
`)

export const orderFaults = cases(`
  placeOrder ${limit}&quantity=0&price=1 → 400 -1013 Invalid quantity.
  placeOrder ${market}&quoteOrderQty=0.0 → 400 -1013 Invalid quantity.
  placeOrder ${limit}&quantity=1&price=0.00 → 400 -1013 Invalid price.
  placeOrder ${limit}&quantity=1&price=1.005 → ${filter('PRICE_FILTER')}
  placeOrder ${limit}&quantity=1&price=1000001 → ${filter('PRICE_FILTER')}
  placeOrder ${limit}&quantity=0.000001&price=1 → ${filter('LOT_SIZE')}
  placeOrder ${limit}&quantity=9001&price=1 → ${filter('LOT_SIZE')}
  placeOrder ${market}&quantity=101 → ${filter('MARKET_LOT_SIZE')}
  placeOrder ${limit}&quantity=1&price=4.99 → ${filter('NOTIONAL')}
  placeOrder ${limit}&quantity=9000&price=1000.01 → ${filter('NOTIONAL')}
  placeOrder ${market}&quoteOrderQty=4.99999999 → ${filter('NOTIONAL')}
  placeOrder symbol=ETHBTC&side=BUY&type=LIMIT&timeInForce=GTC&quantity=0.0001&price=0.5 → 400 -2010 Market is closed.
  testOrder ${limit}&quantity=1&price=1.005 → ${filter('PRICE_FILTER')}
  placeOrder ${good}&selfTradePreventionMode=NONE → 400 -1013 This symbol does not allow the specified self-trade prevention mode.
  cancelOrder symbol=BTCUSDT → 400 -2011 Cancel order is invalid. Check origClOrdId and orderId.
  cancelOrder symbol=BTCUSDT&orderId=0 → 400 -2011 Unknown order sent.
  queryOrder symbol=BTCUSDT&orderId=0 → 400 -2013 Order does not exist.
  keepListenKeyAlive listenKey=unknown → 400 -1125 This listenKey does not exist.
  closeListenKey listenKey=unknown → 400 -1125 This listenKey does not exist.
`)
