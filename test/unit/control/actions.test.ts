/** Operator acts against a plain ledger: the facts and sentences of each. */
import { generateKeyPairSync } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { SymbolStatus } from '../../../src/base/codes.ts'
import { GRANTED_ACCOUNTS_MAX } from '../../../src/base/limits.ts'
import { AccountId, AssetId } from '../../../src/base/units.ts'
import { exchangeAccount } from '../../../src/control/demo.ts'
import { Registry } from '../../../src/control/registry.ts'
import { usualAccount } from '../../../src/market/listing.ts'
import { LatencyWriter } from '../../../src/shared/account-latency.ts'
import { ActionBench } from './plain-control-plane.ts'

let bench: ActionBench
let registry: ActionBench['registry']
let controlPlane: ActionBench['controlPlane']
let executor: ActionBench['executor']

beforeEach(async () => {
  bench = await ActionBench.make()
  ;({ registry, controlPlane, executor } = bench)
})
const ask = (text: string) => bench.ask(text)

describe('what actions come to', () => {
  test.each([
    ['account-fees alice --taker 0.5', { fact: 'account', makerRate: 100_000, takerRate: 5e7 }],
    ['account-trade-group alice 7', { fact: 'account', id: 1, tradeGroupId: 7 }],
    [
      'account-limits alice --orders-per-second 5 --bans off',
      {
        limits: { ordersPerSecond: 5, bansNone: true },
      },
    ],
    ['account-limits alice --open-orders 0 --weight 268435455', { limits: { weight: 268435455 } }],
    ['account-email alice Alice+1@example.com', { email: 'Alice+1@example.com', name: 'alice' }],
    ['account-open alice.bot --master alice', { id: 2, master: 1, openedMs: 1_000 }],
    [
      'account-open alice.bot --master 1 --email bot@example.com',
      { master: 1, email: 'bot@example.com' },
    ],
    ['account-discount 1', { fact: 'account', name: 'alice', discountEnabled: true }],
    ['account-permissions alice --trade off', { canTrade: false, permissions: ['SPOT'] }],
    ['account-permissions alice --closed-symbols BTCUSDT', { restrictedSymbols: [0] }],
    ['withdraw alice BTC 1.5 --yes on', { fact: 'withdrawal', atoms: '150000000', timeMs: 1_000 }],
    ['lock alice BTC 0.00000001', { fact: 'lock', atoms: '1' }],
    ['distribute alice USDT 1 rebate', { fact: 'deposit', asset: 1, category: 'rebate' }],
    ['halt --all on', { fact: 'symbol', id: 0, status: 4, haltedWithAll: true }],
    ['halt BTCUSDT', { fact: 'symbol', id: 0, status: 4, haltedWithAll: false }],
    ['symbol-status BTCUSDT PRE_TRADING', { fact: 'symbol', status: 0 }],
    ['symbol-fees BTCUSDT --tax-buyer 0.01', { fees: { tax: { buyer: 1_000_000 } } }],
    ['place BTCUSDT 1', { fact: 'placement', symbol: 0, matcher: 1 }],
    ['symbol-list USDT BTC --like BTCUSDT', { name: 'USDTBTC', id: 1, status: 1 }],
    ['symbol-list USDT BTC --like BTCUSDT --matcher 1', { fact: 'placement', symbol: 1 }],
    ['symbol-features BTCUSDT --oco off', { features: { oco: false, oto: true } }],
    ['symbol-features BTCUSDT --order-types LIMIT', { features: { orderTypes: [0] } }],
    [
      'symbol-features BTCUSDT --prevention NONE,EXPIRE_BOTH',
      { preventionModes: [0, 3], preventionDefault: 0 },
    ],
    [
      'exchange-filters [{"filterType":"EXCHANGE_MAX_NUM_ORDERS","maxNumOrders":7}]',
      { fact: 'exchange', filters: [{ maxNumOrders: 7 }] },
    ],
    ['exchange-discount BTC 0.75', { fact: 'exchange', discountRate: 75_000_000 }],
    ['exchange-discount none', { fact: 'exchange', discountAsset: '' }],
    ['maintenance on', { fact: 'maintenance', on: true }],
    ['key-create alice --trade off', { fact: 'key', kind: 'HMAC', account: 1, canTrade: false }],
    ['key-create alice --kind CUSTODIAL', { fact: 'key', kind: 'HMAC', use: 'CUSTODIAL' }],
    ['key-create alice --kind CREDIT_LINE', { fact: 'key', kind: 'HMAC', use: 'CREDIT_LINE' }],
  ])('%s', async (text, fact) => {
    await ask(text)
    expect(controlPlane.facts.at(-1)).toMatchObject(fact)
    expect(controlPlane.enforced).toEqual(controlPlane.facts)
  })

  test('a public key is taken, and a secret shown once', async () => {
    const { publicKey } = generateKeyPairSync('ed25519', {
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    const given = { account: 'alice', kind: 'ED25519', 'public-key': publicKey }
    expect((await executor.act('key-create', given)).rows[0]).toMatchObject({ kind: 'ED25519' })
    const { rows } = await ask('key-create alice')
    expect(rows[0]!.secretKey).toMatch(/^[A-Za-z0-9]{64}$/)
    expect(JSON.stringify(controlPlane.journaled)).not.toContain(rows[0]!.secretKey)
    expect(JSON.stringify(await ask('keys alice'))).not.toContain(rows[0]!.secretKey)
    await ask(`key-revoke ${rows[0]!.apiKey}`)
    await expect(ask(`key-revoke ${rows[0]!.apiKey}`)).rejects.toThrow('revoked already')
    for (const more of ['and more', publicKey, ' '.repeat(8) + 'x'.repeat(240_000)]) {
      const trailed = { ...given, 'public-key': `${publicKey}${more}` }
      await expect(executor.act('key-create', trailed)).rejects.toThrow('one PEM, and nothing else')
    }
  })

  test('latency shows what orders of an account took, by stage, and of all accounts in all', async () => {
    expect(await ask('latency')).toMatchObject({
      said: 'Timed orders of 0 accounts, microseconds.',
    })
    const writer = new LatencyWriter(controlPlane.latency, 0)
    const [parse, ring, match, journal, publish, answer] = [1, 2, 3, 400, 5, 6].map(
      (us) => us * 1_000,
    )
    const order = 417_000
    writer.observe(AccountId(1), { parse, ring, match, journal, publish, answer, order } as never)
    const { rows } = await ask('latency alice')
    expect(rows.map(({ stage, mean }) => [stage, mean])).toEqual([
      ...[
        ['parse', 1],
        ['ring', 2],
        ['match', 3],
        ['journal', 400],
        ['publish', 5],
        ['answer', 6],
      ],
      ['order', 417],
    ])
    const inAll = { orders: 1, mean: 417, p50: 524, p90: 524, p99: 524, p999: 524 }
    expect((await ask('latency')).rows).toEqual([{ account: 'alice', ...inAll }])
  })

  test('a key is granted as many accounts as it may be, until it is revoked', async () => {
    const others = Array.from({ length: GRANTED_ACCOUNTS_MAX + 1 }, (_, i) => `other${i}`)
    for (const name of others) {
      const id = AccountId(registry.accounts.length)
      registry.apply({ fact: 'account', ...usualAccount, id, name })
    }
    const { rows } = await ask('key-create alice --trade off')
    const key = rows[0]!.apiKey as string
    const grant = (names: readonly string[]) =>
      executor.act('key-grant', { key, accounts: names.join(',') })
    await expect(grant(others)).rejects.toThrow('A key is granted at most 100 accounts.')
    expect(registry.keys.get(key)!.granted).toBeUndefined()
    // Its own counts for none, and one that is named twice for one.
    const { said } = await grant(['alice', 'other0', ...others.slice(0, GRANTED_ACCOUNTS_MAX)])
    expect(said).toBe('A key of alice reads the reports of 100 other accounts.')
    expect(registry.keys.get(key)!.granted).toHaveLength(GRANTED_ACCOUNTS_MAX)
    await expect(grant(['nobody'])).rejects.toThrow('nobody')
    await grant(['other7'])
    expect((await ask('keys alice')).rows.at(-1)).toMatchObject({ grants: 'other7' })
    await ask(`key-grant ${key}`)
    expect(registry.keys.get(key)!.granted).toBeUndefined()
    await grant(['other7'])
    await ask(`key-revoke ${key}`)
    await expect(grant([])).rejects.toThrow('revoked already')
    const trading = (await ask('key-create alice --read off')).rows[0]!.apiKey
    await expect(ask(`key-grant ${trading}`)).rejects.toThrow('The API key may not read.')
  })

  test('a key withdraws where it may, until that is changed or it is revoked', async () => {
    const plain = (await ask('key-create alice')).rows[0]!.apiKey as string
    const made = await ask('key-create alice --withdraw on --withdraw-to 0xab,rXRP:17')
    const apiKey = made.rows[0]!.apiKey as string
    const rights = () => {
      const { canWithdraw, withdrawTo } = registry.keys.get(apiKey)!
      return [canWithdraw, withdrawTo]
    }
    expect(registry.keys.get(plain)?.canWithdraw).toBeUndefined()
    expect(registry.keys.get(apiKey)?.createdMs).toBeGreaterThan(0)
    expect(rights()).toEqual([true, ['0xab', 'rXRP:17']])
    expect((await ask('keys alice')).rows.slice(-2)).toMatchObject([
      { may: 'read, trade', withdrawsTo: '' },
      { may: 'read, trade, withdraw', withdrawsTo: '0xab, rXRP:17' },
    ])
    const anywhere = await ask(`key-withdrawals ${apiKey} --withdraw on`)
    expect(anywhere.said).toBe('A key of alice may withdraw.')
    expect(rights()).toEqual([true, undefined])
    expect((await ask('keys alice')).rows.at(-1)).toMatchObject({ withdrawsTo: 'anywhere' })
    const one = await ask(`key-withdrawals ${apiKey} --withdraw on --withdraw-to 0xab`)
    expect(one.said).toBe('A key of alice may withdraw to 1 address.')
    await ask(`key-grant ${apiKey}`)
    expect(rights()).toEqual([true, ['0xab']])
    const none = await ask(`key-withdrawals ${apiKey}`)
    expect([none.said, ...rights()]).toEqual([
      'A key of alice may not withdraw.',
      undefined,
      undefined,
    ])
    await ask(`key-withdrawals ${apiKey} --withdraw on --withdraw-to 0xab`)
    await ask(`key-revoke ${apiKey}`)
    expect(rights()).toEqual([undefined, undefined])
    await expect(ask(`key-withdrawals ${plain} --withdraw-to 0xab`)).rejects.toThrow(
      'withdraw-to needs withdraw (on).',
    )
    const many = Array(101).fill('0xab').join(',')
    for (const to of [many, '', 'x'.repeat(194), 'é']) {
      const given = { key: plain, withdraw: 'on', 'withdraw-to': to }
      await expect(executor.act('key-withdrawals', given)).rejects.toThrow(
        'withdraw-to must be 1 to 100 addresses, ADDRESS or ADDRESS:MEMO.',
      )
    }
  })

  test('an action too large to be noted at once is refused in a sentence, and changes nothing', async () => {
    const { publicKey } = generateKeyPairSync('ed25519', {
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    await ask('account-open bob')
    const bob = registry.accounts.find((row) => row?.name === 'bob')!.id
    // As an earlier version took them: 40 of 240 KB.
    for (let i = 0; i < 40; i++) {
      registry.apply({
        fact: 'key',
        kind: 'ED25519',
        publicKey: publicKey + 'x'.repeat(240_000),
        account: bob,
        apiKey: String(i).padStart(64, 'k'),
        canRead: true,
        canTrade: true,
      })
    }
    const before = controlPlane.journaled.length
    await expect(ask('account-close bob')).rejects.toThrow(/This journals \d+ bytes, and at most/)
    expect(controlPlane.journaled.length).toBe(before)
    expect(registry.keys.get('0'.padStart(64, 'k'))).toMatchObject({ canTrade: true })
  })

  test('an action is journaled behind its facts', async () => {
    const before = controlPlane.journaled.length
    await ask('asset-list ETH')
    const kinds = controlPlane.journaled.slice(before).map(({ fact }) => fact)
    expect(kinds).toEqual(['asset', 'act'])
  })

  test('an account that owns what is locked alone is not closed', async () => {
    await ask('lock alice BTC 2')
    await expect(ask('account-close alice')).rejects.toThrow('alice still owns 2.00000000 BTC.')
  })

  test.each([
    'cancel-orders alice BTCUSDT',
    'deposit alice BTC 1',
    'reload',
  ])('no %s once drained', async (action) => {
    await ask('drain')
    const before = [...controlPlane.done]
    await expect(ask(action)).rejects.toThrow('The exchange is drained: only stop is possible now')
    expect(controlPlane.done).toEqual(before)
  })

  test('an account that owns nothing is closed for good, with its keys', async () => {
    await ask('account-open bob')
    await ask('key-create bob')
    await ask('account-close bob')
    expect(controlPlane.facts.at(-1)).toMatchObject({
      fact: 'key',
      canRead: false,
      canTrade: false,
    })
    await expect(ask('deposit bob BTC 1')).rejects.toThrow('The account bob is closed.')
    await expect(ask('account-freeze bob off')).rejects.toThrow('The account bob is closed.')
  })

  test('a freeze may cancel what is open, once it is in force', async () => {
    expect((await ask('account-freeze alice')).said).toBe('Account alice is frozen.')
    expect(controlPlane.done).toEqual([])
    const { said } = await ask('account-freeze alice --cancel-orders on')
    expect(said).toBe('Account alice is frozen; its open orders are canceled.')
    expect([controlPlane.done, controlPlane.enforced.at(-1)]).toMatchObject([
      ['cancel {"account":1,"clientOrderId":"account-freeze"}'],
      { fact: 'account', id: 1, frozen: true },
    ])
  })

  test('a symbol is delisted for good, with its orders; again after a kill', async () => {
    expect((await ask('symbol-delist BTCUSDT')).said).toBe(
      'BTCUSDT is delisted; its open orders are canceled.',
    )
    expect(controlPlane.facts.at(-1)).toMatchObject({ status: 6, delisted: true })
    const facts = controlPlane.facts.length
    await ask('symbol-delist BTCUSDT')
    expect(controlPlane.facts).toHaveLength(facts)
    const canceled = 'cancel {"symbolId":0,"clientOrderId":"symbol-delist"}'
    expect(controlPlane.done).toEqual([canceled, canceled])
    for (const text of ['resume BTCUSDT', 'symbol-status BTCUSDT TRADING', 'place BTCUSDT 1']) {
      await expect(ask(text)).rejects.toThrow('BTCUSDT is delisted.')
    }
    expect((await ask('symbols')).rows[0]).toMatchObject({ status: 'delisted' })
  })

  test('an account is renamed, and its old name is free', async () => {
    expect((await ask('account-rename alice ally')).said).toBe('Account alice is ally from now on.')
    expect((await ask('balances ally')).rows[0]).toMatchObject({ free: '2.00000000' })
    await ask('account-open alice')
    await expect(ask('account-rename ally alice')).rejects.toThrow('The name alice is taken.')
    await expect(ask('account-rename ally 12')).rejects.toThrow('would be read as an id')
  })

  test('a certificate is read again once it can be served', async () => {
    controlPlane.certificateFault = 'a.pem holds no certificate that can be served.'
    await expect(ask('reload')).rejects.toThrow(controlPlane.certificateFault)
    expect(controlPlane.done).toEqual([])
    controlPlane.certificateFault = ''
    await ask('reload')
    await ask('drain')
    await expect(ask('reload')).rejects.toThrow('The exchange is drained')
    expect(controlPlane.done).toEqual(['reload', 'drain'])
  })

  test('a backup is of a moment behind its own act', async () => {
    const before = controlPlane.journaled.length
    expect((await ask('backup /tmp/x')).said).toBe('It is made.')
    expect(controlPlane.done).toEqual([`backup 3,4 of ${before + 1} to /tmp/x`])
    // Its age is counted from that moment, after a start too; one that fails leaves it as it was.
    const [noted] = controlPlane.journaled.slice(before + 1)
    expect(noted).toEqual({ fact: 'backup', timeMs: registry.backupMs })
    controlPlane.backupFault = 'The disk is full.'
    await expect(ask('backup /tmp/y')).rejects.toThrow('The disk is full.')
    expect(controlPlane.journaled.at(-1)).toMatchObject({ fact: 'act', name: 'backup' })
    controlPlane.backupFault = ''
    for (const folder of ['/tmp/x/', '/tmp/x//', '/tmp/y/../x/.']) {
      await ask(`backup ${folder}`)
      expect(controlPlane.done.at(-1)).toMatch(/ to \/tmp\/x$/)
    }
    for (const folder of ['x', './x', `/${'x'.repeat(2000)}`]) {
      await expect(ask(`backup ${folder}`)).rejects.toThrow('folder must be an absolute path.')
    }
  })

  test('what is decided now is told apart from what waits for a start', async () => {
    expect((await ask('halt BTCUSDT')).said).toBe('Now halted: BTCUSDT.')
    expect((await ask('asset-list ETH')).said).toBe('Asset ETH is listed.')
    expect((await ask('place BTCUSDT 1')).said).toMatch(/It takes effect at the next start\.$/)
  })

  test('symbols are spread by what happened on them, except those that are pinned', async () => {
    await ask('symbol-list USDT BTC --like BTCUSDT')
    await ask('asset-list ETH')
    await ask('symbol-list ETH BTC --like BTCUSDT')
    controlPlane.events = [0, 0, 0]
    await expect(ask('spread')).rejects.toThrow('There are no events since the start')
    controlPlane.events = [60, 0, 40]
    const shown = await ask('spread')
    expect(shown.said).toBe(
      'With this placement the busiest matcher would have 60.0 % of the events, not 100.0 %.',
    )
    expect(shown.rows.map(({ matcher, proposed }) => [matcher, proposed])).toEqual([
      [0, 0],
      [1, 1],
      [0, 1],
    ])
    expect((await ask('symbols')).rows[2]).toMatchObject({ matcher: 0, matcherAtNextStart: 0 })
    expect((await ask('spread on')).said).toMatch(/ It takes effect at the next start\.$/)
    expect((await ask('symbols')).rows[2]).toMatchObject({ matcher: 0, matcherAtNextStart: 1 })
    expect((await ask('spread')).said).toBe('The current placement is already the best.')
    await ask('place ETHBTC 0')
    expect((await ask('spread')).rows.map(({ proposed }) => proposed)).toEqual([1, 1, 0])
    await ask('place ETHBTC')
    expect(registry.placements.size).toBe(0)
  })

  test('filters of the exchange are set and removed one by one, its discount apart', async () => {
    const filter = (kind: string, field: string) =>
      `[{"filterType":"EXCHANGE_MAX_NUM_${kind}","${field}":2}]`
    await ask('exchange-discount BTC 0.5')
    await ask(`exchange-filters ${filter('ORDERS', 'maxNumOrders')}`)
    await ask(`exchange-filters ${filter('ALGO_ORDERS', 'maxNumAlgoOrders')}`)
    expect(registry.exchange).toMatchObject({ discountAssetId: 0, discountRate: 50_000_000 })
    expect(registry.exchange.filters).toHaveLength(2)
    await ask('exchange-filters [] --remove EXCHANGE_MAX_NUM_ORDERS')
    expect(registry.exchange.filters).toEqual([
      { filterType: 'EXCHANGE_MAX_NUM_ALGO_ORDERS', maxNumAlgoOrders: 2 },
    ])
  })

  test('a limit of one asset is set, replaced and removed without those of others', async () => {
    const limit = (asset: string, most: string) =>
      `[{"filterType":"MAX_ASSET","asset":"${asset}","limit":"${most}"}]`
    await ask(`exchange-filters ${limit('BTC', '2')}`)
    await ask(`exchange-filters ${limit('USDT', '500')}`)
    await ask(`exchange-filters ${limit('BTC', '3')}`)
    expect(registry.exchange.filters).toEqual([
      { filterType: 'MAX_ASSET', asset: 'BTC', limit: '3.00000000' },
      { filterType: 'MAX_ASSET', asset: 'USDT', limit: '500.00000000' },
    ])
    expect(registry.exchange.assetLimits).toMatchObject([{ atoms: 3e8 }, { atoms: 500e8 }])
    await ask('exchange-filters [] --remove MAX_ASSET:BTC')
    expect(registry.exchange.assetLimits).toMatchObject([{ atoms: 500e8 }])
    await ask(`exchange-filters ${limit('USDT', '0')}`)
    expect(registry.exchange.assetLimits).toEqual([])
    await expect(ask(`exchange-filters ${limit('DOGE', '1')}`)).rejects.toThrow(
      'DOGE is not listed',
    )
    const twice = limit('BTC', '1').replace(']', `,${limit('BTC', '2').slice(1)}`)
    await expect(ask(`exchange-filters ${twice}`)).rejects.toThrow('MAX_ASSET:BTC is given twice')
    await expect(ask('exchange-filters [{"filterType":"MAX_ASSET","limit":"1"}]')).rejects.toThrow(
      'MAX_ASSET.asset must be the name of an asset.',
    )
  })

  test('a symbol that is like another takes all that is not given', async () => {
    await ask('symbol-features BTCUSDT --amend off --prevention EXPIRE_BOTH')
    await ask('symbol-list USDT BTC --like BTCUSDT --status HALT')
    const { id: _, name: __, base: ___, quote: ____, status, ...like } = registry.symbols[1]!
    expect(registry.symbols[0]).toMatchObject(like)
    expect(status).toBe(SymbolStatus.HALT)
  })

  test('all sums agree, or the audit says where they do not', async () => {
    await ask('lock alice BTC 0.5')
    await ask('withdraw alice BTC 0.25 --yes on')
    expect((await ask('audit')).rows[0]).toMatchObject({ deposited: '1.75000000' })
    controlPlane.free.set('1/1', 1n)
    await expect(ask('audit')).rejects.toThrow('differ in USDT')
  })

  test('only the caller waits for a snapshot', async () => {
    let made = () => {}
    controlPlane.snapshotMade = new Promise((resolve) => {
      made = resolve
    })
    const asked = ask('snapshot')
    expect((await ask('halt BTCUSDT')).said).toBe('Now halted: BTCUSDT.')
    made()
    expect(await asked).toEqual({ said: 'Snapshot 1 covers 2 events.', rows: [] })
  })

  test.each([
    ['keys', '0 keys.'],
    ['key-create alice', 'A key of alice is made. Its secret is not shown again.'],
    ['accounts', '2 accounts.'],
    ['symbols', '1 symbol.'],
    [
      'exchange-discount BTC 0.25',
      'Commissions paid in BTC are 75 % less than the standard rates.',
    ],
    [
      'exchange-discount BTC 0.995',
      'Commissions paid in BTC are 0.5 % less than the standard rates.',
    ],
    ['exchange-discount none', 'There is no discount.'],
  ])('%s says: %s', async (text, said) => {
    expect((await ask(text)).said).toBe(said)
  })

  test('one of a thing is not several', async () => {
    await ask('key-create alice')
    expect((await ask('keys')).said).toBe('1 key.')
    await ask('account-open bob')
    await ask('key-create bob')
    expect((await ask('account-close bob')).said).toBe('Account bob is closed; 1 key is revoked.')
  })

  test('a drained exchange changes nothing, may be read, and stops', async () => {
    await ask('drain')
    const journaled = controlPlane.journaled.length
    for (const text of [
      'deposit alice BTC 1',
      'halt BTCUSDT',
      'account-freeze alice --cancel-orders on',
    ]) {
      await expect(ask(text)).rejects.toThrow('The exchange is drained: only stop is possible now.')
    }
    expect(controlPlane.journaled).toHaveLength(journaled)
    expect((await ask('balances alice')).rows[0]).toMatchObject({ free: '2.00000000' })
    await ask('stop')
    expect(controlPlane.done).toEqual(['drain', 'stop'])
  })

  test('replaying the facts gives the same registry', async () => {
    for (const text of [
      'lock alice BTC 1',
      'halt --all on',
      'withdraw alice BTC 0.5 --yes on',
      'maintenance on',
    ]) {
      await ask(text)
    }
    const again = new Registry()
    again.apply(exchangeAccount())
    for (const fact of controlPlane.journaled) again.apply(JSON.parse(JSON.stringify(fact)))
    expect(again).toEqual(registry)
    expect(again.symbols).toEqual(registry.symbols)
    expect(again.deposited(AssetId(0))).toBe(150_000_000n)
  })
})
