/** A follower has no keys of the market makers: what the market maker left in the books is canceled once it leads. */
import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { PostgresServers } from '../../scripts/postgres/postgres-servers.ts'
import { act } from '../e2e/admin-server.ts'
import { Trader } from '../e2e/trader.ts'
import { eventually } from '../fixtures/eventually.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'

const MAKERS = ['house-maker-BTCUSDT', 'house-maker-ETHUSDT']

let servers: PostgresServers
const members: ExchangeProcess[] = []
beforeAll(async () => {
  servers = await PostgresServers.start(1)
})
afterAll(async () => {
  for (const member of members) await member.remove()
  await servers?.remove()
})

async function startMember(): Promise<ExchangeProcess> {
  const member = await ExchangeProcess.prepare([
    ...['--follow', servers.url(), '--promote-after', '5', '--liquidity', 'on', ...FEW_THREADS],
  ])
  const [first] = members
  if (first !== undefined) {
    copyFileSync(path.join(first.data, 'secret.key'), path.join(member.data, 'secret.key'))
  }
  members.push(member)
  await member.run()
  return member
}

async function houseOrders(member: ExchangeProcess): Promise<number> {
  const found = await Promise.all(MAKERS.map((account) => act(member, 'orders', { account })))
  return found.reduce((sum, { rows }) => sum + rows.length, 0)
}

test('orders of a house without its keys are canceled after a promotion', async () => {
  const first = await startMember()
  await eventually('quotes', async () => ((await houseOrders(first)) > 0 ? true : undefined))
  const next = await startMember()
  // A busy machine may confirm a leader late.
  await eventually('an order of a client', async () => {
    const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
    const { status } = await new Trader(first, 'trader1').send('POST', '/api/v3/order', {
      ...order,
      price: '30000',
      quantity: '0.001',
    })
    return status === 200 || undefined
  })
  await eventually('the orders of the market makers at the follower', async () =>
    (await houseOrders(next)) > 0 ? true : undefined,
  )
  await first.stop('SIGKILL')
  await eventually('an empty house', async () => {
    const isLeading = (await fetch(`${next.url}/ringbook/role`)).status === 200
    return isLeading && (await houseOrders(next)) === 0 ? true : undefined
  })
  await eventually('a word of it', async () =>
    next.output.includes('canceled orders of market makers without keys') ? true : undefined,
  )
  const { rows } = await act(next, 'orders', { account: 'trader1' })
  expect(rows.length).toBeGreaterThan(0)
})
