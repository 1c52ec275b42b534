// Before the opening orders gather and nothing trades. Then all of them trade at one price.
import { plain } from './narrator.mjs'
import { SYMBOL } from './trader.mjs'

export async function teach({ exchange, narrator }) {
  const [trader1, trader2] = ['trader1', 'trader2'].map((name) => exchange.trader(name))
  const [maker, taker] = ['maker', 'taker'].map((name) => exchange.trader(name))
  const limit = (trader, side, quantity, price) => trader.place(side, 'LIMIT', { quantity, price })
  const status = (phase) => exchange.operate('symbol-status', { symbol: SYMBOL, status: phase })

  narrator.step('Before the opening orders may be entered, and may cross.')
  await status('PRE_TRADING')
  const buys = [
    await limit(trader1, 'BUY', '3', '50200'),
    await limit(trader2, 'BUY', '2', '50100'),
    await limit(trader1, 'BUY', '1', '49900'),
  ]
  const sells = [
    await limit(maker, 'SELL', '2', '49800'),
    await limit(taker, 'SELL', '2', '50000'),
    await limit(maker, 'SELL', '4', '50300'),
  ]
  const { bids, asks } = await exchange.book()
  narrator.claim('The best bid is above the best ask.', Number(bids[0][0]) > Number(asks[0][0]))
  narrator.claim(
    'Nobody has traded.',
    [...buys, ...sells].every(({ status }) => status === 'NEW'),
  )

  narrator.step('An order that would trade now or never has no place in a phase without trades.')
  const refused = await trader2
    .place('BUY', 'LIMIT', { quantity: '1', price: '50300', timeInForce: 'IOC' })
    .catch(({ message }) => narrator.line('trader2', message) ?? message)
  narrator.claim('It is refused.', String(refused).startsWith('-2010'))

  narrator.step('The auction is called. Orders still come, and one goes.')
  await status('AUCTION_MATCH')
  await trader1.cancel(buys[2].orderId)
  await limit(trader2, 'BUY', '1', '50000')
  const { quantity, price } = await exchange.indicative('4')
  narrator.line('auction', `would trade ${plain(quantity)} at ${plain(price)}`)
  narrator.claim('All see what it would come to.', plain(price) === '50100')

  narrator.step('The call ends, and all that can trade does so at one price.')
  await status('TRADING')
  await exchange.status('TRADING')
  const trades = await exchange.read(`/api/v3/trades?symbol=${SYMBOL}`)
  const prices = new Set(trades.map(({ price }) => price))
  const volume = trades.reduce((sum, { qty }) => sum + Number(qty), 0)
  narrator.line(
    'trades',
    trades.map(({ qty, price }) => `${Number(qty)} at ${Number(price)}`).join(', '),
  )
  narrator.claim('There is one price, as was shown.', prices.size === 1 && prices.has(price))
  narrator.claim('4 are sold, all that asked 50000 or less.', volume === 4)

  narrator.step('trader1 bid 50200 first, and has paid no more than the others.')
  const first = await trader1.look(buys[0].orderId, 'FILLED')
  const second = await trader2.look(buys[1].orderId)
  narrator.claim('The highest bid is filled.', first.status === 'FILLED')
  narrator.claim('The next one has what was left.', second.executedQty === '1.00000000')
  const after = await exchange.book()
  narrator.claim('The book no longer crosses.', Number(after.bids[0][0]) < Number(after.asks[0][0]))
}
