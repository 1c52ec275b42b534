/** What a client does about each error code. The page of errors shows it above the code's messages. */
export const errorAdvice: Readonly<Record<number, string>> = {
  [-1001]:
    'The server follows a leader, and the request was not executed. Send it to the leader: the header ' +
    '`X-Ringbook-Leader` names it, and so does `error.data.leader` over the WebSocket API.',
  [-1003]:
    'Your address has sent too much. With 429 wait for the seconds of `Retry-After`. With 418 the ' +
    'address is banned for as long, and each further ban takes twice the time. Read market data from ' +
    'streams. [Limits and bans](../guides/limits.md) has all of them.',
  [-1007]:
    'The request may have been executed. Query the order by its client order id before you send it ' +
    'again: [Lost responses](../guides/lost-responses.md).',
  [-1008]:
    'The exchange is overloaded, or its disk is almost full, and the request was not executed. Send it ' +
    'again later, with a growing pause.',
  [-1013]:
    'The price, quantity or amount breaks a filter of the symbol. The message names the filter; ' +
    '`exchangeInfo` has its values, [Filters](../guides/filters.md) the arithmetic of each.',
  [-1015]:
    'The account has entered too many unfilled orders. Wait for the seconds of `Retry-After`.',
  [-1016]: 'The exchange is stopping, or its disk refuses writes. Try again after its next start.',
  [-1020]: 'The exchange does not have this operation.',
  [-1021]:
    'Set `timestamp` from the clock of the exchange (`/api/v3/time`), or keep the clock of the client ' +
    'right. On a slow line send a larger `recvWindow`.',
  [-1022]:
    'Sign exactly the bytes that are sent, in their order, percent-encoded as sent, with `signature` last: ' +
    '[Sign a request](../guides/signing.md).',
  [-1034]:
    'Log off, or close, a connection of the account, or ask the operator for more (`account-limits`).',
  [-1100]:
    'Correct the parameter that the message names: its characters are outside of the legal range.',
  [-1101]: 'Send each parameter once, and no more values than the message allows.',
  [-1102]: 'Send the parameter that the message names, with a value.',
  [-1104]: 'Leave out parameters that the operation does not have.',
  [-1105]: 'Give the parameter a value, or leave it out.',
  [-1106]: 'Leave out the parameter: it means nothing together with the others.',
  [-1108]: 'The number is too large for the exchange.',
  [-1111]: 'Round to the precision of the symbol: `exchangeInfo` has its tickSize and stepSize.',
  [-1112]: 'A MARKET order needs orders on the other side of the book.',
  [-1114]: 'Leave out `timeInForce`: this order type has none.',
  [-1115]: 'Use GTC, IOC or FOK.',
  [-1116]: 'Use an order type that `exchangeInfo` lists for the symbol.',
  [-1117]: 'Use BUY or SELL.',
  [-1118]: 'Give the client order id a value, or leave it out.',
  [-1119]: 'Give the original client order id a value, or leave it out.',
  [-1120]: 'Use an interval that klines have, such as 1m.',
  [-1121]: 'Use a symbol that `exchangeInfo` lists.',
  [-1122]: 'Use TRADING, HALT or BREAK.',
  [-1125]: 'The listen key has ended. Create another one.',
  [-1127]: 'Ask for at most 24 hours at a time.',
  [-1128]:
    'Leave out one of the parameters: they exclude each other, or one of them needs another one.',
  [-1130]: 'Correct the parameter that the message names.',
  [-1134]: 'Use 1000000 or more: smaller strategy types are reserved.',
  [-1135]: 'Send one JSON object in each frame.',
  [-1139]: 'Use FULL or MINI.',
  [-1145]: 'Use ONLY_NEW or ONLY_PARTIALLY_FILLED.',
  [-1151]: 'Name each symbol once.',
  [-1152]: 'Send `X-MBX-SBE: 3:5`, or accept JSON too.',
  [-1153]: 'Send `X-MBX-SBE: 3:5`, or accept JSON too.',
  [-1155]: 'Ask for JSON: there is no SBE for this, or it is switched off.',
  [-1158]: 'Use order types that an OCO may have.',
  [-1160]: 'An iceberg order needs `timeInForce` GTC.',
  [-1165]: 'In a buy OCO the limit order is the one below.',
  [-1166]: 'In a sell OCO the limit order is the one above.',
  [-1168]: 'One order of an OCO must have a trigger.',
  [-1194]: 'Use MICROSECOND or MILLISECOND.',
  [-1196]: 'In a buy OCO the stop loss is the order above.',
  [-1197]: 'In a sell OCO the stop loss is the order below.',
  [-1198]: 'In a buy OCO the take profit is the order below.',
  [-1199]: 'In a sell OCO the take profit is the order above.',
  [-1210]: 'Use PRIMARY_PEG, the best price of your side, or MARKET_PEG.',
  [-1211]: 'Use PRICE_LEVEL, with pegOffsetValue.',
  [-1220]: 'The symbol has another status than you asked for.',
  [-1222]: 'The working order of an OPO buys what the pending ones sell.',
  [-1223]: 'The pending orders of an OPO sell what the working one buys.',
  [-2010]:
    'The new order was refused, and nothing has changed. The message says why: a balance, a price, a ' +
    'duplicate client order id, a halted symbol.',
  [-2011]: 'The cancel was refused. The order may be filled or canceled already: query it.',
  [-2013]: 'No order of the account has this id on this symbol.',
  [-2014]: 'Check the API key: it has 64 letters and digits.',
  [-2015]:
    'The key does not exist, is revoked, is bound to other addresses, or may not do this. ' +
    'The operator sees it by `npx ringbook keys`.',
  [-2018]: 'No order list of the account has this id.',
  [-2021]: 'One half of the cancel-replace succeeded. `data` has the response of each half.',
  [-2022]: 'Both halves of the cancel-replace failed. `data` has the response of each half.',
  [-2026]: 'The exchange no longer has this order.',
  [-2035]: 'The connection has this subscription already.',
  [-2036]: 'The connection has no such subscription.',
  [-2038]: 'The amendment was refused, and the order is unchanged. The message says why.',
  [-2039]: 'The two ids name different orders. Send one of them.',
  [-2042]: 'Open another connection for more subscriptions.',
  [-2043]: 'The exchange has no reference prices. `avgPrice` is the nearest.',
  [-4003]: 'No sub-account of yours has the address. `/sapi/v3/sub-account/list` shows all.',
  [-4006]: "The key is a sub-account's. Use a key of its master.",
  [-4005]:
    'Wait until earlier withdrawals have ended: an account has so many at a time, and in 24 hours.',
  [-4007]: 'Correct the address: `addressRegex` of the network says what it looks like.',
  [-4008]: 'Correct the memo: `memoRegex` of the network says what it looks like.',
  [-4015]:
    'Withdraw less: `withdrawMax` of the network. An account that is frozen withdraws nothing.',
  [-4018]: 'Use a coin that `/sapi/v1/capital/config/getall` lists.',
  [-4019]: 'Use a network of the coin whose `withdrawEnable` is true.',
  [-4021]: 'Round the amount to `withdrawIntegerMultiple` of the network.',
  [-4022]: 'Withdraw more: `withdrawMin` of the network.',
  [-4023]: 'Withdraw less, or wait until earlier withdrawals are 24 hours old.',
  [-4025]: 'A deposit was taken back after it was credited. Deposit what is owed.',
  [-4026]: 'The amount, which has the fee in it, is more than the account has free.',
  [-4028]: 'Withdraw more than `withdrawFee` of the network.',
  [-4035]:
    'The key withdraws to listed addresses alone. The operator lists them by `key-withdrawals`.',
  [-4042]: 'Use a network of the coin whose `depositEnable` is true.',
  [-4047]: 'Ask for at most 90 days at a time, and for at most 7 with `withdrawOrderId`.',
  [-4060]: 'Wait for the confirmations of the deposit: `unlockConfirm` says how many.',
  [-4115]: 'The account has another withdrawal, or transfer, under this id. Use a new id.',
  [-4056]: 'Log on with an Ed25519 key. Requests with an HMAC key are signed one by one.',
}
