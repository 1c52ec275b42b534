/**
 * The public surface of Binance's spot API, as facts to compare with: operations with the names of
 * their parameters, streams, filters, codes. Read from the documents that Binance keeps in the
 * repository binance/binance-spot-api-docs, at the commit and the date below. `timestamp`,
 * `recvWindow`, `signature` and `apiKey` are left out.
 */
export const readFrom = {
  repository: 'https://github.com/binance/binance-spot-api-docs',
  commit: 'a5e0bc3ddc0fd7e6bb696849323b74423fa3a54d',
  committed: '2026-07-21',
  /** The newest entry of its changelog. */
  changed: '2026-07-17',
} as const

export interface TheirOperation {
  readonly method: string
  readonly path: string
  readonly wsMethod: string
  readonly params: readonly string[]
}

const row = (
  method: string,
  path: string,
  wsMethod: string,
  ...names: readonly string[]
): TheirOperation => ({
  method,
  path,
  wsMethod,
  params: names.flatMap((line) => line.split(' ')),
})

export const theirOperations: readonly TheirOperation[] = [
  row('GET', '/api/v3/ping', 'ping'),
  row('GET', '/api/v3/time', 'time'),
  row(
    'GET',
    '/api/v3/exchangeInfo',
    'exchangeInfo',
    'symbol symbols permissions showPermissionSets symbolStatus',
  ),
  row('GET', '/api/v3/executionRules', 'executionRules', 'symbol symbols symbolStatus'),
  row('GET', '/api/v3/depth', 'depth', 'symbol limit symbolStatus'),
  row('GET', '/api/v3/trades', 'trades.recent', 'symbol limit'),
  row('GET', '/api/v3/historicalTrades', 'trades.historical', 'symbol limit fromId'),
  row('GET', '/api/v3/historicalBlockTrades', 'blockTrades.historical', 'symbol fromId limit'),
  row('GET', '/api/v3/aggTrades', 'trades.aggregate', 'symbol fromId startTime endTime limit'),
  row('GET', '/api/v3/klines', 'klines', 'symbol interval startTime endTime timeZone limit'),
  row('GET', '/api/v3/uiKlines', 'uiKlines', 'symbol interval startTime endTime timeZone limit'),
  row('GET', '/api/v3/avgPrice', 'avgPrice', 'symbol'),
  row('GET', '/api/v3/ticker/24hr', 'ticker.24hr', 'symbol symbols type symbolStatus'),
  row(
    'GET',
    '/api/v3/ticker/tradingDay',
    'ticker.tradingDay',
    'symbol symbols timeZone type symbolStatus',
  ),
  row('GET', '/api/v3/ticker/price', 'ticker.price', 'symbol symbols symbolStatus'),
  row('GET', '/api/v3/ticker/bookTicker', 'ticker.book', 'symbol symbols symbolStatus'),
  row('GET', '/api/v3/ticker', 'ticker', 'symbol symbols windowSize type symbolStatus'),
  row('GET', '/api/v3/referencePrice', 'referencePrice', 'symbol'),
  row(
    'GET',
    '/api/v3/referencePrice/calculation',
    'referencePrice.calculation',
    'symbol symbolStatus',
  ),
  row(
    'POST',
    '/api/v3/order',
    'order.place',
    'symbol side type timeInForce quantity quoteOrderQty price newClientOrderId strategyId',
    'strategyType stopPrice trailingDelta icebergQty newOrderRespType selfTradePreventionMode',
    'pegPriceType pegOffsetValue pegOffsetType',
  ),
  row(
    'POST',
    '/api/v3/order/test',
    'order.test',
    'symbol side type timeInForce quantity quoteOrderQty price newClientOrderId strategyId',
    'strategyType stopPrice trailingDelta icebergQty newOrderRespType selfTradePreventionMode',
    'pegPriceType pegOffsetValue pegOffsetType computeCommissionRates',
  ),
  row(
    'DELETE',
    '/api/v3/order',
    'order.cancel',
    'symbol orderId origClientOrderId newClientOrderId cancelRestrictions',
  ),
  row('DELETE', '/api/v3/openOrders', 'openOrders.cancelAll', 'symbol'),
  row(
    'POST',
    '/api/v3/order/cancelReplace',
    'order.cancelReplace',
    'symbol side type cancelReplaceMode timeInForce quantity quoteOrderQty price',
    'cancelNewClientOrderId cancelOrigClientOrderId cancelOrderId newClientOrderId strategyId',
    'strategyType stopPrice trailingDelta icebergQty newOrderRespType selfTradePreventionMode',
    'cancelRestrictions orderRateLimitExceededMode pegPriceType pegOffsetValue pegOffsetType',
  ),
  row(
    'PUT',
    '/api/v3/order/amend/keepPriority',
    'order.amend.keepPriority',
    'symbol orderId origClientOrderId newClientOrderId newQty',
  ),
  row(
    'POST',
    '/api/v3/order/oco',
    'orderList.place',
    'symbol listClientOrderId side quantity limitClientOrderId price limitStrategyId',
    'limitStrategyType limitIcebergQty trailingDelta stopClientOrderId stopPrice stopStrategyId',
    'stopStrategyType stopLimitPrice stopIcebergQty stopLimitTimeInForce newOrderRespType',
    'selfTradePreventionMode',
  ),
  row(
    'POST',
    '/api/v3/orderList/oco',
    'orderList.place.oco',
    'symbol listClientOrderId side quantity aboveType aboveClientOrderId aboveIcebergQty abovePrice',
    'aboveStopPrice aboveTrailingDelta aboveTimeInForce aboveStrategyId aboveStrategyType',
    'abovePegPriceType abovePegOffsetType abovePegOffsetValue belowType belowClientOrderId',
    'belowIcebergQty belowPrice belowStopPrice belowTrailingDelta belowTimeInForce belowStrategyId',
    'belowStrategyType belowPegPriceType belowPegOffsetType belowPegOffsetValue newOrderRespType',
    'selfTradePreventionMode',
  ),
  row(
    'POST',
    '/api/v3/orderList/oto',
    'orderList.place.oto',
    'symbol listClientOrderId newOrderRespType selfTradePreventionMode workingType workingSide',
    'workingClientOrderId workingPrice workingQuantity workingIcebergQty workingTimeInForce',
    'workingStrategyId workingStrategyType workingPegPriceType workingPegOffsetType',
    'workingPegOffsetValue pendingType pendingSide pendingClientOrderId pendingPrice',
    'pendingStopPrice pendingTrailingDelta pendingQuantity pendingIcebergQty pendingTimeInForce',
    'pendingStrategyId pendingStrategyType pendingPegPriceType pendingPegOffsetType',
    'pendingPegOffsetValue',
  ),
  row(
    'POST',
    '/api/v3/orderList/otoco',
    'orderList.place.otoco',
    'symbol listClientOrderId newOrderRespType selfTradePreventionMode workingType workingSide',
    'workingClientOrderId workingPrice workingQuantity workingIcebergQty workingTimeInForce',
    'workingStrategyId workingStrategyType workingPegPriceType workingPegOffsetType',
    'workingPegOffsetValue pendingSide pendingQuantity pendingAboveType pendingAboveClientOrderId',
    'pendingAbovePrice pendingAboveStopPrice pendingAboveTrailingDelta pendingAboveIcebergQty',
    'pendingAboveTimeInForce pendingAboveStrategyId pendingAboveStrategyType',
    'pendingAbovePegPriceType pendingAbovePegOffsetType pendingAbovePegOffsetValue pendingBelowType',
    'pendingBelowClientOrderId pendingBelowPrice pendingBelowStopPrice pendingBelowTrailingDelta',
    'pendingBelowIcebergQty pendingBelowTimeInForce pendingBelowStrategyId pendingBelowStrategyType',
    'pendingBelowPegPriceType pendingBelowPegOffsetType pendingBelowPegOffsetValue',
  ),
  row(
    'POST',
    '/api/v3/orderList/opo',
    'orderList.place.opo',
    'symbol listClientOrderId newOrderRespType selfTradePreventionMode workingType workingSide',
    'workingClientOrderId workingPrice workingQuantity workingIcebergQty workingTimeInForce',
    'workingStrategyId workingStrategyType workingPegPriceType workingPegOffsetType',
    'workingPegOffsetValue pendingType pendingSide pendingClientOrderId pendingPrice',
    'pendingStopPrice pendingTrailingDelta pendingIcebergQty pendingTimeInForce pendingStrategyId',
    'pendingStrategyType pendingPegPriceType pendingPegOffsetType pendingPegOffsetValue',
  ),
  row(
    'POST',
    '/api/v3/orderList/opoco',
    'orderList.place.opoco',
    'symbol listClientOrderId newOrderRespType selfTradePreventionMode workingType workingSide',
    'workingClientOrderId workingPrice workingQuantity workingIcebergQty workingTimeInForce',
    'workingStrategyId workingStrategyType workingPegPriceType workingPegOffsetType',
    'workingPegOffsetValue pendingSide pendingAboveType pendingAboveClientOrderId pendingAbovePrice',
    'pendingAboveStopPrice pendingAboveTrailingDelta pendingAboveIcebergQty pendingAboveTimeInForce',
    'pendingAboveStrategyId pendingAboveStrategyType pendingAbovePegPriceType',
    'pendingAbovePegOffsetType pendingAbovePegOffsetValue pendingBelowType',
    'pendingBelowClientOrderId pendingBelowPrice pendingBelowStopPrice pendingBelowTrailingDelta',
    'pendingBelowIcebergQty pendingBelowTimeInForce pendingBelowStrategyId pendingBelowStrategyType',
    'pendingBelowPegPriceType pendingBelowPegOffsetType pendingBelowPegOffsetValue',
  ),
  row(
    'DELETE',
    '/api/v3/orderList',
    'orderList.cancel',
    'symbol orderListId listClientOrderId newClientOrderId',
  ),
  row(
    'POST',
    '/api/v3/sor/order',
    'sor.order.place',
    'symbol side type timeInForce quantity price newClientOrderId strategyId strategyType',
    'icebergQty newOrderRespType selfTradePreventionMode',
  ),
  row(
    'POST',
    '/api/v3/sor/order/test',
    'sor.order.test',
    'symbol side type timeInForce quantity price newClientOrderId strategyId strategyType',
    'icebergQty newOrderRespType selfTradePreventionMode computeCommissionRates',
  ),
  row('GET', '/api/v3/account', 'account.status', 'omitZeroBalances'),
  row('GET', '/api/v3/order', 'order.status', 'symbol orderId origClientOrderId'),
  row('GET', '/api/v3/openOrders', 'openOrders.status', 'symbol'),
  row('GET', '/api/v3/allOrders', 'allOrders', 'symbol orderId startTime endTime limit'),
  row('GET', '/api/v3/orderList', 'orderList.status', 'orderListId origClientOrderId'),
  row('GET', '/api/v3/allOrderList', 'allOrderLists', 'fromId startTime endTime limit'),
  row('GET', '/api/v3/openOrderList', 'openOrderLists.status'),
  row('GET', '/api/v3/myTrades', 'myTrades', 'symbol orderId startTime endTime fromId limit'),
  row('GET', '/api/v3/rateLimit/order', 'account.rateLimits.orders'),
  row(
    'GET',
    '/api/v3/myPreventedMatches',
    'myPreventedMatches',
    'symbol preventedMatchId orderId fromPreventedMatchId limit',
  ),
  row(
    'GET',
    '/api/v3/myAllocations',
    'myAllocations',
    'symbol startTime endTime fromAllocationId limit orderId',
  ),
  row('GET', '/api/v3/account/commission', 'account.commission', 'symbol'),
  row(
    'GET',
    '/api/v3/order/amendments',
    'order.amendments',
    'symbol orderId fromExecutionId limit',
  ),
  row('GET', '/api/v3/myFilters', 'myFilters', 'symbol'),
]

/** Methods of the WebSocket API that have no operation of REST. */
export const theirSessionMethods: readonly string[] = [
  'session.logon',
  'session.status',
  'session.logout',
  'session.subscriptions',
  'userDataStream.subscribe',
  'userDataStream.subscribe.signature',
  'userDataStream.unsubscribe',
]

/** With `<interval>`, `<window>` and `<levels>` for each of their values. */
export const theirStreams: readonly string[] = [
  '<symbol>@referencePrice',
  '<symbol>@aggTrade',
  '<symbol>@trade',
  '<symbol>@blockTrade',
  '<symbol>@kline_<interval>',
  '<symbol>@kline_<interval>@+08:00',
  '<symbol>@miniTicker',
  '!miniTicker@arr',
  '<symbol>@ticker',
  '<symbol>@ticker_<window>',
  '!ticker_<window>@arr',
  '<symbol>@bookTicker',
  '<symbol>@avgPrice',
  '<symbol>@depth<levels>',
  '<symbol>@depth<levels>@100ms',
  '<symbol>@depth',
  '<symbol>@depth@100ms',
]

export const theirFilters: readonly string[] = [
  'PRICE_FILTER',
  'PERCENT_PRICE',
  'PERCENT_PRICE_BY_SIDE',
  'LOT_SIZE',
  'MIN_NOTIONAL',
  'NOTIONAL',
  'ICEBERG_PARTS',
  'MARKET_LOT_SIZE',
  'MAX_NUM_ORDERS',
  'MAX_NUM_ALGO_ORDERS',
  'MAX_NUM_ICEBERG_ORDERS',
  'MAX_POSITION',
  'TRAILING_DELTA',
  'MAX_NUM_ORDER_AMENDS',
  'MAX_NUM_ORDER_LISTS',
  'EXCHANGE_MAX_NUM_ORDERS',
  'EXCHANGE_MAX_NUM_ALGO_ORDERS',
  'EXCHANGE_MAX_NUM_ICEBERG_ORDERS',
  'EXCHANGE_MAX_NUM_ORDER_LISTS',
  'MAX_ASSET',
]

/** Enumeration → its values. */
export const theirValues = {
  'symbol states': ['TRADING', 'END_OF_DAY', 'HALT', 'BREAK', 'CANCEL_ONLY'],
  permissions: [
    ...['SPOT', 'MARGIN', 'LEVERAGED'],
    ...Array.from({ length: 24 }, (_, at) => `TRD_GRP_${String(at + 2).padStart(3, '0')}`),
  ],
  'order states': [
    ...['NEW', 'PENDING_NEW', 'PARTIALLY_FILLED', 'FILLED', 'CANCELED', 'PENDING_CANCEL'],
    ...['REJECTED', 'EXPIRED', 'EXPIRED_IN_MATCH'],
  ],
  'list states': ['RESPONSE', 'EXEC_STARTED', 'UPDATED', 'ALL_DONE'],
  'states of list orders': ['EXECUTING', 'ALL_DONE', 'REJECT'],
  contingencies: ['OCO', 'OTO'],
  'allocation types': ['SOR'],
  'order types': [
    ...['LIMIT', 'MARKET', 'STOP_LOSS', 'STOP_LOSS_LIMIT', 'TAKE_PROFIT', 'TAKE_PROFIT_LIMIT'],
    'LIMIT_MAKER',
  ],
  'response types': ['ACK', 'RESULT', 'FULL'],
  'working floors': ['EXCHANGE', 'SOR'],
  sides: ['BUY', 'SELL'],
  'times in force': ['GTC', 'IOC', 'FOK'],
  'rate limiters': ['REQUEST_WEIGHT', 'ORDERS', 'RAW_REQUESTS'],
  'rate limit intervals': ['SECOND', 'MINUTE', 'DAY'],
  'self-trade prevention modes': [
    ...['NONE', 'EXPIRE_MAKER', 'EXPIRE_TAKER', 'EXPIRE_BOTH', 'DECREMENT', 'TRANSFER'],
  ],
  'execution types': [
    ...['NEW', 'CANCELED', 'REPLACED', 'REJECTED', 'TRADE', 'EXPIRED', 'TRADE_PREVENTION'],
  ],
  'execution rules': ['PRICE_RANGE'],
  'expiry reasons': [
    ...['NONE', 'REJECTED', 'EXCHANGE_CANCELED', 'OCO_TRIGGER', 'OTO_PHASE_ONE_EXPIRED'],
    ...['UNFILLED_IOC_QUANTITY_EXPIRED', 'UNFILLED_FOK_ORDER_EXPIRED', 'INSUFFICIENT_LIQUIDITY'],
    'EXECUTION_RULE_PRICE_RANGE_EXCEEDED',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Ways to connect besides REST, streams and the WebSocket API, which are in JSON and SBE. */
export const theirProtocols: readonly string[] = [
  'FIX (order entry, drop copy, market data)',
  'SBE over FIX',
]
