/**
 * Fields, weights and error texts of Binance's responses, as facts to compare with; from the documents that
 * binance-surface.ts names. What is a table of its own there (`varies`) is compared as such.
 */

/** Fields that many responses have. */
const groups = `
<order> symbol orderId orderListId clientOrderId price origQty executedQty origQuoteOrderQty cummulativeQuoteQty status timeInForce type side selfTradePreventionMode
<labels> stopPrice icebergQty strategyId strategyType trailingDelta trailingTime usedSor workingFloor pegPriceType pegOffsetType pegOffsetValue peggedPrice
<lost> preventedMatchId preventedQuantity expiryReason
<prevented> preventedMatches makerOrderId takerPreventedQuantity makerPreventedQuantity tradeGroupId
<fills> fills price qty commission commissionAsset tradeId
<list> orderListId contingencyType listStatusType listOrderStatus listClientOrderId transactionTime symbol orders orderId clientOrderId
<ticker> openPrice highPrice lowPrice lastPrice volume quoteVolume openTime closeTime firstId lastId count priceChange priceChangePercent weightedAvgPrice symbol`

/** Each operation with its weight, its fields, and groups of them. */
const answers = `
GET /api/v3/ping 1:
GET /api/v3/time 1: serverTime
GET /api/v3/exchangeInfo 20: timezone serverTime rateLimits exchangeFilters symbols symbol status baseAsset baseAssetPrecision quoteAsset quotePrecision quoteAssetPrecision baseCommissionPrecision quoteCommissionPrecision orderTypes icebergAllowed ocoAllowed otoAllowed opoAllowed quoteOrderQtyMarketAllowed allowTrailingStop cancelReplaceAllowed amendAllowed pegInstructionsAllowed isSpotTradingAllowed isMarginTradingAllowed filters permissions permissionSets defaultSelfTradePreventionMode allowedSelfTradePreventionModes sors rateLimitType interval intervalNum limit filterType
GET /api/v3/executionRules varies: symbolRules symbol rules ruleType bidLimitMultUp bidLimitMultDown askLimitMultUp askLimitMultDown
GET /api/v3/depth varies: lastUpdateId bids asks
GET /api/v3/trades 25: id price qty quoteQty time isBuyerMaker isBestMatch
GET /api/v3/historicalTrades 25: id price qty quoteQty time isBuyerMaker isBestMatch
GET /api/v3/historicalBlockTrades 25: id price qty quoteQty time isBuyerMaker
GET /api/v3/aggTrades 4: a p q f l T m M
GET /api/v3/klines 2:
GET /api/v3/uiKlines 2:
GET /api/v3/avgPrice 2: mins price closeTime
GET /api/v3/ticker/24hr varies: <ticker> prevClosePrice lastQty bidPrice bidQty askPrice askQty
GET /api/v3/ticker/tradingDay varies: <ticker>
GET /api/v3/ticker/price varies: symbol price
GET /api/v3/ticker/bookTicker varies: symbol bidPrice bidQty askPrice askQty
GET /api/v3/ticker varies: <ticker>
GET /api/v3/referencePrice 2: symbol referencePrice timestamp
GET /api/v3/referencePrice/calculation 2: symbol calculationType bucketCount bucketWidthMs externalCalculationId
POST /api/v3/order 1: <order> <labels> <lost> <prevented> <fills> transactTime workingTime
POST /api/v3/order/test varies: standardCommissionForOrder maker taker specialCommissionForOrder taxCommissionForOrder discount enabledForAccount enabledForSymbol discountAsset
DELETE /api/v3/order 1: <order> <labels> <list> origClientOrderId transactTime orderReports
DELETE /api/v3/openOrders 1: <order> <labels> <list> origClientOrderId transactTime orderReports
POST /api/v3/order/cancelReplace 1: <order> <labels> <lost> <prevented> <fills> <list> cancelResult newOrderResult cancelResponse origClientOrderId transactTime newOrderResponse workingTime orderReports
PUT /api/v3/order/amend/keepPriority 4: <labels> transactTime executionId amendedOrder symbol orderId orderListId origClientOrderId clientOrderId price qty executedQty preventedQty quoteOrderQty cumulativeQuoteQty status timeInForce type side workingTime selfTradePreventionMode listStatus contingencyType listOrderStatus listClientOrderId orders
POST /api/v3/order/oco 1: <order> <labels> <lost> <prevented> <fills> <list> orderReports transactTime workingTime
POST /api/v3/orderList/oco 1: <order> <labels> <lost> <prevented> <fills> <list> orderReports transactTime workingTime
POST /api/v3/orderList/oto 1: <order> <labels> <lost> <prevented> <fills> <list> orderReports transactTime workingTime
POST /api/v3/orderList/otoco 1: <order> <labels> <lost> <prevented> <fills> <list> orderReports transactTime workingTime
POST /api/v3/orderList/opo 1: <order> <labels> <lost> <prevented> <fills> <list> orderReports transactTime workingTime
POST /api/v3/orderList/opoco 1: <order> <labels> <lost> <prevented> <fills> <list> orderReports transactTime workingTime
DELETE /api/v3/orderList 1: <order> <labels> <list> orderReports origClientOrderId transactTime
POST /api/v3/sor/order 1: <order> <labels> <lost> <prevented> <fills> transactTime workingTime matchType allocId
POST /api/v3/sor/order/test varies: standardCommissionForOrder maker taker taxCommissionForOrder discount enabledForAccount enabledForSymbol discountAsset
GET /api/v3/account 20: makerCommission takerCommission buyerCommission sellerCommission commissionRates maker taker buyer seller canTrade canWithdraw canDeposit brokered requireSelfTradePrevention preventSor updateTime accountType balances asset free locked permissions uid
GET /api/v3/order 4: <order> <labels> <lost> time updateTime isWorking workingTime
GET /api/v3/openOrders varies: <order> <labels> <lost> time updateTime isWorking workingTime
GET /api/v3/allOrders 20: <order> <labels> <lost> time updateTime isWorking workingTime
GET /api/v3/orderList 4: <list>
GET /api/v3/allOrderList 20: <list>
GET /api/v3/openOrderList 6: <list>
GET /api/v3/myTrades varies: symbol id orderId orderListId price qty quoteQty commission commissionAsset time isBuyer isMaker isBestMatch
GET /api/v3/rateLimit/order 40: rateLimitType interval intervalNum limit count
GET /api/v3/myPreventedMatches varies: symbol preventedMatchId takerOrderId makerSymbol makerOrderId tradeGroupId selfTradePreventionMode price makerPreventedQuantity transactTime takerPreventedQuantity
GET /api/v3/myAllocations 20: symbol allocationId allocationType orderId orderListId price qty quoteQty commission commissionAsset time isBuyer isMaker isAllocator
GET /api/v3/account/commission 20: symbol standardCommission maker taker buyer seller specialCommission taxCommission discount enabledForAccount enabledForSymbol discountAsset
GET /api/v3/order/amendments 4: symbol orderId executionId origClientOrderId newClientOrderId origQty newQty time
GET /api/v3/myFilters 40: exchangeFilters filterType symbolFilters assetFilters`

/** Each code with a text; \`%s\` stands for a detail. Those of -2010 stand for other refusals of the engine, too. */
const texts = `
-1000 An unknown error occurred while processing the request.
-1001 Internal error; unable to process your request. Please try again.
-1002 You are not authorized to execute this request.
-1003 Too many requests queued.
-1003 Too much request weight used; current limit is %s request weight per %s. Please use WebSocket Streams for live updates to avoid polling the API.
-1003 Way too much request weight used; IP banned until %s. Please use WebSocket Streams for live updates to avoid bans.
-1006 An unexpected response was received from the message bus. Execution status unknown.
-1007 Timeout waiting for response from backend server. Send status unknown; execution status unknown.
-1008 Server is currently overloaded with other requests. Please try again in a few minutes.
-1013
-1014 Unsupported order combination.
-1015 Too many new orders.
-1015 Too many new orders; current limit is %s orders per %s.
-1016 This service is no longer available.
-1020 This operation is not supported.
-1021 Timestamp for this request is outside of the recvWindow.
-1021 Timestamp for this request was 1000ms ahead of the server's time.
-1022 Signature for this request is not valid.
-1033 \`SenderCompId(49)\` is currently in use. Concurrent use of the same SenderCompId within one account is not allowed.
-1034 Too many concurrent connections; current limit is '%s'.
-1034 Too many connection attempts for account; current limit is %s per '%s'.
-1034 Too many connection attempts from IP; current limit is %s per '%s'.
-1035 Please send [Logout\`<5>\`](fix-api.md#logout) message to close the session.
-1100 Illegal characters found in a parameter.
-1100 Illegal characters found in parameter '%s'; legal range is '%s'.
-1101 Too many parameters sent for this endpoint.
-1101 Too many parameters; expected '%s' and received '%s'.
-1101 Duplicate values for a parameter detected.
-1102 A mandatory parameter was not sent, was empty/null, or malformed.
-1102 Mandatory parameter '%s' was not sent, was empty/null, or malformed.
-1102 Param '%s' or '%s' must be sent, but both were empty/null!
-1102 Required tag '%s' missing.
-1102 Field value was empty or malformed.
-1102 '%s' contains unexpected value. Cannot be greater than %s.
-1103 An unknown parameter was sent.
-1103 Undefined Tag.
-1104 Not all sent parameters were read.
-1104 Not all sent parameters were read; read '%s' parameter(s) but was sent '%s'.
-1105 A parameter was empty.
-1105 Parameter '%s' was empty.
-1106 A parameter was sent when not required.
-1106 Parameter '%s' sent when not required.
-1106 A tag '%s' was sent when not required.
-1108 Parameter '%s' overflowed.
-1111 Parameter '%s' has too much precision.
-1112 No orders on book for symbol.
-1114 TimeInForce parameter sent when not required.
-1115 Invalid timeInForce.
-1116 Invalid orderType.
-1117 Invalid side.
-1118 New client order ID was empty.
-1119 Original client order ID was empty.
-1120 Invalid interval.
-1121 Invalid symbol.
-1122 Invalid symbolStatus.
-1125 This listenKey does not exist.
-1127 Lookup interval is too big.
-1127 More than %s hours between startTime and endTime.
-1128 Combination of optional parameters invalid.
-1128 Combination of optional fields invalid. Recommendation: '%s' and '%s' must both be sent.
-1128 Fields [%s] must be sent together or omitted entirely.
-1128 Invalid \`MDEntryType (269)\` combination. BID and OFFER must be requested together.
-1128 Conflicting fields: ['%s'...]
-1130 Invalid data sent for a parameter.
-1130 Data sent for parameter '%s' is not valid.
-1134 \`strategyType\` was less than 1000000.
-1134 \`TargetStrategy (847)\` was less than 1000000.
-1135 Invalid JSON Request
-1135 JSON sent for parameter '%s' is not valid
-1139 Invalid ticker type.
-1145 \`cancelRestrictions\` has to be either \`ONLY_NEW\` or \`ONLY_PARTIALLY_FILLED\`.
-1151 Symbol is present multiple times in the list.
-1152 Invalid \`X-MBX-SBE\` header; expected \`<SCHEMA_ID>:<VERSION>\`.
-1152 Invalid SBE message header.
-1153 Unsupported SBE schema ID or version specified in the \`X-MBX-SBE\` header.
-1153 Invalid SBE schema ID or version specified.
-1155 SBE is not enabled.
-1158 Order type not supported in OCO.
-1158 If the order type provided in the \`aboveType\` and/or \`belowType\` is not supported.
-1160 Parameter '%s' is not supported if \`aboveTimeInForce\`/\`belowTimeInForce\` is not GTC.
-1160 If the order type for the above or below leg is \`STOP_LOSS_LIMIT\`, and \`icebergQty\` is provided for that leg, the \`timeInForce\` has to be \`GTC\` else it will throw an error.
-1160 \`TimeInForce (59)\` must be \`GTC (1)\` when \`MaxFloor (111)\` is used.
-1161 Unable to encode the response in SBE schema 'x'. Please use schema 'y' or higher.
-1165 A limit order in a buy OCO must be below.
-1166 A limit order in a sell OCO must be above.
-1168 At least one OCO order must be contingent.
-1169 Invalid tag number.
-1170 Tag '%s' not defined for this message type.
-1171 Tag '%s' appears more than once.
-1172 Tag '%s' specified out of required order.
-1173 Repeating group '%s' fields out of order.
-1174 Component '%s' is incorrectly populated on '%s' order. Recommendation: '%s'
-1175 Continuation of sequence numbers to new session is currently unsupported. Sequence numbers must be reset for each new session.
-1176 [Logon\`<A>\`](fix-api.md#logon-main) should only be sent once.
-1177 \`CheckSum(10)\` contains an incorrect value.
-1177 \`BeginString (8)\` is not the first tag in a message.
-1177 \`MsgType (35)\` is not the third tag in a message.
-1177 \`BodyLength (9)\` does not contain the correct byte count.
-1177 Only printable ASCII characters and SOH (Start of Header) are allowed.
-1177 Tag specified without a value.
-1177 Invalid encodingType.
-1178 \`SenderCompId(49)\` contains an incorrect value. The SenderCompID value should not change throughout the lifetime of a session.
-1179 \`MsgSeqNum(34)\` contains an unexpected value. Expected: '%d'.
-1180 [Logon\`<A>\`](fix-api.md#logon-main) must be the first message in the session.
-1181 Too many messages; current limit is '%d' messages per '%s'.
-1182 Conflicting fields: [%s]
-1183 Requested operation is not allowed in DropCopy sessions.
-1184 DropCopy sessions are not supported on this server. Please reconnect to a drop copy server.
-1185 Only DropCopy sessions are supported on this server. Either reconnect to order entry server or send \`DropCopyFlag (9406)\` field.
-1186 Requested operation is not allowed in order entry sessions.
-1187 Requested operation is not allowed in market data sessions.
-1188 Incorrect NumInGroup count for repeating group '%s'.
-1189 Group '%s' contains duplicate entries.
-1190 \`MDReqID (262)\` contains a subscription request id that is already in use on this connection.
-1190 \`MDReqID (262)\` contains an unsubscription request id that does not match any active subscription.
-1191 Too many subscriptions. Connection may create up to '%s' subscriptions at a time.
-1191 Similar subscription is already active on this connection. Symbol='%s', active subscription id: '%s'.
-1194 Invalid value for time unit; expected either MICROSECOND or MILLISECOND.
-1196 A stop loss order in a buy OCO must be above.
-1197 A stop loss order in a sell OCO must be below.
-1198 A take profit order in a buy OCO must be below.
-1199 A take profit order in a sell OCO must be above.
-1210 Invalid pegPriceType.
-1211 Invalid pegOffsetType.
-1220 The symbol's status does not match the requested symbolStatus.
-1221 Invalid/missing field(s) in SBE message.
-1222 Working order in an OPO list must be a bid.
-1223 Pending orders in an OPO list must be asks.
-1224 Working order must include the '{param}' tag.
-1225 Pending orders should not include the '%s' tag.
-2010
-2011
-2013 Order does not exist.
-2014 API-key format invalid.
-2015 Invalid API-key, IP, or permissions for action.
-2016 No trading window could be found for the symbol. Try ticker/24hrs instead.
-2026 Order was canceled or expired with no executed qty over 90 days ago and has been archived.
-2035 User Data Stream subscription already active.
-2036 User Data Stream subscription not active.
-2039 Client order ID is not correct for this order ID.
-2042 Maximum subscription ID reached for this connection.
-2043 This symbol doesn't have a reference price.
-2021 Order cancel-replace partially failed
-2022 Order cancel-replace failed.
-1010
-2038
-1013 Filter failure: %s
-2010 Unknown order sent.
-2010 Duplicate order sent.
-2010 Market is closed.
-2010 Account has insufficient balance for requested action.
-2010 Market orders are not supported for this symbol.
-2010 Iceberg orders are not supported for this symbol.
-2010 Stop loss orders are not supported for this symbol.
-2010 Stop loss limit orders are not supported for this symbol.
-2010 Take profit orders are not supported for this symbol.
-2010 Take profit limit orders are not supported for this symbol.
-2010 Order amend is not supported for this symbol.
-2010 Price * QTY is zero or less.
-2010 IcebergQty exceeds QTY.
-2010 This action is disabled on this account.
-2010 This account may not place or cancel orders.
-2010 Unsupported order combination
-2010 Order would trigger immediately.
-2010 Cancel order is invalid. Check origClOrdId and orderId.
-2010 Order would immediately match and take.
-2010 The relationship of the prices for the orders is not correct.
-2010 OCO orders are not supported for this symbol
-2010 Quote order qty market orders are not support for this symbol.
-2010 Trailing stop orders are not supported for this symbol.
-2010 Order cancel-replace is not supported for this symbol.
-2010 This symbol is not permitted for this account.
-2010 This symbol is restricted for this account.
-2010 Order was not canceled due to cancel restrictions.
-2010 Rest API trading is not enabled.
-2010 WebSocket API trading is not enabled.
-2010 FIX API trading is not enabled.
-2010 Order book liquidity is less than \`LOT_SIZE\` filter minimum quantity.
-2010 Order book liquidity is less than \`MARKET_LOT_SIZE\` filter minimum quantity.
-2010 Order book liquidity is less than symbol minimum quantity.
-2010 Order amend (quantity increase) is not supported.
-2010 The requested action would change no state; rejecting
-2010 Pegged orders are not supported for this symbol.
-2010 This order type may not use pegged price.
-2010 This price peg cannot be used with this order type.
-2010 Order book liquidity is too low for this pegged order.
-2010 OPO orders are not supported for this symbol.
-2010 Order amend (pending OPO order) is not supported.`

const linesOf = (text: string): readonly string[] => text.trim().split('\n')
const groupsByName = new Map(
  linesOf(groups).map((line) => {
    const [name = '', ...fields] = line.split(' ')
    return [name, fields] as const
  }),
)

export interface TheirAnswer {
  /** Undefined where it varies by the parameters. */
  readonly weight: number | undefined
  readonly fields: readonly string[]
}

/** By method and path. */
export const theirAnswers: ReadonlyMap<string, TheirAnswer> = new Map(
  linesOf(answers).map((line) => {
    const [, key = '', weight = '', names = ''] = /^(\S+ \S+) (\w+):(.*)$/.exec(line) ?? []
    const fields = names.split(' ').flatMap((name) => groupsByName.get(name) ?? name)
    return [
      key,
      {
        weight: weight === 'varies' ? undefined : Number(weight),
        fields: fields.filter((name) => name !== ''),
      },
    ]
  }),
)

/** Codes with their texts; '' for a code without one. */
export const theirErrors: readonly (readonly [code: number, text: string])[] = linesOf(texts).map(
  (line) => {
    const [code = ''] = line.split(' ', 1)
    return [Number(code), line.slice(code.length + 1)]
  },
)
