/** Deposits and withdrawals: what the wallet and the archive are asked, and what clients are answered. */
import { afterAll, describe, expect, test } from 'vitest'
import { type FakeContext, NOW_MS, trader } from '../../bench/workloads/fake-context.ts'
import { writeWalletRejected, writeWithdrawalState } from '../../scripts/layout/codecs.gen.ts'
import { capitalOperations } from '../../src/api/operations/capital.ts'
import {
  DepositStatus,
  WalletRefusal,
  WithdrawalDecision,
  WithdrawalStatus,
} from '../../src/base/codes.ts'
import { AccountId, AssetId, Atoms, Ms, NetworkId } from '../../src/base/units.ts'
import { heightAt, newChain } from '../../src/core/wallet/chain-time.ts'
import type { DepositRow, WithdrawalRow } from '../../src/history/account-history.ts'
import { ApplyWithdrawal } from '../../src/layout/accessors.gen.ts'
import type { RecordBuffer } from '../../src/layout/record-buffer.ts'
import { depositAddress } from '../../src/market/deposit-address.ts'
import { DAY_MS } from '../../src/market/intervals.ts'
import { WALLET } from '../../src/market/listing.ts'
import { Asking, bodyOf, settled } from './asking.ts'
import { coinContext, eth, trx } from './coin-context.ts'
import { answerCommand, type FakeResponder, type RequestOptions } from './fake-responder.ts'

const asking = new Asking()
const ADDRESS = `0x${'a'.repeat(40)}`
const key = { apiKey: 'k', canRead: true, canTrade: true, canWithdraw: true }
const head = { symbolId: WALLET, gateway: 0, correlation: 1 }
const newest = heightAt(newChain(eth), NOW_MS)

async function later(context: FakeContext, id: string, query = ''): Promise<unknown> {
  const responder = asking.ask(context, id, query)
  await settled()
  return bodyOf(responder)
}

const withdrawalRow = (more: Partial<WithdrawalRow> = {}): WithdrawalRow => ({
  account: trader.id,
  networkId: NetworkId(0),
  assetId: AssetId(0),
  status: WithdrawalStatus.PROCESSING,
  withdrawalId: 7,
  atoms: Atoms(2_400_000_000),
  feeAtoms: Atoms(100_000_000),
  applyMs: Ms(NOW_MS),
  completeMs: Ms(0),
  height: 0,
  transferType: 0,
  walletType: 0,
  reason: 0,
  confirmations: 6,
  chainId: eth.id,
  spare: 0,
  requestId: 'mine',
  address: ADDRESS,
  tag: '',
  txId: '',
  ...more,
})

const depositRow = (more: Partial<DepositRow> = {}): DepositRow => ({
  account: trader.id,
  networkId: NetworkId(0),
  assetId: AssetId(0),
  status: DepositStatus.PENDING,
  depositId: 3,
  atoms: Atoms(2_500_000_000),
  height: newest,
  insertMs: Ms(NOW_MS - 5),
  completeMs: Ms(0),
  minConfirm: 6,
  unlockConfirm: 64,
  transferType: 0,
  chainId: eth.id,
  requestId: '',
  txId: '0xab',
  address: ADDRESS,
  tag: '',
  ...more,
})

describe('an address to deposit to', () => {
  const addressOf = (query: string) => bodyOf(asking.ask(coinContext(), 'depositAddress', query))

  test('is that of the default network, or of the one that is named', () => {
    const own = { coin: 'USDT', ...depositAddress(eth, trader.id), url: '' }
    expect(addressOf('coin=USDT')).toEqual(own)
    expect(addressOf('coin=USDT&network=ETH&amount=1')).toEqual(own)
    const withTag = depositAddress(trx, trader.id)
    expect(withTag.tag).not.toBe('')
    expect(addressOf('coin=USDT&network=TRX')).toEqual({ coin: 'USDT', ...withTag, url: '' })
  })
})

describe('a sub-account', () => {
  const bot = { ...trader, id: AccountId(11), master: trader.id, email: 'bot@example.com' }
  function family(): FakeContext {
    const context = coinContext()
    context.accounts = [bot]
    return context
  }
  const named = 'email=bot@example.com'

  test('has an address and deposits that its master sees', async () => {
    for (const id of ['subAccountDepositAddress', 'subAddress']) {
      const address = asking.ask(family(), id, `${named}&coin=USDT`)
      const expected = { coin: 'USDT', ...depositAddress(eth, bot.id), url: '' }
      expect(bodyOf(address)).toEqual(expected)
    }
    for (const id of ['subAccountDeposits', 'subDeposits']) {
      const context = family()
      context.deposits = [depositRow({ account: bot.id })]
      expect(await later(context, id, named)).toMatchObject([{ id: '3' }])
      expect(context.asked.deposits).toMatchObject({ account: bot.id })
    }
  })

  test('has an address on each network of a coin that takes deposits', () => {
    const of = (query: string, context = coinContext()) =>
      asking.now('depositAddresses', query, {}, context)
    const onEth = { coin: 'USDT', ...depositAddress(eth, trader.id), isDefault: 1 }
    const onTrx = { coin: 'USDT', ...depositAddress(trx, trader.id), isDefault: 0 }
    expect(of('coin=USDT')).toEqual([onEth, onTrx])
    expect(of('coin=USDT&network=TRX')).toEqual([onTrx])
    expect(of('coin=USDT&network=SOL')).toEqual([])
    expect(of('coin=USDT', coinContext({ depositEnabled: false }))).toEqual([onTrx])
    expect(of('coin=BTC')).toEqual([])
    const { answer } = asking.ask(coinContext(), 'depositAddresses', 'coin=DOGE')
    expect(JSON.parse(answer!.body).code).toBe(-4018)
  })

  test('shows nobody else', () => {
    const codeOf = (query: string, account = trader) => {
      const { answer } = asking.ask(family(), 'subAccountDeposits', query, { account })
      return JSON.parse(answer!.body).code
    }
    expect([codeOf('email=other@example.com'), codeOf(named, bot)]).toEqual([-4003, -4006])
    const other = 'email=other@example.com&coin=USDT'
    const { answer } = asking.ask(family(), 'subAccountDepositAddress', other)
    expect(JSON.parse(answer!.body).code).toBe(-4003)
  })
})

describe('the past', () => {
  test('of deposits has confirmations by the height of the chain', async () => {
    const context = coinContext()
    const shown = {
      id: '3',
      amount: '25.00000000',
      coin: 'USDT',
      network: 'ETH',
      status: 0,
      address: ADDRESS,
      addressTag: '',
      txId: '0xab',
      insertTime: NOW_MS - 5,
      transferType: 0,
      confirmTimes: '1/6',
      unlockConfirm: 64,
      walletType: 0,
    }
    context.deposits = [depositRow()]
    expect(await later(context, 'deposits')).toEqual([shown])
    const credited = { status: DepositStatus.CREDITED, height: newest - 40, completeMs: NOW_MS }
    context.deposits = [depositRow(credited)]
    expect(await later(context, 'deposits')).toEqual([
      { ...shown, status: 6, completeTime: NOW_MS, confirmTimes: '6/6' },
    ])
    context.deposits = [depositRow({ height: newest + 3 })]
    expect(await later(context, 'deposits')).toEqual([{ ...shown, confirmTimes: '0/6' }])
  })

  test('knows of a chain that stood still', async () => {
    const context = coinContext()
    context.deposits = [depositRow({ height: newest - 4 })]
    context.chainRows = [{ ...newChain(eth), stoppedMs: Ms(NOW_MS - 3 * 12_000) }]
    expect(await later(context, 'deposits')).toMatchObject([{ confirmTimes: '2/6' }])
  })

  test('of withdrawals has texts of times, and why one ended', async () => {
    const context = coinContext()
    const shown = {
      id: '7',
      amount: '24.00000000',
      transactionFee: '1.00000000',
      coin: 'USDT',
      status: 4,
      address: ADDRESS,
      addressTag: '',
      txId: '',
      applyTime: '2023-11-14 22:13:20',
      network: 'ETH',
      transferType: 0,
      withdrawOrderId: 'mine',
      info: '',
      confirmNo: 0,
      walletType: 0,
      txKey: '',
    }
    context.withdrawals = [withdrawalRow()]
    expect(await later(context, 'withdrawals')).toEqual([shown])
    context.withdrawals = [
      withdrawalRow({
        status: WithdrawalStatus.COMPLETED,
        completeMs: Ms(NOW_MS + 1_000),
        height: newest - 90,
        txId: '0xcd',
      }),
    ]
    const paid = { status: 6, txId: '0xcd', confirmNo: 6, completeTime: '2023-11-14 22:13:21' }
    expect(await later(context, 'withdrawals')).toEqual([{ ...shown, ...paid }])
    const reason = WithdrawalDecision.REJECT
    context.withdrawals = [
      withdrawalRow({ status: WithdrawalStatus.REJECTED, reason, requestId: '' }),
    ]
    const { withdrawOrderId: _, ...unnamed } = shown
    expect(await later(context, 'withdrawals')).toEqual([
      { ...unnamed, status: 3, info: 'The withdrawal was rejected.' },
    ])
  })

  const page = {
    account: trader.id,
    assetId: undefined,
    status: undefined,
    startTime: NOW_MS - 90 * DAY_MS,
    endTime: NOW_MS,
    offset: 0,
    limit: 1000,
  }
  test.each([
    ['', {}],
    ['coin=BTC&status=6&offset=5&limit=5000', { assetId: 1, status: 6, offset: 5 }],
    ['coin=NONE&limit=7', { assetId: -1, limit: 7 }],
    ['startTime=1000', { startTime: 1000, endTime: 1000 + 90 * DAY_MS }],
    [`endTime=${100 * DAY_MS}`, { startTime: 10 * DAY_MS, endTime: 100 * DAY_MS }],
    [`startTime=0&endTime=${90 * DAY_MS}`, { startTime: 0, endTime: 90 * DAY_MS }],
  ])('is asked for by pages: %s', async (query, expected) => {
    const context = coinContext()
    await later(context, 'deposits', query)
    expect(context.asked.deposits).toEqual({ ...page, ...expected, txId: undefined })
    await later(context, 'withdrawals', query)
    const unnamed = { requestId: undefined, ids: undefined }
    expect(context.asked.withdrawals).toEqual({ ...page, ...expected, ...unnamed })
  })

  test('is asked for by ids', async () => {
    const context = coinContext()
    await later(context, 'deposits', 'txId=0xab&includeSource=true')
    expect(context.asked.deposits).toMatchObject({ txId: '0xab' })
    await later(context, 'withdrawals', 'withdrawOrderId=mine&idList=7,8')
    expect(context.asked.withdrawals).toMatchObject({
      requestId: 'mine',
      ids: [7, 8],
      startTime: NOW_MS - 7 * DAY_MS,
    })
  })

  test('that is too long is refused, and an archive that fails', async () => {
    const context = coinContext()
    const line = (id: string, query: string) => asking.ask(context, id, query).answer?.body
    const tooLong = `{"code":-4047,"msg":"Time interval must be within 0-90 days"}`
    for (const id of ['deposits', 'withdrawals']) {
      expect(line(id, `startTime=0&endTime=${90 * DAY_MS + 1}`)).toBe(tooLong)
      expect(line(id, 'startTime=2&endTime=1')).toBe(tooLong)
    }
    expect(line('withdrawals', `withdrawOrderId=a&startTime=0&endTime=${8 * DAY_MS}`)).toBe(tooLong)
    context.historyFailure = new Error('no archive')
    for (const id of ['deposits', 'withdrawals']) {
      const responder = asking.ask(context, id, '')
      await settled()
      expect(responder.answer?.status).toBe(504)
    }
  })
})

describe('applying for a withdrawal', () => {
  const query = (more = '') => `coin=USDT&address=${ADDRESS}&amount=25${more}`
  const state =
    (more: Partial<WithdrawalRow> = {}) =>
    (buffer: RecordBuffer) =>
      writeWithdrawalState(buffer, 0, { ...head, ...withdrawalRow(more) })
  const refused = (reason: WalletRefusal) => (buffer: RecordBuffer) =>
    writeWalletRejected(buffer, 0, { ...head, reason, spare: 0 })

  async function applyFor(
    more = '',
    context = coinContext(),
    options: RequestOptions = { key },
  ): Promise<[FakeContext, FakeResponder]> {
    const responder = asking.ask(context, 'withdraw', query(more), options)
    await settled()
    return [context, responder]
  }
  const lineOf = ({ answer }: FakeResponder) => `${answer?.status} ${answer?.body}`

  test('has the wallet take the amount, the fee of it', async () => {
    const more = '&network=TRX&addressTag=12&walletType=1&transactionFeeFlag=true&name=mine'
    const [context, responder] = await applyFor(more)
    const [sent] = context.sent
    expect([sent!.type, sent!.symbolId]).toEqual([ApplyWithdrawal.type, WALLET])
    const { buffer } = sent!
    expect({
      account: ApplyWithdrawal.account(buffer, 0),
      networkId: ApplyWithdrawal.networkId(buffer, 0),
      atoms: ApplyWithdrawal.atoms(buffer, 0),
      expiresMs: ApplyWithdrawal.expiresMs(buffer, 0),
      isFeeIncluded: ApplyWithdrawal.isFeeIncluded(buffer, 0),
      walletType: ApplyWithdrawal.walletType(buffer, 0),
      requestId: ApplyWithdrawal.requestId(buffer, 0),
      address: ApplyWithdrawal.address(buffer, 0),
      tag: ApplyWithdrawal.tag(buffer, 0),
    }).toEqual({
      account: trader.id,
      networkId: 1,
      atoms: 2_500_000_000,
      expiresMs: NOW_MS + 5000,
      isFeeIncluded: 1,
      walletType: 1,
      requestId: '',
      address: ADDRESS,
      tag: '12',
    })
    answerCommand(context, state())
    expect(bodyOf(responder)).toEqual({ id: '7' })
    expect(context.asked.withdrawalOf).toBeUndefined()
  })

  test('under an id asks the archive first, however long ago it was', async () => {
    const named = '&withdrawOrderId=mine'
    const [context] = await applyFor(named)
    expect(context.asked.withdrawalOf).toEqual({ account: trader.id, requestId: 'mine' })
    expect(ApplyWithdrawal.requestId(context.sent[0]!.buffer, 0)).toBe('mine')

    const known = coinContext({ withdrawFee: Atoms(200_000_000) })
    known.withdrawalOf = withdrawalRow()
    const [{ sent }, again] = await applyFor(named, known)
    expect(bodyOf(again)).toEqual({ id: '7' })
    const raised = coinContext({ withdrawFee: Atoms(2_500_000_000) })
    raised.withdrawalOf = withdrawalRow()
    expect(bodyOf((await applyFor(named, raised))[1])).toEqual({ id: '7' })
    for (const other of [
      { atoms: Atoms(2_400_000_001) },
      { networkId: NetworkId(1) },
      { tag: '1' },
      { address: `${ADDRESS}0` },
    ]) {
      known.withdrawalOf = withdrawalRow(other)
      const [, responder] = await applyFor(named, known)
      expect(lineOf(responder)).toMatch(/^400 .*-4115/)
    }
    expect(sent).toEqual([])

    const failing = coinContext()
    failing.historyFailure = new Error('no archive')
    const [, responder] = await applyFor(named, failing)
    expect([lineOf(responder).slice(0, 3), failing.sent]).toEqual(['504', []])
  })

  test.each([
    ['a key that may not withdraw', { ...key, canWithdraw: false }, '401 .*-2015'],
    ['an address that the key has not listed', { ...key, withdrawTo: ['0x1'] }, '400 .*-4035'],
  ])('%s is refused', async (_, rights, line) => {
    const [context, responder] = await applyFor('', coinContext(), { key: rights })
    expect(lineOf(responder)).toMatch(new RegExp(`^${line}`))
    expect(context.sent).toEqual([])
  })

  test('a listed address with its memo, and a caller of this process, are taken', async () => {
    const rights = { ...key, withdrawTo: [`${ADDRESS}:12`] }
    const tagged = '&network=TRX&addressTag=12'
    expect((await applyFor(tagged, coinContext(), { key: rights }))[0].sent).toHaveLength(1)
    expect((await applyFor('&network=TRX', coinContext(), { key: rights }))[0].sent).toEqual([])
    expect((await applyFor('', coinContext(), {}))[0].sent).toHaveLength(1)
  })

  test('an amount without room for the fee is told from one below the least', async () => {
    for (const [withdrawFee, code] of [
      [2_500_000_000, -4028],
      [2_499_999_999, -4022],
    ] as const) {
      const [context, responder] = await applyFor(
        '',
        coinContext({ withdrawFee: Atoms(withdrawFee) }),
      )
      answerCommand(context, refused(WalletRefusal.BELOW_MINIMUM))
      expect(lineOf(responder)).toContain(String(code))
    }
  })

  test('a full ring is an error', async () => {
    const context = coinContext()
    context.ringIsFull = true
    const [, responder] = await applyFor('', context)
    expect(lineOf(responder)).toMatch(/^503 .*-1008/)
  })

  test('every refusal of the wallet is an error of the protocol', async () => {
    for (const reason of Object.values(WalletRefusal)) {
      const [context, responder] = await applyFor()
      answerCommand(context, refused(reason))
      expect(responder.answer?.status, String(reason)).toBeGreaterThanOrEqual(400)
    }
  })
})

afterAll(() => asking.expectAllOf(capitalOperations))
