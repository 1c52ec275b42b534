/** What a master's key learns of its sub-accounts, and what other keys get (Binance.US, wallet). */
import { afterAll, describe, expect, test } from 'vitest'
import {
  btcusdt,
  FakeContext,
  NOW_MS,
  type SentCommand,
  tapeTrade,
  trader,
} from '../../bench/workloads/fake-context.ts'
import {
  readMoveFunds,
  writeFundsMoved,
  writeMovementState,
  writeWalletRejected,
} from '../../scripts/layout/codecs.gen.ts'
import { ArchiveBehind } from '../../src/api/history-failure.ts'
import { subAccountOperations } from '../../src/api/operations/sub-accounts.ts'
import { WalletRefusal } from '../../src/base/codes.ts'
import { AccountId, AssetId, Atoms, Ms, Ticks } from '../../src/base/units.ts'
import { MoveFunds } from '../../src/layout/accessors.gen.ts'
import { RecordBuffer } from '../../src/layout/record-buffer.ts'
import { WALLET } from '../../src/market/listing.ts'
import { Asking, bodyOf, settled } from './asking.ts'
import type { RequestOptions } from './fake-responder.ts'

const asking = new Asking()
const openedMs = Ms(NOW_MS - 1_000)
const of = { master: trader.id, openedMs }
const bot = { ...trader, ...of, id: AccountId(11), name: 'bot', email: 'bot+1@example.com' }
const cold = { ...trader, ...of, id: AccountId(12), name: 'cold', frozen: true }
const foreign = { ...trader, id: AccountId(13), name: 'foreign', master: AccountId(8) }
const COLD = 'cold@ringbook.invalid'

function family(): FakeContext {
  const context = new FakeContext()
  context.accounts = [bot, foreign, cold]
  return context
}
const now = (id: string, query = '') => asking.now(id, query, {}, family())
const errorOf = (id: string, query: string, account = trader) =>
  asking.ask(family(), id, query, { account }).answer?.body

describe('the list', () => {
  const shown = {
    bot: {
      email: 'bot+1@example.com',
      status: 'enabled',
      activated: true,
      mobile: '',
      gAuth: false,
      createTime: openedMs,
    },
    cold: {
      email: COLD,
      status: 'disabled',
      activated: true,
      mobile: '',
      gAuth: false,
      createTime: openedMs,
    },
  }

  test.each([
    ['', [shown.bot, shown.cold]],
    ['email=bot%2B1@example.com', [shown.bot]],
    ['email=foreign@ringbook.invalid', []],
    ['status=disabled', [shown.cold]],
    ['status=enabled&page=1', [shown.bot]],
    ['limit=1', [shown.bot]],
    ['limit=1&page=2', [shown.cold]],
    ['limit=1&page=3', []],
    ['limit=99999999999999999999', undefined],
  ])('by %s', (query, subAccounts) => {
    if (subAccounts === undefined) expect(errorOf('subAccounts', query)).toContain('-1108')
    else expect(now('subAccounts', query)).toEqual({ success: true, subAccounts })
  })

  test('has 500 rows a page at most', () => {
    const context = new FakeContext()
    context.accounts = Array.from({ length: 501 }, (_, at) => ({ ...bot, id: AccountId(20 + at) }))
    const count = (query: string) => {
      const answer = asking.now('subAccounts', query, {}, context) as { subAccounts: unknown[] }
      return answer.subAccounts.length
    }
    expect([count(''), count('limit=501'), count('page=2')]).toEqual([500, 500, 1])
  })

  const user = (account: typeof bot | typeof cold) => ({
    subUserId: account.id,
    email: account === bot ? bot.email : COLD,
    remark: '',
    isFreeze: account === cold,
    createTime: openedMs,
    isManagedSubAccount: false,
    isAssetManagementSubAccount: false,
  })
  test.each([
    ['', [user(bot)]],
    ['page=2', [user(cold)]],
    ['limit=2', [user(bot), user(cold)]],
    [`email=${COLD}`, [user(cold)]],
    ['isFreeze=true', [user(cold)]],
    ['isFreeze=false&limit=9', [user(bot)]],
  ])("as Binance's libraries ask, by %s", (query, subAccounts) => {
    expect(now('subUsers', query)).toEqual({ subAccounts })
  })

  test("has 200 rows a page at most for Binance's libraries", () => {
    const context = new FakeContext()
    context.accounts = Array.from({ length: 201 }, (_, at) => ({ ...bot, id: AccountId(20 + at) }))
    const count = (query: string) => {
      const answer = asking.now('subUsers', query, {}, context) as { subAccounts: unknown[] }
      return answer.subAccounts.length
    }
    expect([count('limit=200'), count('limit=201'), count('limit=200&page=2')]).toEqual([
      200, 200, 1,
    ])
  })
})

test('the status of one or all', () => {
  const status = (email: string, isOpen: boolean) => ({
    email,
    isSubUserEnabled: isOpen,
    isUserActive: isOpen,
    insertTime: openedMs,
    isMarginEnabled: false,
    isFutureEnabled: false,
    mobile: 0,
  })
  const [first, second] = [status('bot+1@example.com', true), status(COLD, false)]
  expect(now('subAccountStatus')).toEqual([first, second])
  expect(now('subAccountStatus', `email=${COLD}`)).toEqual([second])
})

test('balances, as numbers', () => {
  expect(now('subAccountAssets', `email=${COLD}`)).toEqual({
    success: true,
    balances: [
      { asset: 'USDT', free: 1000, locked: 5 },
      { asset: 'BTC', free: 0, locked: 0 },
    ],
  })
})

test('what accounts have is worth so many BTC at last prices, or none', () => {
  const worth = (query = '', context = family()) =>
    asking.now('subAccountWorths', query, {}, context)
  const row = (email: string, totalAsset: string) => ({ email, totalAsset })
  expect(worth()).toMatchObject({ masterAccountTotalAsset: '0.00000000' })
  const context = family()
  // 1005 USDT at 50000.
  context.tapes[btcusdt.id]!.seed([tapeTrade(Ticks(5_000_000))])
  const both = [row('bot+1@example.com', '0.02010000'), row(COLD, '0.02010000')]
  const all = { totalCount: 2, masterAccountTotalAsset: '0.02010000' }
  expect(worth('', context)).toEqual({ ...all, spotSubUserAssetBtcVoList: both })
  const second = { ...all, spotSubUserAssetBtcVoList: both.slice(1) }
  expect(worth('page=2&size=1', context)).toEqual(second)
  expect(worth(`email=${COLD}`, context)).toEqual({ ...second, totalCount: 1 })
  context.accounts = Array.from({ length: 21 }, (_, at) => ({ ...bot, id: AccountId(20 + at) }))
  const count = (query: string) =>
    (worth(query, context) as { spotSubUserAssetBtcVoList: unknown[] }).spotSubUserAssetBtcVoList
      .length
  expect([count(''), count('size=21')]).toEqual([10, 20])
})

describe('transfers', () => {
  const later = async (query: string, context = family(), id = 'subAccountTransfers') => {
    const responder = asking.ask(context, id, query)
    await settled()
    return { body: bodyOf(responder), asked: context.asked.movements }
  }
  const times = { startTime: 0, endTime: Number.POSITIVE_INFINITY }
  const all = { ...times, offset: 0, limit: 500, side: undefined, countMax: 0 }
  const movedMs = Ms(NOW_MS - 5)
  const moved = {
    ...{ from: trader.id, to: bot.id, master: trader.id, assetId: AssetId(1) },
    ...{ movementId: 3, atoms: Atoms(5), requestId: 'mine', movedMs },
  }
  const shown = { asset: 'BTC', status: 'SUCCESS', tranId: 3 }
  const own = 'trader@ringbook.invalid'

  test('have the addresses of both accounts', async () => {
    const context = family()
    context.movements = [moved]
    const { body, asked } = await later('', context)
    expect(body).toEqual({
      success: true,
      transfers: [
        {
          from: 'trader@ringbook.invalid',
          to: 'bot+1@example.com',
          asset: 'BTC',
          qty: '0.00000005',
          time: movedMs,
        },
      ],
    })
    expect(asked).toEqual({ ...all, accounts: [trader.id, bot.id, cold.id] })
  })

  test.each([
    [`email=${COLD}`, { accounts: [cold.id] }],
    ['email=trader@ringbook.invalid&limit=3', { accounts: [trader.id], limit: 3 }],
    [
      'page=3&limit=7&startTime=1&endTime=1600000000000001',
      { offset: 14, limit: 7, startTime: 1, endTime: 1_600_000_000_000 },
    ],
    ['page=200', { offset: 99_500 }],
  ])('by %s', async (query, expected) => {
    expect((await later(query)).asked).toMatchObject(expected)
  })

  test("are told as Binance's libraries ask", async () => {
    const context = family()
    context.movements = [moved, { ...moved, requestId: '' }]
    const spot = await later('', context, 'spotTransfers')
    const parties = { from: own, to: 'bot+1@example.com', qty: '0.00000005', time: movedMs }
    const row = { ...shown, ...parties }
    expect(spot).toEqual({
      body: [row, row],
      asked: { ...all, accounts: [trader.id], side: 'from' },
    })
    const { body } = await later('', context, 'universalTransfers')
    const universal = {
      ...{ ...shown, fromEmail: own, toEmail: 'bot+1@example.com', amount: '0.00000005' },
      ...{ createTimeStamp: movedMs, fromAccountType: 'SPOT', toAccountType: 'SPOT' },
    }
    const result = [{ ...universal, clientTranId: 'mine' }, universal]
    expect(body).toEqual({ result, totalCount: 2 })
  })

  const week = 7 * 24 * 60 * 60 * 1000
  const lastDays = { startTime: NOW_MS - week, endTime: NOW_MS, countMax: 100_000 }
  test.each([
    ['', { accounts: [trader.id], side: 'from', ...lastDays, offset: 0, limit: 500 }],
    [`fromEmail=${COLD}`, { accounts: [cold.id], side: 'from', ...lastDays }],
    [`toEmail=${COLD}&limit=7&page=3`, { accounts: [cold.id], side: 'to', limit: 7, offset: 14 }],
    [`startTime=1&endTime=${week + 1}`, { startTime: 1, endTime: week + 1 }],
  ])('of all wallets by %s', async (query, expected) => {
    const { asked } = await later(query, family(), 'universalTransfers')
    expect(asked).toMatchObject(expected)
  })

  test.each([
    ['universalTransfers', `startTime=1&endTime=${week + 2}`, -4047],
    ['universalTransfers', `fromEmail=${COLD}&toEmail=${own}`, -1128],
    ['universalTransfers', 'toEmail=foreign@ringbook.invalid', -4003],
    ['spotTransfers', `fromEmail=${COLD}&toEmail=${own}`, -1128],
    ['spotTransfers', 'fromEmail=foreign@ringbook.invalid', -4003],
  ])('%s are refused by %s', (id, query, code) => {
    expect(JSON.parse(errorOf(id, query)!).code).toBe(code)
  })

  test.each([
    ['', 1],
    ['&toEmail=bot%2B1@example.com', 1],
    [`&toEmail=${COLD}`, 0],
    [`&fromEmail=${own}`, 1],
    [`&fromEmail=${COLD}`, 0],
    [`&startTime=${movedMs}`, 1],
    [`&startTime=${movedMs + 1}`, 0],
    [`&endTime=${movedMs}`, 1],
    [`&endTime=${movedMs - 1}`, 0],
  ])('of an id are one, or none, with %s', async (query, totalCount) => {
    const context = family()
    context.movementOf = { made: moved, lastId: 3 }
    const { body } = await later(`clientTranId=mine${query}`, context, 'universalTransfers')
    expect(body).toMatchObject({ totalCount })
    expect(context.asked.movementOf).toEqual({ account: trader.id, requestId: 'mine' })
  })

  test('of an id that nothing was moved under are none', async () => {
    const { body } = await later('clientTranId=mine', family(), 'universalTransfers')
    expect(body).toEqual({ result: [], totalCount: 0 })
  })

  test('behind 100,000 of them are found by times', async () => {
    const { body, asked } = await later('page=201')
    expect([body, asked]).toEqual([{ success: true, transfers: [] }, undefined])
  })
})

describe('a transfer', () => {
  const head = { symbolId: WALLET, gateway: 0, correlation: 0 }
  const own = 'trader@ringbook.invalid'
  const row = {
    ...{ from: trader.id, to: bot.id, master: trader.id, assetId: AssetId(0) },
    ...{ movementId: 2 ** 40, atoms: Atoms(2n ** 63n - 1n), requestId: '' },
  }
  const moved = { ...head, ...row, timeMs: NOW_MS, sequence: 1 }
  const query = (more: object = {}) =>
    new URLSearchParams({
      fromEmail: own,
      toEmail: 'bot+1@example.com',
      asset: 'USDT',
      amount: '92233720368.54775807',
      ...more,
    }).toString()
  const move = (context: FakeContext, options: RequestOptions = {}, more = {}) =>
    asking.ask(context, 'subAccountTransfer', query(more), options)

  /** Hands what `write` writes to the collector of the command. */
  function answered(write: (buffer: RecordBuffer) => number, isLost = false): string | undefined {
    const context = family()
    const responder = move(context)
    const [{ collector }] = context.sent as [SentCommand]
    const buffer = RecordBuffer.allocate(256)
    write(buffer)
    if (isLost) collector.failed('TIMEOUT')
    else {
      collector.record(buffer, 0)
      collector.done()
    }
    return responder.answer?.body
  }

  test('is a command of the wallet, and answers the id of the movement', () => {
    const context = family()
    move(context)
    const [{ type, symbolId, buffer }] = context.sent as [SentCommand]
    expect([type, symbolId, readMoveFunds(buffer, 0)]).toEqual([
      MoveFunds.type,
      WALLET,
      {
        ...{ ...head, symbolId: 0, from: trader.id, to: bot.id, assetId: 0, master: trader.id },
        ...{ atoms: 2n ** 63n - 1n, requestId: '', expiresMs: NOW_MS + 5_000, archivedId: 0 },
      },
    ])
    expect(answered((buffer) => writeFundsMoved(buffer, 0, moved))).toBe(
      '{"success":true,"txnId":"1099511627776"}',
    )
  })

  test.each([
    [WalletRefusal.INSUFFICIENT_BALANCE, -4026],
    [WalletRefusal.NOT_UNLOCKED, -4060],
    [WalletRefusal.IN_DEBT, -4025],
    [WalletRefusal.ACCOUNT_CLOSED, -4015],
    [WalletRefusal.TIMESTAMP_OUTSIDE_WINDOW, -1021],
    [WalletRefusal.NOT_LEADING, -1001],
    [WalletRefusal.OTHER_CONTENT, -4115],
    [WalletRefusal.NOT_ARCHIVED, -1008],
  ])('that the wallet refuses for reason %i is %i', (reason, code) => {
    const body = answered((buffer) => writeWalletRejected(buffer, 0, { ...head, reason, spare: 0 }))
    expect(JSON.parse(body!).code).toBe(code)
  })

  test('whose answer is lost is unknown', () => {
    expect(answered(() => 0, true)).toContain('-1007')
  })

  describe('with an id', () => {
    const known = { made: { ...row, movedMs: NOW_MS, requestId: 'mine' }, lastId: 9 }
    async function named(id: string, context: FakeContext, more: object = {}) {
      const all = { fromEmail: own, toEmail: 'bot+1@example.com', asset: 'USDT' }
      const universal = { fromAccountType: 'SPOT', toAccountType: 'SPOT' }
      const params = {
        ...{ ...all, amount: '92233720368.54775807', clientTranId: 'mine' },
        ...(id === 'universalTransfer' ? universal : {}),
        ...more,
      }
      const responder = asking.ask(context, id, new URLSearchParams(params).toString())
      await settled()
      return responder
    }

    test('asks the archive first, and tells the wallet how far that knew', async () => {
      const context = family()
      context.movementOf = { made: undefined, lastId: 9 }
      const responder = await named('universalTransfer', context)
      expect(context.asked.movementOf).toEqual({ account: trader.id, requestId: 'mine' })
      const [{ buffer, collector }] = context.sent as [SentCommand]
      expect(readMoveFunds(buffer, 0)).toMatchObject({ requestId: 'mine', archivedId: 9 })
      const answer = RecordBuffer.allocate(256)
      writeMovementState(answer, 0, { ...head, ...row })
      collector.record(answer, 0)
      collector.done()
      expect(bodyOf(responder)).toEqual({ tranId: 2 ** 40, clientTranId: 'mine' })
    })

    test.each([
      ['subAccountTransfer', { success: true, txnId: '1099511627776' }],
      ['universalTransfer', { tranId: 2 ** 40, clientTranId: 'mine' }],
    ])('that the archive knows is answered by %s as it was', async (id, expected) => {
      const context = family()
      context.movementOf = known
      expect(bodyOf(await named(id, context))).toEqual(expected)
      expect(context.sent).toEqual([])
    })

    test.each([
      { fromEmail: COLD },
      { toEmail: COLD },
      { asset: 'BTC' },
      { amount: '92233720368.54775806' },
    ])('that was another transfer is refused: %o', async (more) => {
      const context = family()
      context.movementOf = known
      const { answer } = await named('subAccountTransfer', context, more)
      expect(JSON.parse(answer!.body).code).toBe(-4115)
      expect(context.sent).toEqual([])
    })

    test('moves nothing while the archive fails', async () => {
      const context = family()
      context.historyFailure = new ArchiveBehind()
      const { answer } = await named('subAccountTransfer', context)
      expect([JSON.parse(answer!.body).code, context.sent]).toEqual([-1008, []])
    })
  })

  test('of all wallets is from or to the master where nobody is named', () => {
    const context = family()
    const universal = 'fromAccountType=SPOT&toAccountType=SPOT&asset=USDT&amount=1'
    const at = (query: string) => {
      const responder = asking.ask(context, 'universalTransfer', `${universal}&${query}`)
      return responder.answer?.body
    }
    at('toEmail=bot%2B1@example.com')
    at(`fromEmail=${COLD}`)
    const parties = context.sent.map(({ buffer }) => {
      const { from, to, requestId } = readMoveFunds(buffer, 0)
      return [from, to, requestId]
    })
    expect(parties).toEqual([
      [trader.id, bot.id, ''],
      [cold.id, trader.id, ''],
    ])
    const [{ collector }] = context.sent as [SentCommand]
    expect(JSON.parse(at('')!).code).toBe(-1130)
    expect(JSON.parse(at('toEmail=x&toAccountType=MARGIN')!).code).toBe(-1101)
    const buffer = RecordBuffer.allocate(256)
    writeFundsMoved(buffer, 0, moved)
    collector.record(buffer, 0)
    collector.done()
  })

  const mayNot = { apiKey: 'k', canRead: true, canTrade: false }
  test.each<[string, number, object, RequestOptions?]>([
    ['from outside of the family', -4003, { fromEmail: 'foreign@ringbook.invalid' }],
    ['to outside of it', -4003, { toEmail: 'foreign@ringbook.invalid' }],
    ['to itself', -1130, { toEmail: own }],
    ['of nothing', -1130, { amount: '0' }],
    ['of a part of an atom', -1111, { amount: '0.000000001' }],
    ['of more than 64 bits', -1108, { amount: '92233720368.54775808' }],
    ['of an unknown asset', -4018, { asset: 'DOGE' }],
    ["by a sub-account's key", -4006, {}, { account: bot }],
    ['by a frozen master', -4015, {}, { account: { ...trader, frozen: true } }],
    ['by a key that may not trade', -2015, {}, { key: mayNot }],
  ])('%s is %i', (_, code, more, options = {}) => {
    const context = family()
    const { answer } = move(context, options, more)
    expect(JSON.parse(answer!.body).code).toBe(code)
    expect(context.sent).toEqual([])
  })

  test('waits for room in the ring', () => {
    const context = family()
    context.ringIsFull = true
    expect(move(context).answer?.body).toContain('-1008')
  })
})

test.each([
  ['subAccountTransfers', 'email=foreign@ringbook.invalid'],
  ['subAccountStatus', 'email=foreign@ringbook.invalid'],
  ['subAccountAssets', 'email=trader@ringbook.invalid'],
  ['subAccountWorths', 'email=nobody@example.com'],
])('%s of an account that is no sub-account of the master', (id, query) => {
  expect(errorOf(id, query)).toBe('{"code":-4003,"msg":"Your input email is invalid."}')
})

test.each(subAccountOperations)("$id is refused to a sub-account's key", ({ id }) => {
  const refused = '{"code":-4006,"msg":"Support main account only."}'
  const sent = `fromEmail=${COLD}&toEmail=bot%2B1@example.com&asset=BTC&amount=1`
  const universal = `${sent}&fromAccountType=SPOT&toAccountType=SPOT`
  const transfers: Readonly<Record<string, string>> = {
    subAccountTransfer: sent,
    universalTransfer: universal,
    universalTransfers: '',
    spotTransfers: '',
  }
  const query = transfers[id] ?? `email=${COLD}`
  expect(errorOf(id, query, bot)).toBe(refused)
})

afterAll(() => asking.expectAllOf(subAccountOperations))
