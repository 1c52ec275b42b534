// A stop waits outside the book until the price reaches it. A trailing stop follows the price.
export async function teach({ exchange, narrator }) {
  const [trader1, maker, taker] = ['trader1', 'maker', 'taker'].map((name) => exchange.trader(name))
  /** One trade at this price. Bids far below stay for the stops to meet. */
  const tradeAt = async (price) => {
    await maker.place('SELL', 'LIMIT', { quantity: '0.01', price })
    await taker.place('BUY', 'LIMIT', { quantity: '0.01', price })
  }

  narrator.step('The market trades at 50000, and maker bids at 48000.')
  await tradeAt('50000')
  await maker.place('BUY', 'LIMIT', { quantity: '1', price: '48000' })

  narrator.step('trader1 sells at the market once the price has fallen to 49000.')
  const stop = await trader1.place('SELL', 'STOP_LOSS', { quantity: '0.1', stopPrice: '49000' })
  const { asks } = await exchange.book()
  narrator.claim('The stop is not in the book.', asks.length === 0)

  narrator.step(
    'trader1 also sells 0.2 once the price is 2 % (200 basis points) below its highest.',
  )
  const trailing = { quantity: '0.2', trailingDelta: '200' }
  const follower = await trader1.place('SELL', 'STOP_LOSS', trailing)

  narrator.step('The price rises to 52000 and falls to 51000.')
  await tradeAt('52000')
  await tradeAt('51000')
  const waiting = await trader1.look(follower.orderId)
  narrator.claim('1.9 % below the highest, it waits.', waiting.status === 'NEW')

  narrator.step('The price falls to 50900.')
  await tradeAt('50900')
  const fired = await trader1.look(follower.orderId, 'FILLED')
  narrator.claim('2.1 % below 52000 the trailing stop has sold.', fired.status === 'FILLED')
  narrator.claim(
    'It traded at the best bid, not at its stop.',
    fired.cummulativeQuoteQty === '9600.00000000',
  )
  const done = await trader1.look(stop.orderId, 'FILLED')
  narrator.claim('That trade at 48000 fired the other stop.', done.status === 'FILLED')
}
