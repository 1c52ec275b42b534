/** Refusals of the wallet, by networks of every limit and accounts that may withdraw less than others. */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ErrorId } from '../../../src/api/errors.ts'
import { type EmbeddedExchange, startExchange } from '../../../src/index.ts'
import type { Frame } from '../frame-log.ts'
import type { Params } from '../trader.ts'
import { expectRefusal } from './raise.ts'

const OUTSIDE = `0x${'a'.repeat(40)}`
const APPLY = '/sapi/v1/capital/withdraw/apply'
/** Withdrawals of one account that are under way at once. */
const OPEN_MAX = 64

const VENUE = `
assets = ["BTC", "USDT"]

[symbols.BTCUSDT]
base = "BTC"
quote = "USDT"
template = "plain"
tick = "0.01"
step = "0.00001"

[chains.ETH]
form = "ethereum"
block-seconds = "12"

[chains.XRP]
form = "solana"
block-seconds = "4"
memo = true

[networks.USDT.ETH]
confirmations = 2
unlock-confirmations = 100
fee = "1"
withdraw-min = "10"
withdraw-max = "1000000"
multiple = "0.01"
day-max = "500"

[networks.BTC.ETH]
fee = "0.1"
approval-above = "0.000001"

[networks.USDT.XRP]
fee = "1"
`

export function walletTests(): void {
  let exchange: EmbeddedExchange
  beforeAll(async () => {
    const funds = { BTC: '100', USDT: '5000' }
    exchange = await startExchange({
      venue: VENUE,
      clock: 'virtual',
      accounts: {
        own: { ...funds, withdraw: true },
        bound: { ...funds, withdraw: [OUTSIDE] },
        poor: { withdraw: true },
        debtor: { withdraw: true },
        busy: { ...funds, withdraw: true },
        sub: { master: 'own' },
      },
    })
    await exchange.clock.pause()
  })
  afterAll(() => exchange.close())

  async function send(account: string, method: string, path: string, params: Params) {
    const { apiKey, secretKey } = exchange.accounts[account]!
    const timestamp = await exchange.clock.now()
    const texts = Object.entries({ ...params, timestamp }).map(([name, it]) => [name, String(it)])
    const query = new URLSearchParams(texts as [string, string][]).toString()
    const signature = createHmac('sha256', secretKey).update(query).digest('hex')
    const init = { method, headers: { 'X-MBX-APIKEY': apiKey } }
    const answer = await exchange.fetch(`${path}?${query}&signature=${signature}`, init)
    return { status: answer.status, body: (await answer.json()) as Frame }
  }
  const wanted = { coin: 'USDT', network: 'ETH', address: OUTSIDE, amount: '20' }
  const apply = (account: string, change: Params = {}) =>
    send(account, 'POST', APPLY, { ...wanted, ...change })
  const applied = async (account: string, change: Params = {}) => {
    const { status, body } = await apply(account, change)
    expect(status, JSON.stringify(body)).toBe(200)
  }

  test.each<[ErrorId, Params, number, string]>([
    ['BAD_ADDRESS', { address: 'nowhere' }, -4007, 'Address validation is not passed.'],
    [
      'BAD_ADDRESS_TAG',
      { network: 'ETH', addressTag: 'memo' },
      -4008,
      'Address tag validation is not passed.',
    ],
    [
      'NOT_OPEN_FOR_WITHDRAWAL',
      { network: 'TRX' },
      -4019,
      'Current asset is not open for withdrawal.',
    ],
    [
      'WITHDRAWAL_NOT_A_MULTIPLE',
      { amount: '20.001' },
      -4021,
      'Asset withdrawal must be an integer multiple of 0.01000000.',
    ],
    [
      'WITHDRAWAL_BELOW_MINIMUM',
      { amount: '9.99' },
      -4022,
      'Not less than the minimum pick-up quantity 10.00000000.',
    ],
    [
      'WITHDRAWALS_OF_DAY',
      { amount: '501.01' },
      -4023,
      'Within 24 hours, the withdrawal exceeds the maximum amount.',
    ],
    [
      'WITHDRAWAL_BELOW_FEE',
      { amount: '1' },
      -4028,
      'The amount of withdrawal must be greater than the Commission.',
    ],
  ])('%s', async (row, change, code, msg) => {
    expectRefusal(row, await apply('own', change), code, msg)
  })

  test('ADDRESS_NOT_LISTED', async () => {
    const other = await apply('bound', { address: `0x${'b'.repeat(40)}` })
    const msg = 'This address is not on the whitelist. Please join and try again.'
    expectRefusal('ADDRESS_NOT_LISTED', other, -4035, msg)
    await applied('bound')
  })

  test('OTHER_WITHDRAWAL', async () => {
    await applied('own', { withdrawOrderId: 'mine' })
    const other = await apply('own', { withdrawOrderId: 'mine', amount: '21' })
    const msg = 'Another withdrawal has this withdrawOrderId.'
    expectRefusal('OTHER_WITHDRAWAL', other, -4115, msg)
  })

  test('OTHER_TRANSFER', async () => {
    const [fromEmail, toEmail] = ['own@ringbook.invalid', 'sub@ringbook.invalid']
    const moved = { fromEmail, toEmail, asset: 'USDT', amount: '1', clientTranId: 'mine' }
    const path = '/sapi/v3/sub-account/transfer'
    expect((await send('own', 'POST', path, moved)).status).toBe(200)
    const other = await send('own', 'POST', path, { ...moved, amount: '2' })
    const msg = 'Another transfer has this clientTranId.'
    expectRefusal('OTHER_TRANSFER', other, -4115, msg)
  })

  test('NOT_UNLOCKED', async () => {
    await exchange.chain.send({ account: 'poor', coin: 'USDT', chain: 'ETH', amount: '50' })
    await exchange.clock.advance('60s')
    const msg =
      'As your deposit has not reached the required block confirmations, we have temporarily locked USDT asset'
    expectRefusal('NOT_UNLOCKED', await apply('poor'), -4060, msg)
  })

  test('WITHDRAWAL_IN_DEBT', async () => {
    await exchange.chain.send({ account: 'debtor', coin: 'USDT', chain: 'ETH', amount: '50' })
    await exchange.clock.advance('24s')
    const sell = {
      symbol: 'BTCUSDT',
      type: 'LIMIT',
      timeInForce: 'GTC',
      price: '50',
      quantity: '1',
    }
    await send('own', 'POST', '/api/v3/order', { ...sell, side: 'SELL' })
    await send('debtor', 'POST', '/api/v3/order', { ...sell, side: 'BUY' })
    await exchange.chain.reorganise('ETH', 3, { drop: true })
    await exchange.clock.advance('1s')
    const msg = 'The number of hold asset is less than zero.'
    expectRefusal('WITHDRAWAL_IN_DEBT', await apply('debtor', { coin: 'BTC' }), -4025, msg)
  })

  test('TOO_MANY_WITHDRAWALS', async () => {
    for (let n = 0; n < OPEN_MAX; n++) await applied('busy', { coin: 'BTC', amount: '0.2' })
    const more = await apply('busy', { coin: 'BTC', amount: '0.2' })
    expectRefusal('TOO_MANY_WITHDRAWALS', more, -4005, 'Too many new requests.')
  })

  test('NO_DEPOSIT_ADDRESS', async () => {
    const answer = await send('own', 'GET', '/sapi/v1/capital/deposit/address', {
      ...{ coin: 'BTC', network: 'XRP' },
    })
    const msg = 'This asset cannot get deposit address again.'
    expectRefusal('NO_DEPOSIT_ADDRESS', answer, -4042, msg)
  })

  test('MORE_THAN_90_DAYS', async () => {
    const endTime = await exchange.clock.now()
    const startTime = endTime - 91 * 24 * 60 * 60 * 1000
    const answer = await send('own', 'GET', '/sapi/v1/capital/withdraw/history', {
      ...{ startTime, endTime },
    })
    expectRefusal('MORE_THAN_90_DAYS', answer, -4047, 'Time interval must be within 0-90 days')
  })
}
