/** Operators' actions on deposits, withdrawals and chains: what they ask of the wallet, and what they show. */
import { beforeEach, expect, test } from 'vitest'
import { ChainChange, WalletSubject, WithdrawalDecision } from '../../../src/base/codes.ts'
import { AccountId, AssetId, Atoms, ChainId, Ms } from '../../../src/base/units.ts'
import { FAUCET } from '../../../src/control/operators.ts'
import { JOURNAL_LAYOUT } from '../../../src/journal/block.ts'
import { ownerOfAddress } from '../../../src/market/deposit-address.ts'
import type { WalletAnswer, WalletQuery } from '../../../src/shared/operator-query.ts'
import { ActionBench } from './plain-control-plane.ts'
import { depositOf, nothing, withdrawalOf } from './wallet-rows.ts'

const [ALICE, USDT] = [AccountId(1), AssetId(1)]

let bench: ActionBench
let answers: (query: WalletQuery) => Partial<WalletAnswer>
beforeEach(async () => {
  bench = await ActionBench.make()
  await bench.ask('chain-list ETH --form ethereum --block-seconds 12')
  await bench.ask('chain-list XRP --form tron --block-seconds 4 --memo on')
  await bench.ask('coin-network-list USDT ETH')
  await bench.ask('coin-network-list USDT XRP')
  answers = () => ({})
  bench.controlPlane.asked.walletResult = (query) => ({ value: { ...nothing, ...answers(query) } })
})
const asked = () => bench.controlPlane.asked.wallet

test('an address is computed, with a memo where accounts share it', async () => {
  const [eth] = (await bench.ask('deposit-address alice USDT')).rows
  expect(eth).toMatchObject({ account: 'alice', coin: 'USDT', chain: 'ETH', memo: '' })
  const [xrp] = (await bench.ask('deposit-address alice USDT --chain XRP')).rows
  const chain = bench.registry.chains[1]!
  expect(ownerOfAddress(chain, String(xrp!.address), String(xrp!.memo))).toEqual({ account: ALICE })
  expect(asked()).toEqual([])
})

test('an account is closed once nothing of it is under way', async () => {
  await bench.ask('account-open bob')
  for (const row of [{ deposits: [depositOf(3)] }, { withdrawals: [withdrawalOf(3)] }]) {
    answers = () => row
    const closed = bench.ask('account-close bob')
    await expect(closed).rejects.toThrow('bob still has deposits or withdrawals under way.')
  }
  answers = () => ({})
  expect((await bench.ask('account-close bob')).said).toContain('Account bob is closed')
})

test('a transfer is sent over the default network, or another', async () => {
  answers = () => ({ deposits: [depositOf(3)] })
  const sent = await bench.ask('chain-send 0xcd 2.5 --coin USDT')
  expect(sent.said).toBe('2.5 USDT is sent.')
  expect(sent.rows).toEqual([
    {
      id: 3,
      account: 'alice',
      coin: 'USDT',
      chain: 'ETH',
      amount: '2.50000000',
      status: 'PENDING',
      block: 17,
      txId: '0xab',
      address: '0xcd',
      memo: '',
      clientId: '',
      seen: '1970-01-01T00:00:01.000Z',
    },
  ])
  answers = () => ({ deposits: [depositOf(3)], isKnown: true })
  const again = await bench.ask('chain-send 0xcd 2.5 --coin USDT --chain XRP --memo 7 --id a')
  expect(again.said).toBe('2.5 USDT was sent before.')
  const query = { ask: 'chainSend', atoms: 250_000_000, address: '0xcd' }
  expect(asked()).toEqual([
    { ...query, networkId: 0, tag: '', requestId: '' },
    { ...query, networkId: 1, tag: '7', requestId: 'a' },
  ])
})

test.each([
  ['confirm', WithdrawalDecision.CONFIRM, 'is confirmed'],
  ['cancel', WithdrawalDecision.CANCEL, 'is canceled'],
  ['approve', WithdrawalDecision.APPROVE, 'is approved'],
  ['reject', WithdrawalDecision.REJECT, 'is rejected'],
  ['fail', WithdrawalDecision.FAIL, 'has failed'],
])('withdrawal-%s asks for decision %i', async (name, decision, is) => {
  answers = () => ({ withdrawals: [withdrawalOf(17)] })
  const { said, rows } = await bench.ask(`withdrawal-${name} 17`)
  expect(said).toBe(`Withdrawal 17 ${is}.`)
  expect(rows).toMatchObject([{ id: 17, amount: '46116860184.27387904', clientId: 'w-1' }])
  expect(asked()).toEqual([{ ask: 'decideWithdrawal', withdrawalId: 17, decision }])
})

test.each([
  ['chain-stop ETH', ChainChange.STOP, 0, 'makes no blocks'],
  ['chain-resume ETH', ChainChange.RESUME, 0, 'makes blocks again'],
  ['chain-congest ETH 5', ChainChange.CONGEST, 5, 'is 5 blocks late'],
  ['chain-congest ETH 0', ChainChange.CONGEST, 0, 'takes transfers into its next block'],
  ['chain-reorganise ETH 3', ChainChange.REORGANISE, 3, 'has taken back 3 blocks'],
  ['chain-reorganise ETH 1 --drop on', ChainChange.DROP, 1, 'has taken back 1 block'],
])('%s asks for change %i of %i blocks', async (line, change, blocks, is) => {
  const state = { chainId: ChainId(0), baseHeight: 0, baseMs: Ms(0), blockMs: Ms(12_000) }
  const chain = { ...state, delayBlocks: 0, stoppedMs: Ms(1), height: 9, transfers: 2 }
  answers = ({ ask }) => (ask === 'wallet' ? { chain } : {})
  const { said, rows } = await bench.ask(line)
  expect(said).toBe(`Chain ETH ${is}.`)
  const stopped = '1970-01-01T00:00:00.001Z'
  expect(rows).toEqual([{ chain: 'ETH', height: 9, stopped, delay: 0, transfers: 2 }])
  expect(asked()[0]).toEqual({ ask: 'changeChain', chainId: 0, change, blocks })
})

test('what is undecided is asked for, and what it is worth is shown where prices give it', async () => {
  const worth = { assetId: USDT, atoms: 150_000_000 }
  answers = () => ({ withdrawals: [{ ...withdrawalOf(1), worth }, withdrawalOf(2)] })
  const { rows } = await bench.ask('withdrawals --undecided on')
  expect(rows).toMatchObject([{ worth: '1.50000000 USDT' }, { worth: '' }])
  await bench.ask('withdrawals')
  const subjects = [WalletSubject.UNDECIDED, WalletSubject.WITHDRAWALS]
  expect(asked()).toMatchObject(subjects.map((subject) => ({ ask: 'wallet', subject })))
})

test('lists come in pieces, and in pages', async () => {
  const all = Array.from({ length: 150 }, (_, at) => at + 1)
  answers = (query) => {
    if (query.ask !== 'wallet') return {}
    const behind = all.filter((id) => id > query.afterId!)
    const ids = behind.slice(0, query.limit)
    const rows =
      query.subject === WalletSubject.DEPOSITS
        ? { deposits: ids.map(depositOf) }
        : { withdrawals: ids.map(withdrawalOf) }
    return { ...rows, isWhole: ids.length === behind.length }
  }
  const first = await bench.ask('withdrawals alice')
  expect([first.said, first.rows.length, first.more]).toEqual(['100 withdrawals.', 100, '100'])
  expect(asked().map((query) => query.ask === 'wallet' && [query.account, query.limit])).toEqual([
    [ALICE, 64],
    [ALICE, 36],
  ])
  const second = await bench.ask(`withdrawals alice --after ${first.more}`)
  expect(second.rows.map(({ id }) => id)).toEqual(all.slice(100))
  expect(second.more).toBeUndefined()
  const deposits = await bench.ask('deposits --limit 1000')
  expect(deposits.rows.map(({ id }) => id)).toEqual(all)
  expect(asked().at(-1)).toMatchObject({ account: undefined })
})

test.each([
  ['chain-send 0xcd 1 --coin BTC', 'No chain carries BTC (coin-network-list).'],
  ['chain-send 0xcd 1 --coin BTC --chain ETH', 'ETH does not carry BTC (coin-network-list).'],
  ['chain-send 0xcd 0 --coin USDT', 'amount must be positive.'],
  [`chain-send ${'x'.repeat(129)} 1 --coin USDT`, 'address must be at most 128 letters'],
  [`chain-send 0xcd 1 --coin USDT --memo ${'1'.repeat(65)}`, 'memo must be at most 64 letters'],
  ['chain-send 0xcd 1 --coin USDT --id é', 'id must be at most 64 letters'],
  ['withdrawal-approve 0', 'id must be a whole number from 1'],
  ['chain-reorganise ETH 0', 'blocks must be a whole number from 1 to 1000.'],
  ['chain-reorganise ETH 1001', 'blocks must be a whole number from 1 to 1000.'],
  ['chain-congest ETH 10001', 'blocks must be a whole number from 0 to 10000.'],
  ['chain-stop SOL', 'There is no chain SOL.'],
])('%s is refused: %s', async (line, why) => {
  await expect(bench.ask(line)).rejects.toThrow(why)
  expect(asked()).toEqual([])
})

test('a refusal of the wallet is the sentence of the action', async () => {
  bench.controlPlane.asked.walletResult = () => ({ refused: 'It is in another state.' })
  await expect(bench.ask('withdrawal-approve 5')).rejects.toThrow('It is in another state.')
})

test('funds are proven by all terms', async () => {
  let funds = { chainAtoms: Atoms(0), inFlightAtoms: Atoms(0), debtAtoms: Atoms(0) }
  answers = () => ({ funds })
  await bench.ask('deposit alice USDT 30')
  const layout = JOURNAL_LAYOUT
  bench.registry.apply({ fact: 'start', epoch: 1, timeMs: Ms(1_000), layout })
  await bench.ask('deposit alice USDT 5')
  await bench.ask('distribute alice USDT 2 rebate')
  await bench.ask('withdraw alice USDT 1')
  await bench.executor.act('deposit', { account: 'alice', asset: 'USDT', amount: '4' }, FAUCET)
  const [, row] = (await bench.ask('funds-proof')).rows
  expect(row).toEqual({
    asset: 'USDT',
    balances: '40.00000000',
    inFlight: '0.00000000',
    chain: '0.00000000',
    owed: '0.00000000',
    seed: '30.00000000',
    deposits: '5.00000000',
    withdrawals: '-1.00000000',
    distributions: '2.00000000',
    faucet: '4.00000000',
    resets: '0.00000000',
  })
  expect((await bench.ask('audit')).rows[1]).toMatchObject({
    deposited: '40.00000000',
    overChains: '0.00000000',
  })
  // 3 came over chains, 1 is under way to one, and 5 more are owed.
  const key = `${ALICE}/${USDT}`
  const { free } = bench.controlPlane
  free.set(key, free.get(key)! + 700_000_000n)
  await expect(bench.ask('funds-proof')).rejects.toThrow('differ in USDT; run halt --all')
  const [chainAtoms, inFlightAtoms, debtAtoms] = [3, 1, 5].map((units) => Atoms(units * 10 ** 8))
  funds = { chainAtoms: chainAtoms!, inFlightAtoms: inFlightAtoms!, debtAtoms: debtAtoms! }
  expect((await bench.ask('funds-proof')).rows[1]).toMatchObject({
    chain: '3.00000000',
    inFlight: '1.00000000',
    owed: '5.00000000',
  })
  expect((await bench.ask('audit')).rows[1]).toMatchObject({ overChains: '7.00000000' })
})
