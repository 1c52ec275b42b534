// The best price trades first; at one price, the order that came first.
import { SYMBOL } from './trader.mjs'

export async function teach({ exchange, narrator }) {
  const [maker, trader1, trader2, taker] = ['maker', 'trader1', 'trader2', 'taker'].map((name) =>
    exchange.trader(name),
  )

  narrator.step('Three accounts offer BTC. The last one asks the least.')
  await maker.place('SELL', 'LIMIT', { quantity: '0.1', price: '50000' })
  const second = await trader1.place('SELL', 'LIMIT', { quantity: '0.1', price: '50000' })
  await trader2.place('SELL', 'LIMIT', { quantity: '0.1', price: '49990' })
  await exchange.book()

  narrator.step('taker buys 0.25 and would pay 50000 for all of it.')
  const bought = await taker.place('BUY', 'LIMIT', { quantity: '0.25', price: '50000' })
  const paid = bought.fills.map(({ price }) => Number(price))
  narrator.claim('The best price traded first. taker paid 49990 there.', paid[0] === 49_990)
  narrator.claim('Two more trades at 50000 followed.', `${paid.slice(1)}` === '50000,50000')
  const left = await trader1.look(second.orderId)
  narrator.claim(
    'maker came first and sold all. trader1 sold half.',
    Number(left.executedQty) === 0.05,
  )

  narrator.step(
    'maker offers again, behind trader1. trader1 amends its order to a smaller quantity.',
  )
  const behind = await maker.place('SELL', 'LIMIT', { quantity: '0.1', price: '50000' })
  const less = { symbol: SYMBOL, orderId: second.orderId, newQty: '0.09' }
  await trader1.ask('PUT', '/api/v3/order/amend/keepPriority', less)
  narrator.line('trader1', `amends order ${second.orderId} to 0.09`)
  await taker.place('BUY', 'MARKET', { quantity: '0.01' })
  const kept = await trader1.look(second.orderId)
  narrator.claim(
    'A smaller quantity keeps the place: trader1 traded first.',
    kept.executedQty > 0.05,
  )

  narrator.step('trader1 replaces its order by one of the same price.')
  const replacement = {
    symbol: SYMBOL,
    side: 'SELL',
    type: 'LIMIT',
    timeInForce: 'GTC',
    quantity: '0.03',
    price: '50000',
    cancelReplaceMode: 'STOP_ON_FAILURE',
    cancelOrderId: second.orderId,
  }
  const { body } = await trader1.ask('POST', '/api/v3/order/cancelReplace', replacement)
  const { orderId } = body.newOrderResponse
  narrator.line('trader1', `replaces order ${second.orderId} by order ${orderId}`)
  await taker.place('BUY', 'MARKET', { quantity: '0.01' })
  const [first, last] = [await maker.look(behind.orderId), await trader1.look(orderId)]
  const isBehind = Number(first.executedQty) === 0.01 && Number(last.executedQty) === 0
  narrator.claim('A new order stands behind all others at its price.', isBehind)
}
