/** Why something of Binance's surface is not here, and why something here is not of that surface. */

/** One subject of the page. Every entry of `items` is an item as comparison.ts names it. */
export interface Topic {
  readonly name: string
  readonly items: readonly (string | RegExp)[]
  readonly text: string
}

/** Theirs, not here. */
export const missingTopics: readonly Topic[] = [
  {
    name: 'SBE',
    items: [/^error -1(161|221)$/],
    text: 'What a message cannot show is `NonRepresentableMessage`; requests are in JSON.',
  },
  {
    name: 'FIX',
    items: [
      'FIX (order entry, drop copy, market data)',
      'SBE over FIX',
      /^error -1(03[35]|169|17\d|18\d|19[01]|22[45])$/,
      /^text -1034 /,
      /^text -1152 Invalid SBE /,
      /^text .*([Tt]ag '|Field value|[Ff]ields|MDEntryType|Strategy \(|\(59\)|FIX)/,
    ],
    text: 'REST, streams and the WebSocket API only.',
  },
  {
    name: 'Errors without a cause here',
    items: [
      /^error -(1000|1002|1006|1010|1014|1103|2016)$/,
      /^text -2010 (Rest|WebSocket) API trading/,
    ],
    text: 'Nothing returns them, except rules of the sandbox.',
  },
  {
    name: 'Texts of errors',
    items: [/^text -(1001|1015|1102|1104|1105|1106|1127|1130|1134|1135|1145|1158|1160) /],
    text: 'Such an error has another text of its code.',
  },
  {
    name: 'Permissions',
    items: [/^value (MARGIN|LEVERAGED|TRD_GRP_\d+)$/],
    text: 'Every account and symbol has `SPOT`.',
  },
  {
    name: 'Weights',
    items: [/^weight /],
    text: 'Smaller here.',
  },
]

/** Here, not theirs. */
export const ownTopics: readonly Topic[] = [
  {
    name: 'Listen keys',
    items: [
      'POST /api/v3/userDataStream',
      'PUT /api/v3/userDataStream',
      'DELETE /api/v3/userDataStream',
    ],
    text: 'Older clients read their user stream from `/ws/<listenKey>`.',
  },
  {
    name: 'Wallet operations',
    items: [/^(GET|POST) \/sapi\//],
    text: 'Those that trading clients ask for. Their documents are not part of the ones compared here.',
  },
  {
    name: 'Tickers of all symbols',
    items: ['stream !ticker@arr'],
    text: 'Clients in use still subscribe to it.',
  },
  {
    name: 'Cancel on disconnect',
    items: ['method session.cancelOnDisconnect'],
    text: 'An extension, see [Cancel everything](../guides/cancel.md#cancel-on-disconnect).',
  },
  {
    name: 'Short names of client order ids',
    items: ['parameter clOrdId', 'parameter origClOrdId'],
    text: 'Other spellings of `newClientOrderId` and `origClientOrderId`.',
  },
  {
    name: 'The virtual clock',
    items: ['method clock.join', 'method clock.acknowledge', 'method clock.leave'],
    text: 'Of the sandbox, see [the clock](../clock.md).',
  },
  {
    name: 'Auctions',
    items: [
      'field GET /api/v3/myTrades matchType',
      'GET /api/v3/auction',
      'stream <symbol>@auction',
    ],
    text: 'An extension, see [phases](../phases.md#the-auction).',
  },
  {
    name: 'Routed orders',
    items: [
      /^field POST \/api\/v3\/order(List)?(\/\w+)? (matchType|allocId)$/,
      'field POST /api/v3/sor/order/test specialCommissionForOrder',
    ],
    text: 'Their fields are those of all new orders, and the test shows the commissions that `order/test` shows.',
  },
  {
    name: 'Statuses of symbols',
    items: ['stream <symbol>@status', 'stream !status@arr'],
    text: 'An extension, see [phases](../phases.md#what-clients-see).',
  },
  {
    name: 'Phases of a market',
    items: [
      'value PRE_TRADING',
      'value POST_TRADING',
      'value AUCTION_MATCH',
      /^text -2010 .* phase\.$/,
    ],
    text: 'States that an operator or a schedule may set, see [phases](../phases.md).',
  },
  {
    name: 'Connections',
    items: ['value CONNECTIONS'],
    text: 'A limit of the WebSocket API, which is not among their enumerations but in its `exchangeInfo`.',
  },
  {
    name: 'For market makers',
    items: [
      /^\w+ \/ringbook\//,
      'method dropCopy.subscribe',
      /^text -(201[01] .*\bprotection\b|1130 .*\bquote\b)/,
    ],
    text: 'Extensions, see [market makers](../market-makers.md).',
  },
  {
    name: 'Groups of accounts',
    items: ['field GET /api/v3/account tradeGroupId'],
    text: 'An account of a group of self-trade prevention sees it.',
  },
  {
    name: 'Bounds and other servers',
    items: [/^text -(1001|1008|1108) /, /^text -2010 Order (book is full|would match|exceeds)/],
    text: 'Refusals by a bound, by a full disk, or by a server that does not lead, see [bounds](../bounds.md).',
  },
  {
    name: 'Texts and codes that clients meet',
    items: [/^error -(2018|4\d{3})$/, /^text -(1013|1101|1128|1134|1145|1160) /],
    text: 'As clients know them. The documents compared here do not have them.',
  },
]

/** What both have and do otherwise, or what no document of theirs decides. */
export const behaviours: readonly (readonly [subject: string, here: string])[] = [
  [
    'Pipelined requests of one HTTP/1.1 connection',
    'Behind an order, a query of the engine or of history, a request that arrives before the response closes ' +
      'the connection and is not executed; what was sent before stands. [Operations](operations.md) says of ' +
      'each whether it may be pipelined. See [clients](../clients.md#http).',
  ],
  ['Assets', 'Every asset has 8 decimals: no amount is finer than 0.00000001.'],
  [
    'Fills',
    'Price × quantity is rounded down once, to 8 decimals, and every total is a sum of such amounts.',
  ],
  [
    'Prices before the first trade',
    'The notional of a MARKET order by quantity is judged by the best price across; of a stop, where none rests, by ' +
      'its stop price. PERCENT_PRICE is not judged: one order would bind all others. A stop waits for the first ' +
      'trade, and trailing begins with it. Tickers show zeros.',
  ],
  [
    'Execution rules',
    'A [price range](../reference-price.md) bounds takers alone, no uncrossing. An [interruption]' +
      '(../phases.md#an-interruption) is no execution rule: its band has an anchor of its own.',
  ],
  [
    'Receipts',
    'A response says how long each stage took, if the request asks for it: an extension, see ' +
      '[clients](../clients.md#receipts).',
  ],
  [
    'Limits',
    'Every limit is a setting; `--limits off` publishes and counts none. Counts and bans end with the ' +
      'process.',
  ],
  [
    'Overload',
    'Orders over `--pending-orders` get -1008 with HTTP 503 before their keys and parameters are checked.',
  ],
  [
    'Disk reserve',
    'While less than `--disk-reserve-mb` of the disk is free, new orders get -1008 with HTTP 503 and a ' +
      'message of their own. cancelReplace then does its cancel alone: -2021 (409), or -2022 where nothing ' +
      'could be canceled.',
  ],
  [
    'One order',
    'It meets at most 2,048 makers. One that would meet more gets -2010; a stop expires.',
  ],
  ['Durability', 'A response to an order is sent once its events are on disk (`--durability`).'],
  [
    'Self-trade prevention',
    'The symbols of the demo allow EXPIRE_TAKER, EXPIRE_MAKER (the default) and EXPIRE_BOTH.',
  ],
  [
    'Addresses',
    'One address serves REST, streams and the WebSocket API. To test, start a second exchange.',
  ],
]
