/**
 * A request of each operation that works on the demo, in the order of the documents: an order that one
 * example places is the one that later examples query, amend and cancel.
 */

/** Parameters in the order in which they are sent. */
export type ExampleParams = Readonly<Record<string, string>>

const symbol = { symbol: 'BTCUSDT' }
const limit = { limit: '5' }
const subAccount = { email: 'bot@ringbook.invalid' }
/** Far below the market of the demo, so that it rests. */
const resting = { type: 'LIMIT', timeInForce: 'GTC', quantity: '0.001', price: '40000' }
const buy = { ...symbol, side: 'BUY' }
const sell = { ...symbol, side: 'SELL' }
const batched = (newClientOrderId: string, price: string) => ({
  ...buy,
  ...resting,
  price,
  newClientOrderId,
})
const sellOco = { ...sell, quantity: '0.001' }
const working = {
  workingType: 'LIMIT',
  workingSide: 'BUY',
  workingTimeInForce: 'GTC',
  workingPrice: '40000',
  workingQuantity: '0.001',
}
const exits = {
  pendingAboveType: 'LIMIT_MAKER',
  pendingAbovePrice: '90000',
  pendingBelowType: 'STOP_LOSS',
  pendingBelowStopPrice: '35000',
}

/** By the id of the operation. */
export const exampleRequests: Readonly<Record<string, ExampleParams>> = {
  ping: {},
  time: {},
  exchangeInfo: symbol,
  executionRules: symbol,
  depth: { ...symbol, ...limit },
  trades: { ...symbol, ...limit },
  avgPrice: symbol,
  auction: symbol,
  referencePrice: symbol,
  referencePriceCalculation: symbol,
  tickerPrice: symbol,
  tickerBook: symbol,
  ticker24hr: { ...symbol, type: 'MINI' },
  historicalTrades: { ...symbol, ...limit },
  historicalBlockTrades: { ...symbol, fromId: '0' },
  aggTrades: { ...symbol, ...limit },
  klines: { ...symbol, interval: '1m', ...limit },
  uiKlines: { ...symbol, interval: '1m', ...limit },
  ticker: { ...symbol, windowSize: '1h' },
  tickerTradingDay: symbol,
  placeOrder: { ...buy, ...resting, newClientOrderId: 'first' },
  testOrder: { ...buy, ...resting },
  routeOrder: { ...buy, ...resting },
  testRoutedOrder: { ...buy, ...resting },
  queryOrder: { ...symbol, origClientOrderId: 'first' },
  openOrders: symbol,
  amendOrder: {
    ...symbol,
    origClientOrderId: 'first',
    newClientOrderId: 'second',
    newQty: '0.0005',
  },
  replaceOrder: {
    ...buy,
    cancelReplaceMode: 'STOP_ON_FAILURE',
    cancelOrigClientOrderId: 'second',
    ...resting,
    newClientOrderId: 'third',
  },
  cancelOrder: { ...symbol, origClientOrderId: 'third' },
  placeOldOco: { ...sellOco, price: '90000', stopPrice: '35000' },
  placeOco: {
    ...sellOco,
    aboveType: 'LIMIT_MAKER',
    abovePrice: '91000',
    belowType: 'STOP_LOSS',
    belowStopPrice: '36000',
    listClientOrderId: 'pair',
  },
  placeOto: {
    ...symbol,
    ...working,
    pendingType: 'MARKET',
    pendingSide: 'SELL',
    pendingQuantity: '0.0009',
  },
  placeOtoco: {
    ...symbol,
    ...working,
    pendingSide: 'SELL',
    pendingQuantity: '0.0009',
    ...exits,
  },
  placeOpo: { ...symbol, ...working, pendingType: 'MARKET', pendingSide: 'SELL' },
  placeOpoco: { ...symbol, ...working, pendingSide: 'SELL', ...exits },
  orderList: { origClientOrderId: 'pair' },
  openOrderLists: {},
  cancelOrderList: { ...symbol, listClientOrderId: 'pair' },
  quoteOrders: {
    ...symbol,
    bids: '[["40100","0.001"],["40000","0.002"]]',
    postOnly: 'true',
  },
  cancelOpenOrders: symbol,
  placeBatch: { orders: JSON.stringify([batched('low', '41000'), batched('lower', '40500')]) },
  replaceBatch: {
    orders: JSON.stringify([
      {
        ...batched('lowest', '40250'),
        cancelReplaceMode: 'STOP_ON_FAILURE',
        cancelOrigClientOrderId: 'lower',
      },
    ]),
  },
  cancelWhere: { ...symbol, side: 'BUY', maxPrice: '40000', clientOrderIdPrefix: 'bot-' },
  cancelBatch: {
    orders: JSON.stringify(
      ['low', 'lowest'].map((origClientOrderId) => ({ ...symbol, origClientOrderId })),
    ),
  },
  setCountdown: { ...symbol, countdownTime: '5000' },
  countdowns: {},
  setProtection: { ...symbol, windowMs: '1000', maxFills: '20', maxNotional: '50000' },
  resetProtection: symbol,
  protections: {},
  allOrderLists: limit,
  allOrders: { ...symbol, ...limit },
  myTrades: { ...symbol, ...limit },
  myPreventedMatches: { ...symbol, orderId: '1' },
  myAllocations: { ...symbol, ...limit },
  myFilters: symbol,
  amendments: { ...symbol, orderId: '1', ...limit },
  account: { omitZeroBalances: 'true' },
  commission: symbol,
  orderCounts: {},
  latency: {},
  startListenKey: {},
  keepListenKeyAlive: { listenKey: 'LISTENKEY' },
  closeListenKey: { listenKey: 'LISTENKEY' },
  systemStatus: {},
  accountStatus: {},
  tradingStatus: {},
  distributions: limit,
  tradeFee: symbol,
  tradeFeeAlias: symbol,
  tradingVolume: {},
  accountState: {},
  keyRights: {},
  dividends: limit,
  userAssets: { needBtcValuation: 'true' },
  coins: {},
  assetDetail: { asset: 'BTC' },
  depositAddress: { coin: 'USDT', network: 'ETH' },
  deposits: limit,
  withdraw: {
    coin: 'USDT',
    network: 'ETH',
    address: '0x94df8b352de7f46f64b01d3666bf6e936e44ce60',
    amount: '25',
    withdrawOrderId: 'payroll-7',
  },
  withdrawals: { withdrawOrderId: 'payroll-7' },
  marginPairs: {},
  isolatedMarginPairs: {},
  subAccounts: limit,
  subAccountAssets: subAccount,
  subAccountWorths: subAccount,
  subAccountStatus: subAccount,
  subAccountTransfer: {
    fromEmail: 'trader1@ringbook.invalid',
    toEmail: 'bot@ringbook.invalid',
    asset: 'USDT',
    amount: '10',
  },
  universalTransfer: {
    toEmail: 'bot@ringbook.invalid',
    fromAccountType: 'SPOT',
    toAccountType: 'SPOT',
    asset: 'USDT',
    amount: '10',
    clientTranId: 'refill-7',
  },
  subAccountTransfers: { ...subAccount, ...limit },
  subAccountDepositAddress: { ...subAccount, coin: 'USDT' },
  subAccountDeposits: subAccount,
  subAddress: { ...subAccount, coin: 'USDT' },
  subDeposits: subAccount,
  depositAddresses: { coin: 'USDT' },
  tradingState: {},
  spotTransfers: { toEmail: 'bot@ringbook.invalid', ...limit },
  universalTransfers: { clientTranId: 'refill-7' },
  subUsers: limit,
}
