// A price that runs away interrupts trading. An auction finds the price at which it resumes; a halt stops all of it.
import { SYMBOL } from './trader.mjs'

export async function teach({ exchange, narrator }) {
  const [trader1, maker, taker] = ['trader1', 'maker', 'taker'].map((name) => exchange.trader(name))
  const limit = (trader, side, quantity, price) => trader.place(side, 'LIMIT', { quantity, price })
  const refusal = (order) =>
    order.then(
      () => 'taken',
      ({ message }) => message,
    )

  narrator.step('A move of 5 % within 300 seconds calls an auction of 2 seconds.')
  const interruption = { interruption: '0.05', window: 300, call: 2 }
  await exchange.operate('symbol-phases', { symbol: SYMBOL, ...interruption })

  narrator.step('The market trades at 50000. Offers stand at 50500 and at 53000.')
  await limit(maker, 'SELL', '1', '50000')
  await limit(taker, 'BUY', '1', '50000')
  await limit(maker, 'SELL', '1', '50500')
  await limit(maker, 'SELL', '1', '53000')

  narrator.step('A buyer in a hurry takes whatever is offered.')
  const hurried = await limit(taker, 'BUY', '3', '54000')
  narrator.claim('Only the offer within 5 % has traded.', hurried.executedQty === '1.00000000')
  const called = await exchange.status('AUCTION_MATCH')
  narrator.claim(
    'The next trade would be 6 % away: an auction is called.',
    called === 'AUCTION_MATCH',
  )

  narrator.step('There is time for sellers to come.')
  await limit(trader1, 'SELL', '2', '50800')

  narrator.step('The call ends by itself, and trading goes on.')
  await exchange.status('TRADING')
  const [last] = (await exchange.read(`/api/v3/trades?symbol=${SYMBOL}&limit=1`)).slice(-1)
  narrator.line('trades', `${Number(last.qty)} at ${Number(last.price)}`)
  const filled = await taker.look(hurried.orderId, 'FILLED')
  narrator.claim('The buyer has all of it.', filled.status === 'FILLED')
  narrator.claim('It cost less than the runaway price.', Number(last.price) < 53000)

  narrator.step('An operator halts the market.')
  const resting = await limit(trader1, 'BUY', '0.1', '49000')
  await exchange.operate('halt', { symbol: SYMBOL })
  await exchange.status('HALT')
  const refused = await refusal(limit(trader1, 'BUY', '0.1', '49000'))
  narrator.line('trader1', refused)
  narrator.claim('No order is taken.', refused === '-2010 Market is closed.')
  const { status } = await trader1.cancel(resting.orderId)
  narrator.claim('An order can be taken back.', status === 'CANCELED')

  narrator.step('It reopens by an auction.')
  await exchange.operate('symbol-status', { symbol: SYMBOL, status: 'AUCTION_MATCH' })
  await limit(trader1, 'BUY', '0.5', '51000')
  await limit(maker, 'SELL', '0.5', '50900')
  await exchange.operate('phase-advance', { symbol: SYMBOL })
  const open = await exchange.status('TRADING')
  narrator.claim('The market trades.', open === 'TRADING')
}
