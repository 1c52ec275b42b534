/**
 * The templates of schema 3:5 (sbe/schemas/spot_3_5.xml of Binance's documents), by the answers that they show.
 * Schema 3:4 differs in one name. What this exchange never answers has no template here.
 */
import {
  contingencyType,
  executionTypes,
  expiryReasons,
  listOrderStatus,
  listStatusType,
  matchType,
  orderCapacity,
  orderStatus,
  orderTypes,
  preventionBits,
  rateLimitTypes,
  replaceStatus,
  selfTradePreventionMode,
  side,
  symbolStatus,
  timeInForce,
  workingFloor,
} from './codes.ts'
import {
  at,
  bits,
  code,
  decimal,
  deprecated,
  exponent,
  flag,
  group,
  ITSELF,
  int16,
  int32,
  int64,
  type Members,
  maybe,
  maybeMessage16,
  maybeMessage32,
  maybeText8,
  maybeText16,
  maybeWith,
  message8,
  message16,
  message32,
  ratio,
  smallGroup,
  subscription,
  type Template,
  text8,
  text16,
  textUnless,
  time,
  uint8,
  uint16,
  uint32,
  uint64,
  usually,
  wide,
} from './fields.ts'

export const SCHEMA_ID = 3
export const SCHEMA_VERSION = 5

export const template = (id: number, name: string, members: Members): Template => ({
  id,
  name,
  members,
})

export const exponents = { priceExponent: exponent, qtyExponent: exponent }
export const price = decimal('priceExponent')
export const qty = decimal('qtyExponent')
const rate = decimal('commissionExponent')

// Filters, and rules of execution.

const multiplier = decimal('multiplierExponent')
const lotSize = { qtyExponent: exponent, minQty: qty, maxQty: qty, stepSize: qty }
const filter = (id: number, name: string, members: Members) =>
  template(id, `${name}Filter`, members)
/** By filterType. */
export const filterTemplates: Readonly<Record<string, Template>> = {
  PRICE_FILTER: template(1, 'PriceFilter', {
    priceExponent: exponent,
    minPrice: price,
    maxPrice: price,
    tickSize: price,
  }),
  PERCENT_PRICE: filter(2, 'PercentPrice', {
    multiplierExponent: exponent,
    multiplierUp: multiplier,
    multiplierDown: multiplier,
    avgPriceMins: int32,
  }),
  PERCENT_PRICE_BY_SIDE: filter(3, 'PercentPriceBySide', {
    multiplierExponent: exponent,
    bidMultiplierUp: multiplier,
    bidMultiplierDown: multiplier,
    askMultiplierUp: multiplier,
    askMultiplierDown: multiplier,
    avgPriceMins: int32,
  }),
  LOT_SIZE: filter(4, 'LotSize', lotSize),
  MIN_NOTIONAL: filter(5, 'MinNotional', {
    priceExponent: exponent,
    minNotional: price,
    applyToMarket: flag,
    avgPriceMins: int32,
  }),
  NOTIONAL: filter(6, 'Notional', {
    priceExponent: exponent,
    minNotional: price,
    applyMinToMarket: flag,
    maxNotional: price,
    applyMaxToMarket: flag,
    avgPriceMins: int32,
  }),
  ICEBERG_PARTS: filter(7, 'IcebergParts', { filterLimit: at('limit', int64) }),
  MARKET_LOT_SIZE: filter(8, 'MarketLotSize', lotSize),
  MAX_NUM_ORDERS: filter(9, 'MaxNumOrders', { maxNumOrders: int64 }),
  MAX_NUM_ALGO_ORDERS: filter(10, 'MaxNumAlgoOrders', { maxNumAlgoOrders: int64 }),
  MAX_NUM_ICEBERG_ORDERS: filter(11, 'MaxNumIcebergOrders', { maxNumIcebergOrders: int64 }),
  MAX_POSITION: filter(12, 'MaxPosition', { qtyExponent: exponent, maxPosition: qty }),
  TRAILING_DELTA: filter(13, 'TrailingDelta', {
    minTrailingAboveDelta: int64,
    maxTrailingAboveDelta: int64,
    minTrailingBelowDelta: int64,
    maxTrailingBelowDelta: int64,
  }),
  EXCHANGE_MAX_NUM_ORDERS: filter(15, 'ExchangeMaxNumOrders', { maxNumOrders: int64 }),
  EXCHANGE_MAX_NUM_ALGO_ORDERS: filter(16, 'ExchangeMaxNumAlgoOrders', { maxNumAlgoOrders: int64 }),
  EXCHANGE_MAX_NUM_ICEBERG_ORDERS: filter(17, 'ExchangeMaxNumIcebergOrders', {
    maxNumIcebergOrders: int64,
  }),
  MAX_NUM_ORDER_LISTS: filter(18, 'MaxNumOrderLists', { maxNumOrderLists: int64 }),
  EXCHANGE_MAX_NUM_ORDER_LISTS: filter(19, 'ExchangeMaxNumOrderLists', {
    maxNumOrderLists: int64,
  }),
  MAX_NUM_ORDER_AMENDS: filter(20, 'MaxNumOrderAmends', { maxNumOrderAmends: int64 }),
  MAX_ASSET: filter(21, 'MaxAsset', {
    qtyExponent: exponent,
    maxQty: at('limit', qty),
    asset: text8,
  }),
}

export const priceRangeTemplate = template(22, 'PriceRangeExecutionRule', {
  multiplierExponent: exponent,
  bidLimitMultUp: maybe(multiplier),
  bidLimitMultDown: maybe(multiplier),
  askLimitMultUp: maybe(multiplier),
  askLimitMultDown: maybe(multiplier),
})

// The exchange.

const rateLimit = {
  rateLimitType: code(rateLimitTypes),
  interval: code({ SECOND: 0, MINUTE: 1, HOUR: 2, DAY: 3 }),
  intervalNum: uint8,
  rateLimit: at('limit', int64),
}
const filters = group({ filter: at(ITSELF, message8) })
const permissions = group({ permission: at(ITSELF, text8) })

export const general = {
  error: template(100, 'ErrorResponse', {
    code: int16,
    serverTime: maybe(time),
    retryAfter: maybe(time),
    msg: text16,
    data: maybeMessage32,
  }),
  ping: template(101, 'PingResponse', {}),
  serverTime: template(102, 'ServerTimeResponse', { serverTime: time }),
  exchangeInfo: template(103, 'ExchangeInfoResponse', {
    rateLimits: group(rateLimit),
    exchangeFilters: filters,
    symbols: group({
      status: code(symbolStatus),
      baseAssetPrecision: uint8,
      quoteAssetPrecision: uint8,
      baseCommissionPrecision: uint8,
      quoteCommissionPrecision: uint8,
      orderTypes: bits('uint16', orderTypes),
      icebergAllowed: flag,
      ocoAllowed: flag,
      otoAllowed: flag,
      quoteOrderQtyMarketAllowed: flag,
      allowTrailingStop: flag,
      cancelReplaceAllowed: flag,
      amendAllowed: flag,
      isSpotTradingAllowed: flag,
      isMarginTradingAllowed: flag,
      defaultSelfTradePreventionMode: selfTradePreventionMode,
      allowedSelfTradePreventionModes: bits('uint8', preventionBits),
      pegInstructionsAllowed: maybe(flag),
      filters,
      permissionSets: group({ permissions: at(ITSELF, permissions) }),
      symbol: text8,
      baseAsset: text8,
      quoteAsset: text8,
    }),
    sors: group({
      sorSymbols: at('symbols', group({ symbol: at(ITSELF, text8) })),
      baseAsset: text8,
    }),
  }),
  executionRules: template(104, 'ExecutionRulesResponse', {
    symbolRules: group({ rules: group({ rule: at(ITSELF, message8) }), symbol: text8 }),
  }),
  myFilters: template(105, 'MyFiltersResponse', {
    exchangeFilters: filters,
    symbolFilters: filters,
    assetFilters: filters,
  }),
  nonRepresentable: template(999, 'NonRepresentableMessage', {}),
}

// Market data.

/** A list of an answer's rows, with exponents that all of them share. */
const listOf = (name: string, members: Members, shared: Members = {}): Members => ({
  ...shared,
  [name]: at(ITSELF, group(members)),
})
export const level = { price: at('[]', price), qty: at('[]', qty) }
const trade = {
  id: int64,
  price,
  qty,
  quoteQty: price,
  time,
  isBuyerMaker: flag,
}
const traded = {
  volume: wide(qty),
  quoteVolume: wide(price),
  openTime: time,
  closeTime: time,
  firstId: maybe(int64, -1),
  lastId: maybe(int64, -1),
  numTrades: at('count', int64),
  symbol: text8,
}
const shownPrice = maybe(price, 0)
const change = {
  priceChange: maybeWith(price, 'lastPrice'),
  priceChangePercent: maybeWith(ratio, 'lastPrice'),
  weightedAvgPrice: shownPrice,
}
const best = { bidPrice: shownPrice, bidQty: qty, askPrice: shownPrice, askQty: qty }
const range = { openPrice: shownPrice, highPrice: shownPrice, lowPrice: shownPrice }
const bookTicker = { ...exponents, ...best, symbol: text8 }
const priceTicker = { priceExponent: exponent, price: shownPrice, symbol: text8 }
const fullTicker = { ...exponents, ...change, ...range, lastPrice: shownPrice, ...traded }
const miniTicker = { ...exponents, ...range, lastPrice: shownPrice, ...traded }
const dayTicker = {
  ...exponents,
  ...change,
  prevClosePrice: shownPrice,
  lastPrice: shownPrice,
  lastQty: wide(qty),
  ...best,
  ...range,
  ...traded,
}

export const market = {
  depth: template(200, 'DepthResponse', {
    lastUpdateId: int64,
    ...exponents,
    bids: group(level),
    asks: group(level),
  }),
  trades: template(
    201,
    'TradesResponse',
    listOf('trades', { ...trade, isBestMatch: flag }, exponents),
  ),
  aggregateTrades: template(
    202,
    'AggTradesResponse',
    listOf(
      'aggTrades',
      {
        aggTradeId: at('a', int64),
        price: at('p', price),
        qty: at('q', qty),
        firstTradeId: at('f', int64),
        lastTradeId: at('l', int64),
        time: at('T', time),
        isBuyerMaker: at('m', flag),
        isBestMatch: at('M', flag),
      },
      exponents,
    ),
  ),
  klines: template(
    203,
    'KlinesResponse',
    listOf(
      'klines',
      {
        openTime: time,
        openPrice: at('open', price),
        highPrice: at('high', price),
        lowPrice: at('low', price),
        closePrice: at('close', price),
        volume: wide(qty),
        closeTime: time,
        quoteVolume: wide(price),
        numTrades: at('count', int64),
        takerBuyBaseVolume: at('takerBuyVolume', wide(qty)),
        takerBuyQuoteVolume: wide(price),
      },
      exponents,
    ),
  ),
  averagePrice: template(204, 'AveragePriceResponse', {
    mins: int64,
    priceExponent: exponent,
    price: shownPrice,
    closeTime: { ...maybe(time, -1), absentWith: 'closeTime' },
  }),
  dayTicker: template(205, 'Ticker24hSymbolFullResponse', dayTicker),
  dayTickers: template(206, 'Ticker24hFullResponse', listOf('tickers', dayTicker)),
  miniDayTicker: template(207, 'Ticker24hSymbolMiniResponse', miniTicker),
  miniDayTickers: template(208, 'Ticker24hMiniResponse', listOf('tickers', miniTicker)),
  priceTicker: template(209, 'PriceTickerSymbolResponse', priceTicker),
  priceTickers: template(210, 'PriceTickerResponse', listOf('tickers', priceTicker)),
  bookTicker: template(211, 'BookTickerSymbolResponse', bookTicker),
  bookTickers: template(212, 'BookTickerResponse', listOf('tickers', bookTicker)),
  ticker: template(213, 'TickerSymbolFullResponse', fullTicker),
  tickers: template(214, 'TickerFullResponse', listOf('tickers', fullTicker)),
  miniTicker: template(215, 'TickerSymbolMiniResponse', miniTicker),
  miniTickers: template(216, 'TickerMiniResponse', listOf('tickers', miniTicker)),
  referencePrice: template(217, 'ReferencePriceResponse', {
    priceExponent: exponent,
    referencePrice: maybe(price),
    timestamp: time,
    symbol: text8,
  }),
  referenceCalculation: template(218, 'ReferencePriceCalculationResponse', {
    calculationType: code({ EXTERNAL: 1, ARITHMETIC_MEAN: 2 }),
    externalCalculationId: maybe(int64),
    bucketCount: maybe(uint32),
    bucketWidthMs: maybe(uint32),
    symbol: text8,
  }),
  blockTrades: template(219, 'BlockTradesResponse', listOf('blockTrades', trade, exponents)),
}

// Orders.

const orderListId = maybe(int64, -1)
/** A pending order may have no quantity yet, which the schema does not know. */
const origQty = usually(0, qty)
const amounts = { price, origQty, executedQty: qty, cummulativeQuoteQty: price }
const terms = {
  status: code(orderStatus),
  timeInForce,
  orderType: at('type', code(orderTypes)),
  side,
}
const triggers = {
  stopPrice: maybe(price),
  trailingDelta: maybe(int64),
  trailingTime: maybe(time),
}
const icebergQty = maybe(qty)
const workingTime = maybe(time, -1)
const strategy = { strategyId: maybe(int64), strategyType: maybe(int32) }
const origin = { orderCapacity, workingFloor, selfTradePreventionMode }
const preventedQuantity = usually(0, qty)
const usedSor = usually(0, flag)
const pegs = {
  pegPriceType: maybe(code({ PRIMARY_PEG: 1, MARKET_PEG: 2 })),
  pegOffsetType: maybe(code({ PRICE_LEVEL: 1 })),
  pegOffsetValue: maybe(uint8),
  peggedPrice: maybe(price),
}
const expiryReason = maybe(code(expiryReasons))

const acknowledged = { orderId: int64, orderListId, transactTime: time }
const ids = { symbol: text8, clientOrderId: text8 }
const result = {
  ...acknowledged,
  ...amounts,
  ...terms,
  ...triggers,
  workingTime,
  icebergQty,
  ...strategy,
  ...origin,
  tradeGroupId: maybe(int64),
  preventedQuantity,
  usedSor,
  origQuoteOrderQty: price,
  ...pegs,
  expiryReason,
}
const outcome = {
  fills: group({
    commissionExponent: exponent,
    matchType,
    price,
    qty,
    commission: rate,
    tradeId: maybe(int64),
    allocId: maybe(int64),
    commissionAsset: maybeText8,
  }),
  preventedMatches: group({
    preventedMatchId: int64,
    makerOrderId: maybe(int64),
    price: maybe(price),
    takerPreventedQuantity: maybe(qty),
    makerPreventedQuantity: maybe(qty),
    makerSymbol: maybeText8,
  }),
}
const queried = (prevented: typeof preventedQuantity): Members => ({
  ...exponents,
  orderId: int64,
  orderListId,
  ...amounts,
  ...terms,
  ...triggers,
  icebergQty,
  time,
  updateTime: time,
  isWorking: flag,
  workingTime,
  origQuoteOrderQty: price,
  ...strategy,
  ...origin,
  preventedMatchId: maybe(int64),
  preventedQuantity: prevented,
  usedSor,
  ...pegs,
  expiryReason,
  ...ids,
})
const canceled = {
  ...acknowledged,
  ...amounts,
  ...terms,
  ...triggers,
  icebergQty,
  ...strategy,
  ...origin,
  preventedQuantity,
  usedSor,
  origQuoteOrderQty: price,
  ...pegs,
  symbol: text8,
  origClientOrderId: text8,
  clientOrderId: text8,
}
const listHead = {
  orderListId: int64,
  contingencyType,
  listStatusType,
  listOrderStatus,
  transactionTime: time,
}
const listed = { orderId: int64, ...ids }
const listIds = { listClientOrderId: text8, symbol: text8 }
const reported = (reports: Members, shared: Members = exponents): Members => ({
  ...listHead,
  ...shared,
  orders: smallGroup(listed),
  orderReports: smallGroup(reports),
  ...listIds,
})
const amended = {
  orderId: int64,
  orderListId,
  price,
  qty,
  executedQty: qty,
  preventedQty: qty,
  cumulativeQuoteQty: price,
  ...terms,
  ...triggers,
  icebergQty,
  workingTime,
  ...strategy,
  ...origin,
  usedSor,
  ...pegs,
}
/** Members of the amended order, which is a row within the answer. */
const within = (name: string, members: Members): Members =>
  Object.fromEntries(
    Object.entries(members).map(([own, one]) =>
      one.is === 'field' && one.shows === 'exponent'
        ? [own, one]
        : [own, at(`${name}.${one.path ?? own}`, one)],
    ),
  )
const ratesOfOrder = (name: string): Members => ({
  [`${name}Maker`]: at(`${name}.maker`, rate),
  [`${name}Taker`]: at(`${name}.taker`, rate),
})
const ratesOf = (name: string): Members => ({
  ...ratesOfOrder(name),
  [`${name}Buyer`]: at(`${name}.buyer`, rate),
  [`${name}Seller`]: at(`${name}.seller`, rate),
})
const optionally = (members: Members): Members =>
  Object.fromEntries(
    Object.entries(members).map(([name, one]) => [name, one.is === 'field' ? maybe(one) : one]),
  )
const discount = {
  discountEnabledForAccount: at('discount.enabledForAccount', flag),
  discountEnabledForSymbol: at('discount.enabledForSymbol', flag),
  discount: at('discount.discount', decimal('discountExponent')),
}
const discountAsset = at('discount.discountAsset', maybeText8)
const rateExponents = { commissionExponent: exponent, discountExponent: exponent }

export const orders = {
  ack: template(300, 'NewOrderAckResponse', { ...acknowledged, ...ids }),
  result: template(301, 'NewOrderResultResponse', { ...exponents, ...result, ...ids }),
  full: template(302, 'NewOrderFullResponse', { ...exponents, ...result, ...outcome, ...ids }),
  test: template(303, 'OrderTestResponse', {}),
  order: template(304, 'OrderResponse', queried(preventedQuantity)),
  canceled: template(305, 'CancelOrderResponse', { ...exponents, ...canceled }),
  allCanceled: template(306, 'CancelOpenOrdersResponse', {
    responses: at(ITSELF, group({ response: message16 })),
  }),
  replaced: template(307, 'CancelReplaceOrderResponse', {
    cancelResult: code(replaceStatus),
    newOrderResult: code(replaceStatus),
    cancelResponse: maybeMessage16,
    newOrderResponse: maybeMessage32,
  }),
  // Of the prevented quantity this one has the exponent of prices.
  orders: template(
    308,
    'OrdersResponse',
    listOf('orders', queried({ ...preventedQuantity, exponent: 'priceExponent' })),
  ),
  listAck: template(309, 'NewOrderListAckResponse', reported({ ...acknowledged, ...ids }, {})),
  listResult: template(310, 'NewOrderListResultResponse', reported({ ...result, ...ids })),
  listFull: template(311, 'NewOrderListFullResponse', reported({ ...result, ...outcome, ...ids })),
  listCanceled: template(312, 'CancelOrderListResponse', reported(canceled)),
  list: template(313, 'OrderListResponse', {
    ...listHead,
    orders: smallGroup(listed),
    ...listIds,
  }),
  lists: template(
    314,
    'OrderListsResponse',
    listOf('orderLists', { ...listHead, orders: group(listed), ...listIds }),
  ),
  testRates: template(315, 'OrderTestWithCommissionsResponse', {
    ...rateExponents,
    ...ratesOfOrder('standardCommissionForOrder'),
    ...ratesOfOrder('taxCommissionForOrder'),
    ...discount,
    ...optionally(ratesOfOrder('specialCommissionForOrder')),
    discountAsset,
  }),
  amendments: template(
    316,
    'OrderAmendmentsResponse',
    listOf('amendments', {
      orderId: int64,
      executionId: int64,
      qtyExponent: exponent,
      origQty: qty,
      newQty: qty,
      time,
      symbol: text8,
      origClientOrderId: text8,
      newClientOrderId: text8,
    }),
  ),
  amended: template(317, 'OrderAmendKeepPriorityResponse', {
    transactTime: time,
    executionId: int64,
    ...exponents,
    ...within('amendedOrder', amended),
    listStatus: smallGroup({
      orderListId: int64,
      contingencyType,
      listOrderStatus,
      orders: smallGroup(listed),
      ...listIds,
    }),
    relatedOrders: smallGroup({ ...amended, symbol: text8, clientOrderId: maybeText8 }),
    ...within('amendedOrder', {
      symbol: text8,
      origClientOrderId: maybeText8,
      clientOrderId: maybeText8,
    }),
  }),
}

// The account.

const free = decimal('exponent')
export const account = {
  account: template(400, 'AccountResponse', {
    commissionExponent: exponent,
    commissionRateMaker: at('commissionRates.maker', rate),
    commissionRateTaker: at('commissionRates.taker', rate),
    commissionRateBuyer: at('commissionRates.buyer', rate),
    commissionRateSeller: at('commissionRates.seller', rate),
    canTrade: flag,
    canWithdraw: flag,
    canDeposit: flag,
    brokered: flag,
    requireSelfTradePrevention: flag,
    preventSor: flag,
    updateTime: time,
    accountType: code({ SPOT: 0, UNKNOWN: 2 }),
    tradeGroupId: maybe(int64),
    uid: int64,
    balances: group({ exponent, free, locked: free, asset: text8 }),
    permissions,
    reduceOnlyAssets: group({ asset: at(ITSELF, text8) }),
  }),
  trades: template(
    401,
    'AccountTradesResponse',
    listOf('trades', {
      ...exponents,
      commissionExponent: exponent,
      id: int64,
      orderId: int64,
      orderListId,
      price,
      qty,
      quoteQty: price,
      commission: rate,
      time,
      isBuyer: flag,
      isMaker: flag,
      isBestMatch: flag,
      symbol: text8,
      commissionAsset: maybeText8,
    }),
  ),
  orderCounts: template(
    402,
    'AccountOrderRateLimitResponse',
    listOf('rateLimits', { ...rateLimit, numOrders: at('count', int64) }),
  ),
  preventedMatches: template(
    403,
    'AccountPreventedMatchesResponse',
    listOf('preventedMatches', {
      ...exponents,
      preventedMatchId: int64,
      takerOrderId: int64,
      makerOrderId: int64,
      tradeGroupId: int64,
      selfTradePreventionMode,
      price,
      takerPreventedQuantity: maybe(qty),
      makerPreventedQuantity: maybe(qty),
      transactTime: time,
      symbol: text8,
      makerSymbol: text8,
    }),
  ),
  allocations: template(
    404,
    'AccountAllocationsResponse',
    listOf('allocations', {
      ...exponents,
      commissionExponent: maybe(exponent),
      allocationId: int64,
      allocationType: code({ UNKNOWN: 0, SOR: 2 }),
      orderId: int64,
      orderListId,
      sourceTradeId: maybe(int64),
      sourceAllocationId: maybe(int64),
      price,
      qty,
      quoteQty: price,
      commission: maybe(rate),
      time,
      isBuyer: flag,
      isMaker: flag,
      isAllocator: flag,
      symbol: text8,
      commissionAsset: maybeText8,
      sourceSymbol: maybeText8,
    }),
  ),
  commission: template(405, 'AccountCommissionResponse', {
    ...rateExponents,
    ...ratesOf('standardCommission'),
    ...ratesOf('taxCommission'),
    ...discount,
    ...optionally(ratesOf('specialCommission')),
    symbol: text8,
    discountAsset,
  }),
  listenKeyStarted: template(500, 'UserDataStreamStartResponse', { listenKey: text8 }),
  listenKeyKept: template(501, 'UserDataStreamPingResponse', {}),
  listenKeyClosed: template(502, 'UserDataStreamStopResponse', {}),
}

// Sessions, and events of users.

const sessionFields = {
  authorizedSince: maybe(time),
  connectedSince: time,
  returnRateLimits: flag,
  serverTime: time,
  userDataStream: maybe(flag),
}
const loggedOnApiKey = at('apiKey', maybeText16)
export const sessions = {
  response: template(50, 'WebSocketResponse', {
    sbeSchemaIdVersionDeprecated: deprecated,
    status: uint16,
    rateLimits: smallGroup({ ...rateLimit, current: at('count', int64) }),
    id: text8,
    result: { ...message32, otherwise: 'error' },
  }),
  loggedOn: template(51, 'WebSocketSessionLogonResponse', {
    ...sessionFields,
    authorizedSince: time,
    loggedOnApiKey: at('apiKey', text16),
  }),
  status: template(52, 'WebSocketSessionStatusResponse', { ...sessionFields, loggedOnApiKey }),
  loggedOut: template(53, 'WebSocketSessionLogoutResponse', { ...sessionFields, loggedOnApiKey }),
  subscriptions: template(54, 'WebSocketSessionSubscriptionsResponse', {
    subscriptions: at(ITSELF, group({ subscriptionId: uint16, expirationTime: maybe(time) })),
  }),
  subscribed: template(503, 'UserDataStreamSubscribeResponse', { subscriptionId: maybe(uint16) }),
  unsubscribed: template(504, 'UserDataStreamUnsubscribeResponse', {}),
}

const eventTime = at('E', time)
const subscriptionId = subscription
const delta = at('d', qty)
const asset = at('a', text8)
export const events = {
  balanceUpdate: template(601, 'BalanceUpdateEvent', {
    eventTime,
    clearTime: at('T', maybe(time)),
    qtyExponent: exponent,
    freeQtyDelta: delta,
    subscriptionId,
    asset,
  }),
  terminated: template(602, 'EventStreamTerminatedEvent', { eventTime, subscriptionId }),
  executionReport: template(603, 'ExecutionReportEvent', {
    eventTime,
    transactTime: at('T', time),
    ...exponents,
    commissionExponent: exponent,
    orderCreationTime: at('O', maybe(time, -1)),
    workingTime: at('W', maybe(time)),
    orderId: at('i', int64),
    orderListId: at('g', orderListId),
    origQty: at('q', qty),
    price: at('p', price),
    origQuoteOrderQty: at('Q', price),
    icebergQty: at('F', qty),
    stopPrice: at('P', price),
    orderType: at('o', code(orderTypes)),
    side: at('S', side),
    timeInForce: at('f', timeInForce),
    executionType: at('x', code(executionTypes)),
    orderStatus: at('X', code(orderStatus)),
    tradeId: at('t', maybe(int64, -1)),
    executionId: at('I', int64),
    executedQty: at('z', qty),
    cummulativeQuoteQty: at('Z', price),
    lastQty: at('l', qty),
    lastPrice: at('L', price),
    quoteQty: at('Y', price),
    commission: at('n', rate),
    isWorking: at('w', flag),
    isMaker: at('m', flag),
    isBestMatch: at('M', flag),
    matchType: at('b', matchType),
    selfTradePreventionMode: at('V', selfTradePreventionMode),
    orderCapacity: at('y', orderCapacity),
    workingFloor: at('k', workingFloor),
    usedSor: at('uS', usedSor),
    allocId: at('a', maybe(int64)),
    trailingDelta: at('d', maybe(uint64)),
    trailingTime: at('D', maybe(time)),
    tradeGroupId: at('u', maybe(int64)),
    preventedQty: at('A', preventedQuantity),
    lastPreventedQty: at('B', maybe(qty)),
    preventedMatchId: at('v', maybe(int64)),
    preventedExecutionQty: at('pl', maybe(qty)),
    preventedExecutionPrice: at('pL', maybe(price)),
    preventedExecutionQuoteQty: at('pY', maybe(price)),
    strategyType: at('J', maybe(int32)),
    strategyId: at('j', maybe(int64)),
    counterOrderId: at('U', maybe(int64)),
    subscriptionId,
    pegPriceType: at('gP', pegs.pegPriceType),
    pegOffsetType: at('gOT', pegs.pegOffsetType),
    pegOffsetValue: at('gOV', maybe(uint8)),
    peggedPrice: at('gp', maybe(price)),
    expiryReason: at('eR', expiryReason),
    symbol: at('s', text8),
    clientOrderId: at('c', text8),
    origClientOrderId: at('C', maybeText8),
    commissionAsset: at('N', maybeText8),
    rejectReason: at('r', textUnless('NONE')),
    counterSymbol: at('Cs', maybeText8),
  }),
  externalLock: template(604, 'ExternalLockUpdateEvent', {
    eventTime,
    clearTime: at('T', time),
    qtyExponent: exponent,
    lockedQtyDelta: delta,
    subscriptionId,
    asset,
  }),
  listStatus: template(606, 'ListStatusEvent', {
    eventTime,
    transactTime: at('T', time),
    orderListId: at('g', int64),
    contingencyType: at('c', contingencyType),
    listStatusType: at('l', listStatusType),
    listOrderStatus: at('L', listOrderStatus),
    subscriptionId,
    orders: at(
      'O',
      smallGroup({
        orderId: at('i', int64),
        symbol: at('s', text8),
        clientOrderId: at('c', text8),
      }),
    ),
    symbol: at('s', text8),
    listClientOrderId: at('C', text8),
    rejectReason: at('r', textUnless('NONE')),
  }),
  accountPosition: template(607, 'OutboundAccountPositionEvent', {
    eventTime,
    updateTime: at('u', time),
    subscriptionId,
    balances: at('B', group({ exponent, free: at('f', free), locked: at('l', free), asset })),
  }),
  serverShutdown: template(610, 'ServerShutdownEvent', { eventTime }),
}

/** Every template. */
export const templates: readonly Template[] = [
  ...Object.values(filterTemplates),
  priceRangeTemplate,
  ...[general, market, orders, account, sessions, events].flatMap((all: object) =>
    Object.values(all),
  ),
]
