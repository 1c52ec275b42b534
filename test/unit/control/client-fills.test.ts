/** What accounts receive by fills that they wish for themselves is bounded; operators' rules are not. */
import { expect, test } from 'vitest'
import { AccountId, OrderId } from '../../../src/base/units.ts'
import { ActionError } from '../../../src/control/action.ts'
import { ClientFills } from '../../../src/control/client-fills.ts'
import type { FilledOrder, FillRequest, FillWish, Purchase } from '../../../src/sandbox/requests.ts'

/** Every fill is of one unit of the asset. */
function fillsOf(limits: string, asset: string) {
  return new ClientFills(limits, {
    fill: async (wish: FillWish, count: (purchase: Purchase) => void = () => {}) => {
      if (wish.quantity === 'x') throw new ActionError('quantity must be a decimal.')
      count({ asset, atoms: 100_000_000n })
      return { symbol: wish.symbol, orderId: wish.orderId } as FilledOrder
    },
  })
}
const wish = (account: number, more: Partial<FillRequest> = {}): FillRequest => ({
  ask: 'fill',
  account: AccountId(account),
  isOwn: true,
  symbol: 'BTCUSDT',
  orderId: OrderId(7),
  quantity: '1',
  ...more,
})

test('an account receives of each asset at most the limit of the faucet', async () => {
  const fills = fillsOf('USDT=2.5', 'USDT')
  const filled = { filled: { symbol: 'BTCUSDT', orderId: 7 } }
  expect(await fills.answer(wish(1))).toEqual(filled)
  expect(await fills.answer(wish(1))).toEqual(filled)
  const refused = 'The counterparty pays an account at most 2.5 USDT for its own fills.'
  expect(await fills.answer(wish(1))).toEqual({ refused })
  expect(await fills.answer(wish(2))).toEqual(filled)
  expect(await fills.answer(wish(1, { isOwn: false }))).toEqual(filled)
  expect(await fills.answer(wish(1, { quantity: 'x' }))).toEqual({
    refused: 'quantity must be a decimal.',
  })
})

test('without a limit of the asset there are none', async () => {
  const refused = 'The counterparty pays clients no BTC.'
  expect(await fillsOf('none', 'BTC').answer(wish(1))).toEqual({ refused })
  expect(await fillsOf('USDT=1', 'BTC').answer(wish(1))).toEqual({ refused })
})
