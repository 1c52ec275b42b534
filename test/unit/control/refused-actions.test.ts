/** Every sentence of a refused act, which has changed nothing. */
import { beforeEach, describe, expect, test } from 'vitest'
import { AccountId } from '../../../src/base/units.ts'
import { ActionError, Arguments } from '../../../src/control/action.ts'
import { accountActions } from '../../../src/control/actions/accounts.ts'
import { SUB_ACCOUNTS_MAX } from '../../../src/market/families.ts'
import { ActionBench } from './plain-control-plane.ts'

let bench: ActionBench
let registry: ActionBench['registry']
let executor: ActionBench['executor']
let controlPlane: ActionBench['controlPlane']

beforeEach(async () => {
  bench = await ActionBench.make()
  ;({ registry, controlPlane, executor } = bench)
})
const ask = (text: string) => bench.ask(text)

describe('a refused act changes nothing', () => {
  test.each([
    ['nonsense', 'Unknown command "nonsense".'],
    ['ordres', 'Unknown command "ordres". Did you mean orders?'],
    ['deposit alise BTC 1', 'There is no account alise. Did you mean alice?'],
    ['deposit alice BTCC 1', 'There is no asset BTCC. Did you mean BTC?'],
    ['halt BTCUSD', 'There is no symbol BTCUSD. Did you mean BTCUSDT?'],
    ['orders --limitt 3', 'orders has no parameter limitt. Did you mean limit?'],
    ['deposit alice btc 1', 'There is no asset btc. Did you mean BTC?'],
    ['halt btcusdt', 'There is no symbol btcusdt. Did you mean BTCUSDT?'],
    ['halt BTCUSDT --more x', 'halt has no parameter more.'],
    [
      'deposit alice BTC',
      'deposit needs the argument amount. Example: ringbook deposit alice USDT 10000',
    ],
    ['deposit alice BTC -5', 'amount must be positive.'],
    ['deposit alice BTC 0', 'amount must be positive.'],
    ['deposit alice BTC -0.000000001', 'amount must be a decimal of at most 8 places.'],
    ['deposit alice BTC 1e3', 'amount must be a decimal of at most 8 places.'],
    ['deposit alice BTC 0.000000001', 'amount must be a decimal of at most 8 places.'],
    ['deposit alice BTC 99999999999', 'There is room for 46116860184.27387904 BTC (2^62 atoms).'],
    ['deposit carol BTC 1', 'There is no account carol.'],
    ['deposit alice DOGE 1', 'There is no asset DOGE.'],
    ['withdraw alice BTC 2.00000001', 'alice has 2.00000000 BTC free, which is not enough.'],
    ['lock alice BTC 3', 'alice has 2.00000000 BTC free, which is not enough.'],
    ['unlock alice BTC 1', 'Only 0.00000000 BTC of alice is locked from outside.'],
    [
      'distribute alice BTC 1 a/b',
      'category must be letters, digits, spaces, _ . and -, at most 64.',
    ],
    ['account-open alice', 'The name alice is taken.'],
    ['account-open 12', 'The name 12 would be read as an id.'],
    ['account-open a,b', 'account must be letters, digits, _ . and -, at most 32.'],
    ['account-open bob --master 0', "Account 0 is the exchange's own, and stays open."],
    ['account-open bob --master carol', 'There is no account carol.'],
    ['account-open bob --email bob', /^email must be an address of at most 128 characters/],
    ['account-email alice a@b@c', /^email must be an address of at most 128 characters/],
    ['account-email alice bob@ringbook.invalid', /, and not @ringbook.invalid\.$/],
    ['account-email exchange a@b.c', "Account 0 is the exchange's own, and stays open."],
    ['account-open bob --maker 1%', 'maker must be a share of at most 8 decimals, such as 0.001.'],
    [
      'account-open bob --maker 0.6',
      'With these fees account bob could pay more than half of a trade.',
    ],
    [
      'symbol-fees BTCUSDT --tax-buyer 0.6',
      'With the fees of symbol BTCUSDT an account could pay more than half of a trade.',
    ],
    ['account-fees alice', 'account-fees needs at least one rate: maker, taker, buyer or seller.'],
    ['account-freeze alice maybe', 'frozen must be "on" or "off".'],
    ['account-freeze alice off --cancel-orders on', 'cancel-orders goes with frozen on.'],
    ['account-freeze exchange', "Account 0 is the exchange's own, and stays open."],
    ['account-close alice', 'alice still owns 2.00000000 BTC.'],
    ['key-grant none --accounts alice', 'There is no such API key.'],
    [
      'account-limits alice',
      'account-limits needs at least one of orders-per-second, orders-per-day, weight, sessions, open-orders, bans.',
    ],
    [
      'account-limits alice --weight 268435456',
      'weight must be a whole number from 0 to 268435455.',
    ],
    ['account-limits 0 --sessions 1', "Account 0 is the exchange's own, and stays open."],
    ['account-trade-group alice x', 'trade-group must be a whole number from -1 to 2147483647.'],
    ['account-permissions alice --closed-symbols NO', 'There is no symbol NO.'],
    [
      'key-create alice --kind DSA',
      'kind must be "HMAC", "RSA", "ED25519", "CUSTODIAL" or "CREDIT_LINE".',
    ],
    ['key-create alice --kind RSA', 'A key of kind RSA needs public-key.'],
    ['key-create alice --public-key x', 'A key of kind HMAC has no public-key.'],
    ['key-create alice --trade off --read off', 'A key must be able to read or to trade.'],
    ['key-create alice --addresses home', /^addresses must be addresses and ranges/],
    [
      `key-create alice --addresses ${Array(257).fill('::1').join(',')}`,
      /^A key has at most 256 addresses and ranges\.$/,
    ],
    ['key-create alice --kind RSA --public-key x', /is refused: its public key is not PEM/],
    ['key-revoke x', 'There is no such API key.'],
    ['asset-list BTC', 'The asset BTC is listed already.'],
    ['asset-list btc', 'asset must be capital letters and digits, at most 20.'],
    ['asset-list ETH 13', 'asset-list has no parameter more.'],
    ['symbol-list BTC USDT', 'The symbol BTCUSDT is listed already.'],
    ['symbol-list USDT BTC', 'symbol-list needs filters, or a symbol that it is like.'],
    ['symbol-list BTC BTC []', 'base and quote must be two assets.'],
    ['symbol-list USDT BTC []', 'Symbol USDTBTC cannot be listed: it has no PRICE_FILTER.'],
    ['symbol-list USDT BTC {', 'filters is not JSON: line 1, column 2: the text ends.'],
    ['symbol-list USDT BTC --like BTCUSDT --prevention FOO', /^prevention must be of NONE/],
    ['symbol-filters BTCUSDT {}', 'filters must be a JSON array of filters.'],
    ['symbol-filters BTCUSDT [1]', 'filters must be a JSON array of filters.'],
    [
      'symbol-filters BTCUSDT [{"filterType":"X"}]',
      "X is not the filterType of a symbol's filter.",
    ],
    [
      'symbol-filters BTCUSDT [{"filterType":"ICEBERG_PARTS","limit":1.5}]',
      'ICEBERG_PARTS.limit must be a whole number.',
    ],
    [
      'symbol-filters BTCUSDT [{"filterType":"ICEBERG_PARTS","limit":1,"x":1}]',
      'ICEBERG_PARTS has no field x.',
    ],
    ['symbol-filters BTCUSDT [] --remove NOTIONAL', 'BTCUSDT has no filter NOTIONAL.'],
    [
      'symbol-filters BTCUSDT [] --remove LOT_SIZE',
      'LOT_SIZE.stepSize of BTCUSDT stays what it was at listing.',
    ],
    ['symbol-list USDT BTC --like BTCUSDT --matcher 2', /^matcher must be a whole number/],
    ['symbol-features BTCUSDT', /^symbol-features needs at least one of order-types, prevention/],
    ['symbol-features BTCUSDT --amend perhaps', 'amend must be "on" or "off".'],
    ['symbol-features BTCUSDT --order-types FOO', /^order-types must be of LIMIT, MARKET/],
    ['symbol-features BTCUSDT --order-types toString', /^order-types must be of LIMIT, MARKET/],
    ['exchange-filters {}', 'filters must be a JSON array of filters.'],
    [
      'exchange-filters [{"filterType":"MAX_NUM_ORDERS","maxNumOrders":1}]',
      'MAX_NUM_ORDERS is not the filterType of a filter of the exchange.',
    ],
    [
      'exchange-filters [{"filterType":"EXCHANGE_MAX_NUM_ORDERS","maxNumOrders":-1}]',
      'EXCHANGE_MAX_NUM_ORDERS.maxNumOrders must be a whole number.',
    ],
    ['exchange-filters [] --remove NOTIONAL', 'The exchange has no filter NOTIONAL.'],
    ['symbol-status BTCUSDT OPEN', /^status must be "PRE_TRADING"/],
    ['resume BTCUSDT', 'BTCUSDT is TRADING, not HALT.'],
    ['place BTCUSDT 2', 'matcher must be a whole number from 0 to 1.'],
    ['exchange-discount BTC', 'rate must be above 0 and at most 1.'],
    ['exchange-discount BTC 1.1', 'rate must be above 0 and at most 1.'],
    ['exchange-discount ETH 0.5', 'There is no asset ETH.'],
    ['maintenance perhaps', 'on must be "on" or "off".'],
  ])('%s', async (text, sentence) => {
    const content = () => ({ ...registry, schedules: registry.schedules.all })
    const before = structuredClone(content())
    const journaled = controlPlane.journaled.length
    const free = new Map(controlPlane.free)
    await expect(ask(text)).rejects.toThrow(ActionError)
    await expect(ask(text)).rejects.toThrow(sentence)
    expect(content()).toEqual(before)
    expect(controlPlane.journaled).toHaveLength(journaled)
    expect(controlPlane.free).toEqual(free)
  })

  test('a symbol without memory for its book is not listed', async () => {
    controlPlane.hasRoom = false
    await expect(ask('symbol-list USDT BTC --like BTCUSDT')).rejects.toThrow('There is no memory')
    expect(registry.symbols).toHaveLength(1)
    controlPlane.hasRoom = true
    await ask('symbol-list USDT BTC --like BTCUSDT')
  })

  test('there is room for so many accounts', async () => {
    await ask('account-open a')
    await ask('account-open b')
    await expect(ask('account-open c')).rejects.toThrow('There is room for 4 accounts')
  })

  test('a sub-account has a master that is open, and none below it', async () => {
    await ask('account-open alice.bot --master alice --email bot@example.com')
    await expect(ask('account-open b --master alice.bot')).rejects.toThrow(
      'is a sub-account itself',
    )
    const taken = 'The account alice.bot has the address bot@example.com.'
    await expect(ask('account-email alice bot@example.com')).rejects.toThrow(taken)
    await ask('account-email alice.bot bot@example.com')
    await expect(ask('account-close alice')).rejects.toThrow('alice still has 1 sub-account.')
    await ask('account-close alice.bot')
    await expect(ask('account-close alice')).rejects.toThrow('alice still owns')
    await expect(ask('account-open b --master alice.bot')).rejects.toThrow('alice.bot is closed')
  })

  test('a master has at most 1,000 sub-accounts, those that are closed among them', async () => {
    const alice = registry.accounts[1]!
    for (let at = 0; at < SUB_ACCOUNTS_MAX - 1; at++) {
      registry.accounts.push({ ...alice, id: AccountId(2 + at), name: `s${at}`, master: alice.id })
    }
    const context = { registry, view: { accountsMax: 2_000 }, nowMs: 1_000 }
    const row = accountActions.find(({ name }) => name === 'account-open')!
    const open = () =>
      row.run(new Arguments(row, { account: 'last', master: 'alice' }), context as never)
    expect(open()).toMatchObject({ facts: [{ name: 'last', master: 1 }] })
    registry.accounts.push({ ...alice, id: AccountId(2_000), name: 'a', master: alice.id })
    expect(open).toThrow('There is room for 1000 sub-accounts of alice.')
  })

  test('a disk that refuses ends the process', async () => {
    controlPlane.isDiskFull = true
    await expect(ask('deposit alice BTC 1')).rejects.toThrow('the disk is full')
    expect(controlPlane.done).toEqual(['the disk is full'])
  })
})

test('acts are carried out one after another', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, () => ask('withdraw alice BTC 0.5 --yes on')),
  )
  const done = outcomes.map(({ status }) => status)
  expect(done.filter((status) => status === 'fulfilled')).toHaveLength(4)
  expect(done.at(-1)).toBe('rejected')
})

test('of a closed executor, the action under way is finished, and no other begins', async () => {
  let told = () => {}
  controlPlane.enforce = () => new Promise((resolve) => (told = resolve))
  const journaled = controlPlane.facts.length
  const first = ask('deposit alice BTC 1')
  const second = ask('deposit alice BTC 1')
  await expect.poll(() => controlPlane.facts.length).toBe(journaled + 1)
  const closed = executor.close().then(() => 'closed')
  await expect(Promise.race([closed, Promise.resolve('open')])).resolves.toBe('open')
  told()
  await first
  await expect(second).rejects.toThrow('The exchange is stopping.')
  await expect(closed).resolves.toBe('closed')
  await expect(ask('deposit alice BTC 1')).rejects.toThrow(ActionError)
  expect(controlPlane.facts).toHaveLength(journaled + 1)
})
