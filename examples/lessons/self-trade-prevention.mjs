// Two orders of one account never trade with each other: one of them, or both, expire.
import { SYMBOL } from './trader.mjs'

export async function teach({ exchange, narrator }) {
  const [trader1, maker] = ['trader1', 'maker'].map((name) => exchange.trader(name))
  const offer = () => trader1.place('SELL', 'LIMIT', { quantity: '0.1', price: '50000' })
  const buy = (quantity, selfTradePreventionMode) =>
    trader1.place('BUY', 'LIMIT', { quantity, price: '50000', selfTradePreventionMode })

  narrator.step('trader1 offers BTC and buys at the same price. The taker expires.')
  const first = await offer()
  const taker = await buy('0.1', 'EXPIRE_TAKER')
  narrator.claim('The arriving order ended.', taker.status === 'EXPIRED_IN_MATCH')
  const rests = await trader1.look(first.orderId)
  narrator.claim('The resting order stays in the book.', rests.status === 'NEW')

  narrator.step('The same, and the maker expires. maker offers behind it.')
  await maker.place('SELL', 'LIMIT', { quantity: '0.1', price: '50000' })
  const passing = await buy('0.1', 'EXPIRE_MAKER')
  const expired = await trader1.look(first.orderId)
  narrator.claim('The resting order ended.', expired.status === 'EXPIRED_IN_MATCH')
  narrator.claim('The arriving order went on and met maker.', passing.status === 'FILLED')

  narrator.step('The same, and both expire.')
  const second = await offer()
  const both = await buy('0.1', 'EXPIRE_BOTH')
  const gone = await trader1.look(second.orderId)
  const states = [both.status, gone.status]
  narrator.claim(
    'Both ended.',
    states.every((state) => state === 'EXPIRED_IN_MATCH'),
  )
  const { bids, asks } = await exchange.book()
  narrator.claim('The book is empty.', bids.length + asks.length === 0)

  narrator.step('The exchange keeps what it prevented.')
  for (const { orderId } of [taker, passing, both]) {
    const params = { symbol: SYMBOL, orderId }
    const { body } = await trader1.ask('GET', '/api/v3/myPreventedMatches', params)
    for (const match of body) {
      const { makerOrderId, takerOrderId, selfTradePreventionMode } = match
      narrator.line('trader1', `${takerOrderId} met ${makerOrderId}: ${selfTradePreventionMode}`)
    }
    narrator.claim(`Order ${orderId} was prevented once.`, body.length === 1)
  }
}
