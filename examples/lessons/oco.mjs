// One cancels the other: a profit to take and a loss to stop; at most one of them trades.
import { SYMBOL } from './trader.mjs'

export async function teach({ exchange, narrator }) {
  const [trader1, maker, taker] = ['trader1', 'maker', 'taker'].map((name) => exchange.trader(name))

  /** Sells 0.1 at this price, or at the market once the price has fallen to 49000. */
  async function placePair(abovePrice) {
    const { body } = await trader1.ask('POST', '/api/v3/orderList/oco', {
      symbol: SYMBOL,
      side: 'SELL',
      quantity: '0.1',
      aboveType: 'LIMIT_MAKER',
      abovePrice,
      belowType: 'STOP_LOSS',
      belowStopPrice: '49000',
    })
    const find = (type) => body.orderReports.find((order) => order.type === type).orderId
    const pair = { list: body.orderListId, above: find('LIMIT_MAKER'), below: find('STOP_LOSS') }
    const legs = `order ${pair.above} at ${abovePrice}, order ${pair.below} with a stop at 49000`
    narrator.line('trader1', `SELL OCO 0.1 → ${legs}`)
    return pair
  }
  const listOf = async ({ list }) =>
    (await trader1.ask('GET', '/api/v3/orderList', { orderListId: list })).body

  narrator.step('The market trades at 50000. trader1 sells by a pair.')
  await maker.place('SELL', 'LIMIT', { quantity: '0.01', price: '50000' })
  await taker.place('BUY', 'LIMIT', { quantity: '0.01', price: '50000' })
  const before = await trader1.balance('BTC')
  const rise = await placePair('52000')
  const during = await trader1.balance('BTC')
  const locked = Number(during.locked) - Number(before.locked)
  narrator.claim('The pair locks 0.1 BTC once, not twice.', Math.abs(locked - 0.1) < 1e-9)

  narrator.step('The price rises: taker buys at 52000.')
  await taker.place('BUY', 'LIMIT', { quantity: '0.1', price: '52000' })
  const [sold, ended] = [
    await trader1.look(rise.above, 'FILLED'),
    await trader1.look(rise.below, 'EXPIRED'),
  ]
  narrator.claim('The profit is taken.', sold.status === 'FILLED')
  narrator.claim('The stop has ended with it.', ended.status === 'EXPIRED')
  narrator.claim('The list is done.', (await listOf(rise)).listOrderStatus === 'ALL_DONE')

  narrator.step('A second pair. The price falls: maker bids at 48900, and trader2 sells to it.')
  const fall = await placePair('53000')
  await maker.place('BUY', 'LIMIT', { quantity: '0.2', price: '48900' })
  await exchange.trader('trader2').place('SELL', 'LIMIT', { quantity: '0.01', price: '48900' })
  const [gone, stopped] = [
    await trader1.look(fall.above, 'EXPIRED'),
    await trader1.look(fall.below, 'FILLED'),
  ]
  narrator.claim('The stop has sold.', stopped.status === 'FILLED')
  narrator.claim('The offer at 53000 has ended with it.', gone.status === 'EXPIRED')
  const { asks } = await exchange.book()
  narrator.claim('Nothing of either pair is left.', asks.length === 0)
}
