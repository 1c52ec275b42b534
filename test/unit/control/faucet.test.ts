/** The faucet: credits up to the operator's limits, journaled as deposits, and never past them. */
import { beforeEach, describe, expect, test } from 'vitest'
import { parseAmountLimits } from '../../../src/base/amount-limits.ts'
import { DepositStatus } from '../../../src/base/codes.ts'
import { AccountId, AssetId, Atoms } from '../../../src/base/units.ts'
import { Faucet } from '../../../src/control/faucet.ts'
import { depositAddress } from '../../../src/market/deposit-address.ts'
import type { TransferRequest } from '../../../src/sandbox/requests.ts'
import type { WalletAnswer, WalletQuery } from '../../../src/shared/operator-query.ts'
import { ActionBench } from './plain-control-plane.ts'
import { depositOf, nothing } from './wallet-rows.ts'

const ALICE = AccountId(1)
let bench: ActionBench
let faucet: Faucet
beforeEach(async () => {
  // With BTC, USDT and alice, who has 2 BTC.
  bench = await ActionBench.make()
  faucet = new Faucet('BTC=5,USDT=1000.5', bench.executor, bench.registry)
})
const ask = (asset: string, amount?: string) =>
  faucet.answer({ ask: 'faucet', account: ALICE, asset, amount })

test('an amount, then all that the limit leaves, then nothing', async () => {
  expect(await ask('USDT', '1000')).toEqual({
    credited: { asset: 'USDT', amount: '1000.00000000' },
  })
  expect(await ask('USDT')).toEqual({ credited: { asset: 'USDT', amount: '0.50000000' } })
  const full = { refused: 'The faucet fills an account up to 1000.5 USDT.' }
  expect([await ask('USDT'), await ask('USDT', '0.00000001')]).toEqual([full, full])
  const [deposit, action] = bench.controlPlane.journaled.slice(-2)
  expect(deposit).toMatchObject({ fact: 'deposit', account: ALICE, atoms: '50000000' })
  expect(action).toMatchObject({ fact: 'act', name: 'deposit', by: 'faucet' })
})

test('what the account owns already counts, and two requests never pass the limit together', async () => {
  expect(await ask('BTC', '3.1')).toHaveProperty('refused')
  const both = await Promise.all([ask('BTC', '2'), ask('BTC', '2')])
  expect(both.map((answer) => 'credited' in answer)).toEqual([true, false])
  expect(await ask('BTC')).toEqual({ credited: { asset: 'BTC', amount: '1.00000000' } })
})

test('what is locked counts as well as what is free', async () => {
  bench.controlPlane.locked.set('1/0', 200_000_000n)
  expect(await ask('BTC')).toEqual({ credited: { asset: 'BTC', amount: '1.00000000' } })
})

test.each([
  ['ETH', undefined, 'The faucet has no ETH.'],
  ['BTC', '0', 'amount must be positive.'],
  ['BTC', '-1', 'amount must be positive.'],
  ['BTC', '0.000000001', 'amount must be a decimal of at most 8 places.'],
  ['BTC', 'x', 'amount must be a decimal of at most 8 places.'],
])('%s %s is refused', async (asset, amount, refused) => {
  const journaled = bench.controlPlane.journaled.length
  expect(await ask(asset, amount)).toEqual({ refused })
  expect(bench.controlPlane.journaled).toHaveLength(journaled)
})

test('the setting', () => {
  const limits = parseAmountLimits('USDT=10, *=0.5')
  expect([limits?.of('USDT'), limits?.of('BTC')]).toEqual(['10', '0.5'])
  expect(parseAmountLimits('none')?.of('BTC')).toBeUndefined()
  for (const wrong of ['', 'USDT', 'USDT=', 'USDT=-1', 'USDT=1,USDT=2', '=1', 'USDT=1e5']) {
    expect(parseAmountLimits(wrong)).toBeUndefined()
  }
})

describe('a transfer over a chain', () => {
  let sent: WalletQuery[]
  let pending: WalletAnswer['deposits']
  beforeEach(async () => {
    await bench.ask('chain-list ETH --form ethereum --block-seconds 12')
    await bench.ask('chain-list XRP --form tron --block-seconds 4 --memo on')
    await bench.ask('coin-network-list BTC ETH')
    await bench.ask('coin-network-list BTC XRP')
    sent = []
    pending = []
    bench.controlPlane.asked.walletResult = (query) => {
      if (query.ask === 'chainSend') sent.push(query)
      const deposits = query.ask === 'chainSend' ? [depositOf(3)] : pending
      return { value: { ...nothing, deposits } }
    }
  })
  const addressOn = (chain: number, account = ALICE) =>
    depositAddress(bench.registry.chains[chain]!, account)
  const transfer = (more: Partial<TransferRequest> = {}) =>
    faucet.answer({
      ask: 'chainTransfer',
      account: ALICE,
      coin: 'BTC',
      network: undefined,
      address: addressOn(0).address,
      addressTag: '',
      amount: '3',
      requestId: undefined,
      ...more,
    })

  test('goes to an address of the account, and is journaled as sent by the faucet', async () => {
    const { address } = addressOn(0)
    const transferred = { coin: 'BTC', network: 'ETH', address, addressTag: '' }
    expect(await transfer()).toEqual({
      transferred: { ...transferred, amount: '3.00000000', txId: '0xab' },
    })
    const tagged = addressOn(1)
    const more = { network: 'XRP', address: tagged.address, addressTag: tagged.tag }
    expect(await transfer({ ...more, requestId: 'mine' })).toHaveProperty('transferred')
    expect(sent).toMatchObject([
      { networkId: 0, atoms: 300_000_000, address, tag: '', requestId: '' },
      { networkId: 1, address: tagged.address, tag: tagged.tag, requestId: '1:mine' },
    ])
  })

  test('fills the account up to the limit, what is on its way counted', async () => {
    const full = { refused: 'The faucet fills an account up to 5 BTC.' }
    expect(await transfer({ amount: '3.00000001' })).toEqual(full)
    const btc = { ...depositOf(1), assetId: AssetId(0), atoms: Atoms(100_000_000) }
    pending = [btc, { ...btc, status: DepositStatus.CREDITED }]
    expect(await transfer({ amount: '2.00000001' })).toEqual(full)
    expect(sent).toEqual([])
    expect(await transfer({ amount: '2' })).toHaveProperty('transferred')
  })

  test('sent again with its id is answered by the first, whatever room the limit has', async () => {
    const first = { ...depositOf(1), assetId: AssetId(0), requestId: '1:mine' }
    pending = [{ ...first, atoms: Atoms(300_000_000) }]
    expect(await transfer({ requestId: 'other' })).toHaveProperty('refused')
    expect(sent).toEqual([])
    expect(await transfer({ requestId: 'mine' })).toHaveProperty('transferred')
    expect(sent).toMatchObject([{ requestId: '1:mine' }])
  })

  test('counts what is credited while the wallet is asked', async () => {
    const before = bench.controlPlane.asked.walletResult!
    bench.controlPlane.asked.walletResult = (query) => {
      bench.controlPlane.locked.set('1/0', 300_000_000n)
      return before(query)
    }
    expect(await transfer()).toHaveProperty('refused')
  })

  test('goes to nobody else', async () => {
    const refused = (sentence: string) => ({ refused: sentence })
    const foreign = addressOn(0, AccountId(2)).address
    expect(await transfer({ address: foreign })).toEqual(
      refused('The address is of another account.'),
    )
    const shared = { network: 'XRP', ...addressOn(1, AccountId(2)) }
    expect(await transfer({ ...shared, addressTag: shared.tag })).toEqual(
      refused('The address is of another account.'),
    )
    expect(await transfer({ address: '0x1' })).toEqual(
      refused('The address is none of the exchange.'),
    )
    expect(await transfer({ network: 'SOL' })).toEqual(refused('BTC has no such network.'))
    expect(await transfer({ coin: 'ETH' })).toEqual(refused('The faucet has no ETH.'))
    expect(await transfer({ amount: '-1' })).toEqual(refused('amount must be positive.'))
    expect(sent).toEqual([])
    expect(await transfer({ ...shared, addressTag: '7' })).toHaveProperty('transferred')
  })
})
