// An iceberg shows a slice of its quantity. Each new slice goes to the end of the queue.
export async function teach({ exchange, narrator }) {
  const [trader1, maker, taker] = ['trader1', 'maker', 'taker'].map((name) => exchange.trader(name))

  narrator.step('trader1 sells 1 BTC and shows 0.2 of it.')
  const iceberg = { quantity: '1', price: '50000', icebergQty: '0.2' }
  const { orderId } = await trader1.place('SELL', 'LIMIT', iceberg)
  const shown = await exchange.book()
  narrator.claim('The book shows the slice alone.', shown.asks[0][1] === '0.2')

  narrator.step('maker sells 0.3 behind it, and taker buys 0.2.')
  const behind = await maker.place('SELL', 'LIMIT', { quantity: '0.3', price: '50000' })
  await taker.place('BUY', 'LIMIT', { quantity: '0.2', price: '50000' })
  const first = await trader1.look(orderId)
  narrator.claim('The slice came first and is sold.', Number(first.executedQty) === 0.2)
  const renewed = await exchange.book()
  narrator.claim('A new slice of 0.2 is shown, beside the 0.3.', renewed.asks[0][1] === '0.5')

  narrator.step('taker buys 0.3.')
  await taker.place('BUY', 'LIMIT', { quantity: '0.3', price: '50000' })
  const sold = await maker.look(behind.orderId)
  narrator.claim('The new slice stood behind maker, who sold all.', sold.status === 'FILLED')

  narrator.step('taker buys 0.5: two slices and a half.')
  const swept = await taker.place('BUY', 'LIMIT', { quantity: '0.5', price: '50000' })
  narrator.claim('Each slice is a trade of its own.', swept.fills.length === 3)
  const left = await exchange.book()
  narrator.claim('The last slice is shown with what it has left.', left.asks[0][1] === '0.1')

  narrator.step('taker asks for 0.5 more.')
  const last = await taker.place('BUY', 'LIMIT', {
    quantity: '0.5',
    price: '50000',
    timeInForce: 'IOC',
  })
  narrator.claim('The iceberg had 0.3 in all.', Number(last.executedQty) === 0.3)
}
